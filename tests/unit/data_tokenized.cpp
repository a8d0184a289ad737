#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.data;
import octet.text;

using namespace octet;
using namespace octet::data;

namespace {

using Ids = std::vector<std::int32_t>;

// A text on the disk, since sources are files.
struct Source {
  Scratch scratch;
  std::filesystem::path path = scratch.path / "text.txt";
  explicit Source(std::string_view text) { text::write_file(path, text); }
};

text::Tokenizer bpe_of(std::string_view text, bool add_prefix_space = false) {
  text::BpeTrainer trainer{{.vocab_size = 400, .add_prefix_space = add_prefix_space}};
  trainer.add(text);
  return trainer.train();
}

TokenFile causal(const Source& source, const text::Tokenizer& tokenizer, Documents documents, TextCount& count) {
  std::string bytes;
  TokenWriter writer{[&](std::string_view part) { bytes += part; }, size_of(tokenizer)};
  count = add_causal({.path = source.path, .documents = documents}, tokenizer, separator_id(tokenizer), writer);
  writer.finish();
  return {bytes, "text.tokens"};
}

}  // namespace

TEST_CASE("documents of lines are the same ids as encoded whole, with the separator after each") {
  const std::string text =
      "some words\nand more  words \n  of every kind\n\n\n\ta tab\n\uD55C\uAD6D\uC5B4 "
      "\uBB38\uC7A5\u3000\n\u3000\u65E5\u672C\u8A9E\n"
      "x\u00A0\ny\n\n \n\nthe end";
  const text::Tokenizer tokenizer = bpe_of(text);
  const auto& bpe = std::get<text::Bpe>(tokenizer);
  const std::int32_t separator = separator_id(tokenizer);
  TextCount count;
  {
    const TokenFile file = causal(Source{text}, tokenizer, Documents::files, count);
    Ids expected = bpe.encode(text).ids;
    expected.push_back(separator);
    CHECK(file.ids(0, file.tokens()) == expected);
    CHECK(count.documents == 1);
    CHECK(count.bytes == text.size());
  }
  const TokenFile file = causal(Source{"one two\nthree\n\n\nfour\n"}, tokenizer, Documents::paragraphs, count);
  Ids expected = bpe.encode("one two\nthree").ids;
  expected.push_back(separator);
  for (const std::int32_t id : bpe.encode("four").ids) expected.push_back(id);
  expected.push_back(separator);
  CHECK(file.ids(0, file.tokens()) == expected);
  CHECK(count.documents == 2);
  CHECK(count.lines == 3);
}

TEST_CASE("a blank that the tokenizer puts before a text stands before each document, and nowhere within") {
  const text::Tokenizer tokenizer = bpe_of("foo bar foo bar foo\nbar", true);
  const auto& bpe = std::get<text::Bpe>(tokenizer);
  TextCount count;
  for (const std::string text : {"foo\nbar", "foo \nbar\nfoo", "\nfoo\nbar", " foo\nbar", "\n\n bar\nfoo"}) {
    const TokenFile file = causal(Source{text}, tokenizer, Documents::files, count);
    Ids expected = bpe.encode(text).ids;
    expected.push_back(separator_id(tokenizer));
    CHECK(file.ids(0, file.tokens()) == expected);
  }
  const TokenFile file = causal(Source{"foo\nbar\n\nbar\n"}, tokenizer, Documents::paragraphs, count);
  Ids expected;
  for (const char* document : {"foo\nbar", "bar"}) {
    for (const std::int32_t id : bpe.encode(document).ids) expected.push_back(id);
    expected.push_back(separator_id(tokenizer));
  }
  CHECK(file.ids(0, file.tokens()) == expected);
}

