// BERT's second loss: whether the second segment follows the first.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <cstddef>
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
using Catch::Matchers::WithinRel;

namespace {

nn::BertConfig config(bool next_sentence) {
  return {.vocabulary = 12,
          .hidden = 4,
          .layers = 1,
          .heads = 2,
          .intermediate = 6,
          .positions = 6,
          .next_sentence = next_sentence};
}

Values<nn::Bert> model(bool next_sentence = true) {
  return nn::initialize(nn::bert(config(next_sentence)), Key::of_seed(3), nn::normal_initializer(0.4));
}

Tensor integers(Shape shape, std::vector<std::int32_t> values) {
  return Tensor::of<std::int32_t>(std::move(shape), values);
}

Values<nn::MaskedLanguageBatch> batch(std::vector<std::int32_t> labels) {
  nn::MaskedLanguageBatch structure;
  structure.next_sentence_labels.emplace();
  const Tensor ids = integers({2, 4}, {2, 7, 8, 3, 2, 5, 9, 3}), segments = integers({2, 4}, {0, 0, 1, 1, 0, 0, 0, 1});
  return {structure,
          {ids, segments, integers({2, 4}, {1, 1, 1, 1, 1, 1, 1, 1}), integers({2, 1}, {1, 2}),
           integers({2, 1}, {6, -100}), integers({2}, std::move(labels))}};
}

const auto losses = [](const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) {
  const nn::PretrainingLoss loss = nn::pretraining_loss(bert, examples);
  return std::vector{loss.masked.sum, loss.masked.count, loss.next_sentence.sum, loss.next_sentence.count};
};

}  // namespace

TEST_CASE("the head for next sentences comes last, so a BERT without it keeps its parameters and their order") {
  const auto with = model().names(), without = model(false).names();
  REQUIRE(with.size() == without.size() + 4);
  CHECK(std::vector<std::string>{with.begin(), with.end() - 4} == without);
  CHECK(std::vector<std::string>{with.end() - 4, with.end()} ==
        std::vector<std::string>{"next_sentence.pooler.weight", "next_sentence.pooler.bias",
                                 "next_sentence.classifier.weight", "next_sentence.classifier.bias"});
  const auto initial = model();
  for (std::size_t i = 0; i < without.size(); ++i) CHECK(initial.tensors()[i] == model(false).tensors()[i]);
}

TEST_CASE("both losses of pre-training come from one run, and the masked one is what it is alone") {
  const auto both = jit(losses, {.compile = {.precision = Precision::f32}});
  const auto result = both(model(), batch({0, 1}));
  CHECK(result[1].item() == 1);
  CHECK(result[3].item() == 2);
  CHECK(result[2].item() > 0);
  const auto alone =
      jit([](const nn::Bert& bert,
             const nn::MaskedLanguageBatch& examples) { return nn::masked_language_loss(bert, examples).sum; },
          {.compile = {.precision = Precision::f32}});
  CHECK_THAT(alone(model(), batch({0, 1})).item(), WithinRel(result[0].item(), 1e-6));
  // The labels say which of two classes; the two answers' probabilities add up to one, and a label below 0 counts for
  // nothing.
  const double follows = std::exp(-both(model(), batch({0, -1}))[2].item()),
               random = std::exp(-both(model(), batch({1, -1}))[2].item());
  CHECK_THAT(follows + random, WithinRel(1.0, 1e-5));
  CHECK(both(model(), batch({-1, 1}))[3].item() == 1);
}

TEST_CASE("the gradient of the loss of next sentences is that of finite differences, for head and hidden states") {
  const nn::Bert structure = nn::bert(config(true));
  const std::vector<Array> head = arrays_of(*structure.next_sentence);
  Draw draw{4};
  Sample sample;
  sample.name = "next sentence";
  sample.arguments = {{draw.tensor({3, 2, 4}, -1, 1)}};
  for (const Array& array : head) sample.arguments[0].push_back(draw.tensor(array.shape(), -1, 1));
  sample.function = [&](const Arrays& arguments) -> Arrays {
    nn::Bert model = structure;
    model.next_sentence = with_arrays(*structure.next_sentence, {arguments.begin() + 1, arguments.end()});
    return {nn::cross_entropy(model.next_sentence_logits(arguments[0]), constant(integers({3}, {0, 1, 1})))};
  };
  CHECK(gradient_fault(sample, 1e-6) == "");
}

TEST_CASE("a BERT without the head and a batch without labels are refused") {
  CHECK(number_of([] { jit(losses)(model(false), batch({0, 1})); }) == 403);
  auto without = batch({0, 1});
  auto tensors = without.tensors();
  tensors.pop_back();
  const Values<nn::MaskedLanguageBatch> unlabelled{nn::MaskedLanguageBatch{}, tensors};
  CHECK(number_of([&] { jit(losses)(model(), unlabelled); }) == 403);
}
