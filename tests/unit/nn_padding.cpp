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
