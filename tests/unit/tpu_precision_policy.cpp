// Precision policies against f64, and against what they say they are.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;

using namespace octet;

namespace {

constexpr std::int64_t m = 9, k = 70, n = 5;

Graph product() {
  return trace([](const std::vector<Array>& in) { return std::vector{matmul(in[0], in[1])}; },
               {{DType::f32, {m, k}}, {DType::f32, {k, n}}});
}

std::vector<float> drawn(std::int64_t count, std::uint64_t seed) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>(
        static_cast<double>(below(Key::of_seed(seed), static_cast<std::uint64_t>(i), 1u << 24)) * 0x1p-23 - 1));
  return values;
}

Tensor tensor(Shape shape, const std::vector<float>& values) {
  return Tensor::of<float>(std::move(shape), std::span<const float>{values});
}

const std::vector<float> left = drawn(m * k, 1), right = drawn(k * n, 2);

std::vector<float> run(const Graph& graph, Isa isa = best_isa()) {
  Threads threads;
  const auto results = compile(graph, {.isa = isa}).run({tensor({m, k}, left), tensor({k, n}, right)}, threads);
  const auto span = results[0].span<float>();
  return {span.begin(), span.end()};
}

/// The largest error of a product, over the sum of the magnitudes of what is added.
double error_of(const std::vector<float>& result) {
  double worst = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double exact = 0, size = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const double each = static_cast<double>(left[i * k + p]) * static_cast<double>(right[p * n + j]);
        exact += each;
        size += std::fabs(each);
      }
      worst = std::max(worst, std::fabs(result[i * n + j] - exact) / size);
    }
  return worst;
}

/// The parts of a number that are bf16 numbers.
std::vector<float> parts(float value, int count) {
  std::vector<float> result;
  for (int i = 0; i < count; ++i) {
    result.push_back(rounded_to_bfloat16(value));
    value -= result.back();
  }
  return result;
}

}  // namespace

TEST_CASE("three passes come near f32, six to it") {
  const double one = error_of(run(product())), three = error_of(run(tpu::in_passes(product(), 3))),
               six = error_of(run(tpu::in_passes(product(), 6)));
  INFO(one << " " << three << " " << six);
  CHECK(one > 0x1p-12);
  CHECK(three < 0x1p-14);
  CHECK(three > 0x1p-22);
  CHECK(six < 0x1p-20);
  CHECK(six < three / 4);
}

TEST_CASE("passes are added up in the order that is promised, on every instruction set") {
  for (const int passes : {3, 6}) {
    using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
    const Pairs pairs =
        passes == 3 ? Pairs{{1, 0}, {0, 1}, {0, 0}} : Pairs{{0, 2}, {1, 1}, {2, 0}, {0, 1}, {1, 0}, {0, 0}};
    std::vector<float> expected;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;
        bool first = true;
        for (const auto& [l, r] : pairs) {
          const auto chain = [&](std::size_t from, std::size_t to) {
            float sum_of_chain = 0;
            for (std::size_t p = from; p < std::min<std::size_t>(to, k); ++p)
              sum_of_chain += parts(left[i * k + p], 3)[l] * parts(right[p * n + j], 3)[r];
            return sum_of_chain;
          };
          float product = 0;
          for (std::size_t p = 0; p < k; p += 32) product += chain(p, p + 16) + chain(p + 16, p + 32);
          sum = first ? product : sum + product;
          first = false;
        }
        expected.push_back(sum);
      }
    for (const Isa isa : available_isas()) CHECK(run(tpu::in_passes(product(), passes), isa) == expected);
    CHECK(evaluate(tpu::in_passes(product(), passes), std::vector<Tensor>{tensor({m, k}, left), tensor({k, n}, right)},
                   {.precision = Precision::bf16})[0] == tensor({m, n}, expected));
  }
}

TEST_CASE("a product that bf16 holds exactly is the same in any number of passes") {
  Threads threads;
  const Tensor a = tensor({1, 3}, {1, 256, -0.5f}), b = tensor({3, 1}, {2, 0.25f, 4});
  const Graph graph = trace([](const std::vector<Array>& in) { return std::vector{matmul(in[0], in[1])}; },
                            {{DType::f32, {1, 3}}, {DType::f32, {3, 1}}});
  for (const int passes : {1, 3, 6}) CHECK(compile(tpu::in_passes(graph, passes)).run({a, b}, threads)[0].at(0) == 64);
  // What bf16 cannot hold is seen.
  const Tensor large = tensor({1, 3}, {std::numeric_limits<float>::max(), 0, 0}), one = tensor({3, 1}, {1, 1, 1});
  for (const int passes : {1, 3, 6})
    CHECK(!std::isfinite(compile(tpu::in_passes(graph, passes)).run({large, one}, threads)[0].at(0)));
}

