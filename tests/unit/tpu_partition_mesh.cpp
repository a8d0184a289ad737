// Programs of which devices share several things at once, along the axes of a mesh: each device computes its part of
// what the whole program does.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.tpu;
#include "device_parts.hpp"

using namespace octet;

namespace {

constexpr std::int64_t devices = 4;
using Arrays = std::vector<Array>;
using Given = std::map<std::size_t, tpu::MeshSharding>;
using Asked = std::map<std::size_t, tpu::MeshCuts>;

/// Of a mesh of 2 x 2: `data` is the outer axis.
tpu::MeshCut data(std::int64_t dimension) { return {dimension, 2, 2}; }
tpu::MeshCut model(std::int64_t dimension) { return {dimension, 2, 1}; }

/// Small whole numbers, of which sums are exact in whatever order.
Tensor numbers(TensorType type, int seed) {
  Tensor tensor{type};
  visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
    const auto span = tensor.mutable_span<T>();
    for (std::size_t i = 0; i < span.size(); ++i)
      span[i] = static_cast<T>(static_cast<float>((i * 7 + i / 3 + static_cast<std::size_t>(seed) * 3) % 5));
  });
  return tensor;
}

/// What each device runs, checked against the whole program; results that are not asked for are whole.
Graph parted(const Graph& whole, const Given& cuts, Asked results = {}) {
  for (std::size_t r = 0; r < whole.results().size(); ++r) results.emplace(r, tpu::MeshCuts{});
  Graph part = tpu::one_part(whole, cuts, devices, results);
  INFO(to_string(whole) << to_string(part));
  verify(part);
  std::vector<Tensor> arguments;
  for (std::size_t i = 0; i < whole.parameters().size(); ++i)
    arguments.push_back(numbers(whole.parameter_types()[i], static_cast<int>(i)));
  std::vector<std::vector<Tensor>> each(devices);
  for (std::int64_t d = 0; d < devices; ++d)
    for (std::size_t i = 0; i < arguments.size(); ++i)
      each[static_cast<std::size_t>(d)].push_back(cuts.contains(i) ? part_of(arguments[i], d, cuts.at(i).cuts)
                                                                   : arguments[i]);
  const std::vector<Tensor> expected = evaluate(whole, arguments);
  const auto own = evaluate(part, each);
  for (std::size_t d = 0; d < own.size(); ++d)
    for (std::size_t r = 0; r < expected.size(); ++r) {
      INFO("result " << r << " of device " << d);
      CHECK(own[d][r] == part_of(expected[r], static_cast<std::int64_t>(d), results.at(r)));
    }
  return part;
}

Graph traced(const std::vector<TensorType>& types, Arrays (*function)(const Arrays&)) { return trace(function, types); }

/// Collectives of that kind in groups of so many, within loops as well.
std::ptrdiff_t count(const Graph& graph, Op op, std::size_t size = 0) {
  std::ptrdiff_t found = 0;
  for (const Node& node : graph.nodes()) {
    found += node.op == op && (size == 0 || tpu::groups_of(node).front().size() == size);
    for (const Graph& region : node.regions) found += count(region, op, size);
  }
  return found;
}
/// Of what something is computed from.
std::int64_t largest(const Graph& graph) {
  std::int64_t most = 0;
  for (const Node& node : graph.nodes())
    for (const ValueId id : node.inputs) most = std::max(most, graph.type(id).shape.elements());
  return most;
}

TensorType f32(const Shape& shape) { return {DType::f32, shape}; }
TensorType i32(const Shape& shape) { return {DType::i32, shape}; }

}  // namespace

