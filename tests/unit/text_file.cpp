/// Files that are replaced whole, and directories that one program has for itself.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

import octet.base;
import octet.text;

#include "refusal.hpp"
#include "scratch.hpp"

using namespace octet::text;
namespace fs = std::filesystem;

TEST_CASE("of a link what it leads to is replaced, and the link stays") {
  const Scratch scratch;
  fs::create_directory(scratch.path / "far");
  write_file(scratch.path / "far" / "file", "before");
  fs::create_symlink("far/file", scratch.path / "link");
  fs::create_symlink("link", scratch.path / "link to the link");
  write_file(scratch.path / "link to the link", "after");
  CHECK(read_file(scratch.path / "far" / "file") == "after");
  CHECK(fs::is_symlink(scratch.path / "link"));
  CHECK(fs::is_symlink(scratch.path / "link to the link"));
  fs::create_symlink("far/new", scratch.path / "leads nowhere");
  write_files(std::vector<FileContent>{{scratch.path / "leads nowhere", [] { return std::string{"new"}; }}});
  CHECK(read_file(scratch.path / "far" / "new") == "new");
}

TEST_CASE("a link that leads round is refused, and stands") {
  const Scratch scratch;
  fs::create_symlink("b", scratch.path / "a");
  fs::create_symlink("a", scratch.path / "b");
  CHECK(number_of([&] { write_file(scratch.path / "a", "x"); }) == 707);
  CHECK(fs::read_symlink(scratch.path / "a") == "b");
  CHECK(fs::read_symlink(scratch.path / "b") == "a");
}

TEST_CASE("a file is written in parts, and stays what it was where one cannot be made") {
  const Scratch scratch;
  const fs::path file = scratch.path / "file";
  const FileParts parts{[](const FileParts::Write& write) { write("ab"), write(""), write("cdef"); }};
  CHECK(parts.size() == 6);
  write_parts(file, parts);
  CHECK(read_file(file) == "abcdef");
  write_parts(file, std::string{"whole"});
  CHECK(read_file(file) == "whole");
  int calls = 0;
  const FileParts fails{[&calls](const FileParts::Write& write) {
    write("ab");
    if (++calls > 1) octet::fail({.number = 405, .sentence = "There is no more."});
  }};
  CHECK(number_of([&] { write_parts(file, fails); }) == 405);
  CHECK(read_file(file) == "whole");
  CHECK(std::distance(fs::directory_iterator{scratch.path}, {}) == 1);
}

#ifndef __wasm__
TEST_CASE("a file that is being written is written by nobody else, and is whole") {
  const Scratch scratch;
  const fs::path file = scratch.path / "file";
  std::vector<int> numbers;
  int calls = 0;
  const FileParts parts{[&](const FileParts::Write& write) {
    write("one ");
    if (++calls > 1) {
      numbers.push_back(number_of([&] { write_file(file, "other"); }));
      numbers.push_back(
          number_of([&] { write_files(std::vector<FileContent>{{file, [] { return std::string{"other"}; }}}); }));
    }
    write("whole");
  }};
  write_parts(file, parts);
  CHECK(numbers == std::vector{707, 707});
  CHECK(read_file(file) == "one whole");
  CHECK(std::distance(fs::directory_iterator{scratch.path}, {}) == 1);
  write_file(file, "other");
  CHECK(read_file(file) == "other");
}
#endif

#ifndef __wasm__
TEST_CASE("what is where a file would be written first is taken for one that was left only where it is one") {
  const Scratch scratch;
  const fs::path file = scratch.path / "file", beside = scratch.path / "file.writing", own = scratch.path / "own";
  write_file(own, "mine");
  write_file(beside, "left by a program that was killed, and longer");
  fs::permissions(beside, fs::perms::owner_read | fs::perms::owner_write);
  write_file(file, "whole");
  CHECK(read_file(file) == "whole");
  CHECK(fs::status(file).permissions() == fs::status(own).permissions());
  CHECK(!fs::exists(beside));
  fs::create_symlink(own, beside);
  CHECK(number_of([&] { write_file(file, "other"); }) == 707);
  CHECK(fs::is_symlink(beside));
  fs::remove(beside);
  fs::create_directory(beside);
  CHECK(number_of([&] { write_file(file, "other"); }) == 707);
  CHECK(fs::is_directory(beside));
  CHECK(read_file(own) == "mine");
  CHECK(read_file(file) == "whole");
}

TEST_CASE("two names of one file are refused as two files for it") {
  const Scratch scratch;
  fs::create_directory(scratch.path / "there");
  fs::create_directory_symlink(scratch.path / "there", scratch.path / "link");
  const std::vector<FileContent> files{{scratch.path / "there" / "file", [] { return std::string{"one"}; }},
                                       {scratch.path / "link" / "file", [] { return std::string{"other"}; }}};
  CHECK(sentence_of([&] { write_files(files); }).starts_with("two files would be written to"));
  CHECK(fs::is_empty(scratch.path / "there"));
}
#endif

TEST_CASE("several files are replaced all together, or none") {
  const Scratch scratch;
  const auto place = [&](const char* name) { return scratch.path / name; };
  const auto content = [&](const char* name) { return read_file(place(name)); };
  const auto files = [&] { return std::distance(fs::directory_iterator{scratch.path}, {}); };
  write_file(place("a"), "old a");
  write_file(place("gone"), "old");
  const auto put = [&] {
    FileWriter a{place("a")}, b{place("b")}, c{place("c")};
    a.write("new a"), b.write("new b"), c.write("new c");
    FileWriter* const all[]{&a, &b, &c};
    const fs::path gone[]{place("gone"), place("was never there")};
    put_in_place(all, gone);
  };
  const auto write = [&] {
    write_files(std::vector<FileContent>{{place("a"), [] { return std::string{"new a"}; }},
                                         {place("c"), [] { return std::string{"new c"}; }}});
  };
  fs::create_directory(place("c"));
  for (int i = 0; i < 2; ++i) {
    CHECK(number_of(put) == 707);
    CHECK(number_of(write) == 707);
    CHECK(content("a") == "old a");
    CHECK(content("gone") == "old");
    CHECK(files() == (i == 0 ? 3 : 4));
    if (i == 1) break;
    // A file that cannot be taken out of the way, since what is full has the name it would get.
    fs::remove(place("c"));
    write_file(place("c"), "old c");
    fs::create_directories(place("c.replaced") / "full");
  }
  fs::remove_all(place("c.replaced"));
  put();
  CHECK(content("a") + content("b") + content("c") == "new anew bnew c");
  CHECK(files() == 3);
}

#ifndef __wasm__
TEST_CASE("a directory has one lock at a time") {
  const Scratch scratch;
  {
    DirectoryLock first{scratch.path};
    CHECK(number_of([&] { DirectoryLock second{scratch.path}; }) == 707);
    const DirectoryLock handed_on{std::move(first)};
    CHECK(number_of([&] { DirectoryLock second{scratch.path}; }) == 707);
  }
  const DirectoryLock again{scratch.path};
}
#endif
