// What dropout drops, and what has no part in it: padding, and the other sequences of a batch.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.nn;

#include "gradients.hpp"
#include "refusal.hpp"

using namespace octet;

namespace {

Tensor keys_of(const std::vector<std::uint64_t>& seeds) {
  Tensor keys{DType::u32, {static_cast<std::int64_t>(seeds.size()), 2}};
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const Key key = split(Key::of_seed(9), seeds[i]);
    keys.mutable_span<std::uint32_t>()[2 * i] = key.high;
    keys.mutable_span<std::uint32_t>()[2 * i + 1] = key.low;
  }
  return keys;
}

const nn::BertConfig small{.vocabulary = 50,
                           .hidden = 16,
                           .layers = 2,
                           .heads = 2,
                           .intermediate = 32,
                           .positions = 32,
                           .dropout = {.hidden = 0.2, .attention = 0.3}};

Values<nn::Bert> model() { return nn::initialize(nn::bert(small), Key::of_seed(3), nn::normal_initializer(0.3)); }

/// Sequences of 10 and 7 tokens, in the order asked for, in 10 columns.
Values<nn::MaskedLanguageBatch> batch(const std::vector<std::size_t>& order = {0, 1}, bool dropping = true) {
  Tensor ids{DType::i32, {2, 10}}, mask{DType::i32, {2, 10}};
  std::vector<std::uint64_t> seeds;
  for (std::size_t row = 0; row < 2; ++row) {
    for (std::size_t i = 0; i < (order[row] == 0 ? 10 : 7); ++i) {
      ids.mutable_span<std::int32_t>()[10 * row + i] = static_cast<std::int32_t>(5 + 20 * order[row] + 2 * i);
      mask.mutable_span<std::int32_t>()[10 * row + i] = 1;
    }
    seeds.push_back(order[row]);
  }
  nn::MaskedLanguageBatch structure;
  std::vector<Tensor> tensors{ids, Tensor{DType::i32, {2, 10}}, mask,
                              Tensor::of<std::int32_t>({2, 3}, {2, 5, 6, 1, 6, 0}),
                              Tensor::of<std::int32_t>({2, 3}, {7, 40, 3, 12, 8, -100})};
  if (dropping) {
    structure.dropout_keys.emplace();
    tensors.push_back(keys_of(seeds));
  }
  return {structure, tensors};
}

Array loss(const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) {
  const nn::SummedLoss summed = nn::masked_language_loss(bert, examples);
  return summed.sum / summed.count;
}

/// [2, 10, 16]
Tensor hidden(const Values<nn::MaskedLanguageBatch>& examples) {
  return jit([](const nn::Bert& bert, const nn::MaskedLanguageBatch& given) {
    return bert.encode(given.ids, given.segments, given.attention_mask, {bert.dropout, given.dropout_keys});
  })(model(), examples);
}

}  // namespace

TEST_CASE("dropout drops its share of the elements and scales the others by what is kept") {
  const Tensor x = Tensor::full<float>({4, 5000}, 3), keys = keys_of({1, 2, 3, 4});
  for (const double rate : {0.1, 0.5, 0.9}) {
    const Tensor dropped = jit([rate](Array in, Array key) { return nn::dropout(in, rate, key); })(x, keys);
    const auto elements = dropped.span<float>();
    const auto zeros = static_cast<double>(std::ranges::count(elements, 0.0f));
    CHECK(std::abs(zeros / 20000 - rate) < 4 * std::sqrt(rate * (1 - rate) / 20000));
    const float kept = *std::ranges::max_element(elements);
    CHECK(std::abs(kept * (1 - rate) - 3) < 1e-6);
    CHECK(std::ranges::all_of(elements, [&](float element) { return element == 0 || element == kept; }));
    // No two rows alike.
    CHECK(!std::ranges::equal(elements.subspan(0, 5000), elements.subspan(5000, 5000)));
  }
  CHECK(jit([](Array in, Array key) { return nn::dropout(in, 0, key); })(x, keys) == x);
  const auto number = [&](double rate) {
    return number_of([&] { jit([rate](Array in, Array key) { return nn::dropout(in, rate, key); })(x, keys); });
  };
  for (const double rate : {1.0, -0.1, std::nan(""), std::numeric_limits<double>::infinity()})
    CHECK(number(rate) == 403);
  CHECK(number_of([&] { jit([](Array in, Array key) { return nn::dropout(in, 0.5, key); })(x, keys_of({1})); }) == 401);
}