TEST_CASE("products within loops take as many passes, products that ask for HIGHEST stay as they are") {
  const auto count = [](const Graph& graph) {
    const auto counted = [](const auto& self, const Graph& in) -> int {
      int products = 0;
      for (const Node& node : in.nodes()) {
        products += node.op == Op::dot_general;
        for (const Graph& region : node.regions) products += self(self, region);
      }
      return products;
    };
    return counted(counted, graph);
  };
  const Graph loop = trace(
      [](const std::vector<Array>& in) {
        return std::vector{fori_loop(0, 3, [](const Array&, const Array& x) { return matmul(x, x); }, in[0])};
      },
      {{DType::f32, {4, 4}}});
  CHECK(count(loop) == 1);
  CHECK(count(tpu::in_passes(loop, 3)) == 3);
  CHECK(count(tpu::in_passes(loop, 6)) == 6);
  const Graph exact = trace(
      [](const std::vector<Array>& in) {
        DotAttributes highest;
        highest.lhs_contracting_dimensions = {1};
        highest.rhs_contracting_dimensions = {0};
        highest.precision = DotPrecision::HIGHEST;
        return std::vector{dot_general(in[0], in[0], highest)};
      },
      {{DType::f32, {4, 4}}});
  CHECK(count(tpu::in_passes(exact, 3)) == 1);
  for (const int passes : {0, 2, -1, 100}) {
    int number = 0;
    try {
      tpu::in_passes(exact, passes);
    } catch (const Error& error) {
      number = error.number();
    }
    CHECK(number == 403);
  }
}

TEST_CASE("activations in bf16 are rounded where they pass through memory, parameters and results are not") {
  const Graph two = trace([](const std::vector<Array>& in) { return std::vector{matmul(matmul(in[0], in[1]), in[2])}; },
                          {{DType::f32, {m, k}}, {DType::f32, {k, n}}, {DType::f32, {n, n}}});
  const Graph rounded = tpu::rounded_between_operations(two);
  int conversions = 0;
  for (const Node& node : rounded.nodes()) conversions += node.op == Op::convert;
  CHECK(conversions == 2);  // to bf16 and back, of the one tensor in between
  Threads threads;
  const Tensor last = tensor({n, n}, drawn(n * n, 3));
  // In f32 precision only the tensor in between is rounded.
  const CompileOptions wide{.precision = Precision::f32};
  const auto results = compile(rounded, wide).run({tensor({m, k}, left), tensor({k, n}, right), last}, threads);
  auto between = compile(product(), wide).run({tensor({m, k}, left), tensor({k, n}, right)}, threads)[0];
  for (float& element : between.mutable_span<float>()) element = rounded_to_bfloat16(element);
  const Graph second = trace([](const std::vector<Array>& in) { return std::vector{matmul(in[0], in[1])}; },
                             {{DType::f32, {m, n}}, {DType::f32, {n, n}}});
  CHECK(results[0] == compile(second, wide).run({between, last}, threads)[0]);
}

TEST_CASE("where activations are rounded, gradients that replicas add up are, too") {
  const tpu::Slice eight = tpu::slice("v3-8");
  const TensorType type{DType::f32, {8, 8}};
  const Graph rounded = tpu::rounded_between_operations(trace(
      [&](const std::vector<Array>& in) {
        return std::vector{in[0] - all_reduce(matmul(in[1], in[2]), eight.all()) * 0.1};
      },
      {type, type, type}));
  int conversions = 0;
  for (const Node& node : rounded.nodes()) conversions += node.op == Op::convert;
  CHECK(conversions == 4);
}

TEST_CASE("what storage of bf16 would hold is a bf16 number") {
  const Graph held = trace(
      [](const std::vector<Array>& in) {
        return std::vector{tpu::held_in(in[0], DType::bf16), tpu::held_in(in[1], DType::bf16)};
      },
      {{DType::f32, {k}}, {DType::i32, {k}}});
  Threads threads;
  const std::vector<float> values = drawn(k, 5);
  const auto results = compile(held).run({tensor({k}, values), Tensor{DType::i32, Shape{k}}}, threads);
  for (std::size_t i = 0; i < k; ++i) CHECK(results[0].span<float>()[i] == rounded_to_bfloat16(values[i]));
  CHECK(results[1].dtype() == DType::i32);
}
