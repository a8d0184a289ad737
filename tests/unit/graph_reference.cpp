/// What each operation means: one small case for every operation, then the elementwise ones where it is easy to be
/// wrong.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;

#include "evaluated.hpp"

using namespace octet;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t greatest = std::numeric_limits<std::int32_t>::max();

struct Sample {
  Op op;
  std::string expected;
  std::vector<Tensor> inputs;
  Attributes attributes = {};
  std::vector<Graph> regions = {};
};

/// Takes one i32, returns it combined with `other` by `op`.
Graph with_constant(Op op, std::int32_t other, Attributes attributes = {}) {
  Graph graph{"region"};
  const ValueId x = graph.parameter({DType::i32, {}}), constant = graph.constant(Tensor::scalar(other));
  graph.set_results(graph.append(op, {x, constant}, std::move(attributes)));
  return graph;
}

std::vector<Sample> samples() {
  const Tensor x = row({-1.5f, 0.0f, 2.5f}), zero = row({0.0f}), three = row({1, 2, 3});
  const Tensor square = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  return {
      {Op::constant, "i32[3]: 1 2 3", {}, ConstantAttributes{three}},
      {Op::iota, "f32[2, 2]: 0 1 0 1", {}, IotaAttributes{{DType::f32, {2, 2}}, 1}},
      {Op::replica_id, "ui32[]: 0", {}},
      {Op::abs, "f32[3]: 1.5 0 2.5", {x}},
      {Op::ceil, "f32[3]: -1 0 3", {x}},
      {Op::convert, "i32[3]: -1 0 2", {x}, ResultAttributes{{DType::i32, {3}}}},
      {Op::bitcast_convert, "ui32[1]: 1065353216", {row({1.0f})}, ResultAttributes{{DType::u32, {1}}}},
      {Op::cosine, "f32[1]: 1", {zero}},
      {Op::erf, "f32[3]: -1 0 1", {row({-9.0f, 0.0f, 9.0f})}},
      {Op::exponential, "f32[3]: 0 1 inf", {row({-inf, 0.0f, inf})}},
      {Op::exponential_minus_one, "f32[3]: -1 -0 inf", {row({-inf, -0.0f, inf})}},
      {Op::floor, "f32[3]: -2 0 2", {x}},
      {Op::is_finite, "i1[4]: 1 0 0 0", {row({1.0f, inf, -inf, no_number})}},
      {Op::log, "f32[4]: nan -inf 0 inf", {row({-1.0f, 0.0f, 1.0f, inf})}},
      {Op::log_plus_one, "f32[3]: -inf 0 inf", {row({-1.0f, 0.0f, inf})}},
      {Op::logistic, "f32[3]: 0 0.5 1", {row({-inf, 0.0f, inf})}},
      {Op::negate, "i32[2]: -1 -2147483648", {row({1, least})}},
      {Op::not_, "i32[2]: -1 0", {row({0, -1})}},
      {Op::round_nearest_even, "f32[5]: -2 -0 0 2 4", {row({-1.5f, -0.5f, 0.5f, 2.5f, 3.5f})}},
      {Op::rsqrt, "f32[3]: 0.5 inf 0", {row({4.0f, 0.0f, inf})}},
      {Op::sign, "f32[5]: -1 -0 0 1 nan", {row({-3.0f, -0.0f, 0.0f, inf, no_number})}},
      {Op::sine, "f32[1]: 0", {zero}},
      {Op::sqrt, "f32[3]: 1.41421354 -0 nan", {row({2.0f, -0.0f, -1.0f})}},
      {Op::tanh, "f32[3]: -1 0 1", {row({-inf, 0.0f, inf})}},
      {Op::add, "f32[3]: -3 0 5", {x, x}},
      {Op::and_, "i32[1]: 8", {row({12}), row({10})}},
      {Op::compare, "i1[3]: 1 0 0", {x, row({0.0f, 0.0f, 0.0f})}, CompareAttributes{Comparison::LT}},
      {Op::divide, "f32[2]: 0.333333343 inf", {row({1.0f, 1.0f}), row({3.0f, 0.0f})}},
      {Op::maximum, "f32[3]: 0 0 2.5", {x, row({0.0f, 0.0f, 0.0f})}},
      {Op::minimum, "f32[3]: -1.5 0 0", {x, row({0.0f, 0.0f, 0.0f})}},
      {Op::multiply, "f32[3]: 2.25 0 6.25", {x, x}},
      {Op::or_, "i32[1]: 14", {row({12}), row({10})}},
      {Op::power, "f32[2]: 1024 1", {row({2.0f, no_number}), row({10.0f, 0.0f})}},
      {Op::remainder, "f32[2]: -1.5 1", {row({-5.5f, 5.0f}), row({2.0f, -2.0f})}},
      {Op::shift_left, "i32[1]: 24", {row({3}), row({3})}},
      {Op::shift_right_arithmetic, "i32[1]: -2", {row({-7}), row({2})}},
      {Op::shift_right_logical, "i32[1]: 1073741822", {row({-7}), row({2})}},
      {Op::subtract, "f32[3]: 0 0 0", {x, x}},
      {Op::xor_, "i32[1]: 6", {row({12}), row({10})}},
      {Op::clamp, "f32[3]: -1 0 2", {Tensor::scalar(-1.0f), x, Tensor::scalar(2.0f)}},
      {Op::select, "f32[3]: -1.5 9 2.5", {row({true, false, true}), x, row({9.0f, 9.0f, 9.0f})}},
      {Op::broadcast_in_dim, "i32[3, 2]: 1 1 2 2 3 3", {three}, BroadcastAttributes{{3, 2}, {0}}},
      {Op::concatenate, "i32[6]: 1 2 3 1 2 3", {three, three}, DimensionAttributes{0}},
      {Op::dynamic_slice, "i32[2]: 2 3", {three, Tensor::scalar(1)}, DynamicSliceAttributes{{2}}},
      {Op::dynamic_update_slice, "i32[3]: 1 7 3", {three, row({7}), Tensor::scalar(1)}},
      {Op::gather, "i32[2]: 3 1", {three, row({2, 0})}, GatherAttributes{{}, {0}, {0}, 1, {1}}},
      {Op::pad, "i32[6]: 0 1 0 2 0 3", {three, Tensor::scalar(0)}, PadAttributes{{1}, {0}, {1}}},
      {Op::reshape, "f32[4]: 1 2 3 4", {square}, ResultAttributes{{DType::f32, {4}}}},
      {Op::reverse, "f32[2, 2]: 3 4 1 2", {square}, DimensionsAttributes{{0}}},
      {Op::scatter,
       "i32[3]: 1 2 12",
       {three, row({2, 2}), row({4, 5})},
       ScatterAttributes{{}, {0}, {0}, 1, Reducer::add}},
      {Op::slice, "i32[2]: 1 3", {three}, SliceAttributes{{0}, {3}, {2}}},
      {Op::sort, "i32[3]: 1 2 3", {row({3, 1, 2})}, SortAttributes{0}},
      {Op::transpose, "f32[2, 2]: 1 3 2 4", {square}, TransposeAttributes{{1, 0}}},
      {Op::dot_general, "f32[2, 2]: 7 10 15 22", {square, square}, DotAttributes{{}, {}, {1}, {0}}},
      {Op::reduce, "f32[2]: 3 7", {square}, ReduceAttributes{{1}, Reducer::add}},
      {Op::if_,
       "i32[]: 12",
       {Tensor::scalar(false), Tensor::scalar(10)},
       {},
       {with_constant(Op::subtract, 2), with_constant(Op::add, 2)}},
      {Op::optimization_barrier, "f32[2, 2]: 1 2 3 4; i32[3]: 1 2 3", {square, three}},
      {Op::while_,
       "i32[]: 128",
       {Tensor::scalar(1)},
       {},
       {with_constant(Op::compare, 100, CompareAttributes{Comparison::LT}), with_constant(Op::multiply, 2)}},
      {Op::all_gather, "i32[3]: 1 2 3", {three}, AllGatherAttributes{0, {{0}}}},
      {Op::all_reduce, "i32[3]: 1 2 3", {three}, AllReduceAttributes{{{0}}, Reducer::add}},
      {Op::all_to_all, "i32[3]: 1 2 3", {three}, AllToAllAttributes{0, 0, 1, {{0}}}},
      {Op::collective_permute, "i32[3]: 0 0 0", {three}, PermuteAttributes{}},
      {Op::reduce_scatter, "i32[3]: 1 2 3", {three}, ReduceScatterAttributes{0, {{0}}, Reducer::add}},
  };
}

}  // namespace

