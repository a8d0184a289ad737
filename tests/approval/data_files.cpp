/// Messages about record files, tables, token files and the pipeline, as a user is shown them.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
import octet;

#include "approved.hpp"

using namespace octet;

namespace {

void read_source(std::string_view text, const data::TextSource& source) {
  data::for_each_document_of(text, source, {[](std::string_view, std::size_t) {}, [] {}});
}

/// One document of one sentence.
data::TokenFile one_document() {
  std::string bytes;
  data::TokenWriter writer{[&](std::string_view part) { bytes += part; }, 6};
  writer.add(std::vector<std::int32_t>{5});
  writer.end_sentence();
  writer.end_document();
  writer.finish();
  return {bytes, "novel.tokens"};
}

/// No window has an example.
data::WindowSource nothing() {
  return {1, [](std::uint64_t, std::uint64_t) { return std::vector<data::TrainingExample>{}; }, 1};
}

}  // namespace

TEST_CASE("messages about records are the approved ones") {
  approve_refusal(722, [] {
    data::RecordReader reader{std::string_view{"\x03\0\0", 3}, "novel.tfrecord"};
    std::string record;
    reader.next(record);
  });
  approve_refusal(723, [] { data::bert_example({{"input_ids", data::FloatList{1}}}); });
  approve_refusal(726, [] { data::TokenFile{"", "novel.tokens"}; });
  approve_refusal(727, [] {
    const text::Vocabulary words{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the"}};
    data::BertExamples{one_document(), text::WordPiece{words}};
  });
}

TEST_CASE("messages about tables are the approved ones") {
  approve_refusal(724, [] { read_source("id,text\n1,one\n", {.path = "novel.csv", .field = "body"}); });
  approve_refusal(725, [] { read_source("{\"text\": \"one\"}\n{\"text\": \n", {.path = "novel.jsonl"}); });
}

TEST_CASE("the message about a text that has too few tokens to lose is the approved one") {
  const text::WordPiece tokenizer{text::Vocabulary{{"[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]", "a", "b"}}};
  approve_refusal(741, [&] {
    text::model_input(tokenizer, "a", "b a b a", {.max_length = 6, .truncation = text::Truncation::only_first});
  });
}

TEST_CASE("messages about the pipeline are the approved ones") {
  const data::Pipeline none{nothing(), {}};
  approve_refusal(728, [&] {
    data::Prefetch batches{none};
    batches.next();
  });
  approve_refusal(729, [&] { none.restored("octet position 1 2"); });
}
