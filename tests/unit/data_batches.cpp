#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

import octet.base;
import octet.data;
import octet.text;

#include "refusal.hpp"

using namespace octet;
using namespace octet::data;

namespace {

using Ids = std::vector<std::int32_t>;

// "w0" to "w94" are the pieces 5 to 99.
text::WordPiece tokenizer() {
  std::vector<std::string> pieces{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (int i = 0; i < 95; ++i) pieces.push_back("w" + std::to_string(i));
  return text::WordPiece{text::Vocabulary{pieces}};
}

std::string words(int first, int count) {
  std::string line;
  for (int i = 0; i < count; ++i) line += "w" + std::to_string((first + i) % 95) + " ";
  return line;
}

Examples examples_of_lengths(const std::vector<int>& lengths) {
  Examples examples;
  int next = 0;
  for (int length : lengths) {
    Ids ids{2};
    for (int i = 0; i < length - 2; ++i) ids.push_back(5 + next++ % 95);
    ids.push_back(3);
    examples.add(ids);
  }
  return examples;
}

std::vector<Ids> rows(const Tensor& tensor) {
  const auto values = tensor.span<std::int32_t>();
  const auto width = static_cast<std::size_t>(tensor.shape()[1]);
  std::vector<Ids> result;
  for (std::size_t at = 0; at < values.size(); at += width) {
    const auto row = values.subspan(at, width);
    result.emplace_back(row.begin(), row.end());
  }
  return result;
}

bool equal(const MaskedBatch& a, const MaskedBatch& b) {
  return a.input_ids == b.input_ids && a.attention_mask == b.attention_mask && a.token_type_ids == b.token_type_ids &&
         a.labels == b.labels && a.masked_positions == b.masked_positions && a.masked_labels == b.masked_labels &&
         a.masked == b.masked && a.examples == b.examples && a.padding == b.padding;
}

}  // namespace

TEST_CASE("lines are joined and cut into full examples") {
  const std::vector<std::string> lines{words(0, 3), words(3, 4), words(7, 2)};
  const Examples examples = pack(tokenizer(), lines, {.max_length = 6});
  REQUIRE(examples.size() == 3);
  CHECK(std::ranges::equal(examples[0], Ids{2, 5, 6, 7, 8, 3}));
  CHECK(std::ranges::equal(examples[1], Ids{2, 9, 10, 11, 12, 3}));
  CHECK(std::ranges::equal(examples[2], Ids{2, 13, 3}));
  CHECK(examples.tokens() == 15);
  CHECK(examples.lengths() == std::vector<std::int64_t>{6, 6, 3});
}

TEST_CASE("without packing each line is an example, and a long line several") {
  const std::vector<std::string> lines{words(0, 3), "", words(3, 6)};
  const Examples examples = pack(tokenizer(), lines, {.max_length = 6, .packing = Packing::none});
  CHECK(examples.lengths() == std::vector<std::int64_t>{5, 6, 4});
}

TEST_CASE("names of special tokens in a text are plain text") {
  const std::vector<std::string> lines{"w0 [MASK] w1"};
  const Examples examples = pack(tokenizer(), lines);
  CHECK(std::ranges::count(examples[0], 4) == 0);
}

TEST_CASE("examples that have nothing to guess are left out, and a text of nothing else is refused") {
  const std::vector<std::string> lines{"unknown", words(0, 2)};
  CHECK(pack(tokenizer(), lines, {.packing = Packing::none}).size() == 1);
  CHECK(number_of([] { pack(tokenizer(), std::vector<std::string>{"unknown words"}); }) == 706);
  CHECK(number_of([] { pack(tokenizer(), {}); }) == 706);
  CHECK(number_of([] { pack(tokenizer(), std::vector<std::string>{"w0"}, {.max_length = 2}); }) == 709);
}

TEST_CASE("the number of masked tokens is the share rounded, and at least one") {
  CHECK(masked_count({}, 62) == 9);
  CHECK(masked_count({}, 100) == 15);
  CHECK(masked_count({}, 1) == 1);
  CHECK(masked_count({}, 0) == 0);
  CHECK(masked_count({.probability = 1}, 7) == 7);
}

TEST_CASE("masking hides the chosen tokens only, and labels hold the originals") {
  const text::WordPiece wordpiece = tokenizer();
  const Examples examples = examples_of_lengths({64});
  const Ids original(examples[0].begin(), examples[0].end());
  for (std::uint64_t epoch = 0; epoch < 50; ++epoch) {
    Ids ids = original, labels(ids.size());
    mask_tokens(ids, labels, {}, wordpiece.vocabulary(), {1, epoch, 0});
    int masked = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (labels[i] == unmasked_label) {
        CHECK(ids[i] == original[i]);
      } else {
        ++masked;
        CHECK(labels[i] == original[i]);
        CHECK((ids[i] == 4 || ids[i] >= 5));
      }
    }
    CHECK(masked == 9);
    CHECK(labels.front() == unmasked_label);
    CHECK(labels.back() == unmasked_label);
  }
}