TEST_CASE("every operation has a meaning, and it is the one that its sample shows") {
  const std::vector<Sample> all = samples();
  for (const Operation& operation : operations()) {
    INFO(operation.name);
    bool found = false;
    for (const Sample& sample : all)
      if (sample.op == operation.op) {
        found = true;
        CHECK(evaluated(sample.op, sample.inputs, sample.attributes, sample.regions) == sample.expected);
      }
    CHECK(found);
  }
}

TEST_CASE("integers wrap around") {
  CHECK(evaluated(Op::add, {row({greatest, least}), row({1, -1})}) == "i32[2]: -2147483648 2147483647");
  CHECK(evaluated(Op::subtract, {row({least}), row({1})}) == "i32[1]: 2147483647");
  CHECK(evaluated(Op::multiply, {row({greatest, 65536}), row({2, 65536})}) == "i32[2]: -2 0");
  CHECK(evaluated(Op::abs, {row({least, -5, 5})}) == "i32[3]: -2147483648 5 5");
  CHECK(evaluated(Op::negate, {row({1u, 0u})}) == "ui32[2]: 4294967295 0");
  CHECK(evaluated(Op::multiply, {row({INT64_MAX}), row({INT64_MAX})}) == "i64[1]: 1");
  CHECK(evaluated(Op::subtract, {row({0u}), row({1u})}) == "ui32[1]: 4294967295");
}

