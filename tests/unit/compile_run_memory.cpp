/// The memory in which programs run: one for those that run one after another, a piece of its own for each of those
/// that run side by side.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "resident.hpp"

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

using namespace octet;

namespace {

constexpr std::int64_t wide = 4096;

/// Of [n, 1] the sums of two rows of [n, 4096] that it makes on the way: 16 KB for each of n.
auto function() {
  return jit(
      [](Array x) {
        const Array w = constant(Tensor::full<float>({1, wide}, 1)), v = constant(Tensor::full<float>({wide, 1}, 1));
        return matmul(matmul(x, w), v);
      },
      {.argument_names = {"x"}});
}
Tensor rows(std::int64_t n, float value) { return Tensor::full<float>({n, 1}, value); }
bool is_right(const Tensor& result, std::int64_t n, float value) {
  return result == Tensor::full<float>({n, 1}, value * static_cast<float>(wide));
}

}  // namespace

TEST_CASE("programs that run one after another run in the same memory") {
  const auto first = function(), second = function();
  CHECK(is_right(first(rows(2000, 3)), 2000, 3));  // 33 MB
  const std::int64_t before = resident();
  for (std::int64_t n = 1000; n < 2000; n += 200) {
    CHECK(is_right(first(rows(n, 2)), n, 2));
    CHECK(is_right(second(rows(n + 100, 5)), n + 100, 5));
  }
  CHECK(is_right(first(rows(2000, 7)), 2000, 7));
  if (resident_is_known) CHECK(resident() < before + 20);  // each for itself they would take 240
}

TEST_CASE("the memory in which programs ran goes with the last of them") {
  if (!resident_is_known) return;
  std::optional small = function();
  CHECK(is_right((*small)(rows(1, 1)), 1, 1));
  const std::int64_t before = resident();
  {
    const auto large = function();
    CHECK(is_right(large(rows(4000, 2)), 4000, 2));
    CHECK(resident() > before + 50);
  }
  CHECK(resident() < before + 20);
  CHECK(is_right((*small)(rows(1, 3)), 1, 3));
}

TEST_CASE("programs that run side by side have memory of their own") {
  const auto shared_by_all = function();
  std::vector<std::thread> callers;
  std::vector<int> wrong(4, 0);
  for (std::size_t c = 0; c < wrong.size(); ++c)
    callers.emplace_back([&, c] {
      for (int i = 0; i < 12; ++i) {
        const std::int64_t n = 20 + 30 * static_cast<std::int64_t>(c) + i % 3;
        const float value = static_cast<float>(20 * c) + static_cast<float>(i);
        if (!is_right(shared_by_all(rows(n, value)), n, value)) ++wrong[c];
        // One whose end lets go of what nobody uses.
        if (i % 4 == 0 && !is_right(function()(rows(n + 5, value)), n + 5, value)) ++wrong[c];
      }
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == std::vector<int>(4, 0));
}