TEST_CASE("of the masked tokens 80 % are [MASK], 10 % random, 10 % unchanged, each position equally often") {
  const text::WordPiece wordpiece = tokenizer();
  const Examples examples = examples_of_lengths({22});
  double mask = 0, random = 0, same = 0;
  std::vector<double> at(22);
  constexpr std::uint64_t epochs = 20000;
  for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
    Ids ids(examples[0].begin(), examples[0].end()), labels(ids.size());
    mask_tokens(ids, labels, {}, wordpiece.vocabulary(), {3, epoch, 5});
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (labels[i] == unmasked_label) continue;
      ++at[i];
      ++(ids[i] == 4 ? mask : ids[i] == labels[i] ? same : random);
    }
  }
  const double total = 3.0 * epochs;
  CHECK(mask + random + same == total);
  CHECK(std::abs(mask / total - 0.8) < 0.007);
  CHECK(std::abs(random / total - 0.1 * 94 / 95) < 0.005);
  for (std::size_t i = 1; i < 21; ++i) CHECK(std::abs(at[i] / epochs - 0.15) < 0.012);
}

TEST_CASE("masks differ between epochs, examples and seeds, and not between calls") {
  const text::WordPiece wordpiece = tokenizer();
  const Examples examples = examples_of_lengths({64});
  std::set<Ids> seen;
  for (const MaskDraw draw : {MaskDraw{1, 0, 0}, MaskDraw{1, 1, 0}, MaskDraw{1, 0, 1}, MaskDraw{2, 0, 0}}) {
    Ids first(examples[0].begin(), examples[0].end()), labels(first.size());
    Ids second = first;
    mask_tokens(first, labels, {}, wordpiece.vocabulary(), draw);
    mask_tokens(second, labels, {}, wordpiece.vocabulary(), draw);
    CHECK(first == second);
    seen.insert(first);
  }
  CHECK(seen.size() == 4);
}

TEST_CASE("each epoch shows every example once, in an order of its own") {
  for (const std::uint64_t size : {1u, 2u, 3u, 5u, 64u, 1000u}) {
    std::set<std::vector<std::uint64_t>> orders;
    for (std::uint64_t epoch = 0; epoch < 4; ++epoch) {
      std::vector<std::uint64_t> order(size);
      for (std::uint64_t i = 0; i < size; ++i) order[i] = shuffled(i, size, 7, epoch);
      orders.insert(order);
      std::ranges::sort(order);
      std::vector<std::uint64_t> all(size);
      std::iota(all.begin(), all.end(), 0);
      CHECK(order == all);
    }
    if (size >= 64) CHECK(orders.size() == 4);
  }
}

TEST_CASE("a batch has the shapes, padding and marks it promises") {
  const MaskedBatches batches{examples_of_lengths({6, 9, 4}),
                              tokenizer().vocabulary(),
                              {.batch = 3, .max_length = 16, .seed = 1, .shuffle = false}};
  const MaskedBatch batch = batches.at({});
  CHECK(batch.input_ids.shape() == Shape{3, 16});
  CHECK(batch.masked_positions.shape() == Shape{3, 2});
  CHECK(batch.examples == 3);
  CHECK(batch.padding == PaddingCount{19, 29});
  const auto ids = rows(batch.input_ids), attention = rows(batch.attention_mask), labels = rows(batch.labels),
             positions = rows(batch.masked_positions), masked_labels = rows(batch.masked_labels);
  const int lengths[] = {6, 9, 4};
  std::int64_t masked = 0;
  for (std::size_t r = 0; r < 3; ++r) {
    const auto length = static_cast<std::size_t>(lengths[r]);
    for (std::size_t i = 0; i < 16; ++i) {
      CHECK(attention[r][i] == (i < length));
      if (i >= length) CHECK(ids[r][i] == 0);
      if (i >= length) CHECK(labels[r][i] == unmasked_label);
    }
    Ids from_positions(16, unmasked_label);
    for (std::size_t p = 0; p < 2; ++p)
      if (masked_labels[r][p] != unmasked_label) {
        from_positions[static_cast<std::size_t>(positions[r][p])] = masked_labels[r][p];
        ++masked;
      }
    CHECK(from_positions == labels[r]);
  }
  CHECK(batch.masked == masked);
  CHECK(batch.masked == 3);
  for (std::int32_t segment : batch.token_type_ids.span<std::int32_t>()) CHECK(segment == 0);
}

TEST_CASE("what has more tokens to guess than a row between its marks is refused") {
  Examples examples;
  examples.add(Ids(14, 5));
  examples.add(Ids(15, 5));
  const BatchOptions options{.batch = 1, .max_length = 16, .masking = {.probability = 1}};
  const auto made = [&] { MaskedBatches{examples, tokenizer().vocabulary(), options}; };
  CHECK(number_of(made) == 709);
  CHECK(sentence_of(made) == "an example of 17 tokens is longer than max_length 16");
  CHECK(number_of([&] { evaluation_batches(examples, tokenizer().vocabulary(), options); }) == 709);
  Examples shorter;
  shorter.add(Ids(14, 5));
  CHECK(MaskedBatches{shorter, tokenizer().vocabulary(), options}.at({}).masked == 14);
}

