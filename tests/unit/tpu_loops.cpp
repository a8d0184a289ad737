// What loops and branches keep in memory, and what is updated where it lies.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.tpu;

using namespace octet;

namespace {

using Arrays = std::vector<Array>;

TensorType f32(Shape shape) { return {DType::f32, std::move(shape)}; }

constexpr double side = 4.0 * 1024 * 1024;  // bytes of f32[1024, 1024]
const TensorType square_type = f32({1024, 1024});

/// What is computed of all elements of a row: not where the row lies.
Array sorted(const Array& x) { return sort(Arrays{x})[0]; }

/// Equal but for counters and the like.
bool about(double a, double b) { return std::fabs(a - b) < 0.01 * side; }

tpu::ProgramEstimate estimated(const Graph& graph, std::vector<std::size_t> donated = {},
                               DType activations = DType::f32, const char* slice = "v3-8") {
  tpu::EstimateOptions options;
  options.fuse.donated = std::move(donated);
  options.costing.activations = activations;
  return tpu::estimate(graph, tpu::slice(slice), options);
}

/// What operations described so do, all together.
tpu::OperationTotal all_of(const tpu::ProgramEstimate& estimate, const std::string& description) {
  tpu::OperationTotal result;
  for (const tpu::OperationTotal& each : estimate.operations)
    if (each.description.starts_with(description)) {
      result.count += each.count;
      result.bytes += each.bytes;
    }
  return result;
}

}  // namespace

TEST_CASE("a loop needs its state, once where a round writes over it") {
  const auto need = [&](const auto& body) {
    return estimated(trace(
        [&](const Arrays& in) {
          const Array last = fori_loop(0, 10, [&](const Array&, const Array& x) { return body(x, in[0]); }, exp(in[0]));
          return Arrays{sum(square(last))};
        },
        {square_type}));
  };
  const auto over = need([](const Array& x, const Array& w) { return tanh(x) + w; });
  CHECK(about(over.memory.temporaries, side));
  CHECK(all_of(over, "copy").count == 0);
  // A product reads all of its operand for each element.
  const auto beside = need([](const Array& x, const Array& w) { return matmul(x, w); });
  CHECK(about(beside.memory.temporaries, 2 * side));
  CHECK(all_of(beside, "copy f32[1024, 1024]").count == 10);
  CHECK(all_of(beside, "copy f32[1024, 1024]").bytes == 20 * side);
  // What follows a product is at the element that it writes.
  const auto added = need([](const Array& x, const Array& w) { return x + matmul(w, w); });
  CHECK(about(added.memory.temporaries, side));
  CHECK(all_of(added, "copy").count == 0);
  const auto later = need([](const Array& x, const Array& w) {
    const Array y = matmul(w, w) + x;
    return y * sum(matmul(y, x));
  });
  CHECK(later.memory.temporaries > 1.9 * side);
}

TEST_CASE("what a loop only hands on is neither copied nor counted again, and is there in every round") {
  const Graph graph = trace(
      [](const Arrays& in) {
        const Array w = exp(in[0]);
        using State = std::pair<Array, Array>;
        const State last = fori_loop(
            0, 10,
            [](const Array&, const State& state) {
              const Array first = matmul(state.first, state.second);
              return State{tanh(first), state.second};
            },
            State{in[1], w});
        return Arrays{sum(last.first), sum(last.second)};
      },
      {square_type, f32({128, 1024})});
  const auto estimate = estimated(graph);
  const double narrow = side / 8;
  CHECK(about(estimate.memory.temporaries, side + 2 * narrow));
  // Of the parameter there is one copy: nobody gave it away. Of the state, one in each round.
  CHECK(all_of(estimate, "copy f32[128, 1024]").count == 11);
  CHECK(all_of(estimate, "copy f32[1024, 1024]").count == 0);
  // What is computed beside the state is copied into its place, which is the parameter's.
  CHECK(about(estimated(graph, {1}).memory.temporaries, side + narrow));
  CHECK(all_of(estimated(graph, {1}), "copy").count == 10);
}

