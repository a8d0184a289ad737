/// Shape rules: what an operation says when it is refused.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;

#include "operation_examples.hpp"

using namespace operation_examples;

namespace {

std::vector<Diagnostic> refused(Op op, const Types& inputs, const Attributes& attributes = {},
                                const std::vector<Graph>& regions = {}) {
  try {
    inferred(op, inputs, attributes, regions);
  } catch (const Error& error) {
    return error.diagnostics();
  }
  return {};
}

/// `number sentence | fix | fix`, of the only fault.
std::string fault(Op op, const Types& inputs, const Attributes& attributes = {},
                  const std::vector<Graph>& regions = {}) {
  const auto found = refused(op, inputs, attributes, regions);
  if (found.size() != 1) return std::to_string(found.size()) + " faults";
  std::string text = diagnostic_name(found[0].number) + " " + found[0].sentence;
  if (catalogue_entry(found[0].number).cure == found[0].fix.front()) return text;
  for (const std::string& fix : found[0].fix) text += " | " + fix;
  return text;
}

}  // namespace

TEST_CASE("every operation refuses one operand too many and attributes of another operation") {
  for (const Example& example : examples()) {
    CAPTURE(name(example.op));
    if (operation(example.op).operands >= 0) {
      Types inputs = example.inputs;
      inputs.push_back(f32({}));
      REQUIRE_FALSE(refused(example.op, inputs, example.attributes, example.regions).empty());
      CHECK(refused(example.op, inputs, example.attributes, example.regions)[0].number == 404);
    }
    const Attributes foreign = example.op == Op::slice ? Attributes{PadAttributes{}} : Attributes{SliceAttributes{}};
    REQUIRE_FALSE(refused(example.op, example.inputs, foreign, example.regions).empty());
    CHECK(refused(example.op, example.inputs, foreign, example.regions)[0].number == 404);
    CHECK_FALSE(refused(example.op, example.inputs, example.attributes, {Graph{}}).empty());
  }
}

TEST_CASE("a refusal names the line, the constraint and this program's shapes") {
  const auto found = refused(Op::dot_general, {f32({8, 64}), f32({32, 64})}, matmul());
  REQUIRE(found.size() == 1);
  CHECK(found[0].number == 401);
  CHECK(found[0].where == Place{"model.cpp", 7, "loss"});
  CHECK(found[0].sentence ==
        "dot_general: dimension 1 of the left operand f32[8, 64] is contracted with dimension 0 of the right operand "
        "f32[32, 64], "
        "and 64 is not 32.");
  CHECK(found[0].rule.ends_with("This is constraint C10 of StableHLO's dot_general."));
  CHECK(found[0].fix == std::vector<std::string>{"transpose(right, {1, 0})"});
}

TEST_CASE("shapes that differ are mended by what would make them equal") {
  CHECK(fault(Op::add, {f32({8, 64}), f32({64})}) ==
        "X401 add: the left operand f32[8, 64] and the right operand f32[64] must have one shape, and they have 2 "
        "dimensions and 1. | "
        "broadcast_in_dim(right, {8, 64}, {1})");
  CHECK(fault(Op::add, {f32({8}), f32({8, 64})}) ==
        "X401 add: the left operand f32[8] and the right operand f32[8, 64] must have one shape, and they have 1 "
        "dimension and 2. | "
        "broadcast_in_dim(left, {8, 64}, {0})");
  CHECK(fault(Op::multiply, {f32({}), f32({8, 64})}) ==
        "X401 multiply: the left operand f32[] and the right operand f32[8, 64] must have one shape, and they have 0 "
        "dimensions and 2. "
        "| broadcast_in_dim(left, {8, 64}, {})");
  CHECK(fault(Op::subtract, {f32({8, 64}), f32({64, 8})}) ==
        "X401 subtract: the left operand f32[8, 64] and the right operand f32[64, 8] must have one shape, and in "
        "dimension 0 8 is not "
        "64. | transpose(right, {1, 0}) | transpose(left, {1, 0})");
  CHECK(fault(Op::maximum, {f32({8, 64}), f32({512})}) ==
        "X401 maximum: the left operand f32[8, 64] and the right operand f32[512] must have one shape, and they have 2 "
        "dimensions and "
        "1. | reshape(right, {8, 64}) | reshape(left, {512})");
  CHECK(fault(Op::divide, {f32({8, 64}), f32({8, 1})}) ==
        "X401 divide: the left operand f32[8, 64] and the right operand f32[8, 1] must have one shape, and in "
        "dimension 1 64 is not 1. "
        "| broadcast_in_dim(right, {8, 64}, {0, 1})");
  CHECK(fault(Op::clamp, {f32({}), f32({8}), f32({9})}) ==
        "X401 clamp: the operand f32[8] and max f32[9] must have one shape, and in dimension 0 8 is not 9.");
}

