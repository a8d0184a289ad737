// What operations cost, against numbers worked out by hand.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.tpu;

#include "ideal_estimate.hpp"

using namespace octet;

namespace {

bool near(double a, double b, double share = 1e-9) { return std::fabs(a - b) <= share * std::fabs(b); }

Graph product_of(std::int64_t m, std::int64_t k, std::int64_t n) {
  return trace([](const std::vector<Array>& a) { return std::vector{matmul(a[0], a[1])}; },
               {{DType::f32, {m, k}}, {DType::f32, {k, n}}});
}

}  // namespace

TEST_CASE("a product is paid in tiles: rows of 8, features of 128") {
  CHECK(tpu::padded_flops({1, 16, 128, 128}, 128) == 2.0 * 16 * 128 * 128);
  CHECK(tpu::padded_flops({1, 10, 128, 128}, 128) == tpu::padded_flops({1, 16, 128, 128}, 128));
  CHECK(tpu::padded_flops({1, 512, 512, 64}, 128) == tpu::padded_flops({1, 512, 512, 128}, 128));
  CHECK(tpu::padded_flops({1, 128, 10, 128}, 128) ==
        tpu::padded_flops({1, 10, 128, 128}, 128));  // either operand may be held
  CHECK(tpu::padded_flops({1, 512, 128, 128}, 256) == 2.0 * 512 * 128 * 256);
  CHECK(tpu::padded_flops({3, 8, 128, 128, 6}, 128) == 3 * 6 * 2.0 * 8 * 128 * 128);
}

TEST_CASE("HIGH takes three passes, HIGHEST six, and what is bf16 already one") {
  const auto flops = [](DType dtype, DotPrecision precision) {
    DotAttributes attributes{{}, {}, {1}, {0}, precision};
    return estimated(
               trace([&](const std::vector<Array>& in) { return std::vector{dot_general(in[0], in[1], attributes)}; },
                     {{dtype, {1024, 1024}}, {dtype, {1024, 1024}}}))
        .padded_flops;
  };
  const double once = 2.0 * 1024 * 1024 * 1024;
  CHECK(flops(DType::f32, DotPrecision::DEFAULT) == once);
  CHECK(flops(DType::f32, DotPrecision::HIGH) == 3 * once);
  CHECK(flops(DType::f32, DotPrecision::HIGHEST) == 6 * once);
  CHECK(flops(DType::bf16, DotPrecision::HIGHEST) == once);
}

TEST_CASE("the rows that stream through the matrix unit fill eights, and either operand may stream") {
  const tpu::Product many = tpu::padded({2, 10, 200, 300, 6}, 128);
  CHECK(many.m == 16);
  CHECK(many.n == 256);
  CHECK(many.k == 384);
  CHECK(many.batch == 2);
  CHECK(many.passes == 6);
  const tpu::Product turned = tpu::padded({1, 200, 10, 300}, 128);
  CHECK(turned.m == 256);
  CHECK(turned.n == 16);
  CHECK(tpu::padded({1, 8, 128, 128}, 128).m == 8);
  CHECK(tpu::padded({1, 1, 1, 1}, 256).k == 256);
}

TEST_CASE("a tensor takes whole tiles of 8 x 128, under the order of dimensions that wastes least") {
  CHECK(tpu::tiled_bytes({DType::f32, {}}) == 4);
  CHECK(tpu::tiled_bytes({DType::f32, {100}}) == 128 * 4);
  CHECK(tpu::tiled_bytes({DType::f32, {10, 128}}) == 16 * 128 * 4);
  CHECK(tpu::tiled_bytes({DType::bf16, {8, 128}}) == 8 * 128 * 2);
  CHECK(tpu::tiled_bytes({DType::f32, {128, 10}}) == 16 * 128 * 4);
  CHECK(tpu::tiled_bytes({DType::f32, {14, 512, 16, 64}}) == 14.0 * 512 * 16 * 64 * 4);  // 512 in lanes: nothing wasted
  CHECK(tpu::tiled_bytes({DType::f32, {3, 3}}) == 8 * 128 * 4);
}