TEST_CASE("a scan that stacks its outputs needs the stack, and writes a layer of it in each round") {
  constexpr int layers = 24;
  const auto estimate = estimated(trace(
      [](const Arrays& in) {
        const auto [last, stacked] =
            scan([](const Array& x, const Array& w) { return std::pair{tanh(matmul(x, w)), x}; }, in[0], in[1]);
        return Arrays{sum(last), sum(square(stacked))};
      },
      {square_type, f32({layers, 1024, 1024})}));
  CHECK(estimate.memory.temporaries >= (layers + 1) * side);
  CHECK(estimate.memory.temporaries <= (layers + 4) * side);
  CHECK(all_of(estimate, "dynamic_update_slice").count == layers);
  CHECK(about(all_of(estimate, "dynamic_update_slice").bytes, 2 * layers * side));
  REQUIRE(!estimate.memory.largest.empty());
  CHECK(estimate.memory.largest[0].type == f32({layers, 1024, 1024}));
  // Earlier rounds do not come again.
  for (const tpu::MemoryNeed& less : estimate.recomputed) CHECK(less.temporaries >= layers * side);
}

TEST_CASE("a state that takes the place of another is copied there") {
  using State = std::pair<Array, Array>;
  const auto estimate = estimated(trace(
      [](const Arrays& in) {
        const auto body = [](const Array&, const State& state) {
          return State{state.second, tanh(state.first) + state.second};
        };
        const State last = fori_loop(0, 10, body, State{exp(in[0]), cos(in[0])});
        return Arrays{sum(last.first * last.second)};
      },
      {square_type}));
  CHECK(all_of(estimate, "copy").count == 10);
  CHECK(estimate.memory.temporaries > 1.99 * side);
  CHECK(estimate.memory.temporaries < 3.01 * side);
}

TEST_CASE("a loop within a loop works in the place of the outer one's state") {
  const auto estimate = estimated(trace(
      [](const Arrays& in) {
        const auto inner = [&](const Array&, const Array& x) { return tanh(x) + in[0]; };
        const auto outer = [&](const Array&, const Array& x) { return fori_loop(0, 4, inner, x); };
        return Arrays{sum(square(fori_loop(0, 3, outer, exp(in[0]))))};
      },
      {square_type}));
  CHECK(about(estimate.memory.temporaries, side));
  CHECK(all_of(estimate, "copy").count == 0);
  CHECK(all_of(estimate, "add over [1024, 1024]").count == 12);
}

TEST_CASE("sums that a loop adds up lie beside what is added to them") {
  const auto estimate = estimated(trace(
      [](const Arrays& in) {
        return Arrays{fori_loop(
            0, 4,
            [&](const Array& part, const Array& total) {
              const Array x = index_leading(in[1], part);
              const Array grad = sorted(matmul(x, in[0]));
              return total + grad;
            },
            zeros_like(in[0]))};
      },
      {square_type, f32({4, 1024, 1024})}));
  CHECK(estimate.memory.temporaries >= 2 * side);
  CHECK(estimate.memory.temporaries < 4.1 * side);
}

TEST_CASE("the result of a branch takes memory, and an operand that nothing needs any more gives it its place") {
  const std::vector<TensorType> types{{DType::pred, {}}, square_type};
  const auto need = [&](const auto& on_true, bool again) {
    return estimated(trace(
                         [&](const Arrays& in) {
                           const Array x = matmul(in[1], in[1]);
                           const Array chosen = cond(in[0], [&] { return on_true(x); }, [&] { return x; });
                           const Array result = sum(matmul(chosen, in[1]));
                           return Arrays{again ? result * sum(matmul(x, in[1])) : result};
                         },
                         types))
        .memory.temporaries;
  };
  const auto product = [](const Array& x) { return matmul(x, x); };
  CHECK(need(product, true) >= 3 * side);
  CHECK(need(product, false) >= 2 * side);
  CHECK(need(product, false) <= 2.1 * side);
}