TEST_CASE("element types that differ or do not suit are mended by a cast") {
  CHECK(fault(Op::add, {f32({8}), i32({8})}) ==
        "X402 add: the left operand f32[8] and the right operand i32[8] have different element types. | "
        "cast<float>(right) | "
        "cast<int>(left)");
  CHECK(fault(Op::exponential, {i32({8})}) ==
        "X402 exponential: it takes floating-point numbers, and the operand i32[8] is not of these. | cast<float>(x)");
  CHECK(fault(Op::add, {pred({8}), pred({8})}) ==
        "X402 add: it takes numbers, and the left operand i1[8] is not of these. | cast<float>(left) | left | right");
  for (const Diagnostic& each : refused(Op::add, {f32({8}), pred({8})}))  // | takes no f32, and + no two truths
    CHECK(each.fix == std::vector<std::string>{"cast<float>(right)"});
  CHECK(fault(Op::and_, {f32({8}), f32({8})}) ==
        "X402 and: it takes integers or truth values, and the left operand f32[8] is not of these. | left != 0 | "
        "cast<int>(left)");
  CHECK(fault(Op::select, {i32({8}), f32({8}), f32({8})}) ==
        "X402 select: the predicate i32[8] must be of truth values. | predicate != 0 | cast<bool>(predicate)");
  CHECK(fault(Op::reduce, {pred({8})}, ReduceAttributes{{0}, Reducer::add}) ==
        "X402 reduce: truth values have no sum, product or extreme, and the operand i1[8] has truth values. | "
        "cast<float>(x), to count "
        "the true ones | the reducer or_, to ask whether any is true");
  CHECK(fault(Op::bitcast_convert, {f32({8})}, ResultAttributes{{DType::bf16, {8}}}) ==
        "X402 bitcast_convert: the operand f32[8] has elements of 4 bytes, and those of the result bf16[8] have 2. | "
        "cast<bfloat16>(x), "
        "if the values are meant and not their bits");
}

TEST_CASE("attributes out of range say what is in range") {
  CHECK(fault(Op::reduce, {f32({8, 64})}, ReduceAttributes{{-1}, Reducer::add}) ==
        "X403 reduce: dimensions [-1] names dimension -1, and the operand f32[8, 64] has dimensions 0 to 1. | count "
        "from the front: "
        "dimensions = {1}");
  CHECK(
      fault(Op::reduce, {f32({8, 64})}, ReduceAttributes{{1, 1}, Reducer::add}) ==
      "X403 reduce: dimensions [1, 1] names dimension 1 more than once. | name each dimension once: dimensions = {1}");
  CHECK(fault(Op::reduce, {f32({})}, ReduceAttributes{{0}, Reducer::add}) ==
        "X403 reduce: dimensions [0] names dimension 0, and the operand f32[] has no dimensions.");
  CHECK(fault(Op::concatenate, {f32({8})}, DimensionAttributes{1}) ==
        "X403 concatenate: dimension is 1, and the operand f32[8] has dimension 0 alone. | dimension = 0");
  CHECK(fault(Op::transpose, {f32({8, 64})}, TransposeAttributes{{0}}) ==
        "X403 transpose: permutation [0] has 1 entry, and the operand f32[8, 64] has 2 dimensions. | give permutation "
        "2 entries");
  CHECK(fault(Op::slice, {f32({8})}, SliceAttributes{{0}, {9}, {1}}) ==
        "X403 slice: dimension 0 of the operand f32[8] is cut from 0 to 9, and that is not within 0 to 8. | end at 8, "
        "where dimension 0 "
        "ends");
  CHECK(fault(Op::slice, {f32({8})}, SliceAttributes{{0}, {-1}, {1}}) ==
        "X403 slice: dimension 0 of the operand f32[8] is cut from 0 to -1, and that is not within 0 to 8 in rising "
        "order. | count from "
        "the front: end at 7");
  CHECK(fault(Op::slice, {f32({8})}, SliceAttributes{{0}, {8}, {0}}) ==
        "X403 slice: the stride of dimension 0 is 0, and strides are at least 1. | stride 1 for every element");
  CHECK(fault(Op::pad, {f32({8}), f32({})}, PadAttributes{{-5}, {-4}, {0}}) ==
        "X403 pad: dimension 0 of the operand f32[8] cannot lose more than its 8 elements, and the paddings at its "
        "edges are -5 and "
        "-4.");
  CHECK(fault(Op::iota, {}, IotaAttributes{f32({}), 0}) ==
        "X403 iota: iota_dimension is 0, and the result f32[] has no dimensions.");
  CHECK(fault(Op::gather, {f32({100, 16}), i32({8, 64})}, GatherAttributes{{2}, {0}, {0}, 1, {1, 16}}) ==
        "X403 gather: each index has 64 components, by index_vector_dim 1 of the indices i32[8, 64], and "
        "start_index_map [0] has 1 "
        "entry. | index_vector_dim = 2, where each index is one number");
  CHECK(fault(Op::dynamic_slice, {f32({8}), i32({})}, DynamicSliceAttributes{{9}}) ==
        "X403 dynamic_slice: slice_sizes takes 9 of dimension 0 of the operand f32[8], and that is not within 0 to 8. "
        "| take 8, or pad "
        "the operand first");
}