TEST_CASE("weights cut by columns and then by rows sum once a layer along their axis, and gradients along the other") {
  const Graph whole =
      traced({f32({4, 16}), f32({16}), f32({16, 4}), f32({4}), f32({8, 4}), f32({8, 4})}, [](const Arrays& in) {
        const auto loss = [&](const Arrays& w) {
          const Array hidden = maximum(matmul(in[4], w[0]) + w[1], 0.0F);
          const Array error = matmul(hidden, w[2]) + w[3] - in[5];
          return sum(error * error);
        };
        const auto [value, gradients] = value_and_grad(loss)(Arrays{in[0], in[1], in[2], in[3]});
        Arrays results{value};
        for (std::size_t i = 0; i < 4; ++i) results.push_back(in[i] - gradients[i]);
        return results;
      });
  const tpu::MeshSharding batch{{data(0)}, true};
  const Graph part = parted(whole, {{0, {{model(1)}}}, {1, {{model(0)}}}, {2, {{model(0)}}}, {4, batch}, {5, batch}},
                            {{1, {model(1)}}, {2, {model(0)}}, {3, {model(0)}}});
  CHECK(count(part, Op::all_reduce) == 6);  // the sum of the forward pass, four gradients and the loss
  CHECK(count(part, Op::all_gather) + count(part, Op::reduce_scatter) + count(part, Op::dynamic_slice) == 0);
  CHECK(largest(part) == 4 * 8);
  // With weights that are cut along both axes, as FSDP has them beside tensor parallelism.
  const Graph both =
      parted(whole, {{0, {{data(0), model(1)}}}, {1, {{model(0)}}}, {2, {{model(0), data(1)}}}, {4, batch}, {5, batch}},
             {{1, {data(0), model(1)}}, {2, {model(0)}}, {3, {model(0), data(1)}}});
  CHECK(count(both, Op::all_gather) == 2);
  CHECK(count(both, Op::reduce_scatter) == 2);
  CHECK(count(both, Op::all_reduce) == 4);  // the forward pass, two biases and the loss
}

TEST_CASE("a batch over both axes and weights along one: sums of the other are of parts, and of what is whole of all") {
  const Graph whole = traced({f32({8, 4}), f32({4}), f32({16, 8}), f32({16, 4})}, [](const Arrays& in) {
    const auto loss = [&](const Arrays& w) {
      const Array error = matmul(in[2], w[0]) + w[1] - in[3];
      return sum(error * error);
    };
    const auto gradients = value_and_grad(loss)(Arrays{in[0], in[1]}).second;
    return Arrays{in[0] - gradients[0], in[1] - gradients[1]};
  });
  const tpu::MeshSharding batch{{data(0), model(0)}, true};
  const Graph part = parted(whole, {{0, {{model(0)}}}, {2, batch}, {3, batch}}, {{0, {model(0)}}});
  CHECK(count(part, Op::all_gather, 2) == 1);
  CHECK(count(part, Op::reduce_scatter, 2) == 1);
  CHECK(count(part, Op::all_reduce, 4) == 1);  // of the bias, over both axes at once
  for (const Node& node : part.nodes())
    if (node.op == Op::all_reduce && tpu::groups_of(node).front().size() == 2)
      CHECK(part.type(node.inputs[0]).shape.elements() <= 4 * 4);
}

TEST_CASE("heads that are cut stay so through attention") {
  const Graph whole = traced({f32({8, 24}), f32({8, 8}), f32({4, 3, 8})}, [](const Arrays& in) {
    const auto loss = [&](const Arrays& w) {
      const Array all = reshape(matmul(in[2], w[0]), {4, 3, 3, 4, 2});  // query, key and value; heads
      const auto take = [&](std::int64_t i) {
        return reshape(slice(all, {0, 0, i, 0, 0}, {4, 3, i + 1, 4, 2}), {4, 3, 4, 2});
      };
      const DotAttributes scores{.lhs_batching_dimensions = {0, 2},
                                 .rhs_batching_dimensions = {0, 2},
                                 .lhs_contracting_dimensions = {3},
                                 .rhs_contracting_dimensions = {3}};
      const DotAttributes mixed{.lhs_batching_dimensions = {0, 1},
                                .rhs_batching_dimensions = {0, 2},
                                .lhs_contracting_dimensions = {3},
                                .rhs_contracting_dimensions = {1}};
      const Array weights = minimum(maximum(dot_general(take(0), take(1), scores), -1.0F), 1.0F);
      const Array out = transpose(dot_general(weights, take(2), mixed), {0, 2, 1, 3});
      return sum(matmul(reshape(out, {4, 3, 8}), w[1]));
    };
    const auto [value, gradients] = value_and_grad(loss)(Arrays{in[0], in[1]});
    return Arrays{value, in[1] - gradients[1]};
  });
  const Graph part = parted(whole, {{1, {{model(0)}}}, {2, {{data(0)}, true}}}, {{1, {model(0)}}});
  CHECK(count(part, Op::all_gather) == 0);
}