TEST_CASE("lines of megabytes are the same ids as encoded whole", "[native]") {
  std::string words = " ";
  for (unsigned i = 0; words.size() < 5'000'000; ++i)
    words += "word" + std::to_string(i % 97) + (i % 13 ? " " : "  \t ") + "\uD55C\uAD6D\uC5B4 <|endoftext|> ";
  const std::string blanks(700'000, ' ');
  text::WordPieceTrainer trainer{{.vocab_size = 300}};
  trainer.add(words.substr(0, 20'000));
  for (const text::Tokenizer& tokenizer :
       {text::Tokenizer{bpe_of(words.substr(0, 20'000))}, text::Tokenizer{bpe_of(words.substr(0, 20'000), true)},
        text::Tokenizer{trainer.train()}}) {
    const auto ids_of = [&](const std::string& text) {
      Ids ids;
      if (const auto* bpe = std::get_if<text::Bpe>(&tokenizer))
        text::BpeEncoder{*bpe}.append_ids(text, ids);
      else
        text::WordPieceEncoder{std::get<text::WordPiece>(tokenizer)}.append_ids(text, ids);
      ids.push_back(separator_id(tokenizer));
      return ids;
    };
    // Of a word of megabytes, each part is unknown to WordPiece.
    const std::string letters(std::holds_alternative<text::Bpe>(tokenizer) ? 3'000'000 : 300'000, 'a');
    for (const std::string& line : {words, letters + words + letters, blanks + "x" + blanks, blanks + words}) {
      Ids expected = ids_of("first\n" + line);
      for (const std::int32_t id : ids_of(line)) expected.push_back(id);
      for (const std::int32_t id : ids_of("last\n" + line + "\nof all")) expected.push_back(id);
      TextCount count;
      const TokenFile file = causal(
          Source{"first\n" + line + "\n\n" + line + "\n" + std::string(200'000, ' ') + "\nlast\n" + line + "\nof all"},
          tokenizer, Documents::paragraphs, count);
      CHECK((file.ids(0, file.tokens()) == expected));
      CHECK(count.documents == 3);
      CHECK(count.lines == 6);
      if (std::holds_alternative<text::Bpe>(tokenizer))
        CHECK(count.separator_names == (line.find('<') == line.npos ? 0 : 3));
    }
  }
}

TEST_CASE("the name of the separator in a text is plain text") {
  const text::Tokenizer tokenizer = bpe_of("some text");
  TextCount count;
  const TokenFile file = causal(Source{"<|endoftext|>"}, tokenizer, Documents::files, count);
  const Ids ids = file.ids(0, file.tokens());
  CHECK(ids.size() > 2);
  CHECK(ids.front() != separator_id(tokenizer));
  CHECK(ids.back() == separator_id(tokenizer));
}

TEST_CASE("a separator is a piece of the tokenizer") {
  const text::Tokenizer bpe = bpe_of("text"),
                        wordpiece =
                            text::WordPiece{text::Vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a"}}};
  CHECK(separator_id(bpe) == 0);
  CHECK(separator_id(wordpiece) == 3);
  CHECK(separator_id(wordpiece, "[PAD]") == 0);
  CHECK(size_of(wordpiece) == 6);
  for (const char* wrong : {"[END]", "\xFF"}) {
    try {
      separator_id(wordpiece, wrong);
      FAIL("it is no piece");
    } catch (const Error& error) {
      CHECK(error.number() == 709);
    }
  }
}

TEST_CASE("lines are sentences of documents, and those without a piece are none") {
  const Source source{"a a\n\u0007\na\n\n\u0007\n\na\n"};
  const text::WordPiece wordpiece{text::Vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a"}}};
  std::string bytes;
  TokenWriter writer{[&](std::string_view part) { bytes += part; }, 6};
  const TextCount count = add_documents({source.path}, wordpiece, writer);
  writer.finish();
  const TokenFile file{bytes, "documents.tokens"};
  REQUIRE(file.documents() == 2);
  CHECK(file.document(0) == std::vector<Ids>{{5, 5}, {5}});
  CHECK(file.document(1) == std::vector<Ids>{{5}});
  CHECK(count.documents == 3);
}

TEST_CASE("any number of threads writes the same tokens, of documents and of blocks") {
  // More than the few megabytes that are shared at a time.
  std::string text;
  for (unsigned i = 0; text.size() < 9'000'000; ++i) {
    text += "word" + std::to_string(i % 97) + " and  \uD55C\uAD6D\uC5B4 " + std::to_string(i * 7919 % 1000) +
            (i % 11 ? "\n" : " \n");
    if (i % 40 == 0) text += "\n";
  }
  const Source source{text};
  const text::Tokenizer pairs = bpe_of(text.substr(0, 20'000));
  text::WordPieceTrainer trainer{{.vocab_size = 300}};
  trainer.add(text.substr(0, 20'000));
  const text::WordPiece pieces = trainer.train();
  std::string alone[2];
  for (const unsigned count : {1u, 2u, 5u}) {
    Threads threads{count};
    std::string bytes[2];
    TokenWriter to_documents{[&](std::string_view part) { bytes[0] += part; }, pieces.vocabulary().size()};
    const TextCount of_documents = add_documents({.path = source.path}, pieces, to_documents, threads);
    to_documents.finish();
    TokenWriter to_blocks{[&](std::string_view part) { bytes[1] += part; }, size_of(pairs)};
    const TextCount of_blocks = add_causal({.path = source.path}, pairs, separator_id(pairs), to_blocks, threads);
    to_blocks.finish();
    CHECK(of_documents.bytes == text.size());
    CHECK(of_blocks.documents == of_documents.documents);
    for (int i = 0; i < 2; ++i) {
      if (count == 1) alone[i] = bytes[i];
      CHECK((bytes[i] == alone[i]));
    }
  }
}
