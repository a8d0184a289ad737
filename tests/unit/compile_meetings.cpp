/// Where replicas meet in a compiled program: no later than it was written, so that they hold little until then.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

using namespace octet;

namespace {

using Arrays = std::vector<Array>;
using Function = std::function<Arrays(const Arrays&)>;

constexpr std::int64_t n = 32, layers = 6, replicas = 4;
constexpr std::size_t matrix = n * n * 4;

Array of_all(const Array& count) { return maximum(all_reduce(count, {{0, 1, 2, 3}}), 1.0); }

/// The gradient of two sums, the second weighed by a ratio of counts over all replicas. `in`: weights [n, n], which
/// are the same on all, tokens [n, n] and, i32 [n, n], which of them are guessed and which are judged.
Arrays trained_by_two(const Arrays& in) {
  const Array guessed = cast<float>(in[2] > 0), judged = cast<float>(in[3] > 0);
  const Array total = of_all(sum(guessed));
  const Array weight = total / of_all(sum(judged));
  const auto [loss, slope] = value_and_grad([&](const Array& weights) {
    Array hidden = in[1];
    for (std::int64_t layer = 0; layer < layers; ++layer) hidden = tanh(matmul(hidden, weights));
    return sum(square(hidden) * guessed) + sum(abs(hidden) * judged) * weight;
  })(in[0]);
  return {all_reduce(loss, {{0, 1, 2, 3}}) / total, all_reduce(slope, {{0, 1, 2, 3}}) / total};
}

const std::vector<TensorType> types{
    {DType::f32, {n, n}}, {DType::f32, {n, n}}, {DType::i32, {n, n}}, {DType::i32, {n, n}}};

std::vector<std::vector<Tensor>> given() {
  std::vector<std::vector<Tensor>> result;
  for (std::int64_t r = 0; r < replicas; ++r) {
    std::vector<Tensor> own;
    for (const TensorType& type : types) own.emplace_back(type.dtype, type.shape);
    for (std::size_t i = 0; i < n * n; ++i) {
      own[0].mutable_span<float>()[i] = static_cast<float>(static_cast<int>(i * 7 % 23) - 11) / 32;
      own[1].mutable_span<float>()[i] = static_cast<float>(static_cast<int>(i * 5 % 19) - 9 + static_cast<int>(r)) / 8;
      own[2].mutable_span<std::int32_t>()[i] = static_cast<std::int32_t>(i % 7 == static_cast<std::size_t>(r));
      own[3].mutable_span<std::int32_t>()[i] = static_cast<std::int32_t>(i % 3 != static_cast<std::size_t>(r));
    }
    if (r > 0) own[0] = result[0][0];  // one tensor for all
    result.push_back(std::move(own));
  }
  return result;
}

/// How often replicas meet before the first product, after the instructions of `executable`.
std::size_t met_before_products(const Executable& executable) {
  const std::string text = executable.describe();
  const std::size_t product = text.find("dot_general");
  REQUIRE(product != text.npos);
  std::size_t count = 0;
  for (std::size_t at = text.find("all_reduce"); at < product; at = text.find("all_reduce", at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("what the second of two losses weighs is known before the first product, and replicas keep no activations") {
  const Graph graph = trace(Function{trained_by_two}, types);
  const Executable executable = compile(graph, {.replicated = {0}});
  INFO(executable.describe());
  CHECK(met_before_products(executable) == 2);
  const ExecutableStatistics statistics = executable.statistics();
  CHECK(statistics.thread_bytes >= layers * matrix);  // what the way back reads, of the replica that runs
  CHECK(statistics.arena_bytes < 3 * matrix);         // the gradient, and numbers
}

TEST_CASE("the bits are the reference's wherever replicas meet") {
  const Graph graph = trace(Function{trained_by_two}, types);
  const auto arguments = given();
  const auto expected = evaluate(graph, arguments, {.precision = Precision::bf16});
  for (const unsigned count : {1u, 3u}) {
    Threads threads{count};
    CHECK(compile(graph, {.replicated = {0}}).run(arguments, threads) == expected);
  }
}

TEST_CASE("a loop that a meeting waits for runs before it though it holds what was written after it") {
  // The mask's loop takes in what is made of the mask at the end, too.
  const Graph graph = trace(Function{[](const Arrays& in) -> Arrays {
                              const Array mask = cast<float>(in[2] > 0);
                              const Array count = of_all(sum(mask));
                              Array hidden = in[1];
                              for (std::int64_t layer = 0; layer < layers; ++layer)
                                hidden = tanh(matmul(hidden, in[0]));
                              return {hidden / count, (1.0 - mask) * 3.0};
                            }},
                            types);
  const Executable executable = compile(graph, {.replicated = {0}});
  INFO(executable.describe());
  CHECK(executable.describe().find("subtract, multiply, reduce") != std::string::npos);
  CHECK(met_before_products(executable) == 1);
}