TEST_CASE("a dimension that gather drops has one element in each slice") {
  CHECK(fault(Op::gather, {f32({10}), i32({})}, GatherAttributes{{}, {0}, {0}, 0, {0}}) ==
        "X403 gather: dimension 0 is collapsed, and slice_sizes [0] takes 0 of it. | take 1 of dimension 0, or keep it "
        "in offset_dims");
}

TEST_CASE("a reshape to another number of elements proposes the extent that fits") {
  CHECK(fault(Op::reshape, {f32({8, 64})}, ResultAttributes{f32({16, 64})}) ==
        "X401 reshape: the operand f32[8, 64] has 512 elements, and the result [16, 64] has 1024. | reshape(x, {16, "
        "32})");
  CHECK(fault(Op::reshape, {f32({0})}, ResultAttributes{f32({})}) ==
        "X401 reshape: the operand f32[0] has 0 elements, and the result [] has 1.");
}

TEST_CASE("branches of if are compared result by result") {
  const Types operands = {f32({8})};
  CHECK(fault(Op::if_, {pred({}), f32({8}), f32({4})}, {},
              {passing({f32({8}), f32({4})}, 1), [] {
                 Graph graph;
                 graph.parameter(f32({8}));
                 graph.set_results({graph.parameter(f32({4}))});
                 return graph;
               }()}) == "X102 if: result 0 is f32[8] when true and f32[4] when false: the shapes differ.");
  CHECK(fault(Op::if_, {pred({}), f32({8}), i32({8})}, {},
              {passing({f32({8}), i32({8})}, 1),
               [] {
                 Graph graph;
                 graph.parameter(f32({8}));
                 graph.set_results({graph.parameter(i32({8}))});
                 return graph;
               }()}) ==
        "X102 if: result 0 is f32[8] when true and i32[8] when false: the element types differ. | in the branch taken "
        "when false: "
        "cast<float>(value) | in the branch taken when true: cast<int>(value)");
  CHECK(fault(Op::if_, {pred({}), f32({8})}, {}, {passing(operands, 1), passing(operands, 0)}) ==
        "X102 if: when true it returns 1 value (f32[8]), when false 0 (nothing). | return equally many values from "
        "both branches, zeros "
        "where one has nothing to say");
  CHECK(fault(Op::if_, {pred({8}), f32({8})}, {}, {passing(operands, 1), passing(operands, 1)}) ==
        "X401 if: the predicate i1[8] must be a scalar: one branch is taken for the whole tensor. | select(predicate, "
        "a, b), to choose "
        "element by element | all(predicate) or any(predicate)");
}

TEST_CASE("a loop's body returns the types it takes and its condition one truth value") {
  Graph cast{"body"};
  const ValueId x = cast.parameter(f32({8}));
  cast.set_results({cast.append(Op::convert, {x}, ResultAttributes{{DType::bf16, {8}}})[0]});
  CHECK(fault(Op::while_, {f32({8})}, {}, {always({f32({8})}), cast}) ==
        "X103 while: state 0 is f32[8] before the body and bf16[8] after it. | in the body: cast<float>(value) | "
        "before the loop: "
        "cast<bfloat16>(value)");
  CHECK(fault(Op::while_, {f32({8})}, {}, {passing({f32({8})}, 1), passing({f32({8})}, 1)}) ==
        "X103 while: the condition returns f32[8], and it must return one truth value, i1[].");
  CHECK(fault(Op::while_, {f32({8})}, {}, {always({f32({8})}), passing({f32({8})}, 0)}) ==
        "X103 while: the body takes 1 value (f32[8]) and returns 0 (nothing).");
}