TEST_CASE("a large product is bound by the matrix unit, a thin one by memory") {
  const auto large = estimated(product_of(4096, 4096, 4096));
  CHECK(near(large.seconds, 2.0 * 4096 * 4096 * 4096 / 61.5e12));
  CHECK(large.operations.front().bound == tpu::Bound::matrix_unit);
  CHECK(large.flops == large.padded_flops);

  const auto thin = estimated(product_of(8, 4096, 4096));
  CHECK(near(thin.seconds, 4.0 * (8 * 4096 + 4096 * 4096 + 8 * 4096) / 450e9));
  CHECK(thin.operations.front().bound == tpu::Bound::memory);
}

TEST_CASE("ten rows take as long as sixteen") {
  CHECK(estimated(product_of(10, 1024, 1024)).seconds == estimated(product_of(16, 1024, 1024)).seconds);
}

TEST_CASE("operations on elements run where they are used, and only what passes through memory is paid") {
  const TensorType type{DType::f32, {1024, 1024}};
  const double bytes = 4.0 * 1024 * 1024;
  const Graph chain =
      trace([](const std::vector<Array>& a) { return std::vector{(a[0] + a[1]) * 2.0 - a[0]}; }, {type, type});
  CHECK(estimated(chain).operations.size() == 1);
  CHECK(estimated(chain).bytes == 3 * bytes);

  // exp is not cheap: it is kept for both of its users, and the sum runs in its loop.
  const Graph shares = trace(
      [](const std::vector<Array>& a) {
        const Array e = exp(a[0]);
        return std::vector{e / sum(e, {1}, true)};
      },
      {type});
  const auto estimate = estimated(shares);
  CHECK(estimate.bytes < 4.01 * bytes);  // read x, write e, read e, write the shares
  CHECK(estimate.bytes >= 4 * bytes);

  // What follows a product is done as it leaves the matrix unit.
  const Graph activated =
      trace([](const std::vector<Array>& a) { return std::vector{tanh(matmul(a[0], a[1]))}; }, {type, type});
  CHECK(estimated(activated).operations.size() == 1);
  CHECK(estimated(activated).bytes == 3 * bytes);
}

TEST_CASE("activations in bf16 halve what lies between operations, not parameters and results") {
  const TensorType type{DType::f32, {1024, 1024}};
  const Graph two = trace([](const std::vector<Array>& a) { return std::vector{matmul(matmul(a[0], a[1]), a[2])}; },
                          {type, type, type});
  tpu::EstimateOptions options;
  options.costing.activations = DType::bf16;
  const double bytes = 4.0 * 1024 * 1024;
  CHECK(estimated(two).bytes == 6 * bytes);
  CHECK(tpu::estimate(two, tpu::slice("v3-8"), options).bytes == 5 * bytes);
}

TEST_CASE("gradients that replicas add up are f32 whatever activations are, and activations that they add up are not") {
  const tpu::Slice four = tpu::slice("v5e-4");
  const auto reduced = [&](const Graph& graph, DType activations) {
    tpu::EstimateOptions options;
    options.costing.activations = activations;
    double seconds = 0;
    for (const tpu::OperationTotal& total : tpu::estimate(graph, four, options).operations)
      if (total.description.starts_with("all_reduce")) seconds += total.seconds;
    return seconds;
  };
  const TensorType type{DType::f32, {4096, 4096}};
  const Graph update = trace(
      [&](const std::vector<Array>& a) {
        const Array gradient = all_reduce(matmul(a[1], a[2]), four.all());
        return std::vector{a[0] - gradient * (0.1 / sqrt(sum(square(gradient))))};
      },
      {type, type, type});
  const Graph within = trace(
      [&](const std::vector<Array>& a) {
        return std::vector{matmul(all_reduce(matmul(a[0], a[1]), four.all()), a[2])};
      },
      {type, type, type});
  CHECK(reduced(update, DType::bf16) == reduced(update, DType::f32));
  CHECK(reduced(within, DType::bf16) < 0.6 * reduced(within, DType::f32));
}

TEST_CASE("a counted loop costs as often as it runs") {
  const auto program = [](std::int64_t rounds) {
    return trace(
        [rounds](const std::vector<Array>& a) {
          return std::vector{fori_loop(0, rounds, [](const Array&, const Array& x) { return matmul(x, x); }, a[0])};
        },
        {{DType::f32, {1024, 1024}}});
  };
  CHECK(near(estimated(program(10)).flops, 10 * estimated(program(1)).flops));
}

