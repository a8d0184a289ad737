// What a pipeline's windows are made of: documents, record files, and blocks of a stream of tokens.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratch.hpp"

import octet.base;
import octet.data;
import octet.text;

#include "numbered_words.hpp"
#include "refusal.hpp"

using namespace octet;
using namespace octet::data;

namespace {

using Ids = std::vector<std::int32_t>;

std::string tokens_of(int documents, int sentences) {
  std::string bytes;
  TokenWriter writer{[&](std::string_view part) { bytes += part; }, 1000};
  std::uint64_t counter = 0;
  for (int d = 0; d < documents; ++d) {
    for (int s = 0; s < sentences; ++s) {
      Ids ids(5 + static_cast<std::size_t>(below(Key::of_seed(1), counter++, 20)));
      for (std::int32_t& id : ids) id = 5 + static_cast<std::int32_t>(below(Key::of_seed(1), counter++, 900));
      writer.add(ids);
      writer.end_sentence();
    }
    writer.end_document();
  }
  writer.finish();
  return bytes;
}

}  // namespace

TEST_CASE("each epoch has every document once, in an order of its own, and masked anew") {
  const BertExamples examples{{tokens_of(40, 12), "some.tokens"}, numbered_words(1000), {.max_seq_length = 64}};
  const WindowSource source = bert_windows(examples, 24);
  CHECK(source.windows > 3);
  std::vector<std::vector<TrainingExample>> epochs;
  for (std::uint64_t epoch = 0; epoch < 2; ++epoch) {
    std::vector<TrainingExample> all, expected;
    for (std::uint64_t w = 0; w < source.windows; ++w)
      std::ranges::move(source.window(epoch, w), std::back_inserter(all));
    for (std::uint64_t d = 0; d < 40; ++d)
      std::ranges::move(examples.of_document(d, epoch), std::back_inserter(expected));
    CHECK(all != expected);
    CHECK(std::ranges::is_permutation(all, expected));
    epochs.push_back(all);
  }
  CHECK(epochs[0] != epochs[1]);
}

TEST_CASE("examples written to record files are read back, all of them each epoch") {
  const Scratch scratch;
  const auto folder = scratch.path;
  const BertExamples examples{{tokens_of(30, 12), "some.tokens"}, numbered_words(1000), {.max_seq_length = 64}};
  const WindowSource source = bert_windows(examples, 100);
  std::vector<std::string> contents[2];
  std::vector<std::filesystem::path> files{folder / "a.tfrecord", folder / "b.tfrecord", folder / "c.tfrecord"};
  std::uint64_t written = 0;
  for (const unsigned count : {1u, 3u}) {
    std::vector<RecordWriter> writers;
    for (const auto& file : files) writers.emplace_back(file);
    Threads threads{count};
    written = write_records(
        source, 3, [](const TrainingExample& example) { return bert_features(example, 64, 20); }, writers, threads);
    for (RecordWriter& writer : writers) {
      writer.put_in_place();
      CHECK(writer.records() >= written / 3);
      contents[count / 2].push_back(text::read_file(writer.path()));
    }
  }
  CHECK(contents[0] == contents[1]);

  std::vector<TrainingExample> expected;
  for (std::uint64_t epoch = 0; epoch < 3; ++epoch)
    for (std::uint64_t d = 0; d < 30; ++d)
      std::ranges::move(examples.of_document(d, epoch), std::back_inserter(expected));
  CHECK(written == expected.size());
  const auto by_ids = [](const TrainingExample& a, const TrainingExample& b) {
    return std::pair{a.ids, a.positions} < std::pair{b.ids, b.positions};
  };
  std::ranges::sort(expected, by_ids);
  const WindowSource records = record_windows(files, 5, 100);
  CHECK(records.windows > 1);
  std::vector<TrainingExample> before;
  for (std::uint64_t epoch = 0; epoch < 2; ++epoch) {
    std::vector<TrainingExample> all;
    for (std::uint64_t w = 0; w < records.windows; ++w)
      std::ranges::move(records.window(epoch, w), std::back_inserter(all));
    CHECK(all != before);
    before = all;
    std::ranges::sort(all, by_ids);
    CHECK(all == expected);
  }

  std::string bytes = text::read_file(files[1]);
  bytes[bytes.size() / 2] ^= 1;
  text::write_file(files[1], bytes);
  CHECK(number_of([&] { record_windows(files, 5); }) == 722);
  text::write_file(files[1], "");
  CHECK(number_of([&] { record_windows(files, 5); }) == 0);
  CHECK(number_of([&] { record_windows({files[1]}, 5); }) == 706);
  CHECK(number_of([&] { record_windows({}, 5); }) == 706);
}

TEST_CASE("records that are others, or fewer, than when they were checked are refused when they are read again") {
  const Scratch scratch;
  const std::filesystem::path file = scratch.path / "a.tfrecord";
  const auto framed = [](std::size_t count, std::int32_t id) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i)
      append_record(bytes, encode_example(bert_features({.ids = {2, id, 3}, .first_segment = 3}, 8, 2)));
    return bytes;
  };
  text::write_file(file, framed(300, 7));
  const WindowSource source = record_windows({file}, 5, 300);
  REQUIRE(source.windows == 1);
  CHECK(source.window(0, 0).size() == 300);
  const std::string shorter = framed(300, 7).substr(0, 5000), others(50'000, 'x');
  for (const std::string& other : {framed(300, 8), framed(256, 7), framed(100, 7), shorter, others, std::string{}}) {
    text::write_file(file, other);
    CHECK(sentence_of([&] { source.window(1, 0); }).find("others now than when they were checked") !=
          std::string::npos);
  }
  text::write_file(file, framed(300, 7));
  CHECK(source.window(1, 0).size() == 300);
}

TEST_CASE("blocks of the context's length are cut from the stream, and the remainder is dropped or kept") {
  std::string bytes;
  TokenWriter writer{[&](std::string_view part) { bytes += part; }, 1000};
  Ids all;
  for (std::int32_t i = 0; i < 103; ++i) all.push_back(i);
  writer.add(all);
  writer.finish();
  const TokenFile file{bytes, "some.tokens"};
  const CausalBlocks dropped{file, {.context_length = 10}};
  CHECK(dropped.size() == 10);
  CHECK(dropped[9].ids == Ids(all.begin() + 90, all.begin() + 100));
  CHECK(number_of([&] { (void)dropped[10]; }) == 403);
  const CausalBlocks kept{file, {.context_length = 10, .remainder = Remainder::keep}};
  CHECK(kept.size() == 11);
  CHECK(kept[10].ids == Ids{100, 101, 102});
  CHECK(CausalBlocks(file, {.context_length = 51, .remainder = Remainder::keep}).size() == 2);  // one token is no block
  CHECK(number_of([&] { CausalBlocks(file, {.context_length = 104}); }) == 706);
  CHECK(number_of([&] { CausalBlocks(file, {.context_length = 1}); }) == 709);
  CHECK(number_of([&] { CausalBlocks(TokenFile{tokens_of(1, 1), "other"}); }) == 726);

  const WindowSource source = causal_windows(kept, 4);
  CHECK(source.windows == 3);
  for (std::uint64_t epoch = 0; epoch < 2; ++epoch) {
    std::set<Ids> seen;
    for (std::uint64_t w = 0; w < 3; ++w)
      for (const TrainingExample& example : source.window(epoch, w)) seen.insert(example.ids);
    CHECK(seen.size() == 11);
  }
}
