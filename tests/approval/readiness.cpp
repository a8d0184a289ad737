/// Messages of the readiness check, as a user is shown them.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import octet;

#include "approved.hpp"

using namespace octet;
using Arrays = std::vector<Array>;

namespace {

struct Model {
  Array weight;
};

Model descended(const Model& model, const Array& x) {
  const Array gradient = grad([&](const Model& m) { return sum(square(tanh(matmul(x, m.weight)))); })(model).weight;
  return {model.weight - all_reduce(gradient, tpu::slice("v3-8").all()) * 0.1};
}

Array twice(const Array& x) { return x * 2.0; }

void approve_line(int number, const Readiness& readiness, const char* line) {
  const std::vector<Diagnostic>& faults = readiness.line(line).faults;
  REQUIRE_FALSE(faults.empty());
  approve_message(number, faults.front());
}

}  // namespace

TEST_CASE("messages about memory and the matrix unit are the approved ones") {
  const tpu::Slice eight = tpu::slice("v3-8");
  CheckOptions options;
  options.jit.argument_names = {"model", "x"};
  options.jit.donated = {"model"};
  const Array weight = parameter({DType::f32, {4096, 4096}}, ""),
              x = parameter({DType::f32, {std::int64_t{1} << 24, 4096}}, "");
  approve_line(501, check(descended, std::tuple{tpu::replicated(Model{weight}, 8), x}, eight, options), "memory");
  const auto product = [](const Arrays& in) { return Arrays{matmul(in[0], in[1])}; };
  options = {};
  options.batch = {"arg0"};
  const Graph ten = trace(product, std::vector<TensorType>{{DType::f32, {10, 128}}, {DType::f32, {128, 128}}});
  approve_line(502, check(ten, eight, options), "matrix_unit");
}

TEST_CASE("messages about what bf16 loses are the approved ones") {
  tpu::PrecisionReport report;
  const auto row = [](float a, float b) { return Tensor::of<float>(Shape{2}, {a, b}); };
  for (int step = 0; step < 2; ++step)
    tpu::note_step(report, {"model.weight", "second_moment.weight"}, {row(1, 2), row(1, 1)},
                   {row(1.0001f, 2.0001f), row(1.0005f, 1.5f)});
  tpu::note_values(report.values.emplace_back(), row(3.4e38f, 1));
  report.values.back().name = "scores";
  const std::vector<Diagnostic> said = tpu::judged(report, false);
  REQUIRE(said.size() == 3);
  approve_message(506, Error{{said[0]}}.diagnostics().front());
  approve_message(507, Error{{said[1]}}.diagnostics().front());
  approve_message(508, Error{{said[2]}}.diagnostics().front());
}

TEST_CASE("the message about collectives that wait for one another is the approved one") {
  const tpu::Slice pod = tpu::slice("v3-2048");
  const auto turns = [&](const Arrays& in) {
    return Arrays{in[0] - fori_loop(
                              0, 16,
                              [&](const Array& i, const Array& total) {
                                return total + all_reduce(in[1] * cast<float>(i), pod.all());
                              },
                              zeros({DType::f32, {256}}))};
  };
  CheckOptions options;
  options.batch = {"arg1"};
  approve_line(611, check(trace(turns, std::vector<TensorType>(2, {DType::f32, {256}})), pod, options), "gradients");
}

TEST_CASE("messages about input and what is made for replicas are the approved ones") {
  const Array weight = parameter({DType::f32, {4, 4}}, ""), x = parameter({DType::f32, {64, 4}}, "");
  CheckOptions options;
  options.jit.argument_names = {"model", "x"};
  approve_line(608, check(descended, std::tuple{Model{weight}, x}, tpu::slice("v3-8"), options), "scope");
  options = {};
  options.examples_per_second = 10;
  approve_line(609, check(twice, std::tuple{Tensor{DType::f32, {64}}}, tpu::slice("v3-8"), options), "input");
}
