// ELECTRA: what is drawn and judged, both losses, and where derivatives pass.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
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
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

const nn::BertConfig judge{.vocabulary = 11, .hidden = 8, .layers = 2, .heads = 2, .intermediate = 12, .positions = 6};

Values<nn::Electra> model(double share = 0.5) {
  return nn::initialize(nn::electra(nn::electra_config(judge, share)), Key::of_seed(3), nn::normal_initializer(0.5));
}

Tensor integers(Shape shape, std::vector<std::int32_t> values) {
  return Tensor::of<std::int32_t>(std::move(shape), values);
}

constexpr std::int32_t mask = 4, none = -100;

/// Two sequences, the second of four tokens; of its predictions the second only fills the row up.
Values<nn::ReplacedTokenBatch> batch(std::uint32_t seed = 1) {
  std::vector<std::uint32_t> keys;
  for (std::uint64_t row = 0; row < 2; ++row) {
    const Key key = split(Key::of_seed(seed), row);
    keys.insert(keys.end(), {key.high, key.low});
  }
  return {{},
          {integers({2, 6}, {2, mask, 6, mask, 8, 3, 2, 7, mask, 3, 0, 0}), integers({2, 6}, std::vector(12, 0)),
           integers({2, 6}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}), integers({2, 2}, {1, 3, 2, 0}),
           integers({2, 2}, {5, 7, 9, none}), Tensor::of<std::uint32_t>({2, 2}, keys)}};
}

struct Outcome {
  Array generator, guessed, discriminator, count, logits, replaced, judged;
};

auto outcome() {
  return jit(
      [](const nn::Electra& electra, const nn::ReplacedTokenBatch& examples) {
        const nn::ReplacedTokenPass pass = nn::replaced_token_pass(electra, examples);
        return Outcome{pass.generator.sum,
                       pass.generator.count,
                       pass.discriminator.sum,
                       pass.discriminator.count,
                       pass.logits,
                       cast<std::int32_t>(pass.replaced),
                       cast<std::int32_t>(pass.judged)};
      },
      {.compile = {.precision = Precision::f32}});
}

}  // namespace

TEST_CASE("a class is drawn by the row's own key, as jax.random.categorical draws") {
  const std::vector<Key> keys{Key::of_seed(1), Key::of_seed(2), Key::of_seed(3)};
  std::vector<std::uint32_t> words;
  for (const Key& key : keys) words.insert(words.end(), {key.high, key.low});
  constexpr std::int64_t draws = 4000, classes = 4;
  const std::vector<float> logits{0.0f, 1.0f, -1.0f, 0.5f};
  const Graph graph = trace(
      [&](const Arrays& in) {
        const Array wide = broadcast_to(in[1], {3, draws, classes});
        const Array alone = slice_in_dim(in[0], 1, 2, 0);
        return Arrays{random_categorical(in[0], wide),
                      random_categorical(alone, broadcast_to(in[1], {1, draws, classes}))};
      },
      {{DType::u32, {3, 2}}, {DType::f32, {classes}}});
  const auto results = evaluate(
      graph, std::vector<Tensor>{Tensor::of<std::uint32_t>({3, 2}, words), Tensor::of<float>({classes}, logits)});
  double total = 0;
  for (const float logit : logits) total += std::exp(static_cast<double>(logit));
  for (std::size_t row = 0; row < keys.size(); ++row) {
    std::array<int, classes> seen{};
    for (std::int64_t i = 0; i < draws; ++i) {
      double best = -1e9;
      std::int32_t expected = 0;
      for (std::int32_t c = 0; c < classes; ++c) {
        const double u = static_cast<double>(uniform(keys[row], static_cast<std::uint64_t>(i * classes + c)));
        const double sum = static_cast<double>(logits[static_cast<std::size_t>(c)]) - std::log(-std::log(u));
        if (sum > best) best = sum, expected = c;
      }
      const std::int32_t drawn = results[0].span<std::int32_t>()[row * draws + static_cast<std::size_t>(i)];
      CHECK(drawn == expected);
      ++seen[static_cast<std::size_t>(drawn)];
    }
    for (std::size_t c = 0; c < classes; ++c)
      CHECK_THAT(seen[c] / static_cast<double>(draws),
                 WithinAbs(std::exp(static_cast<double>(logits[c])) / total, 0.035));
  }
  for (std::int64_t i = 0; i < draws; ++i) CHECK(results[1].at(i) == results[0].at(draws + i));
  CHECK(number_of([] {
          trace([](const Arrays& in) { return Arrays{random_bits(in[0], {3, 5})}; }, {{DType::u32, {2, 2}}});
        }) == 401);
  CHECK(number_of([] {
          trace([](const Arrays& in) { return Arrays{random_bits(in[0], {5})}; }, {{DType::i32, {2}}});
        }) == 401);
  CHECK(number_of([] { trace([](const Arrays& in) { return Arrays{fold_in(in[0], 1)}; }, {{DType::u32, {3, 3}}}); }) ==
        401);
}