TEST_CASE("what is dropped has no slope, and what is kept that of its scale") {
  Draw draw{3};
  const Sample sample{"dropout",
                      [](const Arrays& in) { return Arrays{nn::dropout(in[0] * in[0], 0.4, in[1])}; },
                      {{draw.tensor({2, 12}), keys_of({5, 6})}}};
  CHECK(gradient_fault(sample) == "");
}

TEST_CASE("a part of a model drops what others keep, and the same again from the same keys") {
  const Tensor x = Tensor::full<float>({1, 8, 64}, 1);
  const auto dropped = [&](std::uint32_t part) {
    return jit([part](Array in, Array keys) {
      return nn::Dropout{nn::DropoutRates{.hidden = 0.5}, keys}.of(part)(in);
    })(x, keys_of({1}));
  };
  CHECK(dropped(0) == dropped(0));
  CHECK(dropped(0) != dropped(1));
  const Tensor shares = Tensor::full<float>({1, 2, 8, 8}, 1);
  CHECK(jit([](Array in, Array keys) { return nn::Dropout{nn::DropoutRates{.hidden = 0.5}, keys}.attention(in); })(
            shares, keys_of({1})) == shares);
}

TEST_CASE("without keys nothing is dropped, with them a run is another") {
  const Tensor used = hidden(batch({0, 1}, false));
  nn::BertConfig none = small;
  none.dropout = {};
  CHECK(used == jit([](const nn::Bert& bert, const nn::MaskedLanguageBatch& given) {
          return bert.encode(given.ids, given.segments, given.attention_mask);
        })(nn::initialize(nn::bert(none), Key::of_seed(3), nn::normal_initializer(0.3)), batch({0, 1}, false)));
  CHECK(hidden(batch()) != used);
}

TEST_CASE("the order of a batch has no part in what is dropped") {
  const Tensor one = hidden(batch({0, 1})), other = hidden(batch({1, 0}));
  const std::size_t row = 10 * 16;
  CHECK(std::ranges::equal(one.span<float>().subspan(0, row), other.span<float>().subspan(row, row)));
  CHECK(std::ranges::equal(one.span<float>().subspan(row, row), other.span<float>().subspan(0, row)));
}

TEST_CASE("padding has no part in what is dropped") {
  const PaddingReport report = check_padding(
      [](const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) {
        return value_and_grad([&](const nn::Bert& candidate) { return loss(candidate, examples); })(bert);
      },
      {.buckets = {{"batch.ids", 1, max_length(24)},
                   {"batch.segments", 1, max_length(24)},
                   {"batch.attention_mask", 1, max_length(24)}},
       .argument_names = {"model", "batch"}},
      model(), batch());
  INFO(report.text());
  CHECK(report.holds());
}

TEST_CASE("a GPT-2 drops, and still sees nothing that comes after") {
  const nn::Gpt2Config config{.vocabulary = 40,
                              .hidden = 16,
                              .layers = 2,
                              .heads = 2,
                              .intermediate = 32,
                              .positions = 16,
                              .dropout = {.hidden = 0.2, .attention = 0.2}};
  const auto weights = nn::initialize(nn::gpt2(config), Key::of_seed(4), nn::normal_initializer(0.3));
  const auto decode = jit(
      [](const nn::Gpt2& gpt2, Array ids, Array keys) { return gpt2.decode(ids, nn::Dropout{gpt2.dropout, keys}); });
  Tensor ids{DType::i32, {1, 12}};
  for (std::int32_t i = 0; i < 12; ++i) ids.mutable_span<std::int32_t>()[static_cast<std::size_t>(i)] = 3 * i;
  const Tensor same{ids}, first = decode(weights, ids, keys_of({2}));
  for (std::size_t i = 8; i < 12; ++i) ids.mutable_span<std::int32_t>()[i] = 1;
  const Tensor other = decode(weights, ids, keys_of({2}));
  CHECK(std::ranges::equal(first.span<float>().subspan(0, 8 * 16), other.span<float>().subspan(0, 8 * 16)));
  CHECK(first != jit([](const nn::Gpt2& gpt2, Array given) { return gpt2.decode(given); })(weights, same));
}
