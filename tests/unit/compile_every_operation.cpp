/// The table of operations has no gaps: every row is walked through all of its columns. What each column must hold in
/// detail is tested where it lives; here a new row without one of them is noticed.
#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

#include "evaluated.hpp"
#include "operation_samples.hpp"
// Needs the first one.
#include "compiled.hpp"

using namespace octet;

namespace {

/// Operands for the sample's parameters on each of `replicas`. Counters of loops start at 0.
std::vector<std::vector<Tensor>> operands(const Graph& sample, Dice& dice, std::size_t replicas) {
  std::vector<std::vector<Tensor>> each(replicas);
  for (auto& own : each)
    for (const ValueId parameter : sample.parameters()) {
      const TensorType& type = sample.type(parameter);
      own.push_back(sample.nodes()[0].op == Op::while_ && type.shape.rank() == 0 ? Tensor{type.dtype, type.shape}
                                                                                 : dice.tensor(type.dtype, type.shape));
    }
  return each;
}

}  // namespace

TEST_CASE("every operation has a shape rule, a reference, a derivative or the reason for none, a kernel, and a text") {
  const auto samples = operation_samples::samples();
  Dice dice{1};
  Threads threads{2};
  for (const Operation& row : operations()) {
    INFO(row.name);
    const auto [first, last] = samples.equal_range(row.op);
    CHECK(first != last);
    const Derivative& derivative_column = derivative(row.op);
    CHECK((derivative_column.rule != nullptr) != !derivative_column.reason.empty());
    for (auto sample = first; sample != last; ++sample) {
      const Graph& graph = sample->second;
      INFO(to_string(graph));
      CHECK_NOTHROW(verify(graph));
      CHECK(equal(read(to_string(graph)), graph));
      for (int again = 0; again < 3; ++again) {
        const auto given = operands(graph, dice, is_collective(row.op) ? 4 : 1);
        const auto expected = evaluate(graph, given, {.precision = Precision::bf16});
        const auto results = compile(graph).run(given, threads);
        REQUIRE(results.size() == expected.size());
        for (std::size_t r = 0; r < results.size(); ++r) {
          INFO("given " << shown(given[r]) << ", expected " << shown(expected[r]) << ", compiled "
                        << shown(results[r]));
          CHECK(same_bits(results[r], expected[r]));
        }
      }
    }
  }
}

TEST_CASE("operations of one operand compute what the reference does, at all magnitudes") {
  Dice dice{8};
  Threads alone;
  for (const Operation& row : operations()) {
    if (!is_elementwise(row.op) || row.operands != 1) continue;
    INFO(row.name);
    for (const DType dtype : {DType::bf16, DType::f32, DType::f64}) {
      if (row.op == Op::not_ || row.op == Op::convert || row.op == Op::bitcast_convert) continue;
      Tensor numbers{dtype, {3000}};
      visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
        if constexpr (!std::is_integral_v<T>)
          for (T& number : numbers.mutable_span<T>()) {
            // Between 2^-20 and 2^20, of either sign: where numbers are rounded to integers, and around it.
            const double fraction = 1 + static_cast<double>(dice.between(0, 1 << 30)) * 0x1p-30;
            const double magnitude = std::ldexp(fraction, static_cast<int>(dice.between(-20, 20)));
            number = static_cast<T>(static_cast<float>(dice.likely(50) ? magnitude : -magnitude));
          }
      });
      Graph graph;
      graph.set_results(graph.append(row.op, {graph.parameter(numbers.type())}));
      const std::vector<Tensor> given{numbers};
      CHECK(same_bits(compile(graph).run(given, alone), evaluate(graph, given)));
    }
  }
}