TEST_CASE("an all-reduce takes what the links of the torus carry") {
  const tpu::CostConstants constants = ideal();
  const double bytes = 1e9;
  const auto seconds = [&](const char* name) {
    return tpu::collective_seconds(Op::all_reduce, bytes, tpu::slice(name), constants);
  };
  // 2 x 2, no wrap: two halves at once, each along one dimension and then the other.
  const double two = (bytes / 2 / 2 + bytes / 4 / 2) / 82e9;
  CHECK(near(seconds("v3-8"), 2 * two));
  // 32 x 32 with wrap: rings of 32 over two links.
  const double ring = (bytes / 2 * 31 / 32 + bytes / 64 * 31 / 32) / 164e9;
  CHECK(near(seconds("v3-2048"), 2 * ring));
  // 4 x 4 x 4 with wrap: three thirds over all six links.
  const double cube = (bytes / 3 + bytes / 12 + bytes / 48) * 3 / 4 / 100e9;
  CHECK(near(seconds("v4-128"), 2 * cube));
  CHECK(tpu::collective_seconds(Op::all_reduce, bytes, tpu::slice("v5e-1"), constants) == 0);
  // Half of an all-reduce; one core to a chip, 16 x 16 with wrap.
  const double half = (bytes / 2 + bytes / 32) * 15 / 16 / 100e9;
  CHECK(near(tpu::collective_seconds(Op::reduce_scatter, bytes, tpu::slice("v5e-256"), constants), half));
}

TEST_CASE("each hop takes its time, so small collectives do not get faster on larger slices") {
  tpu::CostConstants constants = ideal();
  constants.hop_seconds = 1e-6;
  // 31 hops along each dimension of 32 x 32, to reduce and again to gather: a closing link doubles what a ring carries
  // at once, and what it carries still comes by every chip.
  CHECK(near(tpu::collective_seconds(Op::all_reduce, 0, tpu::slice("v3-2048"), constants), 124e-6));
  CHECK(near(tpu::collective_seconds(Op::all_reduce, 0, tpu::slice("v3-32"), constants), 12e-6));
}

TEST_CASE("collectives in a program are priced on its slice") {
  const ReplicaGroups all = tpu::slice("v3-8").all();
  const Graph graph = trace([&](const std::vector<Array>& a) { return std::vector{all_reduce(a[0], all)}; },
                            {{DType::f32, {1000, 1000}}});
  const auto estimate = estimated(graph);
  CHECK(estimate.operations.front().bound == tpu::Bound::interconnect);
  CHECK(near(estimate.seconds, tpu::collective_seconds(Op::all_reduce, 4e6, tpu::slice("v3-8"), ideal())));
}

TEST_CASE(
    "memory holds what is alive: parameters throughout, the rest from where it is written to where it is last read") {
  const TensorType type{DType::f32, {1024, 1024}};
  const double bytes = 4.0 * 1024 * 1024;
  const Graph chain = trace(
      [](const std::vector<Array>& a) { return std::vector{matmul(matmul(matmul(a[0], a[0]), a[0]), a[0])}; }, {type});
  const auto estimate = estimated(chain);
  CHECK(estimate.memory.parameters == bytes);
  CHECK(estimate.memory.temporaries == 2 * bytes);
  CHECK(estimate.memory.peak == 3 * bytes);
}

TEST_CASE("the report names the dimension that is filled up and what it costs") {
  const auto estimate = estimated(product_of(4096, 64, 4096));
  const auto thin = tpu::waste_of(estimate, tpu::core_of(tpu::slice("v3-8").chip, false));
  CHECK(thin.empty());  // bound by memory: the padding costs nothing

  tpu::EstimateOptions options;
  options.costing.constants = ideal();
  options.costing.constants.hbm_efficiency = 1e3;
  const auto bound = tpu::estimate(product_of(4096, 64, 4096), tpu::slice("v3-8"), options);
  const auto waste = tpu::waste_of(bound, tpu::core_of(tpu::slice("v3-8").chip, false));
  REQUIRE(waste.size() == 1);
  CHECK(waste[0].dimension == 'k');
  CHECK(waste[0].extent == 64);
  CHECK(waste[0].padded == 128);
  CHECK(near(waste[0].seconds, bound.seconds / 2));
}

