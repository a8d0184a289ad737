/// Small programs of one operation each, at least one for every row of the table. To be included after `import
/// octet.base;` and `import octet.graph;`, with <map>, <string>, <utility> and <vector> before them.
#pragma once

namespace operation_samples {

using namespace octet;

using Types = std::vector<TensorType>;

inline TensorType f32(Dims extents = {}) { return {DType::f32, Shape{std::move(extents)}}; }
inline TensorType i32(Dims extents = {}) { return {DType::i32, Shape{std::move(extents)}}; }
inline TensorType pred(Dims extents = {}) { return {DType::pred, Shape{std::move(extents)}}; }

/// One operation applied to parameters of these types.
inline Graph applied(Op op, const Types& types, Attributes attributes = {}, std::vector<Graph> regions = {}) {
  Graph graph;
  std::vector<ValueId> inputs;
  for (const TensorType& type : types) inputs.push_back(graph.parameter(type));
  graph.set_results(graph.append(op, inputs, std::move(attributes), std::move(regions)));
  return graph;
}

/// A region that applies `op` to its first parameter.
inline Graph region(Op op, const Types& types) {
  Graph graph;
  for (const TensorType& type : types) graph.parameter(type);
  graph.set_results(graph.append(op, {graph.parameters()[0]}));
  return graph;
}

/// while (i < 10) i += 1, with `more` values passed on unchanged.
inline std::vector<Graph> counted_loop(const Types& more) {
  Graph condition, body;
  for (Graph* graph : {&condition, &body}) {
    graph->parameter(i32());
    for (const TensorType& type : more) graph->parameter(type);
  }
  condition.set_results(
      condition.append(Op::compare, {0, condition.constant(Tensor::scalar(10))}, CompareAttributes{Comparison::LT}));
  std::vector<ValueId> next = body.append(Op::add, {0, body.constant(Tensor::scalar(1))});
  next.insert(next.end(), body.parameters().begin() + 1, body.parameters().end());
  body.set_results(next);
  return {condition, body};
}

/// The samples, by operation.
inline std::multimap<Op, Graph> samples() {
  std::multimap<Op, Graph> all;
  const auto add = [&](Op op, const Types& types, Attributes attributes = {}, std::vector<Graph> regions = {}) {
    all.emplace(op, applied(op, types, std::move(attributes), std::move(regions)));
  };
  for (const Operation& row : operations()) {
    if (!is_elementwise(row.op) || row.op == Op::convert || row.op == Op::bitcast_convert || row.op == Op::compare ||
        row.op == Op::select || row.op == Op::not_)
      continue;
    const bool integers = row.op == Op::and_ || row.op == Op::or_ || row.op == Op::xor_ || row.op == Op::shift_left ||
                          row.op == Op::shift_right_arithmetic || row.op == Op::shift_right_logical;
    add(row.op, Types(static_cast<std::size_t>(row.operands), {integers ? DType::u32 : DType::f32, Shape{2, 3}}));
  }
  add(Op::constant, {}, ConstantAttributes{Tensor::of<float>(Shape{3}, {1.5f, -2, 3e-20f})});
  add(Op::iota, {}, IotaAttributes{{DType::i64, Shape{4, 2}}, 1});
  add(Op::replica_id, {});
  add(Op::not_, {pred({4})});
  for (DType to : all_dtypes) add(Op::convert, {f32({2})}, ResultAttributes{{to, Shape{2}}});
  add(Op::bitcast_convert, {f32({2})}, ResultAttributes{{DType::u32, Shape{2}}});
  for (DType of : all_dtypes) add(Op::compare, {{of, Shape{2}}, {of, Shape{2}}}, CompareAttributes{Comparison::GE});
  add(Op::select, {pred({2}), f32({2}), f32({2})});
  add(Op::broadcast_in_dim, {f32()}, BroadcastAttributes{{2, 3}, {}});
  add(Op::broadcast_in_dim, {f32({3})}, BroadcastAttributes{{2, 3}, {1}});
  add(Op::concatenate, {f32({2, 1}), f32({2, 5})}, DimensionAttributes{1});
  add(Op::dynamic_slice, {f32({4, 6}), i32(), i32()}, DynamicSliceAttributes{{2, 3}});
  add(Op::dynamic_update_slice, {f32({4, 6}), f32({1, 2}), i32(), i32()});
  add(Op::gather, {f32({10, 8}), i32({5, 1})}, GatherAttributes{{1}, {0}, {0}, 1, {1, 8}});
  add(Op::gather, {f32({10}), i32()}, GatherAttributes{{}, {0}, {0}, 0, {1}});
  add(Op::pad, {f32({2, 2}), f32()}, PadAttributes{{0, -1}, {3, 0}, {1, 0}});
  add(Op::reshape, {f32({2, 3})}, ResultAttributes{f32({3, 2})});
  add(Op::reverse, {f32({2, 3})}, DimensionsAttributes{{0, 1}});
  for (Reducer reducer : {Reducer::replace, Reducer::add, Reducer::maximum})
    add(Op::scatter, {f32({10, 8}), i32({5, 1}), f32({5, 8})}, ScatterAttributes{{1}, {0}, {0}, 1, reducer});
  add(Op::slice, {f32({6})}, SliceAttributes{{1}, {6}, {2}});
  for (DType of : all_dtypes)
    add(Op::sort, {{of, Shape{4}}, i32({4})},
        SortAttributes{0, of != DType::f64, of == DType::f32 ? SortDirection::descending : SortDirection::ascending});
  add(Op::transpose, {f32({2, 3, 4})}, TransposeAttributes{{2, 0, 1}});
  add(Op::dot_general, {f32({2, 3, 4}), f32({2, 4, 5})}, DotAttributes{{0}, {0}, {2}, {1}, DotPrecision::HIGHEST});
  add(Op::dot_general, {f32({2}), f32({3})}, DotAttributes{});
  for (DType of : all_dtypes)
    for (Reducer reducer :
         {Reducer::add, Reducer::multiply, Reducer::maximum, Reducer::minimum, Reducer::and_, Reducer::or_}) {
      const bool bitwise = reducer == Reducer::and_ || reducer == Reducer::or_;
      if ((is_floating(of) && bitwise) || (of == DType::pred && !bitwise)) continue;
      add(Op::reduce, {{of, Shape{2, 3}}}, ReduceAttributes{{1}, reducer});
    }
  add(Op::if_, {pred(), f32({2})}, {}, {region(Op::negate, {f32({2})}), region(Op::sine, {f32({2})})});
  add(Op::optimization_barrier, {i32(), f32({3})});
  add(Op::while_, {i32(), f32({3})}, {}, counted_loop({f32({3})}));
  const ReplicaGroups groups{{0, 2}, {1, 3}};
  add(Op::all_gather, {f32({2, 3})}, AllGatherAttributes{1, groups});
  add(Op::all_reduce, {f32({2})}, AllReduceAttributes{groups, Reducer::add});
  add(Op::all_reduce, {f32({2})}, AllReduceAttributes{{}, Reducer::maximum});
  add(Op::all_to_all, {f32({4, 3})}, AllToAllAttributes{0, 1, 2, groups});
  add(Op::collective_permute, {f32({2})}, PermuteAttributes{{{0, 1}, {1, 2}, {2, 0}}});
  add(Op::reduce_scatter, {f32({4, 3})}, ReduceScatterAttributes{0, groups, Reducer::add});
  return all;
}

}  // namespace operation_samples