TEST_CASE("an update of what nothing needs any more touches the rows that it writes") {
  const TensorType table{DType::i32, {65536, 1024}}, row{DType::i32, {1, 1024}};
  const auto zero = [] { return constant(Tensor::scalar(std::int32_t{0})); };
  const Graph updated = trace(
      [&](const Arrays& in) { return Arrays{dynamic_update_slice(in[0], in[1], {zero(), zero()})}; }, {table, row});
  const double bytes = 64 * side;
  const auto touched = [&](const tpu::ProgramEstimate& estimate) {
    return all_of(estimate, "dynamic_update_slice").bytes;
  };
  CHECK(touched(estimated(updated)) > 2 * bytes);
  CHECK(estimated(updated).memory.temporaries == bytes);
  CHECK(touched(estimated(updated, {0})) < 0.001 * bytes);
  CHECK(estimated(updated, {0}).memory.temporaries == 0);

  const auto inner = [&](bool again) {
    return estimated(trace(
        [&](const Arrays& in) {
          const Array x = sorted(in[0]);
          const Array y = dynamic_update_slice(x, in[1], {zero(), zero()});
          const Array z = sorted(y);
          return Arrays{again ? z + reverse(x, {0}) : z};
        },
        {table, row}));
  };
  CHECK(touched(inner(false)) < 0.001 * bytes);
  CHECK(about(inner(false).memory.temporaries, 2 * bytes));
  CHECK(touched(inner(true)) > 2 * bytes);
  CHECK(about(inner(true).memory.temporaries, 3 * bytes));
}

TEST_CASE("a lookup reads what it gives, and of a constant that none counts nothing") {
  const auto looked_up = [](std::int64_t rows, bool by_parameter) {
    return estimated(trace(
        [&](const Arrays& in) {
          const Array table = constant(Tensor::full<float>({rows}, 1.5f));
          const Array at = by_parameter ? in[0] : constant(Tensor::scalar<std::int32_t>(1));
          return Arrays{dynamic_slice(table, {at}, {1}) + dynamic_slice(table, {at + 1}, {1})};
        },
        {{DType::i32, {}}}));
  };
  for (const bool by_parameter : {true, false}) {
    CHECK(all_of(looked_up(3, by_parameter), "dynamic_slice").bytes < 2048);
    CHECK(all_of(looked_up(1 << 20, by_parameter), "dynamic_slice").bytes < 2048);
  }
}

TEST_CASE("a scatter into a table that is given away reads and writes what it adds to") {
  const TensorType table = f32({65536, 1024}), rows = f32({128, 1024}), indices{DType::i32, {128, 1}};
  ScatterAttributes attributes;
  attributes.update_window_dims = {1};
  attributes.inserted_window_dims = {0};
  attributes.scatter_dims_to_operand_dims = {0};
  attributes.index_vector_dim = 1;
  attributes.reducer = Reducer::add;
  const Graph graph =
      trace([&](const Arrays& in) { return Arrays{scatter(in[0], in[1], in[2], attributes)}; }, {table, indices, rows});
  const double bytes = 64 * side, moved = 4.0 * 128 * 1024;
  CHECK(all_of(estimated(graph), "scatter").bytes > 2 * bytes);
  const double touched = all_of(estimated(graph, {0}), "scatter").bytes;
  CHECK(touched >= 3 * moved);
  CHECK(touched < 4 * moved);
}

TEST_CASE("what an update leaves as it was is read from memory, where chips have memory of their own, too") {
  const Shape cache{8, 16, 1024, 128};
  const Graph graph = trace(
      [](const Arrays& in) {
        const Array next = dynamic_update_slice(in[0], in[1], {Array{0}, Array{0}, in[3], Array{0}});
        return Arrays{next, einsum("bhqd,bhkd->bhqk", in[2], next)};
      },
      {f32(cache), f32({8, 16, 1, 128}), f32({8, 16, 1, 128}), {DType::i32, {}}});
  const double bytes = 4.0 * static_cast<double>(cache.elements());
  for (const char* slice : {"v3-8", "v4-8", "v5e-8", "v6e-8"}) {
    INFO(slice);
    CHECK(estimated(graph, {0}, DType::f32, slice).bytes > bytes);
    CHECK(estimated(graph, {0}, DType::f32, slice).bytes < 1.1 * bytes);
  }
}

TEST_CASE("a loop's state is of one type from round to round") {
  const Graph graph = trace(
      [](const Arrays& in) {
        return Arrays{fori_loop(0, 10, [&](const Array&, const Array& x) { return x + in[0]; }, zeros(in[0].type()))};
      },
      {square_type});
  CHECK(estimated(graph, {}, DType::bf16).memory.temporaries <= estimated(graph).memory.temporaries);
}
