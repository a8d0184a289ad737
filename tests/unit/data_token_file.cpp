#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.data;
import octet.text;

#include "refusal.hpp"

using namespace octet;
using namespace octet::data;

namespace {

using Ids = std::vector<std::int32_t>;
using Sentences = std::vector<Ids>;

std::string file_of(const std::vector<Sentences>& documents, std::size_t vocabulary = 100) {
  std::string bytes;
  TokenWriter writer{[&](std::string_view part) { bytes += part; }, vocabulary};
  for (const Sentences& sentences : documents) {
    for (const Ids& ids : sentences) {
      writer.add(ids);
      writer.end_sentence();
    }
    writer.end_document();
  }
  writer.finish();
  return bytes;
}

void read_all(const std::string& bytes) {
  const TokenFile file{bytes, "some.tokens"};
  file.verify();
  for (std::uint64_t i = 0; i < file.documents(); ++i) file.document(i);
}

}  // namespace

TEST_CASE("documents come back, without empty sentences and documents") {
  const std::vector<Sentences> documents{{{1, 2, 3}, {}, {4}}, {}, {{}}, {{99, 0}}};
  const TokenFile file{file_of(documents), "some.tokens"};
  CHECK(file.documents() == 2);
  CHECK(file.tokens() == 6);
  CHECK(file.vocabulary() == 100);
  CHECK(file.document(0) == Sentences{{1, 2, 3}, {4}});
  CHECK(file.document(1) == Sentences{{99, 0}});
  CHECK(file.bytes() == 2 * 9 + 8 * 2 + 48);
  CHECK(TokenFile{file_of({}), "none"}.documents() == 0);
}

