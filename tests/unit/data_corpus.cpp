#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "counted_memory.hpp"
#include "scratch.hpp"

import octet.base;
import octet.data;
import octet.text;

using namespace octet;
using namespace octet::data;
using namespace std::literals;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view text, ReadOptions options = {}) {
  Lines lines;
  for_each_line_of(text, "text", [&](std::string_view line, std::size_t) { lines.emplace_back(line); }, options);
  return lines;
}

Diagnostic refusal(std::function<void()> function) {
  try {
    function();
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}
Diagnostic refusal_of(std::string_view text) {
  return refusal([=] { lines_of(text); });
}
bool says(const Diagnostic& diagnostic, std::string_view part) {
  return diagnostic.text().find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("lines end with LF, CR LF or CR, and the last one needs no end") {
  CHECK(lines_of("a\nb\r\nc\rd") == Lines{"a", "b", "c", "d"});
  CHECK(lines_of("a\n\nb\n") == Lines{"a", "", "b"});
  CHECK(lines_of("a\r\r\nb\r\n") == Lines{"a", "", "b"});
  CHECK(lines_of("\xEF\xBB\xBF"
                 "a\n") == Lines{"a"});
  CHECK(lines_of("\xEF\xBB\xBF"
                 "a long first line\n") == Lines{"a long first line"});
  CHECK(lines_of("a") == Lines{"a"});
}

TEST_CASE("a NUL byte is refused before the end of its line") {
  LineReader reader{"text", [](std::string_view, std::size_t) {}};
  reader.add("a line\n");
  std::string block(1 << 20, 'a');
  reader.add(block);
  reader.check_unfinished();
  block[1] = '\0';
  reader.add(block);
  const Diagnostic refused = refusal([&] { reader.check_unfinished(); });
  CHECK(refused.number == 703);
  CHECK(says(refused, "a NUL byte at line 2, byte 1048578 of that line"));
}

TEST_CASE("blocks of any size give the same lines") {
  const std::string text = "\xEF\xBB\xBF\uD55C\uAE00\r\n\r\nwords \U0001F600\rmore\n\nend";
  const Lines whole = lines_of(text);
  CHECK(whole == Lines{"\uD55C\uAE00", "", "words \U0001F600", "more", "", "end"});
  for (std::size_t size = 1; size < text.size(); ++size) {
    Lines lines;
    LineReader reader{"text", [&](std::string_view line, std::size_t) { lines.emplace_back(line); }};
    for (std::size_t at = 0; at < text.size(); at += size) reader.add(std::string_view{text}.substr(at, size));
    reader.finish();
    CHECK(lines == whole);
    CHECK(reader.bytes() == text.size());
  }
}

TEST_CASE("a long line can be had in parts, of which few are held") {
  constexpr std::size_t block = 100'000, blocks = 250;
  std::string text;
  while (text.size() < block) text += "\uD55C\uAE00\U0001F600";
  std::size_t given = 0, parts = 0, other_lines = 0;
  const std::size_t taken = counted_memory::peak_of([&] {
    LineReader reader{"text",
                      [&](std::string_view part, std::size_t number) {
                        (number == 2 ? parts : other_lines) += 1;
                        if (number == 2) given += part.size();
                      },
                      {.in_parts = true}};
    reader.add("first\n");
    for (std::size_t i = 0; i < blocks; ++i) reader.add(text);
    reader.add("\nthird\n");
    reader.finish();
  });
  CHECK(other_lines == 2);
  CHECK(given == blocks * text.size());
  CHECK(parts > 20);
  CHECK(taken < std::size_t{8} << 20);
}

TEST_CASE("a fault in a later part of a line is told where it is") {
  const std::string text = "first\n" + std::string(3'000'000, 'x') + "\xE9y\nthird";
  const Diagnostic diagnostic = refusal([&] { lines_of(text, {.in_parts = true}); });
  CHECK(diagnostic.number == 704);
  CHECK(diagnostic.where.line == 2);
  CHECK(says(diagnostic, "byte 0xE9 at line 2, byte 3000001 of that line (offset 3000006 in the text)"));
}

TEST_CASE("a text without a word is refused") {
  CHECK(refusal_of("").number == 702);
  CHECK(refusal_of("\n \t\r\n\u3000\n").number == 702);
  CHECK(refusal_of("\xEF\xBB\xBF").number == 702);
}

TEST_CASE("bytes that are not UTF-8 are refused with line and offset") {
  const Diagnostic diagnostic = refusal_of(
      "\xEF\xBB\xBFone\r\ntwo\nab\xE9"
      "cd and so on\n");
  CHECK(diagnostic.number == 704);
  CHECK(diagnostic.where.line == 3);
  CHECK(says(diagnostic, "byte 0xE9 at line 3, byte 3 of that line (offset 14 in the text)"));
  CHECK(says(diagnostic, "iconv -f WINDOWS-1252 -t UTF-8 text > text.utf8"));
}

TEST_CASE("the command that mends a text holds any name") {
  const auto refused = [] {
    LineReader reader{"it's.txt", [](std::string_view, std::size_t) {}};
    reader.add("caf\xE9 d\xE9j\xE0 vu\n");
    reader.finish();
  };
  try {
    refused();
    FAIL("it was read");
  } catch (const Error& error) {
    CHECK(says(error.diagnostics().front(), "UTF-8 'it'\\''s.txt' > 'it'\\''s.txt.utf8'"));
  }
}

TEST_CASE("the command that mends a text names the encoding it was written in") {
  CHECK(std::string{guess_encoding("\xC7\xD1\xB1\xDB \xB9\xAE\xBC\xAD\xC0\xD4\xB4\xCF\xB4\xD9")} == "CP949");
  CHECK(std::string{guess_encoding("\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE\xA5\xC6\xA5\xAD\xA5\xB9\xA5\xC8")} == "EUC-JP");
  CHECK(std::string{guess_encoding(
            "\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83\x4C\x83\x58\x83\x67\x82\xC5\x82\xB7")} == "SHIFT_JIS");
  CHECK(std::string{guess_encoding("caf\xE9 d\xE9j\xE0 vu")} == "WINDOWS-1252");
}

TEST_CASE("UTF-16 and UTF-32 are named") {
  CHECK(says(refusal_of("\xFF\xFEh\0i\0 \0t\0h\0e\0r\0e\0"sv), "X704"));
  CHECK(says(refusal_of("\xFF\xFEh\0i\0"sv), "UTF-16"));
  CHECK(says(refusal_of("\xFE\xFF\0h\0i\0 \0t\0h\0e\0r\0e"sv), "UTF-16"));
  CHECK(says(refusal_of("\xFF\xFE\0\0h\0\0\0i\0\0\0"sv), "UTF-32"));
  CHECK(says(refusal_of("\0\0\xFE\xFF\0\0\0h\0\0\0i"sv), "UTF-32"));
  CHECK(says(refusal_of("H\0i\0\n\0"sv), "UTF-16LE"));
  CHECK(says(refusal_of("\0H\0i\0\n"sv), "UTF-16BE"));
  CHECK(refusal_of("a\0b\n"sv).number == 703);
  CHECK(refusal_of("\1\0\2\0more\n"sv).number == 703);
  CHECK(says(refusal_of("w\0i\0t\0h\0o\0u\0t\0 \0m\0a\0r\0k\0\n\0"sv), "UTF-16"));
}

TEST_CASE("binary data is refused as such") {
  const Diagnostic zero = refusal_of("some text\nand a \0 in it\n"sv);
  CHECK(zero.number == 703);
  CHECK(zero.where.line == 2);
  CHECK(says(zero, "byte 7 of that line (offset 16 in the text)"));
  CHECK(says(refusal_of("\x1f\x8b\x08\0\0\0\0\0\0\x03"sv), "gzip"));
  CHECK(refusal_of("%PDF-1.7\n%abc").number == 703);
}

TEST_CASE("a text that ends inside a character is told apart from a wrong one") {
  const Diagnostic diagnostic = refusal_of("whole line\nthen \xED\x95"sv);
  CHECK(diagnostic.number == 705);
  CHECK(diagnostic.where.line == 2);
  CHECK(says(diagnostic, "its last 2 bytes"));
  CHECK(refusal_of("whole line\nthen \xED\x95\n"sv).number == 704);
}

TEST_CASE("bytes that are not UTF-8 can be replaced instead") {
  CHECK(lines_of("ab\xE9\ncd \xED\x95", {.invalid = InvalidBytes::replace}) == Lines{"ab\uFFFD", "cd \uFFFD"});
  CHECK(lines_of("fine\n", {.invalid = InvalidBytes::replace}) == Lines{"fine"});
}

TEST_CASE("a corpus holds the non-blank lines of all files, and all faulty files are told at once") {
  const Scratch scratch;
  const auto directory = scratch.path;
  text::write_file(directory / "a", "one\n\n  \ntwo\n");
  text::write_file(directory / "b", "\uC14B\n");
  text::write_file(directory / "empty", "");
  const Corpus corpus = read_corpus({directory / "a", directory / "b"});
  CHECK(corpus.lines == Lines{"one", "two", "\uC14B"});
  CHECK(corpus.bytes == 16);
  text::write_file(directory / "ends", "\xEF\xBB\xBFone\r\n\r\ntwo");
  CHECK(read_corpus({directory / "ends", directory / "b"}).bytes == 13 + 4);
  CHECK(corpus_of_text("one\n\ntwo", "text").lines == Lines{"one", "two"});
  try {
    read_corpus({directory / "missing", directory / "a", directory / "empty", directory});
    FAIL("nothing was refused");
  } catch (const Error& error) {
    REQUIRE(error.diagnostics().size() == 3);
    CHECK(error.diagnostics()[0].number == 701);
    CHECK(error.diagnostics()[1].number == 702);
    CHECK(error.diagnostics()[2].number == 701);
    CHECK(says(error.diagnostics()[0], "missing"));
  }
}

TEST_CASE("a line longer than any block is one line") {
  const std::string line(5'000'000, 'x');
  const Scratch scratch;
  const auto path = scratch.path / "text";
  text::write_file(path, line + "\nshort\n");
  const Corpus corpus = read_corpus({path});
  REQUIRE(corpus.lines.size() == 2);
  CHECK(corpus.lines[0] == line);
}

TEST_CASE("every twentieth line is held out, of a short text the last one") {
  Lines lines;
  for (int i = 1; i <= 45; ++i) lines.push_back(std::to_string(i));
  const Split split = hold_out(lines);
  CHECK(split.held_out == Lines{"20", "40"});
  CHECK(split.training.size() == 43);
  CHECK(split.training[19] == "21");
  CHECK(hold_out({"a", "b", "c"}).held_out == Lines{"c"});
  CHECK(hold_out({"a", "b", "c", "d"}, 2).held_out == Lines{"b", "d"});
  CHECK(refusal([] { hold_out({"a"}); }).number == 706);
  CHECK(refusal([] { hold_out({}); }).number == 706);
  CHECK(refusal([] { hold_out({"a", "b"}, 1); }).number == 709);
}