TEST_CASE("integers divided by zero or beyond their range give what XLA gives") {
  CHECK(evaluated(Op::divide, {row({7, -7, 0, least, -7}), row({0, 0, 0, -1, 2})}) ==
        "i32[5]: -1 -1 -1 -2147483648 -3");
  CHECK(evaluated(Op::remainder, {row({7, -7, 0, least, -7}), row({0, 0, 0, -1, 2})}) == "i32[5]: 7 -7 0 0 -1");
  CHECK(evaluated(Op::divide, {row({7u, 7u}), row({0u, 2u})}) == "ui32[2]: 4294967295 3");
  CHECK(evaluated(Op::remainder, {row({7u}), row({0u})}) == "ui32[1]: 7");
  CHECK(evaluated(Op::divide, {row({INT64_MIN}), row<std::int64_t>({-1})}) == "i64[1]: -9223372036854775808");
}

TEST_CASE("a shift by the width or more leaves nothing but the sign") {
  const Tensor x = row({-7, 7, -7, 7}), amounts = row({32, 32, -1, 31});
  CHECK(evaluated(Op::shift_left, {x, amounts}) == "i32[4]: 0 0 0 -2147483648");
  CHECK(evaluated(Op::shift_right_logical, {x, amounts}) == "i32[4]: 0 0 0 0");
  CHECK(evaluated(Op::shift_right_arithmetic, {x, amounts}) == "i32[4]: -1 0 -1 0");
  CHECK(evaluated(Op::shift_left, {row<std::int64_t>({1}), row<std::int64_t>({63})}) == "i64[1]: -9223372036854775808");
  CHECK(evaluated(Op::shift_right_arithmetic, {row({0x80000000u}), row({4u})}) == "ui32[1]: 4160749568");
}

TEST_CASE("an integer to a negative power is 0, but for 1 and -1") {
  CHECK(evaluated(Op::power, {row({2, 1, -1, -1, 0, 3, 0}), row({-1, -5, -3, -4, -2, 4, 0})}) ==
        "i32[7]: 0 1 -1 1 0 81 1");
  CHECK(evaluated(Op::power, {row({3u}), row({4294967295u})}) == "ui32[1]: 2863311531");
}

TEST_CASE("maximum and minimum pass a NaN on and order the zeros") {
  const Tensor a = row({no_number, 1.0f, -0.0f, 0.0f, -inf}), b = row({1.0f, no_number, 0.0f, -0.0f, inf});
  CHECK(evaluated(Op::maximum, {a, b}) == "f32[5]: nan nan 0 0 inf");
  CHECK(evaluated(Op::minimum, {a, b}) == "f32[5]: nan nan -0 -0 -inf");
  CHECK(evaluated(Op::clamp, {Tensor::scalar(0.0f), a, Tensor::scalar(1.0f)}) == "f32[5]: nan 1 0 0 0");
}

