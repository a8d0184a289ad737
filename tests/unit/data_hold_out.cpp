// What is held out is never trained on, whatever the data is made of.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
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

constexpr Part training{Part::Kind::training, 4}, held_out{Part::Kind::held_out, 4};

// All ids of document d are 10 + d.
std::string documents(int count) {
  std::string bytes;
  TokenWriter writer{[&](std::string_view part) { bytes += part; }, 100};
  for (int d = 0; d < count; ++d) {
    for (int s = 0; s < 3; ++s) {
      writer.add(Ids(6, 10 + d));
      writer.end_sentence();
    }
    writer.end_document();
  }
  writer.finish();
  return bytes;
}

BertExamples examples(int count, Part part, bool next_sentence = true) {
  return BertExamples{
      TokenFile{documents(count), "test"},
      numbered_words(100),
      {.max_seq_length = 16, .max_predictions_per_seq = 4, .next_sentence = next_sentence, .part = part}};
}

// The documents that the tokens of an epoch come from, but for those put in at random places.
std::set<std::int32_t> documents_of(const std::vector<TrainingExample>& all) {
  std::set<std::int32_t> result;
  for (const TrainingExample& example : all)
    for (std::size_t i = 0; i < example.ids.size(); ++i)
      if (example.ids[i] >= 10 &&
          std::ranges::find(example.positions, static_cast<std::int32_t>(i)) == example.positions.end())
        result.insert(example.ids[i] - 10);
  return result;
}

}  // namespace

TEST_CASE("the two parts are disjoint, have all together, and neither is empty where there are two items") {
  for (std::uint64_t all = 0; all <= 30; ++all) {
    std::set<std::uint64_t> seen;
    for (const Part& part : {training, held_out})
      for (std::uint64_t i = 0; i < part.size(all); ++i) {
        const std::uint64_t item = part.at(i, all);
        CHECK(item < all);
        CHECK(part.holds(item, all));
        CHECK(seen.insert(item).second);
      }
    CHECK(seen.size() == all);
    CHECK(held_out.size(all) == (all < 4 ? std::min<std::uint64_t>(all, 1) : all / 4));
    if (all >= 2) CHECK(training.size(all) > 0);
    CHECK(Part{}.size(all) == all);
  }
}

TEST_CASE("no token of a held-out document is trained on, not even as a random next sentence") {
  std::vector<TrainingExample> trained;
  const WindowSource source = bert_windows(examples(22, training));
  for (std::uint64_t epoch = 0; epoch < 6; ++epoch)
    for (TrainingExample& each : first_examples(source, epoch, 1000)) trained.push_back(std::move(each));
  const auto measured = first_examples(bert_windows(examples(22, held_out)), 0, 1000);
  CHECK(documents_of(trained).size() == 17);
  CHECK(documents_of(measured) == std::set<std::int32_t>{3, 7, 11, 15, 19});
  for (const std::int32_t each : documents_of(measured)) CHECK(!documents_of(trained).contains(each));
}

TEST_CASE("a text of few documents is measured on its last one; one that leaves a single one to train on is refused") {
  CHECK(documents_of(first_examples(bert_windows(examples(3, training)), 0, 100)) == std::set<std::int32_t>{0, 1});
  CHECK(documents_of(first_examples(bert_windows(examples(3, held_out, false)), 0, 100)) == std::set<std::int32_t>{2});
  CHECK(!first_examples(bert_windows(examples(3, held_out)), 0, 100).empty());
  CHECK(number_of([] { examples(2, training); }) == 727);
  CHECK(number_of([] { examples(1, training, false); }) == 706);
  CHECK(number_of([] { examples(1, held_out); }) == 727);
}

TEST_CASE("each record and each block is in one part alone, and a position of one part is none of the other") {
  const Scratch scratch;
  const std::filesystem::path path = scratch.path / "examples.tfrecord";
  RecordWriter writer{path};
  for (int i = 0; i < 1000; ++i)
    writer.write(encode_example(
        bert_features({.ids = {2, 5 + i, 3}, .first_segment = 3, .positions = {1}, .labels = {7}}, 8, 2)));
  writer.close();
  writer.put_in_place();
  std::multiset<std::int32_t> all;
  for (const Part& part : {training, held_out})
    for (const TrainingExample& each : first_examples(record_windows({path, path}, 1, 100, part), 3, 5000)) {
      all.insert(each.ids[1]);
      CHECK(part.holds(static_cast<std::uint64_t>(each.ids[1] - 5), 1000));  // 1000 is a multiple of 4
    }
  CHECK(all.size() == 2000);
  CHECK(all.count(5) == 2);
  CHECK(record_windows({path}, 1, 100, training).examples == 750);
  const RecordSizes sizes = record_sizes(path);
  CHECK(sizes.max_seq_length == 8);
  CHECK(sizes.max_predictions == 2);
  CHECK(!sizes.pairs);
  CHECK(record_windows({path}, 1, 100, training).fingerprint != record_windows({path}, 1, 100, held_out).fingerprint);

  std::string bytes;
  TokenWriter tokens{[&](std::string_view part) { bytes += part; }, 1000};
  for (int i = 0; i < 50; ++i) tokens.add(Ids(8, i));
  tokens.finish();
  const TokenFile file{bytes, "test"};
  std::set<std::int32_t> blocks;
  for (const Part& part : {training, held_out})
    for (const TrainingExample& each :
         first_examples(causal_windows(CausalBlocks{file, {.context_length = 8, .part = part}}), 0, 100)) {
      CHECK(part.holds(static_cast<std::uint64_t>(each.ids[0]), 50));
      CHECK(blocks.insert(each.ids[0]).second);
    }
  CHECK(blocks.size() == 50);
  CHECK(first_examples(causal_windows(CausalBlocks{file, {.context_length = 8}}), 0, 7).size() == 7);
  CHECK(number_of([&] { CausalBlocks{file, {.context_length = 400, .part = training}}; }) == 706);
}