TEST_CASE("a batch is padded by its policy") {
  const MaskedBatches batches{examples_of_lengths({6, 9, 4}),
                              tokenizer().vocabulary(),
                              {.batch = 3, .max_length = 64, .padding = pad_to_multiple_of(8)}};
  CHECK(batches.at({}).input_ids.shape() == Shape{3, 16});
}

TEST_CASE("batches run on from one epoch into the next and any of them can be made alone") {
  const MaskedBatches batches{
      examples_of_lengths({6, 6, 6, 6, 6}), tokenizer().vocabulary(), {.batch = 3, .max_length = 6, .seed = 9}};
  Position position;
  std::vector<Ids> seen;
  for (std::uint64_t step = 0; step < 10; ++step) {
    CHECK(position == batches.after_steps(step));
    const MaskedBatch batch = batches.at(position);
    CHECK(equal(batch, batches.at(batches.after_steps(step))));
    CHECK(batch.examples == 3);
    auto originals = rows(batch.input_ids);
    const auto labels = rows(batch.labels);
    for (std::size_t r = 0; r < originals.size(); ++r) {
      for (std::size_t i = 0; i < 6; ++i)
        if (labels[r][i] != unmasked_label) originals[r][i] = labels[r][i];
      seen.push_back(originals[r]);
    }
    position = batches.after(position);
  }
  CHECK(position == Position{6, 0});
  for (std::size_t epoch = 0; epoch < 6; ++epoch) {
    const auto begin = seen.begin() + static_cast<std::ptrdiff_t>(epoch * 5);
    CHECK(std::set<Ids>(begin, begin + 5).size() == 5);
  }
}

TEST_CASE("a batch larger than the data shows examples several times, masked differently") {
  const MaskedBatches batches{examples_of_lengths({64}), tokenizer().vocabulary(), {.batch = 4}};
  const auto ids = rows(batches.at({}).input_ids);
  CHECK(std::set<Ids>(ids.begin(), ids.end()).size() == 4);
}

TEST_CASE("evaluation shows every example once, masked the same each time, and fills the last batch with empty rows") {
  const Examples examples = examples_of_lengths({8, 8, 8, 8, 8});
  const text::WordPiece wordpiece = tokenizer();
  const BatchOptions options{.batch = 3, .max_length = 8, .seed = 4};
  const auto batches = evaluation_batches(examples, wordpiece.vocabulary(), options);
  REQUIRE(batches.size() == 2);
  CHECK(batches[0].examples == 3);
  CHECK(batches[1].examples == 2);
  CHECK(batches[1].input_ids.shape() == Shape{3, 8});
  CHECK(rows(batches[1].input_ids)[2] == Ids{2, 3, 0, 0, 0, 0, 0, 0});
  CHECK(rows(batches[1].attention_mask)[2] == Ids{1, 1, 0, 0, 0, 0, 0, 0});
  CHECK(rows(batches[1].labels)[2] == Ids(8, unmasked_label));
  CHECK(batches[1].padding == PaddingCount{16, 8});
  CHECK(batches[0].masked + batches[1].masked == 5);
  const auto again = evaluation_batches(examples, wordpiece.vocabulary(), options);
  CHECK(equal(batches[0], again[0]));
  CHECK(equal(batches[1], again[1]));
}

TEST_CASE("the bits of a batch are these on every machine") {
  const MaskedBatches batches{examples_of_lengths({64, 64, 64, 50, 64, 64, 3}),
                              tokenizer().vocabulary(),
                              {.batch = 5, .seed = 123456789012345}};
  Hasher hasher;
  for (std::uint64_t step = 0; step < 20; ++step) {
    const MaskedBatch batch = batches.at(batches.after_steps(step));
    hasher.add(batch.input_ids.bytes()).add(batch.labels.bytes()).add(batch.attention_mask.bytes());
  }
  CHECK(hasher.text() == "4da8599f73370e84");
}

TEST_CASE("options out of range are refused") {
  const auto make = [](BatchOptions options) {
    return number_of([&] { MaskedBatches{examples_of_lengths({8}), tokenizer().vocabulary(), options}; });
  };
  CHECK(make({}) == 0);
  CHECK(make({.batch = 0}) == 709);
  CHECK(make({.max_length = 7}) == 709);
  CHECK(make({.masking = {.probability = 0}}) == 709);
  CHECK(make({.masking = {.probability = 1.5}}) == 709);
  CHECK(make({.masking = {.probability = std::nan("")}}) == 709);
  CHECK(make({.masking = {.replaced_by_mask = 0.8, .replaced_by_random = 0.3}}) == 709);
  CHECK(make({.padding = pad_to_one_of({4})}) == 301);
  CHECK(number_of([] { MaskedBatches{Examples{}, tokenizer().vocabulary()}; }) == 706);
  Examples foreign;
  foreign.add(Ids{2, 100, 3});
  CHECK(number_of([&] { MaskedBatches{foreign, tokenizer().vocabulary()}; }) == 709);
}
