// What passes through memory between kernels is told with the reason why the kernels are not one.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
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

using Function = std::function<std::vector<Array>(const std::vector<Array>&)>;

const TensorType square_of_8{DType::f32, Shape{8, 8}};

/// `exponential to dot_general: dot_general is a kernel of its own`, sorted.
std::vector<std::string> unfused(const Function& function, const std::vector<TensorType>& types,
                                 CompileOptions options = {}) {
  std::vector<std::string> lines;
  for (const UnfusedValue& value : compile(trace(function, types), options).unfused())
    lines.push_back(value.writer + " to " + value.reader + ": " + value.reason);
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

TEST_CASE("a chain of one shape passes nothing through memory") {
  CHECK(unfused([](const auto& a) { return Arrays{sum(exp(a[0]) * 2.0 + a[1], {1})}; }, {square_of_8, square_of_8})
            .empty());
}

TEST_CASE("a product is a kernel of its own, on either side") {
  const auto lines =
      unfused([](const auto& a) { return Arrays{exp(matmul(exp(a[0]), a[1]))}; }, {square_of_8, square_of_8});
  CHECK(lines == std::vector<std::string>{"dot_general to exponential: dot_general is a kernel of its own",
                                          "exponential to dot_general: dot_general is a kernel of its own"});
}

TEST_CASE("a value that is read transposed is not joined to its reader") {
  const auto transposed =
      unfused([](const auto& a) { return Arrays{a[0] + transpose(exp(a[0]), {1, 0})}; }, {square_of_8});
  CHECK(transposed == std::vector<std::string>{"exponential to add: it is read in another order"});
  const auto both = unfused(
      [](const auto& a) {
        const Array x = exp(a[0]);
        return Arrays{x + transpose(x, {1, 0})};
      },
      {square_of_8});
  CHECK(both == std::vector<std::string>{"exponential to add: one needs other elements of what the other writes"});
}

TEST_CASE("a loop waits for the reduction that it reads") {
  const auto lines = unfused([](const auto& a) { return Arrays{a[0] - max(a[0], {1}, true)}; }, {square_of_8});
  CHECK(lines == std::vector<std::string>{"reduce to subtract: a reduction is known only when its loop is over"});
}

TEST_CASE("loops that reduce in different directions stay apart") {
  const auto lines = unfused(
      [](const auto& a) {
        const Array x = exp(a[0]);
        return Arrays{sum(x, {0}), sum(x, {1}), x};
      },
      {square_of_8});
  CHECK(lines == std::vector<std::string>{"exponential to reduce: one reduces rows, the other columns"});
}

TEST_CASE("what reduces one dimension of several joins what is before it, but no loop that reduces another") {
  const TensorType cube{DType::f32, Shape{8, 8, 8}};
  for (const std::int64_t dimension : {0, 1, 2})
    CHECK(unfused([&](const auto& a) { return Arrays{sum(exp(a[0]) * 2.0, {dimension})}; }, {cube}).empty());
  const auto lines = unfused(
      [](const auto& a) {
        const Array x = exp(a[0]);
        return Arrays{sum(x, {0}), sum(x, {1}), x};
      },
      {cube});
  CHECK(lines == std::vector<std::string>{"exponential to reduce: they reduce different dimensions"});
  CHECK(unfused([](const auto& a) { return Arrays{sum(exp(a[0]), {0, 2})}; }, {cube}) ==
        std::vector<std::string>{"exponential to reduce: one of them moves elements, or reduces dimensions with others "
                                 "between them, and runs alone"});
}

TEST_CASE("a loop that replicas wait for to meet takes in nothing that needs a product first") {
  const auto lines = unfused(
      [](const auto& a) {
        const Array mask = exp(a[0]), total = all_reduce(sum(mask), {{0, 1}});
        return Arrays{tanh(matmul(a[0], a[0])) * mask, total};
      },
      {square_of_8});
  CHECK(std::count(lines.begin(), lines.end(),
                   "exponential to multiply: replicas would meet later, and keep what they hold until then") == 1);
}

TEST_CASE("a loop between two others keeps them apart") {
  const auto lines = unfused(
      [](const auto& a) {
        const Array x = exp(a[0]);
        return Arrays{x + matmul(x, a[0])};
      },
      {square_of_8});
  CHECK(lines ==
        std::vector<std::string>{"dot_general to add: dot_general is a kernel of its own",
                                 "exponential to add: a third kernel must run after the one and before the other",
                                 "exponential to dot_general: dot_general is a kernel of its own"});
}

TEST_CASE("what is equal on all replicas is computed apart from what is not") {
  CompileOptions options;
  options.replicated = {0};
  const auto lines =
      unfused([](const auto& a) { return Arrays{exp(a[0]) + a[1]}; }, {square_of_8, square_of_8}, options);
  CHECK(lines == std::vector<std::string>{"exponential to add: one runs once for all replicas, the other on each"});
}

TEST_CASE("a product that writes in its reader's order passes nothing to a mover") {
  const auto lines =
      unfused([](const auto& a) { return Arrays{transpose(matmul(a[0], a[1]), {1, 0})}; }, {square_of_8, square_of_8});
  CHECK(lines.empty());
}