TEST_CASE("clamp takes the upper bound where the bounds cross") {
  CHECK(evaluated(Op::clamp, {Tensor::scalar(5), row({0, 4, 9}), Tensor::scalar(3)}) == "i32[3]: 3 3 3");
  CHECK(evaluated(Op::clamp, {row({1, 2}), row({0, 9}), row({3, 4})}) == "i32[2]: 1 4");
}

TEST_CASE("NaN is unordered and differs from itself") {
  const Tensor x = row({no_number, 0.0f, 1.0f}), y = row({no_number, -0.0f, no_number});
  const auto compared = [&](Comparison direction) {
    return evaluated(Op::compare, {x, y}, CompareAttributes{direction});
  };
  CHECK(compared(Comparison::EQ) == "i1[3]: 0 1 0");
  CHECK(compared(Comparison::NE) == "i1[3]: 1 0 1");
  CHECK(compared(Comparison::GE) == "i1[3]: 0 1 0");
  CHECK(compared(Comparison::GT) == "i1[3]: 0 0 0");
  CHECK(compared(Comparison::LE) == "i1[3]: 0 1 0");
  CHECK(compared(Comparison::LT) == "i1[3]: 0 0 0");
  CHECK(evaluated(Op::compare, {row({false}), row({true})}, CompareAttributes{Comparison::LT}) == "i1[1]: 1");
  CHECK(evaluated(Op::compare, {row({1u}), row({0x80000000u})}, CompareAttributes{Comparison::LT}) == "i1[1]: 1");
}

TEST_CASE("truth values combine by logic") {
  const Tensor a = row({false, false, true, true}), b = row({false, true, false, true});
  CHECK(evaluated(Op::and_, {a, b}) == "i1[4]: 0 0 0 1");
  CHECK(evaluated(Op::or_, {a, b}) == "i1[4]: 0 1 1 1");
  CHECK(evaluated(Op::xor_, {a, b}) == "i1[4]: 0 1 1 0");
  CHECK(evaluated(Op::not_, {a}) == "i1[4]: 1 1 0 0");
}

TEST_CASE("convert truncates, saturates and rounds to nearest even") {
  const auto converted = [](const Tensor& x, DType to) {
    return evaluated(Op::convert, {x}, ResultAttributes{{to, x.shape()}});
  };
  CHECK(converted(row({-2.9f, 3e9f, -3e9f, no_number}), DType::i32) == "i32[4]: -2 2147483647 -2147483648 0");
  CHECK(converted(row({-1.0f, 5e9f}), DType::u32) == "ui32[2]: 0 4294967295");
  CHECK(converted(row({0.0f, -0.0f, 0.5f, no_number}), DType::pred) == "i1[4]: 0 0 1 1");
  CHECK(converted(row({1.001953125f, 1.01171875f, 3.4e38f}), DType::bf16) == "bf16[3]: 1 1.015625 inf");
  CHECK(converted(row({-1}), DType::u32) == "ui32[1]: 4294967295");
  CHECK(converted(row({true, false}), DType::f32) == "f32[2]: 1 0");
}

TEST_CASE("bitcast keeps the bits of numbers of equal width") {
  CHECK(evaluated(Op::bitcast_convert, {row<std::int64_t>({4607182418800017408})},
                  ResultAttributes{{DType::f64, {1}}}) == "f64[1]: 1");
  CHECK(evaluated(Op::bitcast_convert, {row({0x80000000u})}, ResultAttributes{{DType::f32, {1}}}) == "f32[1]: -0");
}

TEST_CASE("bf16 arithmetic is done in f32 and rounded to nearest even") {
  CHECK(evaluated(Op::add, {bf16_row({256, 256}), bf16_row({1, 3})}) == "bf16[2]: 256 260");
  CHECK(evaluated(Op::multiply, {bf16_row({1.0078125f}), bf16_row({1.0078125f})}) == "bf16[1]: 1.015625");
  CHECK(evaluated(Op::divide, {bf16_row({1}), bf16_row({3})}) == "bf16[1]: 0.333984375");
  CHECK(evaluated(Op::compare, {bf16_row({1}), bf16_row({2})}, CompareAttributes{Comparison::LT}) == "i1[1]: 1");
}

