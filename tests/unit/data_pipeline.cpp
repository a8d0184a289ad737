#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

import octet.base;
import octet.data;
import octet.text;

#include "refusal.hpp"

using namespace octet;
using namespace octet::data;

namespace {

using Ids = std::vector<std::int32_t>;

// Example number i has i as all its ids, and a length from 4 to 63 that depends on it.
std::size_t length_of(std::uint64_t example) {
  return 4 + static_cast<std::size_t>(below(Key::of_seed(5), example, 60));
}

WindowSource numbered(std::uint64_t windows, std::uint64_t examples_of_each) {
  return {windows,
          [=](std::uint64_t, std::uint64_t window) {
            std::vector<TrainingExample> result;
            for (std::uint64_t i = window * examples_of_each; i < (window + 1) * examples_of_each; ++i) {
              const std::size_t length = length_of(i);
              result.push_back({.ids = Ids(length, static_cast<std::int32_t>(i)),
                                .first_segment = static_cast<std::int64_t>(length / 2),
                                .positions = {1, 3},
                                .labels = {7, 8},
                                .random_next = i % 2 == 1});
            }
            return result;
          },
          windows * 1000 + examples_of_each};
}

PipelineOptions small() {
  return {.batch = 16,
          .max_length = 64,
          .max_predictions = 3,
          .padding = pad_to_multiple_of(8),
          .padding_id = -7,
          .seed = 3};
}

std::string hash_of(const PipelineBatch& batch) {
  Hasher hasher;
  for (const Tensor* tensor : {&batch.input_ids, &batch.attention_mask, &batch.token_type_ids, &batch.masked_positions,
                               &batch.masked_labels, &batch.next_sentence_labels})
    hasher.add(tensor->bytes());
  return hasher.text();
}

std::vector<std::string> hashes(Prefetch& batches, int count) {
  std::vector<std::string> result;
  for (int i = 0; i < count; ++i) result.push_back(hash_of(batches.next()));
  return result;
}

std::int32_t first_id(const PipelineBatch& batch, std::int64_t row) {
  return batch.input_ids.span<std::int32_t>()[static_cast<std::size_t>(row * batch.input_ids.shape()[1])];
}

// The same, and how many windows were made of it.
WindowSource counted(WindowSource source, std::atomic<int>& made) {
  source.window = [&made, window = source.window](std::uint64_t epoch, std::uint64_t index) {
    ++made;
    return window(epoch, index);
  };
  return source;
}

// A thread may be kept from running for long on a busy machine.
bool before_long(const auto& condition) {
  for (int tries = 0; tries < 10'000 && !condition(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  return condition();
}

}  // namespace

TEST_CASE("a batch of the pipeline has the shapes, padding and marks it promises") {
  const Pipeline pipeline{numbered(1, 100), small()};
  const Pipeline::Window window = pipeline.window(0, 0);
  REQUIRE(window.batches.size() == 6);  // the 4 examples after the last full batch are left out this time
  for (std::size_t b = 0; b < 6; ++b) {
    const PipelineBatch batch = pipeline.batch(window, b);
    const std::int64_t width = batch.input_ids.shape()[1];
    CHECK(batch.input_ids.shape() == Shape{16, width});
    CHECK(width % 8 == 0);
    CHECK(batch.masked_positions.shape() == Shape{16, 3});
    CHECK(batch.next_sentence_labels.shape() == Shape{16});
    const auto ids = batch.input_ids.span<std::int32_t>(), attention = batch.attention_mask.span<std::int32_t>(),
               segments = batch.token_type_ids.span<std::int32_t>();
    std::int64_t tokens = 0, longest = 0;
    for (std::size_t r = 0; r < 16; ++r) {
      const auto row = r * static_cast<std::size_t>(width);
      const std::int32_t id = ids[row];
      const std::size_t length = length_of(static_cast<std::uint64_t>(id));
      tokens += static_cast<std::int64_t>(length);
      longest = std::max(longest, static_cast<std::int64_t>(length));
      for (std::size_t i = 0; i < static_cast<std::size_t>(width); ++i) {
        CHECK(ids[row + i] == (i < length ? id : -7));
        CHECK(attention[row + i] == (i < length));
        CHECK(segments[row + i] == (i < length && i >= length / 2));
      }
      CHECK(batch.next_sentence_labels.span<std::int32_t>()[r] == id % 2);
      CHECK(batch.masked_positions.span<std::int32_t>()[r * 3 + 1] == 3);
      CHECK(batch.masked_labels.span<std::int32_t>()[r * 3 + 1] == 8);
      CHECK(batch.masked_labels.span<std::int32_t>()[r * 3 + 2] == unmasked_label);
    }
    CHECK(width == (longest + 7) / 8 * 8);
    CHECK(batch.padding == PaddingCount{tokens, 16 * width - tokens});
    CHECK(batch.masked == 32);
  }
}

TEST_CASE("gathering by length saves padding and leaves out nobody but a few by chance") {
  PipelineOptions gathered = small(), mixed = small();
  mixed.gather_lengths = false;
  PaddingCount with, without;
  for (std::uint64_t w = 0; w < 4; ++w) {
    for (const bool gather : {true, false}) {
      const Pipeline pipeline{numbered(4, 512), gather ? gathered : mixed};
      const Pipeline::Window window = pipeline.window(0, w);
      CHECK(window.batches.size() == 32);
      std::set<std::int32_t> seen;
      for (std::size_t b = 0; b < window.batches.size(); ++b) {
        const PipelineBatch batch = pipeline.batch(window, b);
        (gather ? with : without) += batch.padding;
        for (std::int64_t r = 0; r < 16; ++r) seen.insert(first_id(batch, r));
      }
      CHECK(seen.size() == 512);
    }
  }
  CHECK(with.share() < 0.15);
  CHECK(without.share() > 0.40);
}

TEST_CASE("no step of a window expects longer examples than another, and every example is used equally often") {
  constexpr int runs = 3000;
  constexpr std::uint64_t size = 132;  // 8 batches, and 4 left out
  std::vector<double> width(8), tokens(8), used(size);
  for (std::uint64_t epoch = 0; epoch < runs; ++epoch) {
    const Pipeline pipeline{numbered(1, size), small()};
    const Pipeline::Window window = pipeline.window(epoch, 0);
    for (std::size_t step = 0; step < 8; ++step) {
      const PipelineBatch batch = pipeline.batch(window, step);
      width[step] += static_cast<double>(batch.input_ids.shape()[1]) / runs;
      tokens[step] += static_cast<double>(batch.padding.tokens) / 16 / runs;
      for (std::int64_t r = 0; r < 16; ++r) ++used[static_cast<std::size_t>(first_id(batch, r))];
    }
  }
  double mean_length = 0;
  for (std::uint64_t i = 0; i < size; ++i) mean_length += static_cast<double>(length_of(i)) / size;
  // A batch's mean length deviates by about 18 from the mean, so over the runs by 0.33; the bound is four times that.
  for (std::size_t step = 0; step < 8; ++step) {
    CHECK(std::abs(tokens[step] - mean_length) < 1.4);
    CHECK(std::abs(width[step] - width[0]) < 2.0);
  }
  for (std::uint64_t i = 0; i < size; ++i) CHECK(std::abs(used[i] / runs - 128.0 / 132) < 0.014);
}

TEST_CASE("a run that is interrupted anywhere and goes on sees the same batches to the bit") {
  const Pipeline pipeline{numbered(3, 50), small()};  // 3 batches in each of 3 windows
  Prefetch whole{pipeline};
  const std::vector<std::string> expected = hashes(whole, 30);
  CHECK(std::set<std::string>(expected.begin(), expected.end()).size() == 30);
  for (int cut = 0; cut < 20; ++cut) {
    Prefetch first{pipeline};
    hashes(first, cut);
    const std::string saved = pipeline.saved(first.position());
    const Pipeline again{numbered(3, 50), small()};
    Prefetch second{again, again.restored(saved)};
    CHECK(hashes(second, 10) == std::vector<std::string>(expected.begin() + cut, expected.begin() + cut + 10));
  }
}

TEST_CASE("threads that make batches ahead change none of them, at any depth") {
  const Pipeline pipeline{numbered(5, 100), small()};
  Prefetch alone{pipeline};
  const std::vector<std::string> expected = hashes(alone, 60);
  for (const unsigned count : {1u, 2u, 4u})
    for (const std::size_t depth : {1u, 2u, 7u}) {
      Threads threads{count};
      Prefetch batches{pipeline, {}, depth};
      std::vector<std::string> seen;
      PipelinePosition position;
      prefetching(threads, batches, [&] {
        seen = hashes(batches, 45);
        position = batches.position();
        const std::vector<std::string> rest = hashes(batches, 15);
        seen.insert(seen.end(), rest.begin(), rest.end());
      });
      CHECK(seen == expected);
      Prefetch resumed{pipeline, position};
      CHECK(hashes(resumed, 15) == std::vector<std::string>(expected.begin() + 45, expected.end()));
    }
}

TEST_CASE("no more batches are made ahead than asked for: the makers wait for who takes them") {
  std::atomic<int> made{0};
  const Pipeline pipeline{counted(numbered(1000, 16), made), small()};  // a batch is a window
  Prefetch batches{pipeline, {}, 3};
  Threads threads{3};
  prefetching(threads, batches, [&] {
    for (int taken = 1; taken <= 20; ++taken) {
      batches.next();
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
      CHECK(made.load() <= taken + 3 + 1);  // and the window that follows
    }
  });
  CHECK(made.load() >= 20);
}

TEST_CASE("the next window is made while the one before it is used up") {
  std::atomic<int> made{0};
  const Pipeline pipeline{counted(numbered(1000, 128), made), small()};  // a window is eight batches
  Prefetch batches{pipeline, {}, 1};
  Threads threads{2};
  prefetching(threads, batches, [&] {
    for (int i = 0; i < 40; ++i) {
      batches.next();
      // Nobody has asked for a batch of the window that follows.
      if (i % 8 == 4 && threads.count() > 1) CHECK(before_long([&] { return made.load() >= i / 8 + 2; }));
    }
  });
  CHECK(made.load() <= 7);  // five are used up; what is made ahead may have begun the sixth, and asked for the seventh
}

TEST_CASE("batches are made ahead again where threads come a second time") {
  std::atomic<int> made{0};
  const Pipeline pipeline{counted(numbered(1000, 16), made), small()};  // a batch is a window
  Prefetch batches{pipeline, {}, 3};
  Threads threads{2};
  for (int taken = 1; taken <= 3; ++taken)
    prefetching(threads, batches, [&] {
      batches.next();
      if (threads.count() > 1) CHECK(before_long([&] { return made.load() >= taken + 3; }));
    });
}

TEST_CASE("how long the trainer waits is measured") {
  WindowSource source = numbered(1000, 16);
  source.window = [window = source.window](std::uint64_t epoch, std::uint64_t index) {
    std::this_thread::sleep_for(std::chrono::milliseconds{4});
    return window(epoch, index);
  };
  const Pipeline pipeline{source, small()};
  Prefetch batches{pipeline};
  CHECK(batches.waiting().share() == 0);
  for (int i = 0; i < 10; ++i) batches.next();
  CHECK(batches.waiting().waited >= 0.04);
  CHECK(batches.waiting().share() > 0.5);
  CHECK(batches.waiting().share() <= 1.0);
}

TEST_CASE("what goes wrong while a batch is made is told to who asks for it") {
  WindowSource source = numbered(10, 16);
  source.window = [window = source.window](std::uint64_t epoch, std::uint64_t index) {
    if (index == 3) fail({.number = 723, .sentence = "a record that is none", .where = {}});
    return window(epoch, index);
  };
  const Pipeline pipeline{source, small()};
  for (const unsigned count : {1u, 3u}) {
    Threads threads{count};
    Prefetch batches{pipeline};
    int taken = 0;
    CHECK(number_of([&] {
            prefetching(threads, batches, [&] {
              for (; taken < 9; ++taken) batches.next();
            });
          }) == 723);
    CHECK(taken == 3);
  }
}

TEST_CASE("where few epochs have a full batch, those that have none are passed over, to the same bits after a pause") {
  // An epoch is one window of 15 examples, and of 16, a batch, in the epochs that are named.
  const auto with_batches_in = [](std::set<std::uint64_t> epochs) {
    WindowSource source = numbered(1, 16);
    source.window = [epochs, window = source.window](std::uint64_t epoch, std::uint64_t) {
      std::vector<TrainingExample> result = window(epoch, 0);
      if (!epochs.contains(epoch)) result.pop_back();
      return result;
    };
    return source;
  };
  const Pipeline pipeline{with_batches_in({60, 61, 200, 2000}), small()};
  Prefetch alone{pipeline};
  std::vector<std::string> expected;
  for (const std::uint64_t epoch : {60u, 61u, 200u, 2000u}) {
    Prefetch resumed{pipeline, pipeline.restored(pipeline.saved(alone.position()))};
    expected.push_back(hash_of(alone.next()));
    CHECK(alone.position() == PipelinePosition{epoch, 0, 1});
    CHECK(hashes(resumed, 1).front() == expected.back());
  }
  for (const unsigned count : {1u, 3u}) {
    Threads threads{count};
    Prefetch batches{pipeline, {}, 2};
    std::vector<std::string> seen;
    prefetching(threads, batches, [&] { seen = hashes(batches, 4); });
    CHECK(seen == expected);
  }
  // Where even the first is so far, nobody waits for it.
  const Pipeline far{with_batches_in({2000}), small()};
  Prefetch batches{far};
  CHECK(number_of([&] { batches.next(); }) == 728);
}

TEST_CASE("a batch larger than any window is refused, and so is a position of other data") {
  const auto refused_with = [](std::uint64_t windows) -> Diagnostic {
    const Pipeline none{numbered(windows, 15), small()};
    Prefetch batches{none};
    CHECK(number_of([&] { batches.next(); }) == 728);
    try {
      batches.next();
    } catch (const Error& error) {
      return error.diagnostics().front();
    }
    return {};
  };
  CHECK(refused_with(1).number == 728);
  CHECK(refused_with(1).sentence.ends_with("a full batch of 16 examples; the largest of 101 has 15"));
  CHECK(refused_with(1).fix == std::vector<std::string>{"make the batch smaller, or give more text"});
  CHECK(refused_with(3).number == 728);
  CHECK(refused_with(3).fix.front() == "make the windows larger: --window 32");

  const Pipeline pipeline{numbered(3, 50), small()};
  const std::string saved = pipeline.saved({4, 2, 1});
  CHECK(pipeline.restored(saved) == PipelinePosition{4, 2, 1});
  CHECK(pipeline.restored(saved + "\n") == PipelinePosition{4, 2, 1});
  PipelineOptions other = small();
  other.seed = 4;
  CHECK(number_of([&] { (Pipeline{numbered(3, 50), other}.restored(saved)); }) == 729);
  CHECK(number_of([&] { (Pipeline{numbered(3, 51), small()}.restored(saved)); }) == 729);
  for (std::size_t size = 0; size < saved.size(); ++size)
    CHECK(number_of([&] { pipeline.restored(saved.substr(0, size)); }) == 729);
  for (const char* wrong :
       {"", "\xFF", "octet position -1 0 0 0", "octet position 1 2 3 4 5", "octet position 99999999999999999999 0 0 0"})
    CHECK(number_of([&] { pipeline.restored(wrong); }) == 729);
}

TEST_CASE("options that no batch can be made with are refused") {
  const auto make = [](PipelineOptions options) { return number_of([&] { Pipeline{numbered(1, 100), options}; }); };
  CHECK(make({}) == 0);
  CHECK(make({.batch = 0}) == 709);
  CHECK(make({.batch = 20}) == 709);
  CHECK(make({.replicas = 0}) == 709);
  CHECK(make({.max_length = 1}) == 709);
  CHECK(make({.max_predictions = -1}) == 709);
  CHECK(make({.padding = pad_to_multiple_of(0)}) == 709);
  const Pipeline longer{numbered(1, 100), {.batch = 16, .max_length = 10}};
  CHECK(number_of([&] { longer.window(0, 0); }) == 709);
  const Pipeline guesses{numbered(1, 100), {.batch = 16, .max_predictions = 1}};
  CHECK(number_of([&] { guesses.batch(guesses.window(0, 0), 0); }) == 709);
  const Pipeline pipeline{numbered(1, 100), small()};
  CHECK(number_of([&] { Prefetch{pipeline, {}, 0}; }) == 709);
  CHECK(number_of([] { Pipeline{WindowSource{}}; }) == 706);
}