TEST_CASE("of a table whose rows are cut each device looks up its own, and gradients stay where the rows are") {
  const Graph whole = traced({f32({16, 4}), i32({8, 3})}, [](const Arrays& in) {
    const auto loss = [&](const Array& table) {
      const Array found = take(table, in[1]);
      return sum(found * found);
    };
    const auto [value, gradient] = value_and_grad(loss)(in[0]);
    return Arrays{value, in[0] - gradient};
  });
  for (const std::int64_t dimension : {0, 1}) {
    const Graph part = parted(whole, {{0, {{model(dimension)}}}, {1, {{data(0)}, true}}}, {{1, {model(dimension)}}});
    CHECK(count(part, Op::all_gather) == 0);
    CHECK(largest(part) <= 4 * 3 * 4);
  }
}

TEST_CASE("a loop over layers that are cut by columns and by rows sums within its turns") {
  const Graph whole = traced({f32({2, 4, 8}), f32({2, 8, 4}), f32({8, 4})}, [](const Arrays& in) {
    const auto loss = [&](const Arrays& layers) {
      const auto layer = [](const Array& x, const std::pair<Array, Array>& w) {
        return std::pair{minimum(matmul(maximum(matmul(x, w.first), 0.0F), w.second), 3.0F), sum(x)};
      };
      return sum(scan(layer, in[2], std::pair{layers[0], layers[1]}).first);
    };
    const auto gradients = value_and_grad(loss)(Arrays{in[0], in[1]}).second;
    return Arrays{in[0] - gradients[0], in[1] - gradients[1]};
  });
  const Graph part =
      parted(whole, {{0, {{model(2)}}}, {1, {{model(1)}}}, {2, {{data(0)}, true}}}, {{0, {model(2)}}, {1, {model(1)}}});
  CHECK(count(part, Op::all_gather) == 0);
  CHECK(count(part, Op::all_reduce, 2) > 0);
}

TEST_CASE("microbatches of a batch that is cut further than there are of them are of the devices that have them") {
  const Graph whole = traced({f32({16, 3})}, [](const Arrays& in) {
    const Array parts = reshape(in[0], {2, 8, 3});
    return Arrays{reshape(parts + parts, {16, 3})};
  });
  const Graph part = parted(whole, {{0, {{{0, 4, 1}}, true}}}, {{0, {{0, 4, 1}}}});
  CHECK(largest(part) == 4 * 3);
}

