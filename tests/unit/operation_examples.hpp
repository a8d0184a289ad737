/// Of the tests: each operation applied as it may be, and the types that the specification states for its results. To
/// be included after `import octet.graph;`.
#pragma once

namespace operation_examples {

using namespace octet;

using Types = std::vector<TensorType>;

inline TensorType f32(Dims extents) { return {DType::f32, Shape{std::move(extents)}}; }
inline TensorType i32(Dims extents) { return {DType::i32, Shape{std::move(extents)}}; }
inline TensorType pred(Dims extents) { return {DType::pred, Shape{std::move(extents)}}; }

inline Types inferred(Op op, const Types& inputs, const Attributes& attributes = {},
                      const std::vector<Graph>& regions = {}) {
  const Place place{"model.cpp", 7, "loss"};
  return infer({op, inputs, attributes, regions, place});
}

/// A graph that takes `parameters` and returns the first `results` of them.
inline Graph passing(const Types& parameters, std::size_t results) {
  Graph graph;
  for (const TensorType& type : parameters) graph.parameter(type);
  graph.set_results({graph.parameters().begin(), graph.parameters().begin() + static_cast<std::ptrdiff_t>(results)});
  return graph;
}

/// A condition for a loop with this state: whether a constant is true.
inline Graph always(const Types& state) {
  Graph graph = passing(state, 0);
  graph.set_results({graph.constant(Tensor::scalar(true))});
  return graph;
}

inline DotAttributes matmul() { return {{}, {}, {1}, {0}}; }

struct Example {
  Op op;
  Types inputs;
  Attributes attributes;
  Types results;
  std::vector<Graph> regions = {};
};

inline std::vector<Example> examples() {
  const TensorType x = f32({8, 64}), n = i32({8, 64});
  const ReplicaGroups groups = {{0, 1}, {2, 3}};
  std::vector<Example> rows = {
      {Op::constant, {}, ConstantAttributes{Tensor::of<std::int32_t>({3}, {1, 2, 3})}, {i32({3})}},
      {Op::iota, {}, IotaAttributes{x, 1}, {x}},
      {Op::replica_id, {}, {}, {{DType::u32, {}}}},
      {Op::convert, {x}, ResultAttributes{n}, {n}},
      {Op::bitcast_convert, {x}, ResultAttributes{n}, {n}},
      {Op::is_finite, {x}, {}, {pred({8, 64})}},
      {Op::not_, {pred({2})}, {}, {pred({2})}},
      {Op::compare, {x, x}, CompareAttributes{Comparison::LT}, {pred({8, 64})}},
      {Op::clamp, {f32({}), x, x}, {}, {x}},
      {Op::select, {pred({}), n, n}, {}, {n}},
      {Op::select, {pred({8, 64}), x, x}, {}, {x}},
      {Op::broadcast_in_dim, {f32({1, 64})}, BroadcastAttributes{{8, 5, 64}, {1, 2}}, {f32({8, 5, 64})}},
      {Op::broadcast_in_dim, {f32({})}, BroadcastAttributes{{0, 3}, {}}, {f32({0, 3})}},
      {Op::concatenate, {x, f32({8, 0}), f32({8, 2})}, DimensionAttributes{1}, {f32({8, 66})}},
      {Op::dynamic_slice, {x, i32({}), i32({})}, DynamicSliceAttributes{{2, 64}}, {f32({2, 64})}},
      {Op::dynamic_update_slice, {x, f32({1, 3}), i32({}), i32({})}, {}, {x}},
      // Rows of a table, as an embedding looks them up.
      {Op::gather, {f32({100, 16}), i32({8, 64})}, GatherAttributes{{2}, {0}, {0}, 2, {1, 16}}, {f32({8, 64, 16})}},
      {Op::gather, {f32({100, 16}), i32({2, 8})}, GatherAttributes{{0, 2}, {}, {1, 0}, 0, {3, 5}}, {f32({3, 8, 5})}},
      {Op::pad, {x, f32({})}, PadAttributes{{1, -4}, {2, 0}, {3, 0}}, {f32({32, 60})}},
      {Op::pad, {f32({0}), f32({})}, PadAttributes{{2}, {1}, {9}}, {f32({3})}},
      {Op::reshape, {x}, ResultAttributes{f32({2, 4, 64})}, {f32({2, 4, 64})}},
      {Op::reshape, {f32({1})}, ResultAttributes{f32({})}, {f32({})}},
      {Op::reverse, {x}, DimensionsAttributes{{1}}, {x}},
      {Op::scatter,
       {f32({100, 16}), i32({8, 64}), f32({8, 64, 16})},
       ScatterAttributes{{2}, {0}, {0}, 2, Reducer::add},
       {f32({100, 16})}},
      {Op::slice, {x}, SliceAttributes{{2, 0}, {8, 64}, {4, 64}}, {f32({2, 1})}},
      {Op::slice, {x}, SliceAttributes{{8, 0}, {8, 0}, {1, 1}}, {f32({0, 0})}},
      {Op::sort, {x, n}, SortAttributes{1}, {x, n}},
      {Op::transpose, {f32({2, 3, 5})}, TransposeAttributes{{2, 0, 1}}, {f32({5, 2, 3})}},
      {Op::dot_general, {f32({8, 64}), f32({64, 32})}, matmul(), {f32({8, 32})}},
      {Op::dot_general,
       {f32({4, 2, 8, 16}), f32({4, 2, 9, 16})},
       DotAttributes{{0, 1}, {0, 1}, {3}, {3}},
       {f32({4, 2, 8, 9})}},
      {Op::dot_general, {f32({3}), f32({5})}, DotAttributes{}, {f32({3, 5})}},
      {Op::reduce, {f32({2, 3, 5})}, ReduceAttributes{{0, 2}, Reducer::maximum}, {f32({3})}},
      {Op::reduce, {pred({2, 3})}, ReduceAttributes{{0, 1}, Reducer::or_}, {pred({})}},
      {Op::if_, {pred({}), x}, {}, {x}, {passing({x}, 1), passing({x}, 1)}},
      {Op::optimization_barrier, {n, x}, {}, {n, x}},
      {Op::while_, {n, x}, {}, {n, x}, {always({n, x}), passing({n, x}, 2)}},
      {Op::all_gather, {x}, AllGatherAttributes{1, groups}, {f32({8, 128})}},
      {Op::all_reduce, {x}, AllReduceAttributes{groups, Reducer::add}, {x}},
      {Op::all_reduce, {x}, AllReduceAttributes{{}, Reducer::add}, {x}},
      {Op::all_to_all, {x}, AllToAllAttributes{0, 1, 2, groups}, {f32({4, 128})}},
      {Op::collective_permute, {x}, PermuteAttributes{{{0, 1}, {1, 0}}}, {x}},
      {Op::reduce_scatter, {x}, ReduceScatterAttributes{0, groups, Reducer::add}, {f32({4, 64})}},
  };
  for (Op op : {Op::abs, Op::ceil, Op::cosine, Op::erf, Op::exponential, Op::exponential_minus_one, Op::floor, Op::log,
                Op::log_plus_one, Op::logistic, Op::negate, Op::round_nearest_even, Op::rsqrt, Op::sign, Op::sine,
                Op::sqrt, Op::tanh})
    rows.push_back({op, {x}, {}, {x}});
  for (Op op : {Op::add, Op::divide, Op::maximum, Op::minimum, Op::multiply, Op::power, Op::remainder, Op::subtract})
    rows.push_back({op, {x, x}, {}, {x}});
  for (Op op : {Op::and_, Op::or_, Op::xor_, Op::shift_left, Op::shift_right_arithmetic, Op::shift_right_logical})
    rows.push_back({op, {n, n}, {}, {n}});
  return rows;
}

}  // namespace operation_examples