TEST_CASE("a dimension of one chip changes no collective: 1x2x2 has the links of 2x2") {
  const tpu::CostConstants constants = ideal();
  const double bytes = 1e9;
  tpu::Slice flat = tpu::slice("v4-8"), cube = tpu::slice("v4-16");
  flat.torus = {2, 2};
  flat.wraps = {false, false};
  for (const Op op : {Op::all_reduce, Op::reduce_scatter, Op::all_gather}) {
    INFO(name(op));
    const double seconds = tpu::collective_seconds(op, bytes, flat, constants);
    CHECK(near(tpu::collective_seconds(op, bytes, tpu::slice("v4-8"), constants), seconds));
    // So has each half of a cube of eight chips, whichever way it is cut.
    for (const std::int64_t stride : {2, 4, 8}) {
      ReplicaGroups halves(2);
      for (std::int64_t replica = 0; replica < 16; ++replica)
        halves[static_cast<std::size_t>(replica / stride % 2)].push_back(replica);
      CHECK(near(tpu::collective_seconds(op, bytes, halves, cube, constants), seconds));
    }
  }
}

TEST_CASE("collectives within groups take what their groups take: nothing alone, memory on one chip") {
  const tpu::CostConstants constants = ideal();
  const tpu::Slice slice = tpu::slice("v3-8");
  const double bytes = 1e8;
  const auto seconds = [&](Op op, const ReplicaGroups& groups) {
    return tpu::collective_seconds(op, bytes, groups, slice, constants);
  };
  const ReplicaGroups alone{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, chips{{0, 1}, {2, 3}, {4, 5}, {6, 7}},
      halves{{0, 1, 2, 3}, {4, 5, 6, 7}};
  for (const Op op : {Op::all_reduce, Op::reduce_scatter, Op::all_gather, Op::all_to_all}) {
    INFO(name(op));
    CHECK(seconds(op, alone) == 0);
    CHECK(near(seconds(op, slice.all()), tpu::collective_seconds(op, bytes, slice, constants)));
    CHECK(seconds(op, chips) > 0);
    CHECK(seconds(op, chips) < seconds(op, halves));
  }
  // The operand of each to the neighbouring chip's two replicas, over one link: two cores' worth.
  CHECK(near(seconds(Op::all_gather, halves), 4 * bytes / 2 / 82e9));
  CHECK(seconds(Op::all_gather, halves) < seconds(Op::all_gather, slice.all()));
  CHECK(near(seconds(Op::all_reduce, chips), 3 * bytes / slice.chip.hbm_bandwidth));
  // Cores of one number, each with a group of its own over the same links.
  const ReplicaGroups across{{0, 2, 4, 6}, {1, 3, 5, 7}};
  CHECK(near(seconds(Op::reduce_scatter, across), 2 * seconds(Op::reduce_scatter, slice.all())));
  CHECK(seconds(Op::collective_permute, {{0, 0}, {1, 1}}) == 0);
  CHECK(near(seconds(Op::collective_permute, {{0, 1}, {1, 0}}), 2 * bytes / slice.chip.hbm_bandwidth));
  CHECK(near(seconds(Op::collective_permute, {{0, 2}, {2, 0}}), 2 * bytes / 82e9));

  const auto gathered = [&](const ReplicaGroups& groups) {
    return estimated(trace([&](const std::vector<Array>& a) { return std::vector{all_gather(a[0], groups)}; },
                           {{DType::f32, {1000, 1000}}}))
        .seconds;
  };
  CHECK(gathered(alone) == 0);
  CHECK(gathered(chips) < gathered(halves));
  CHECK(gathered(halves) < gathered(slice.all()));
}

TEST_CASE("a chain of any length is one kernel, whose work is that of its operations") {
  const auto chain = [](int length) {
    return estimated(trace(
        [&](const std::vector<Array>& a) {
          Array x = a[0];
          for (int i = 0; i < length; ++i) x = x + a[0];
          return std::vector{x};
        },
        {{DType::f32, {8, 128}}}));
  };
  const tpu::ProgramEstimate some = chain(100), many = chain(100'000);
  CHECK(many.operations.size() == 1);
  CHECK(near(many.vector_operations, 1000 * some.vector_operations));
  CHECK(many.bytes == some.bytes);
}

TEST_CASE("a loop of no turns costs nothing") {
  const Graph program = trace(
      [](const std::vector<Array>& a) {
        return std::vector{fori_loop(0, 0, [](const Array&, const Array& x) { return matmul(x, x); }, a[0])};
      },
      {{DType::f32, {1024, 1024}}});
  CHECK(estimated(program).flops == 0);
}