TEST_CASE("replica groups are of one size and name each replica once") {
  const TensorType x = f32({6});
  CHECK(fault(Op::all_reduce, {x}, AllReduceAttributes{{{0, 1}, {1, 2}}, Reducer::add}) ==
        "X603 all_reduce: replica_groups [[0, 1], [1, 2]] names replica 1 more than once.");
  CHECK(fault(Op::all_reduce, {x}, AllReduceAttributes{{{0, 1}, {2}}, Reducer::add}) ==
        "X603 all_reduce: replica_groups [[0, 1], [2]] has groups of 2 and of 1 replicas, and Octet's are of one size, "
        "at least 1. | make all groups equally large, or one of all replicas, as all_replicas(n) is");
  CHECK(fault(Op::all_reduce, {x}, AllReduceAttributes{{{-1}}, Reducer::add}) ==
        "X603 all_reduce: replica_groups [[-1]] names replica -1, and replicas count from 0.");
  CHECK(fault(Op::all_reduce, {x}, AllReduceAttributes{{{0, 4}, {3, 1}}, Reducer::add}) ==
        "X603 all_reduce: replica_groups [[0, 4], [3, 1]] names replica 4 and leaves out replica 2.");
  CHECK(refused(Op::all_gather, {x}, AllGatherAttributes{0, {}})[0].number == 603);
  CHECK(refused(Op::all_gather, {x}, AllGatherAttributes{0, {{}}})[0].number == 603);
  CHECK(fault(Op::reduce_scatter, {x}, ReduceScatterAttributes{0, all_replicas(4), Reducer::add}) ==
        "X401 reduce_scatter: dimension 0 of the operand f32[6] is split among the 4 replicas of a group, and 6 is not "
        "a multiple of 4. "
        "| pad dimension 0 from 6 to 8 | use 4 of it");
  CHECK(
      fault(Op::all_to_all, {x}, AllToAllAttributes{0, 0, 3, all_replicas(2)}) ==
      "X403 all_to_all: split_count is 3, and each group of replica_groups [[0, 1]] has 2 replicas. | split_count = 2");
  CHECK(fault(Op::collective_permute, {x}, PermuteAttributes{{{0, 1}, {2, 1}}}) ==
        "X603 collective_permute: source_target_pairs [[0, 1], [2, 1]] has replica 1 as target more than once. | "
        "give pairs {source, target} of replicas from 0 on, each at most once a source and once a target");
  CHECK(refused(Op::collective_permute, {x}, PermuteAttributes{{{0, 1, 2}}})[0].number == 603);
}

TEST_CASE("all faults of one application are told at once") {
  const auto found = refused(Op::pad, {f32({8, 64}), i32({2})}, PadAttributes{{0}, {0, 0, 0}, {}});
  std::vector<int> numbers;
  for (const Diagnostic& diagnostic : found) numbers.push_back(diagnostic.number);
  CHECK(numbers == std::vector<int>{402, 401, 403, 403, 403});
  CHECK(refused(Op::dot_general, {f32({2, 3}), i32({4, 5})}, DotAttributes{{0}, {0}, {1}, {1}}).size() == 3);
}

TEST_CASE("tensors of more than 2^40 elements are refused before their size overflows") {
  const std::int64_t million = 1'000'000, most = std::numeric_limits<std::int64_t>::max();
  CHECK(fault(Op::dot_general, {f32({million, 1}), f32({1, 2 * million})}, matmul()) ==
        "X401 dot_general: the result of shape [1000000, 2000000] would have more than 2^40 elements. | make it "
        "smaller: split the "
        "batch, or compute it in pieces with scan");
  CHECK(refused(Op::broadcast_in_dim, {f32({})}, BroadcastAttributes{{most, most, most}, {}})[0].number == 401);
  CHECK(refused(Op::broadcast_in_dim, {f32({})}, BroadcastAttributes{{0, most, most}, {}})[0].number == 401);
  CHECK(refused(Op::iota, {}, IotaAttributes{f32({-1}), 0})[0].number == 403);
  CHECK(refused(Op::pad, {f32({8}), f32({})}, PadAttributes{{most}, {most}, {most}})[0].number == 403);
  CHECK(refused(Op::negate, {f32({-1})})[0].number == 403);
}
