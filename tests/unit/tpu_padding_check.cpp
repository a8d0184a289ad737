// check_padding of a function that all replicas run: each one's values are compared.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;

#include "refusal.hpp"

using namespace octet;

namespace {

const tpu::Slice eight = tpu::slice("v3-8");
constexpr std::int64_t rows = 16, seq = 5;

/// Numbers without a pattern, 0 for the first `zeros` rows: [rows, seq].
Tensor numbers(std::int64_t zeros = 0) {
  Tensor tensor{DType::f32, {rows, seq}};
  const auto elements = tensor.mutable_span<float>();
  for (std::size_t i = static_cast<std::size_t>(zeros * seq); i < elements.size(); ++i)
    elements[i] = normal(Key::of_seed(4), i);
  return tensor;
}
Tensor mask() { return Tensor::full<float>({rows, seq}, 1); }

PaddingReport checked(const auto& function, const Tensor& x) {
  JitOptions options;
  options.buckets = {{"x", 1, multiple_of(8)}, {"mask", 1, multiple_of(8)}};
  options.argument_names = {"x", "mask"};
  return tpu::replicate(function, eight, options).check_padding(x, mask());
}

/// The mean over the examples of all replicas.
Array masked(const Array& x, const Array& keep) {
  return all_reduce(sum(x * keep), eight.all()) / all_reduce(sum(keep), eight.all());
}

}  // namespace

TEST_CASE("replicas that mind their padding pass, collectives and all") {
  const PaddingReport report = checked(masked, numbers());
  INFO(report.text());
  CHECK(report.holds());
  CHECK(report.padded == std::vector<std::string>{"dimension 1 of x from 5 to 8", "dimension 1 of mask from 5 to 8"});
  CHECK(checked([](const Array& x, const Array& keep) { return x * keep - masked(x, keep); }, numbers()).holds());
}

TEST_CASE("a leak shows on whatever replica has the data for it") {
  const auto leaking = [](const Array& x, const Array&) { return mean(x, {1}); };
  // Replicas 0 to 6 have rows of zeros, of which padding changes nothing.
  const PaddingReport report = checked(leaking, numbers(14));
  REQUIRE(report.differences.size() == 1);
  CHECK(report.differences.front().replica == 7);
  CHECK(report.faults.at(0).number == 305);
  CHECK(report.faults.at(0).sentence.find(" of replica 7, from ") != std::string::npos);
  CHECK(report.faults.at(0).where.line > 0);
}

TEST_CASE("a leak that a collective carries to all replicas is named where it begins") {
  const PaddingReport report = checked(
      [](const Array& x, const Array& keep) { return x * keep + all_reduce(mean(x), eight.all()); }, numbers(14));
  REQUIRE(report.faults.size() == 1);
  CHECK(report.faults.front().sentence.find("all_reduce") == std::string::npos);
  CHECK_FALSE(report.faults.front().fix.empty());
}

TEST_CASE("what replicas cannot share is refused, and so is a check that would compare nothing") {
  const auto function = [](const Array& x) { return sum(x); };
  JitOptions options;
  options.argument_names = {"x"};
  CHECK(number_of([&] { (void)tpu::replicate(function, eight, options).check_padding(numbers()); }) == 709);
  options.buckets = {{"x", 1, multiple_of(8)}};
  CHECK(number_of([&] { (void)tpu::replicate(function, eight, options).check_padding(Tensor{DType::f32, {7, 5}}); }) ==
        601);
}
