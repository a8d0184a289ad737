// What bf16 does to numbers, counted.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;

#include "refusal.hpp"

using namespace octet;

namespace {

Tensor of(std::initializer_list<float> values) {
  return Tensor::of<float>(Shape{static_cast<std::int64_t>(values.size())}, values);
}

}  // namespace

TEST_CASE("an update vanishes where w + dw rounds to w") {
  tpu::TensorPrecision weights{.name = "w"};
  // Beside 1, bf16's next number is 1 + 2^-7, and below half of that nothing changes. The last one does not change at
  // all.
  tpu::note_update(weights, of({1, 1, 1, 0, 256, 1}), of({1 + 0x1p-9f, 1 + 0x1p-7f, 1 - 0x1p-8f, 0x1p-30f, 256.5f, 1}));
  CHECK(weights.seen == 6);
  CHECK(weights.changed == 5);
  CHECK(weights.vanished == 2);  // the first, and half of one beside 256; below 1 numbers lie twice as close
  CHECK(weights.vanished_share() == 0.4);
}

TEST_CASE(
    "every change of every bf16 number by less than a quarter of its step vanishes, and by a whole step none does") {
  for (std::uint32_t bits = 0x0100; bits < 0x7f00; ++bits) {
    const auto value = static_cast<float>(bfloat16::from_bits(static_cast<std::uint16_t>(bits)));
    const auto next = static_cast<float>(bfloat16::from_bits(static_cast<std::uint16_t>(bits + 1)));
    tpu::TensorPrecision small{.name = "w"}, large{.name = "w"};
    const float step = next - value;
    if (!(value + step / 4 != value)) continue;
    tpu::note_update(small, Tensor::scalar(value), Tensor::scalar(value + step / 4));
    tpu::note_update(large, Tensor::scalar(value), Tensor::scalar(next));
    if (small.vanished != 1 || large.vanished != 0) FAIL("at " << value);
  }
}

TEST_CASE("range is counted as bf16 has it, and as fp16 would") {
  tpu::TensorPrecision values{.name = "x"};
  const float inf = std::numeric_limits<float>::infinity();
  tpu::note_values(values, of({0, 1, -70000, 1e-20f, 1e-39f, std::numeric_limits<float>::max(), inf, std::nanf("")}));
  CHECK(values.seen == 8);
  CHECK(values.not_finite == 2);
  CHECK(values.overflowed == 1);
  CHECK(values.underflowed == 1);
  CHECK(values.half_overflowed == 2);
  CHECK(values.half_underflowed == 2);
  CHECK(values.largest == static_cast<double>(std::numeric_limits<float>::max()));
  CHECK(!values.fits());
  tpu::TensorPrecision nothing{.name = "ids"};
  tpu::note_values(nothing, Tensor{DType::i32, Shape{4}});
  tpu::note_values(nothing, Tensor{DType::f32, Shape{0}});
  CHECK(nothing.seen == 0);
  CHECK(nothing.vanished_share() == 0);
}

TEST_CASE("a report names what vanishes, what does not fit, and the cure") {
  tpu::PrecisionReport report;
  tpu::note_step(report, {"model.weight", "second_moment.weight", "step"}, {of({1, 2}), of({1, 1}), Tensor::scalar(0)},
                 {of({1.0001f, 2.0001f}), of({1.0005f, 1.5f}), Tensor::scalar(1)});
  CHECK(report.updates == 1);
  REQUIRE(report.state.size() == 2);
  std::vector<Diagnostic> said = tpu::judged(report, false);
  REQUIRE(said.size() == 2);
  CHECK(said[0].number == 506);
  CHECK(said[0].sentence ==
        "100 % of the updates of weights would vanish if they were kept in bf16, most in 'model.weight'.");
  CHECK(said[1].number == 508);
  CHECK(tpu::judged(report, true)[0].sentence.find("weights vanish") != std::string::npos);
  tpu::note_step(report, {"model.weight"}, {of({1, 2})}, {of({std::nanf(""), 2})});
  said = tpu::judged(report, false);
  REQUIRE(said.size() == 3);
  CHECK(said[1].number == 507);
  CHECK(tpu::judged({}, false).empty());
}

TEST_CASE("tensors between operations are looked at by operation and line") {
  const Graph graph =
      trace([](const std::vector<Array>& in) { return std::vector{matmul(matmul(in[0], in[0]), in[0])}; },
            {{DType::f32, {2, 2}}});
  Threads threads;
  tpu::PrecisionReport report;
  for (int run = 0; run < 2; ++run)
    tpu::note_program(report, graph, {Tensor::of<float>({2, 2}, {300, 0, 0, 1e-30f})}, Precision::bf16, threads);
  REQUIRE(report.values.size() == 1);  // both products stand in one line
  CHECK(report.values[0].name.find("dot_general") != std::string::npos);
  CHECK(report.values[0].name.find("tpu_precision_report.cpp:") != std::string::npos);
  CHECK(report.values[0].seen == 16);
  CHECK(report.values[0].half_overflowed == 4);
  CHECK(report.values[0].overflowed == 0);
}

TEST_CASE("a program is looked at in the precision that it runs in") {
  const Graph graph =
      trace([](const std::vector<Array>& in) { return std::vector{matmul(in[0], in[0])}; }, {{DType::f32, {1, 1}}});
  Threads threads;
  const auto largest = [&](Precision precision) {
    tpu::PrecisionReport report;
    tpu::note_program(report, graph, {Tensor::of<float>({1, 1}, {1 + 0x1p-10f})}, precision, threads);
    return tpu::total("", report.values).largest;
  };
  CHECK(largest(Precision::bf16) == 1);  // its operands have no room for the small part
  CHECK(largest(Precision::f32) > 1 + 0x1p-10);
}

TEST_CASE("a step whose tensors do not fit its names is refused") {
  tpu::PrecisionReport report;
  const auto refused_with = [&](std::vector<Tensor> before, std::vector<Tensor> after) {
    return number_of([&] { tpu::note_step(report, {"w"}, before, after); });
  };
  CHECK(refused_with({}, {}) == 405);
  CHECK(refused_with({of({1})}, {of({1}), of({2})}) == 405);
  CHECK(refused_with({of({1})}, {of({1, 2})}) == 405);
  CHECK(refused_with({of({1})}, {of({2})}) == 0);
}
