module;
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>
module octet.data;
import octet.base;
import octet.text;

namespace octet::data {

namespace {

constexpr std::uint32_t window_stream = 0x7769'6e64;  // "wind"; see order.cpp
constexpr std::uint64_t chunk_records = 256;          // of a file, read together

Key window_key(std::uint64_t seed, std::uint64_t epoch, std::uint64_t window) {
  return split(split(fold_in(Key::of_seed(seed), window_stream), epoch), window);
}

void shuffle(std::vector<TrainingExample>& examples, Key key) {
  for (std::size_t left = examples.size(); left > 1; --left)
    std::swap(examples[left - 1], examples[static_cast<std::size_t>(below(key, left, left))]);
}

// Parts of an epoch, taken in an order of its own and as many in each window as make about the examples asked for.
struct Parts {
  std::uint64_t parts, windows;

  Parts(std::uint64_t parts, double examples, std::uint64_t window_examples) : parts{parts} {
    const double wanted = examples / static_cast<double>(std::max<std::uint64_t>(window_examples, 1));
    windows = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted + 0.5), 1, parts);
  }
  std::uint64_t begin(std::uint64_t window) const {  // as even as can be, without a product that overflows
    return parts / windows * window + std::min(window, parts % windows);
  }
};

void require_window(std::uint64_t window_examples) {
  if (window_examples < 1)
    fail({.number = 709, .sentence = "a window of 0 examples", .where = {}, .fix = {"use some thousands"}});
}

// Part of a record file.
struct Chunk {
  std::size_t file;
  RecordPosition begin;
  std::uint64_t records = 0;
};

}  // namespace

WindowSource bert_windows(BertExamples examples, std::uint64_t window_examples) {
  require_window(window_examples);
  const auto source = std::make_shared<const BertExamples>(std::move(examples));
  const BertExampleOptions& options = source->options();
  const std::uint64_t seed = options.random_seed;
  const double expected =
      static_cast<double>(source->documents().tokens()) / static_cast<double>(options.max_seq_length);
  const Parts parts{source->documents().documents(), expected, window_examples};
  Hasher hasher;
  hasher.add("bert").add(source->documents().checksum()).add(source->documents().positions()).add(seed);
  for (const double number : {options.masked_lm_prob, options.short_seq_prob}) hasher.add(shortest_decimal(number));
  for (const std::int64_t number : {options.max_seq_length, options.max_predictions_per_seq})
    hasher.add(static_cast<std::uint64_t>(number));
  hasher.add(std::uint64_t{options.whole_word_mask} * 2 + options.next_sentence).add(parts.windows);
  return {parts.windows,
          [source, parts, seed](std::uint64_t epoch, std::uint64_t window) {
            std::vector<TrainingExample> result;
            for (std::uint64_t place = parts.begin(window); place < parts.begin(window + 1); ++place) {
              const std::uint64_t document = shuffled(place, parts.parts, seed, epoch);
              std::ranges::move(source->of_document(document, epoch), std::back_inserter(result));
            }
            shuffle(result, window_key(seed, epoch, window));
            return result;
          },
          hasher.value()};
}

WindowSource record_windows(const std::vector<std::filesystem::path>& files, std::uint64_t seed,
                            std::uint64_t window_examples) {
  require_window(window_examples);
  std::vector<Chunk> chunks;
  std::uint64_t records = 0;
  Hasher hasher;
  hasher.add("records").add(seed);
  for (std::size_t file = 0; file < files.size(); ++file) {
    RecordReader reader{files[file]};
    RecordPosition begin = reader.position();
    std::string record;
    std::uint32_t checksum = 0;
    while (reader.next(record)) {
      checksum = crc32c(record, checksum);
      if (begin.record % chunk_records == 0) chunks.push_back({file, begin});
      ++chunks.back().records;
      begin = reader.position();
    }
    records += begin.record;
    hasher.add(begin.record).add(begin.offset).add(checksum);
  }
  if (records == 0) fail({.number = 706, .sentence = "the record files hold no example", .where = {}});
  const Parts parts{chunks.size(), static_cast<double>(records), window_examples};
  hasher.add(parts.windows);
  return {parts.windows,
          [files, seed, parts, chunks = std::move(chunks)](std::uint64_t epoch, std::uint64_t window) {
            std::vector<TrainingExample> result;
            std::string record;
            for (std::uint64_t place = parts.begin(window); place < parts.begin(window + 1); ++place) {
              const Chunk& chunk = chunks[static_cast<std::size_t>(shuffled(place, parts.parts, seed, epoch))];
              RecordReader reader{files[chunk.file]};
              reader.seek(chunk.begin);
              for (std::uint64_t i = 0; i < chunk.records && reader.next(record); ++i) {
                const std::string name = "record " + std::to_string(reader.position().record) + " of " + reader.name();
                result.push_back(bert_example(decode_example(record, name), name));
              }
            }
            shuffle(result, window_key(seed, epoch, window));
            return result;
          },
          hasher.value()};
}

CausalBlocks::CausalBlocks(TokenFile tokens, CausalOptions options) : tokens_{std::move(tokens)}, options_{options} {
  if (options_.context_length < 2)
    fail({.number = 709,
          .sentence = "a context of " + std::to_string(options_.context_length) +
                      " tokens: in a block of fewer than 2 nothing follows anything",
          .where = {},
          .fix = {"choose 2 or more, such as 1024"}});
  if (tokens_.documents() != 0)
    fail({.number = 726,
          .sentence = tokens_.name() + " holds documents with marks between sentences, as BERT's examples are made of",
          .where = {tokens_.name(), 0, ""},
          .fix = {"write the file with octet data causal"}});
  const auto length = static_cast<std::uint64_t>(options_.context_length);
  const std::uint64_t rest = tokens_.tokens() % length;
  size_ = tokens_.tokens() / length + (options_.remainder == Remainder::keep && rest >= 2);
  if (size_ == 0)
    fail({.number = 706,
          .sentence = tokens_.name() + " has " + std::to_string(tokens_.tokens()) + " tokens, less than a block of " +
                      std::to_string(length),
          .where = {tokens_.name(), 0, ""},
          .fix = {"make the context shorter", "keep the remainder as a shorter block", "give more text"}});
}

TrainingExample CausalBlocks::operator[](std::uint64_t index) const {
  const auto length = static_cast<std::uint64_t>(options_.context_length);
  TrainingExample example{.ids = tokens_.ids(index * length, std::min(length, tokens_.tokens() - index * length))};
  example.first_segment = static_cast<std::int64_t>(example.ids.size());
  return example;
}

WindowSource causal_windows(CausalBlocks blocks, std::uint64_t window_examples) {
  require_window(window_examples);
  const auto source = std::make_shared<const CausalBlocks>(std::move(blocks));
  const Parts parts{source->size(), static_cast<double>(source->size()), window_examples};
  const std::uint64_t seed = source->options().seed;
  Hasher hasher;
  hasher.add("causal").add(source->tokens().checksum()).add(source->tokens().tokens()).add(seed);
  hasher.add(static_cast<std::uint64_t>(source->options().context_length)).add(parts.parts).add(parts.windows);
  return {parts.windows,
          [source, parts, seed](std::uint64_t epoch, std::uint64_t window) {
            std::vector<TrainingExample> result;
            for (std::uint64_t place = parts.begin(window); place < parts.begin(window + 1); ++place)
              result.push_back((*source)[shuffled(place, parts.parts, seed, epoch)]);
            return result;
          },
          hasher.value()};
}

}  // namespace octet::data