TEST_CASE("ids take two bytes, and four where the vocabulary is too large for that") {
  for (const std::size_t vocabulary : {65'533u, 65'534u, 65'535u, 65'536u, 200'000u}) {
    const auto last = static_cast<std::int32_t>(vocabulary - 1);
    const TokenFile file{file_of({{{last, 0, 1}}}, vocabulary), "some.tokens"};
    CHECK(file.document(0) == Sentences{{last, 0, 1}});
    CHECK(file.bytes() == (vocabulary < 65'535 ? 2u : 4u) * 4 + 8 + 48);
  }
}

TEST_CASE("a stream of ids is read from anywhere") {
  std::string bytes;
  TokenWriter writer{[&](std::string_view part) { bytes += part; }, 50'000};
  Ids all;
  for (std::int32_t i = 0; i < 50'000; ++i) all.push_back(i);
  writer.add(all);
  writer.finish();
  const TokenFile file{bytes, "some.tokens"};
  CHECK(file.documents() == 0);
  CHECK(file.positions() == 50'000);
  CHECK(file.ids(49'990, 10) == Ids(all.end() - 10, all.end()));
  CHECK(file.ids(0, 50'000) == all);
  CHECK(file.ids(7, 0).empty());
}

TEST_CASE("a document of very many tokens becomes several") {
  const std::vector<Sentences> documents{Sentences(100, Ids(1000, 7)), {{1}}};
  const TokenFile file{file_of(documents), "some.tokens"};
  REQUIRE(file.documents() == 13);
  CHECK(file.document(0).size() == 9);
  CHECK(file.document(11).size() == 1);
  CHECK(file.document(12) == Sentences{{1}});
}

TEST_CASE("documents that go on as others because of their length are counted") {
  const auto cuts = [](const std::vector<Sentences>& documents) {
    TokenWriter writer{[](std::string_view) {}, 100};
    for (const Sentences& document : documents) {
      for (const Ids& sentence : document) {
        writer.add(sentence);
        writer.end_sentence();
      }
      writer.end_document();
    }
    writer.finish();
    return writer.cuts();
  };
  CHECK(cuts({Sentences(100, Ids(1000, 7)), {{1}}}) == 11);
  CHECK(cuts({Sentences(9, Ids(1000, 7)), {{1}}}) == 0);  // it ends where it would be cut
  CHECK(cuts({Sentences(10, Ids(1000, 7)), {{1}}}) == 1);
  CHECK(cuts({{Ids(100'000, 7)}, {{1}}}) == 0);  // a sentence stays whole
}

TEST_CASE("a token file is read from a disk and checked there") {
  const Scratch scratch;
  const auto path = scratch.path / "file.tokens";
  text::write_file(path, file_of({{{1, 2}}, {{3}}}));
  {
    const TokenFile file{path};
    const TokenFile copy = file;
    CHECK(copy.document(1) == Sentences{{3}});
  }
  std::filesystem::remove(path);
  CHECK(number_of([&] { TokenFile{path}; }) == 701);
  CHECK(number_of([&] { TokenFile{path.parent_path()}; }) == 701);
  text::write_file(path, "");
  CHECK(number_of([&] { TokenFile{path}; }) == 726);
}

TEST_CASE("a token file that is cut short while it is read is refused, and the program lives") {
  const Scratch scratch;
  const auto path = scratch.path / "file.tokens";
  for (const bool verified : {false, true}) {
    CAPTURE(verified);
    text::write_file(path, file_of(std::vector<Sentences>(4000, {{1, 2, 3}, {4}})));
    const TokenFile file{path};
    if (verified) file.verify();
    CHECK(file.document(3999) == Sentences{{1, 2, 3}, {4}});
    const auto written = std::filesystem::last_write_time(path);
    std::filesystem::resize_file(path, 100);
    std::filesystem::last_write_time(path, written);  // as within one tick of the file system's clock
    CHECK(number_of([&] { file.document(3999); }) == 726);
    CHECK(number_of([&] { file.verify(); }) == 726);
    std::filesystem::resize_file(path, 0);
    CHECK(number_of([&] { file.document(0); }) == 726);
  }
}

TEST_CASE("a token file that is written over once it was verified is refused where its ids are other ones") {
  const Scratch scratch;
  const auto path = scratch.path / "file.tokens";
  std::string bytes;
  TokenWriter writer{[&](std::string_view part) { bytes += part; }, 50'000};
  const Ids all(20'000, 7);
  writer.add(all);
  writer.finish();
  text::write_file(path, bytes);
  const TokenFile file{path};
  file.verify();
  const TokenFile copy = file;
  CHECK(copy.ids(0, 20'000) == all);
  const auto write_over = [&](const std::string& content) {
    // In its place: a file that is written beside and renamed leaves the one that is open as it was.
    std::ofstream{path, std::ios::binary} << content;
    // The clock of a file system has ticks.
    static int later = 0;
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds{++later});
  };
  for (const std::size_t at : {0u, 5'000u, 19'999u}) {
    std::string other = bytes;
    other[2 * at] = 8;  // an id of the vocabulary, too
    write_over(other);
    CHECK(number_of([&] { copy.ids(at, 1); }) == 726);
    CHECK(number_of([&] { copy.ids(0, 10); }) == 726);
    CHECK(number_of([&] { file.verify(); }) == 726);
  }
  write_over(bytes);  // the same once more
  CHECK(copy.ids(0, 20'000) == all);
  text::write_file(path, "another");
  CHECK(copy.ids(0, 20'000) == all);
}

TEST_CASE("ids and documents of a file are read whole, however long") {
  const Scratch scratch;
  const auto path = scratch.path / "file.tokens";
  for (const std::size_t vocabulary : {40'000u, 70'000u}) {
    std::vector<Sentences> documents;
    for (std::int32_t i = 0; i < 3000; ++i) documents.push_back({Ids(static_cast<std::size_t>(i % 41 + 1), i), {i}});
    documents.push_back({Ids(100'000, 5)});
    text::write_file(path, file_of(documents, vocabulary));
    const TokenFile file{path};
    file.verify();
    REQUIRE(file.documents() == documents.size());
    bool same = true;
    for (std::size_t i = 0; i < documents.size(); ++i) same = same && file.document(i) == documents[i];
    CHECK(same);
  }
}

TEST_CASE("a token file cut short or altered anywhere is refused") {
  const std::string whole = file_of({{{1, 2, 3}, {4}}, {{5, 6}}});
  CHECK(number_of([&] { read_all(whole); }) == 0);
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK(number_of([&] { read_all(whole.substr(0, size)); }) == 726);
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string altered = whole;
      altered[at] = static_cast<char>(altered[at] ^ 1 << bit);
      CHECK(number_of([&] { read_all(altered); }) == 726);
    }
}

TEST_CASE("what was altered and not verified is refused where it is met, never read beyond") {
  const std::string whole = file_of({{{1, 2, 3}, {4}}, {{5, 6}}});
  for (std::size_t at = 0; at + 48 < whole.size(); ++at)
    for (const char byte : {'\0', '\xFF', '\x7F'}) {
      std::string altered = whole;
      altered[at] = byte;
      const TokenFile file{altered, "some.tokens"};
      for (std::uint64_t i = 0; i < 2; ++i) {
        const int number = number_of([&] { file.document(i); });
        CHECK((number == 0 || number == 726));
      }
    }
}

TEST_CASE("what is no id is not written, and what is not there is not read") {
  for (const std::int32_t id : {100, 70000, -1, std::numeric_limits<std::int32_t>::min()})
    CHECK(number_of([&] { file_of({{{1, id}}}); }) == 736);
  const TokenFile file{file_of({{{1, 2, 3}, {4}}}), "some.tokens"};
  CHECK(file.ids(0, 3) == Ids{1, 2, 3});
  for (const auto& [begin, count] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 7}, {6, 1}, {1000, 3}, {~0ull, 2}, {2, ~0ull}})
    CHECK(number_of([&] { file.ids(begin, count); }) == 403);
  CHECK(number_of([&] { file.document(1); }) == 403);
  CHECK(number_of([&] { file.document(~0ull); }) == 403);
}