TEST_CASE("random programs compute the same in parts, or are not judged") {
  constexpr int seed_count = 300;
  int judged = 0;
  for (int seed = 0; seed < seed_count; ++seed) {
    std::mt19937 dice{static_cast<unsigned>(seed)};
    const auto below = [&](std::size_t most) { return static_cast<std::size_t>(dice() % most); };
    Graph whole;
    std::vector<ValueId> values;
    Given cuts;
    for (std::size_t i = 0; i < 4; ++i) {
      const Shape shape = i == 3 ? Shape{4, 8, 4} : Shape{below(2) ? 8 : 4, below(2) ? 8 : 4};
      values.push_back(whole.parameter(f32(shape)));
      for (const bool along_data : {true, false})
        if (below(2)) {
          const auto d = static_cast<std::int64_t>(below(static_cast<std::size_t>(shape.rank())));
          if (i > 0 || d == 0) cuts[i].cuts.push_back(along_data ? data(d) : model(d));
        }
    }
    if (cuts.contains(0)) cuts[0].of_batch = true;
    const auto shape = [&](ValueId id) { return whole.type(id).shape; };
    const auto one = [&](Op op, std::vector<ValueId> inputs, Attributes attributes = {}) {
      return whole.append(op, std::move(inputs), std::move(attributes)).front();
    };
    const auto spread = [&](float number, const Shape& to) {
      const ValueId scalar = whole.constant(Tensor::scalar(number));
      return one(Op::broadcast_in_dim, {scalar}, BroadcastAttributes{to, {}});
    };
    for (int step = 0; step < 8; ++step) {
      const ValueId x = values[below(values.size())], y = values[below(values.size())];
      const std::int64_t rank = shape(x).rank();
      ValueId made = x;
      switch (below(9)) {
        case 0:
        case 1: {  // the last dimension of one with the first of the other that is as long
          if (shape(y).rank() != 2 || rank == 0) break;
          const auto contracted = below(2) ? std::int64_t{0} : rank - 1;
          for (std::int64_t d = 0; d < 2; ++d)
            if (made == x && shape(y)[d] == shape(x)[contracted])
              made = one(Op::dot_general, {x, y},
                         DotAttributes{.lhs_contracting_dimensions = {contracted}, .rhs_contracting_dimensions = {d}});
          break;
        }
        case 2:
          if (shape(x) == shape(y)) made = one(Op::add, {x, y});
          break;
        case 3: {
          Dims permutation(static_cast<std::size_t>(rank));
          for (std::int64_t d = 0; d < rank; ++d) permutation[static_cast<std::size_t>(d)] = rank - 1 - d;
          made = one(Op::transpose, {x}, TransposeAttributes{permutation});
          break;
        }
        case 4:
          if (rank > 1)
            made = one(Op::reduce, {x},
                       ReduceAttributes{{static_cast<std::int64_t>(below(static_cast<std::size_t>(rank)))},
                                        below(2) ? Reducer::add : Reducer::maximum});
          break;
        case 5:
          if (rank == 2) made = one(Op::reshape, {x}, ResultAttributes{f32({shape(x)[0], 2, shape(x)[1] / 2})});
          if (rank == 3) made = one(Op::reshape, {x}, ResultAttributes{f32({shape(x)[0] * shape(x)[1], shape(x)[2]})});
          break;
        case 6:
          if (rank == 1) made = one(Op::broadcast_in_dim, {x}, BroadcastAttributes{{8, shape(x)[0]}, {1}});
          break;
        case 7: {
          const ValueId rows = whole.append(Op::iota, {}, IotaAttributes{i32({4, 1}), 0}).front();
          if (rank == 2 && shape(x)[0] >= 4)
            made = one(Op::gather, {x, rows},
                       GatherAttributes{.offset_dims = {1},
                                        .collapsed_slice_dims = {0},
                                        .start_index_map = {0},
                                        .index_vector_dim = 1,
                                        .slice_sizes = {1, shape(x)[1]}});
          break;
        }
        default:
          if (rank > 0)
            made = one(Op::concatenate, {x, x},
                       DimensionAttributes{static_cast<std::int64_t>(below(static_cast<std::size_t>(rank)))});
      }
      if (made == x || shape(made).elements() > 4096) continue;
      values.push_back(one(Op::remainder, {made, spread(5, shape(made))}));  // sums stay exact
    }
    whole.set_results({values.back(), values[values.size() - 2]});
    INFO("seed " << seed);
    try {
      parted(whole, cuts);
      ++judged;
    } catch (const Error& error) {
      CHECK(error.number() == 410);
    }
  }
  CHECK(judged > seed_count / 2);
}

TEST_CASE("cuts that are of no one mesh, and dimensions cut in two orders, are not judged") {
  const Graph whole = traced({f32({8, 8}), f32({8, 8})}, [](const Arrays& in) { return Arrays{in[0] + in[1]}; });
  const auto number = [&](const tpu::MeshCuts& one, const tpu::MeshCuts& other) {
    try {
      tpu::one_part(whole, Given{{0, {one}}, {1, {other}}}, devices, {});
    } catch (const Error& error) {
      return error.number();
    }
    return 0;
  };
  CHECK(number({data(0), model(0)}, {{0, 4, 1}}) == 0);
  CHECK(number({data(0), model(0)}, {model(0), data(0)}) == 410);
  CHECK(number({data(0)}, {{0, 3, 1}}) == 410);
}

TEST_CASE("what moves elements between parts of no batch is not judged") {
  const Graph whole = traced({f32({4, 8})}, [](const Arrays& in) { return Arrays{slice(in[0], {0, 2}, {4, 6})}; });
  CHECK_THROWS_AS(tpu::one_part(whole, Given{{0, {{model(1)}}}}, devices, {}), Error);
  CHECK(tpu::one_part(whole, Given{{0, {{model(0)}}}}, devices, {}).result_types() == std::vector{f32({2, 4})});
}