TEST_CASE("transcendental functions agree in bf16, f32 and f64 as far as each is precise") {
  for (Op op : {Op::cosine, Op::erf, Op::exponential, Op::exponential_minus_one, Op::log, Op::log_plus_one,
                Op::logistic, Op::rsqrt, Op::sine, Op::sqrt, Op::tanh}) {
    INFO(name(op));
    const Tensor x = bf16_row({0.001f, 0.25f, 0.7f, 1.0f, 1.3f, 3.0f, 20.0f});
    const auto at = [&](DType dtype) {
      const Tensor operand = x.converted(dtype);
      return evaluate(program(op, {operand.type()}), std::vector{operand}).front();
    };
    const Tensor f64 = at(DType::f64), f32 = at(DType::f32), bf16 = at(DType::bf16);
    CHECK(bf16 == f32.converted(DType::bf16));
    for (std::int64_t i = 0; i < x.elements(); ++i)
      CHECK(std::abs(f32.at(i) - f64.at(i)) <= 4e-7 * std::abs(f64.at(i)));
  }
  CHECK(std::abs(evaluate(program(Op::tanh, {{DType::f64, {}}}), std::vector{Tensor::scalar(0.5)})[0].item() -
                 std::tanh(0.5)) < 1e-15);
}

TEST_CASE("select by a scalar takes one side whole, of any element type") {
  CHECK(evaluated(Op::select, {Tensor::scalar(true), row({true, false}), row({false, false})}) == "i1[2]: 1 0");
  CHECK(evaluated(Op::select, {Tensor::scalar(false), bf16_row({1}), bf16_row({no_number})}) == "bf16[1]: nan");
}

TEST_CASE("iota counts along its dimension in every element type") {
  const auto iota = [](DType dtype, Shape shape, std::int64_t dimension) {
    return evaluated(Op::iota, {}, IotaAttributes{{dtype, std::move(shape)}, dimension});
  };
  CHECK(iota(DType::i64, {2, 3}, 0) == "i64[2, 3]: 0 0 0 1 1 1");
  CHECK(iota(DType::bf16, {2, 3, 2}, 1) == "bf16[2, 3, 2]: 0 0 1 1 2 2 0 0 1 1 2 2");
  CHECK(iota(DType::u32, {2, 0}, 0) == "ui32[2, 0]:");
  CHECK(iota(DType::bf16, {259}, 0).ends_with(" 256 256 258"));
}

TEST_CASE("elementwise operations on nothing give nothing") {
  const Tensor none{DType::f32, {0, 3}};
  CHECK(evaluated(Op::add, {none, none}) == "f32[0, 3]:");
  CHECK(evaluated(Op::is_finite, {none}) == "i1[0, 3]:");
  CHECK(evaluated(Op::clamp, {Tensor::scalar(0.0f), none, Tensor::scalar(1.0f)}) == "f32[0, 3]:");
  CHECK(evaluated(Op::select, {Tensor::scalar(true), none, none}) == "f32[0, 3]:");
}

TEST_CASE("a program is refused arguments that it was not written for, all at once") {
  Graph graph{"loss"};
  const ValueId x = graph.parameter({DType::f32, {8, 64}}, "logits");
  graph.parameter({DType::i32, {8}}, "label");
  graph.set_results({x});
  const std::vector<Tensor> swapped{Tensor{DType::f32, {8, 32}}, Tensor{DType::f32, {8}}};
  try {
    evaluate(graph, swapped);
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    REQUIRE(error.diagnostics().size() == 2);
    CHECK(error.number() == 405);
    CHECK(error.diagnostics()[0].sentence == "Parameter 0, logits, is f32[8, 64]; the argument is f32[8, 32].");
    CHECK(error.diagnostics()[1].sentence == "Parameter 1, label, is i32[8]; the argument is f32[8].");
  }
  const std::vector<std::vector<Tensor>> replicas{{Tensor{DType::f32, {8, 64}}, Tensor{DType::i32, {8}}}, {}};
  try {
    evaluate(graph, replicas);
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.diagnostics()[0].sentence == "Program loss takes 2 arguments; those of replica 1 are 0.");
  }
}

TEST_CASE("no replicas give no results") {
  CHECK(evaluate(program(Op::replica_id, {}), std::vector<std::vector<Tensor>>{}).empty());
}
