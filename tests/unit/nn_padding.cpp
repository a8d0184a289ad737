// What padding may not change: a BERT that minds its mask, and the ones that forget it.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.nn;

using namespace octet;

namespace {

const nn::BertConfig small{
    .vocabulary = 50, .hidden = 16, .layers = 2, .heads = 2, .intermediate = 32, .positions = 32};

Values<nn::Bert> model() { return nn::initialize(nn::bert(small), Key::of_seed(3), nn::normal_initializer(0.3)); }

/// Two sequences of 10 and 7 tokens, in 10 columns.
Values<nn::MaskedLanguageBatch> batch() {
  std::vector<std::int32_t> ids(20, 0), mask(20, 0);
  for (std::size_t i = 0; i < 17; ++i) ids[i] = static_cast<std::int32_t>(5 + 2 * i), mask[i] = 1;
  const auto integers = [](Shape shape, const std::vector<std::int32_t>& values) {
    return Tensor::of<std::int32_t>(shape, values);
  };
  return {nn::MaskedLanguageBatch{},
          {integers({2, 10}, ids), Tensor{DType::i32, {2, 10}}, integers({2, 10}, mask),
           integers({2, 3}, {2, 5, 9, 1, 6, 0}), integers({2, 3}, {7, 40, 3, 12, 8, -100})}};
}

const PaddingCheckOptions options{.buckets = {{"batch.ids", 1, max_length(24)},
                                              {"batch.segments", 1, max_length(24)},
                                              {"batch.attention_mask", 1, max_length(24)}},
                                  .argument_names = {"model", "batch"}};

Array loss(const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) {
  const nn::SummedLoss summed = nn::masked_language_loss(bert, examples);
  return summed.sum / summed.count;
}

}  // namespace

TEST_CASE("BERT passes: its loss, its gradients and its hidden states do not see padding") {
  const PaddingReport losses = check_padding(
      [](const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) {
        return value_and_grad([&](const nn::Bert& candidate) { return loss(candidate, examples); })(bert);
      },
      options, model(), batch());
  INFO(losses.text());
  CHECK(losses.holds());
  CHECK(losses.results == 1 + model().tensors().size());
  const PaddingReport hidden = check_padding(
      [](const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) {
        return bert.encode(examples.ids, examples.segments, examples.attention_mask);
      },
      options, model(), batch());
  INFO(hidden.text());
  CHECK(hidden.holds());
}

TEST_CASE("a BERT that forgets its attention mask is caught at the line that runs it") {
  const PaddingReport report = check_padding(
      [](const nn::Bert& bert, nn::MaskedLanguageBatch examples) {
        examples.attention_mask = full(examples.attention_mask.type(), 1);
        return loss(bert, examples);
      },
      options, model(), batch());
  REQUIRE(report.faults.size() == 1);
  INFO(report.faults[0].text());
  CHECK(report.faults[0].number == 305);
  CHECK(report.faults[0].sentence.find("reduce f32[2, 2, 10") != std::string::npos);
  CHECK(report.faults[0].where.file.string().ends_with("nn_padding.cpp"));
  CHECK(report.faults[0].fix.at(0).find("softmax(scores + (1.0 - keep) * -1e9)") != std::string::npos);
}

TEST_CASE("a head that averages over padding is caught behind an encoder that does not") {
  unsigned line = 0;
  const PaddingReport report = check_padding(
      [&](const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) {
        const Array hidden = bert.encode(examples.ids, examples.segments, examples.attention_mask);
        line = __LINE__ + 1;
        return sum(square(mean(hidden, {1})));
      },
      options, model(), batch());
  REQUIRE(report.faults.size() == 1);
  CHECK(report.faults[0].where.line == line);
  CHECK(report.faults[0].where.file.string().ends_with("nn_padding.cpp"));
}

TEST_CASE("a position that leaks is caught: embeddings counted from the end") {
  unsigned line = 0;
  const PaddingReport report = check_padding(
      [&](const nn::Bert& bert, const nn::MaskedLanguageBatch& examples) {
        nn::Bert reversed = bert;
        const std::int64_t seq = examples.ids.extent(1);
        line = __LINE__ + 1;
        reversed.position.table = reverse(slice_in_dim(bert.position.table, 0, seq, 0), {0});
        return loss(reversed, examples);
      },
      options, model(), batch());
  INFO(report.text());
  REQUIRE(report.faults.size() == 1);
  INFO(report.faults[0].text());
  CHECK(report.faults[0].where.line == line);
}

TEST_CASE("a gradient that is zero but for rounding is no leak, nor is what an optimizer makes of it") {
  // What a key's bias adds to all scores of a row does nothing to their softmax.
  struct Judge {
    nn::SelfAttention attention;
    nn::Linear out;
  };
  const auto loss = [](const Judge& judge, const Array& x, const Array& mask) {
    const Array kept = cast<float>(mask);
    return sum(square(judge.out(judge.attention(x, mask))) * expand_dims(kept, -1)) / sum(kept);
  };
  const auto update = [&](const Judge& judge, const Array& x, const Array& mask) {
    return map_arrays(
        [](const Array& weight, const Array& gradient) {
          const Array moment = 0.1 * gradient, second = 0.001 * square(gradient);
          return weight - 0.01 * moment / (sqrt(second) + 1e-8);
        },
        judge, grad(loss)(judge, x, mask));
  };
  const Judge shape{nn::self_attention(32, 4), nn::linear(32, 1)};
  for (int seed = 0; seed < 12; ++seed) {
    const auto judge =
        nn::initialize(shape, Key::of_seed(static_cast<std::uint64_t>(seed)), nn::normal_initializer(0.1));
    const std::int64_t length = 3 + seed % 5;
    Tensor x{DType::f32, {16, length, 32}};
    normal(Key::of_seed(100 + static_cast<std::uint64_t>(seed)), 0, x.mutable_span<float>());
    const Tensor mask = Tensor::full<std::int32_t>({16, length}, 1);
    const PaddingCheckOptions padded{.buckets = {{"x", 1, multiple_of(8)}, {"mask", 1, multiple_of(8)}},
                                     .argument_names = {"judge", "x", "mask"}};
    const PaddingReport gradients = check_padding(grad(loss), padded, judge, x, mask);
    INFO("length " << length << "\n" << gradients.text());
    CHECK(gradients.holds());
    const PaddingReport updated = check_padding(update, padded, judge, x, mask);
    INFO(updated.text());
    CHECK(updated.holds());
  }
}