TEST_CASE("what is judged replaced are the masked tokens that were drawn otherwise, never padding") {
  const auto run = outcome();
  int replaced = 0, kept = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const auto seen = run(model(), batch(seed)).tensors();
    CHECK(seen[1].item() == 3);
    CHECK(seen[3].item() == 10);
    const auto judged = seen[6].span<std::int32_t>();
    const auto changed = seen[5].span<std::int32_t>();
    double expected = 0;
    for (std::size_t i = 0; i < 12; ++i) {
      INFO("seed " << seed << ", token " << i);
      CHECK(judged[i] == (i < 10));
      const bool masked = i == 1 || i == 3 || i == 8;
      if (!masked) CHECK(changed[i] == 0);
      if (masked) ++(changed[i] ? replaced : kept);
      if (i >= 10) continue;
      const double x = static_cast<double>(seen[4].span<float>()[i]);
      expected += changed[i] ? std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    }
    CHECK_THAT(seen[2].item(), WithinRel(expected, 1e-5));
  }
  CHECK(replaced > 20);
  CHECK(kept > 2);
}

TEST_CASE("the generator's loss is that of masked-language modelling, and the judge's does not reach it") {
  const auto gradients = [](double weight) {
    return jit(
        [weight](const nn::Electra& electra, const nn::ReplacedTokenBatch& examples) {
          return value_and_grad([&](const nn::Electra& variables, const nn::ReplacedTokenBatch& given) {
            const nn::ReplacedTokenPass pass = nn::replaced_token_pass(variables, given);
            return pass.generator.sum + pass.discriminator.sum * weight;
          })(electra, examples);
        },
        {.compile = {.precision = Precision::f32}});
  };
  const auto masked = jit(
      [](const nn::Electra& electra, const nn::ReplacedTokenBatch& given) {
        return value_and_grad([&](const nn::Electra& variables) {
          return nn::masked_language_loss(variables.generating(), {given.ids, given.segments, given.attention_mask,
                                                                   given.masked_positions, given.masked_labels})
              .sum;
        })(electra);
      },
      {.compile = {.precision = Precision::f32}});
  const auto [both, all] = gradients(50)(model(), batch());
  const auto [alone, of_masks] = masked(model(), batch());
  CHECK(both.item() > alone.item());
  const std::vector<std::string> names = all.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    INFO(names[i]);
    const bool own = names[i].starts_with("generator."),
               judges = names[i].starts_with("discriminator.layers") || names[i].starts_with("discriminator.head");
    if (own) CHECK(all.tensors()[i] == of_masks.tensors()[i]);
    if (judges) CHECK(of_masks.tensors()[i] == Tensor{of_masks.tensors()[i].dtype(), of_masks.tensors()[i].shape()});
    if (!own) CHECK(all.tensors()[i] != of_masks.tensors()[i]);
  }
}

TEST_CASE("the gradient of a judge is that of finite differences, for each parameter") {
  const nn::ElectraDiscriminator structure = nn::electra_discriminator(
      {.vocabulary = 5, .hidden = 4, .layers = 1, .heads = 2, .intermediate = 3, .positions = 3, .embedding = 2});
  Draw draw{9};
  Sample sample;
  sample.name = "electra";
  sample.arguments.emplace_back();
  for (const Array& array : arrays_of(structure)) sample.arguments[0].push_back(draw.tensor(array.shape(), -1, 1));
  const Tensor ids = integers({1, 3}, {4, 0, 2}), zero = integers({1, 3}, {0, 0, 0}),
               seen = integers({1, 3}, {1, 1, 1});
  sample.function = [&](const Arrays& arguments) -> Arrays {
    const nn::ElectraDiscriminator judging = with_arrays(structure, arguments);
    return {judging.replaced_logits(constant(ids), constant(zero), constant(seen))};
  };
  CHECK(gradient_fault(sample, 1e-6) == "");
}

TEST_CASE("a generator is as wide as asked, with heads that divide it, over embeddings that both share") {
  const auto of = [](std::int64_t hidden, std::int64_t heads, double share) {
    return nn::electra_config({.hidden = hidden, .heads = heads, .intermediate = 4 * hidden}, share);
  };
  const nn::ElectraConfig small = of(256, 4, 0.25), base = of(768, 12, 0.333), narrow = of(10, 5, 0.5);
  CHECK((small.generator.hidden == 64 && small.generator.heads == 1 && small.generator.intermediate == 256));
  CHECK((base.generator.hidden == 256 && base.generator.heads == 4 && base.generator.intermediate == 1024));
  CHECK((narrow.generator.hidden == 6 && narrow.generator.heads == 3));
  CHECK(small.generator.embedding == 256);

  const auto names = model().names();
  CHECK(std::count_if(names.begin(), names.end(), [](const auto& name) { return name.ends_with("table"); }) == 3);
  CHECK(model()["generator.projection.weight"].shape() == Shape{8, 4});
  CHECK(model(1).names().size() == names.size() - 2);
  CHECK(number_of([] {
          nn::ElectraConfig config = nn::electra_config(judge);
          config.generator.embedding = 5;
          nn::electra(config);
        }) == 403);
}
