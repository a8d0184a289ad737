// What memory operations need, what frees it by computing again, and how much then fits.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.tpu;

#include "ideal_estimate.hpp"

using namespace octet;

TEST_CASE("what lies across the peak can be dropped and computed again") {
  const TensorType narrow{DType::f32, {1024, 1024}}, wide{DType::f32, {1024, 4096}}, back{DType::f32, {4096, 1024}};
  const Graph loss = trace(
      [](const std::vector<Array>& a) {
        Array x = a[0];
        for (int layer = 0; layer < 6; ++layer) x = x + matmul(tanh(matmul(x, a[1])), a[2]);
        return std::vector{sum(square(x))};
      },
      {narrow, wide, back});
  const auto estimate = estimated(grad(loss));
  REQUIRE(!estimate.recomputed.empty());
  double least = estimate.memory.peak;
  for (const tpu::MemoryNeed& need : estimate.recomputed) {
    CHECK(need.recompute_seconds > 0);
    least = std::min(least, need.peak);
  }
  CHECK(least < estimate.memory.peak);
}

TEST_CASE("a loop writes over what it reads for the last time") {
  const TensorType type{DType::f32, {1024, 1024}};
  const Graph shares = trace(
      [](const std::vector<Array>& a) {
        const Array e = exp(a[0]);
        return std::vector{e / sum(e, {1}, true)};
      },
      {type});
  const double bytes = 4.0 * 1024 * 1024, rows = 4.0 * 1024;
  CHECK(estimated(shares).memory.temporaries == bytes + rows);

  const Graph turned = trace(
      [](const std::vector<Array>& a) {
        const Array e = exp(a[0]);
        return std::vector{reverse(e, {1}) / sum(e, {1}, true)};
      },
      {type});
  CHECK(estimated(turned).memory.temporaries == 2 * bytes + rows);
}

TEST_CASE("what is gone is computed again with what needs it, and random bits that nothing gives twice are kept") {
  const TensorType narrow{DType::f32, {1024, 1024}}, wide{DType::f32, {1024, 4096}}, back{DType::f32, {4096, 1024}};
  const Graph loss = trace(
      [](const std::vector<Array>& a) {
        Array x = a[0];
        for (std::uint32_t layer = 0; layer < 6; ++layer) {
          const Array inner = exp(matmul(x, a[1]));
          const Array bits = (iota({DType::u32, inner.shape()}, 1) ^ layer) % 0xffff'fffbu;
          x = x + matmul(select(bits >= 1000u, inner, 0.0), a[2]);
        }
        return std::vector{sum(square(x))};
      },
      {narrow, wide, back});
  const auto least = [&](bool draws) {
    tpu::EstimateOptions options;
    options.costing.constants = ideal();
    options.fuse.draws_bits = draws;
    const auto estimate = tpu::estimate(grad(loss), tpu::slice("v3-8"), options);
    double bytes = estimate.memory.peak;
    for (const tpu::MemoryNeed& need : estimate.recomputed) bytes = std::min(bytes, need.peak);
    return std::pair{estimate.memory.peak - bytes, bytes};
  };
  const double inner = 4.0 * 1024 * 4096, mask = inner / 4;
  const auto [saved, computed] = least(false);
  const auto [saved_beside, drawn] = least(true);
  // Neither exp nor the product that it is computed from is kept for the layers before the last.
  CHECK(saved >= 5 * inner);
  CHECK(saved_beside >= 5 * inner);
  CHECK(drawn >= computed + 4 * mask);
}

TEST_CASE("what a loop computes is recomputed in all its rounds") {
  // Of [0] the first makes [1], which is read early and, once [3] has come and gone, late.
  tpu::FusedProgram program;
  const auto tensor = [&](std::int64_t rows) { program.tensors.push_back({DType::f32, {rows, 128}}); };
  for (const std::int64_t rows : {8, 1024, 8, 4096, 8, 8}) tensor(rows);
  const auto operation = [&](std::vector<ValueId> reads, ValueId write, double repeats) {
    tpu::FusedOperation made;
    made.kind = tpu::FusedOperation::Kind::movement;
    made.description = "operation " + std::to_string(write);
    made.read_shares.assign(reads.size(), 1);
    made.reads = std::move(reads);
    made.writes = {write};
    made.repeats = repeats;
    program.operations.push_back(made);
  };
  operation({0}, 1, 5);
  operation({1}, 2, 1);
  operation({2}, 3, 1);
  operation({3}, 5, 1);
  operation({1, 5}, 4, 1);
  program.parameters = {0};
  program.results = {4};
  tpu::OperationCost second;
  second.memory = 1;
  const std::vector<tpu::OperationCost> costs(program.operations.size(), second);
  const tpu::MemoryNeed once = tpu::memory_need(program, program.tensors);
  const std::vector<tpu::MemoryNeed> less = tpu::recomputed_needs(program, program.tensors, costs);
  REQUIRE(less.size() == 1);
  CHECK(less[0].recompute_seconds == 5);
  CHECK(once.peak - less[0].peak == 1024 * 128 * 4);
}

TEST_CASE("the most that fit is sought among as many as there may be, and whatever bytes are") {
  const auto most = [](std::int64_t most, double bytes_each) {
    return tpu::most_that_fit(100, most, [&](std::int64_t count) {
      const double bytes = bytes_each * static_cast<double>(count);
      return tpu::Fit{bytes, !(bytes > 100)};
    });
  };
  CHECK(most(0, 1) == 0);
  CHECK(most(4, 1) == 4);
  CHECK(most(4, 40) == 2);
  CHECK(most(15, 101) == 0);
  CHECK(most(1 << 20, 3) == 33);
  CHECK(most(1000, std::numeric_limits<double>::quiet_NaN()) == 1000);
}
