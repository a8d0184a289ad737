/// Broadcasting and element types, and what is refused: each with its number, its line and how the arrays came about.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

using namespace octet;
using Arrays = std::vector<Array>;

#include "refused_trace.hpp"

namespace {

TensorType type_of(const std::vector<TensorType>& types, const std::function<Array(const Arrays&)>& function) {
  return trace([&](const Arrays& in) { return Arrays{function(in)}; }, types).result_types().front();
}

Array added(const Arrays& in) { return in[0] + in[1]; }

}  // namespace

TEST_CASE("operands are broadcast as in NumPy") {
  CHECK(type_of({f32({2, 3}), f32({2, 3})}, added) == f32({2, 3}));
  CHECK(type_of({f32({2, 3}), f32({})}, added) == f32({2, 3}));
  CHECK(type_of({f32({3}), f32({2, 3})}, added) == f32({2, 3}));
  CHECK(type_of({f32({2, 1}), f32({1, 3})}, added) == f32({2, 3}));
  CHECK(type_of({f32({4, 1, 3}), f32({2, 1})}, added) == f32({4, 2, 3}));
  CHECK(type_of({f32({1}), f32({0})}, added) == f32({0}));
  CHECK(refused({f32({2}), f32({3})}, added).number == 401);
  CHECK(refused({f32({0}), f32({2})}, added).number == 401);
  CHECK(refused({f32({2, 3}), f32({2})}, added).number == 401);
}

TEST_CASE("who splits a key as an array is told of fold_in") {
  const auto first = [](const Arrays& in) { return split(in[0], 8)[0]; };
  CHECK(refused({{DType::u32, {2}}}, first).fix.front() ==
        "a key, u32[2], is not cut: fold_in(key, i) makes another for each i");
  CHECK(refused({f32({2})}, first).fix.front() == "choose a number of parts that divides 2");
}

TEST_CASE("broadcasting repeats elements along the new dimensions") {
  const Graph graph = trace([](const Arrays& in) { return Arrays{added(in)}; }, {f32({2, 1}), f32({3})});
  const std::vector<Tensor> arguments{Tensor::of<float>({2, 1}, {10, 20}), Tensor::of<float>({3}, {1, 2, 3})};
  CHECK(evaluate(graph, arguments).front() == Tensor::of<float>({2, 3}, {11, 12, 13, 21, 22, 23}));
}

TEST_CASE("of two numbers beside a condition a whole one takes the type of the other") {
  const auto chosen = [](auto one, auto other) {
    return type_of({f32({3})}, [=](const Arrays& in) { return where(in[0] > 0, one, other); });
  };
  CHECK(chosen(1, 2.5) == f32({3}));
  CHECK(chosen(2.5, 1) == f32({3}));
  CHECK(chosen(1, 2) == TensorType{DType::i32, {3}});
  CHECK(refused({f32({3})}, [](const Arrays& in) { return where(in[0] > 0, true, 2.5); }).number == 402);
}

TEST_CASE("an Array that was left empty is to be given a value, wherever it is used") {
  const Diagnostic fault = refused({f32({2})}, [](const Arrays& in) { return concatenate({in[0], Array{}}, 0); });
  CHECK(fault.number == 406);
  CHECK(fault.fix.front().starts_with("give it a value before: zeros(type)"));
}

TEST_CASE("a number takes the element type of the array beside it") {
  for (DType dtype : {DType::bf16, DType::f32, DType::f64}) {
    CHECK(type_of({{dtype, {2}}}, [](const Arrays& in) { return 1 + in[0] * 0.5; }).dtype == dtype);
    CHECK(type_of({{dtype, {2}}}, [](const Arrays& in) { return clamp(0, in[0], 1.0f); }).dtype == dtype);
  }
  for (DType dtype : {DType::i32, DType::i64, DType::u32})
    CHECK(type_of({{dtype, {2}}}, [](const Arrays& in) { return (in[0] + 1) % 7; }).dtype == dtype);
  CHECK(type_of({{DType::pred, {2}}}, [](const Arrays& in) { return in[0] ^ true; }).dtype == DType::pred);
  CHECK(type_of({{DType::pred, {2}}}, [](const Arrays& in) { return select(in[0], 1, 0); }) ==
        TensorType{DType::i32, {2}});
  CHECK(type_of({{DType::pred, {2}}}, [](const Arrays& in) { return select(in[0], 1.0, 0.0); }) == f32({2}));
}

TEST_CASE("a number that the element type of the array cannot hold is refused with X402") {
  const TensorType i32{DType::i32, {}}, i64{DType::i64, {}}, u32{DType::u32, {}}, truth{DType::pred, {}};
  CHECK(refused({i32}, [](const Arrays& in) { return in[0] * 0.5; }).number == 402);
  CHECK(refused({truth}, [](const Arrays& in) { return in[0] & 1; }).number == 402);
  CHECK(refused({f32({})}, [](const Arrays& in) { return in[0] + true; }).number == 402);
  CHECK(refused({u32}, [](const Arrays& in) { return in[0] + -1; }).number == 402);
  CHECK(refused({u32}, [](const Arrays& in) { return in[0] + 0xffff'ffffu; }).number == 0);
  CHECK(refused({i32}, [](const Arrays& in) { return in[0] + 2'147'483'648; }).number == 402);
  CHECK(refused({i32}, [](const Arrays& in) { return in[0] + -2'147'483'648; }).number == 0);
  CHECK(refused({i64}, [](const Arrays& in) { return in[0] + 2'147'483'648; }).number == 0);
  unsigned line = __LINE__ + 1;
  const Diagnostic fault = refused({u32}, [](const Arrays& in) { return in[0] + -1; });
  CHECK(fault.where.line == line);
  CHECK(fault.fix.front().ends_with(": cast(x, DType::i64)"));
  CHECK(refused({u32}, [](const Arrays& in) { return cast<std::int64_t>(in[0]) + -1; }).number == 0);
}

TEST_CASE("an integer of 64 bits is held exactly") {
  constexpr std::int64_t large = 9'007'199'254'740'993;  // 2^53 + 1
  const Graph graph = trace([](const Arrays& in) { return Arrays{in[0] + large}; }, {{DType::i64, {}}});
  const std::vector<Tensor> zero{Tensor::scalar<std::int64_t>(0)};
  CHECK(evaluate(graph, zero).front() == Tensor::scalar(large));
}

TEST_CASE("element types are never converted silently") {
  for (DType one : all_dtypes)
    for (DType other : all_dtypes)
      CHECK(refused({{one, {2}}, {other, {2}}}, [](const Arrays& in) { return in[0] == in[1]; }).number ==
            (one == other ? 0 : 402));
}

TEST_CASE("a shape fault tells its line and the chain from the argument") {
  unsigned line = 0, hidden = 0;
  const Diagnostic fault = refused({f32({8, 64}), f32({32, 16})}, [&](const Arrays& in) {
    hidden = __LINE__ + 1;
    const Array h = tanh(in[0]);
    line = __LINE__ + 1;
    return matmul(h, in[1]);
  });
  CHECK(fault.number == 401);
  CHECK(fault.where.line == line);
  REQUIRE(fault.because.size() == 3);
  CHECK(fault.because[0].what == "argument arg0: f32[8, 64]");
  CHECK(fault.because[1].what == "f32[8, 64] from tanh");
  CHECK(fault.because[1].where.line == hidden);
  CHECK(fault.because[2].what == "argument arg1: f32[32, 16]");
  CHECK_FALSE(fault.rule.empty());
  CHECK_FALSE(fault.fix.empty());
}

TEST_CASE("a fault of broadcasting tells the chain, too, and at most five links of it") {
  const Diagnostic fault = refused({f32({8, 64}), f32({8, 32})}, [](const Arrays& in) {
    Array x = in[0];
    for (int i = 0; i < 9; ++i) x = -x;
    return in[1] * x;
  });
  CHECK(fault.number == 401);
  CHECK(fault.because.size() == 5);
  const std::vector<Link> both = refused({f32({2}), f32({3})}, added).because;
  REQUIRE(both.size() == 2);
  CHECK(both[0].what == "argument arg0: f32[2]");
  CHECK(both[1].what == "argument arg1: f32[3]");
  CHECK(refused({f32({2})}, [](const Arrays& in) { return take(in[0], in[0]); }).because.size() == 1);
  CHECK(refused({f32({2})}, [](const Arrays& in) { return broadcast_to(in[0], {3}); }).because.size() == 1);
}

TEST_CASE("all and any take truth values, along some dimensions or all of them") {
  const TensorType matrix{DType::pred, {2, 3}}, scalar{DType::pred, {}};
  CHECK(type_of({matrix}, [](const Arrays& in) { return all(in[0]); }) == scalar);
  CHECK(type_of({matrix}, [](const Arrays& in) { return any(in[0]); }) == scalar);
  CHECK(type_of({scalar}, [](const Arrays& in) { return all(in[0]); }) == scalar);
  const std::vector<TensorType> numbers{{DType::i32, {2}}};
  CHECK(refused(numbers, [](const Arrays& in) { return all(in[0]); }).number == 402);
  CHECK(refused(numbers, [](const Arrays& in) { return any(in[0], {0}); }).number == 402);
  CHECK(refused(numbers, [](const Arrays& in) { return any(in[0], 0); }).number == 402);
  const Diagnostic negated = refused({scalar}, [](const Arrays& in) { return -in[0]; });
  CHECK(negated.number == 402);
  CHECK(negated.fix.back() == "~x");
}

TEST_CASE("a fault inside a composed function is placed at its caller's line") {
  const unsigned line = __LINE__ + 1;
  const Diagnostic fault = refused({f32({2, 3})}, [](const Arrays& in) { return softmax(in[0], 5); });
  CHECK(fault.number == 403);
  CHECK(fault.where.line == line);
  CHECK(fault.where.file.string().ends_with("trace_faults.cpp"));
}

TEST_CASE("dimensions that an array does not have are refused with X403") {
  const TensorType matrix = f32({2, 3});
  CHECK(refused({matrix}, [](const Arrays& in) { return expand_dims(in[0], 4); }).number == 403);
  CHECK(refused({matrix}, [](const Arrays& in) { return expand_dims(in[0], -4); }).number == 403);
  CHECK(type_of({matrix}, [](const Arrays& in) { return expand_dims(in[0], -1); }) == f32({2, 3, 1}));
  CHECK(refused({matrix}, [](const Arrays& in) { return slice_in_dim(in[0], 0, 1, 2); }).number == 403);
  CHECK(refused({matrix}, [](const Arrays& in) { return sum(in[0], {2}); }).number == 403);
  CHECK(refused({matrix}, [](const Arrays& in) { return sum(in[0], {1, -1}); }).number == 403);
  CHECK(refused({matrix}, [](const Arrays& in) { return mean(in[0], {2}); }).number == 403);
  CHECK(refused({matrix}, [](const Arrays& in) { return transpose(in[0], {0, 0}); }).number == 403);
  CHECK(refused({f32({1, 2, 3})}, [](const Arrays& in) { return transpose(in[0], {0, 0, 2}); }).number == 403);
  CHECK(refused({matrix}, [](const Arrays& in) { return reverse(in[0], {2}); }).number == 403);
  CHECK(refused({matrix}, [](const Arrays& in) { return reshape(in[0], {4, -1}); }).number == 401);
  for (const Dims& shape : {Dims{4, -1}, Dims{-1, -1}, Dims{0, -1}, Dims{-2, -1}}) {
    const Diagnostic fault = refused({matrix}, [&](const Arrays& in) { return reshape(in[0], shape); });
    CHECK(fault.number == 401);
    CHECK(fault.sentence ==
          "reshape: f32[2, 3] has 6 elements, and no one extent for -1 makes " + to_string(shape) + " of them.");
  }
  const auto stacked = [&](TensorType other, std::int64_t dimension) {
    return refused({matrix, std::move(other)}, [&](const Arrays& in) { return stack({in[0], in[1]}, dimension); });
  };
  CHECK(stacked(f32({2, 3}), 1).number == 0);
  CHECK(stacked(f32({2, 4}), 0).sentence ==
        "stack puts arrays of one shape side by side, and is given f32[2, 3] and f32[2, 4].");
  CHECK(stacked(f32({2, 4}), 0).fix.front() == "join them end to end: concatenate(arrays, 1)");
  CHECK(stacked(f32({3, 4}), 1).fix.front() == "pad or reshape them to one shape");
  CHECK(stacked(f32({3}), 1).number == 401);
  CHECK(refused({matrix}, [](const Arrays& in) { return concatenate({in[0]}, 2); }).number == 403);
  CHECK(refused({matrix}, [](const Arrays&) { return concatenate({}, 0); }).number != 0);
  CHECK(refused({matrix}, [](const Arrays& in) { return softmax(in[0], -3); }).number == 403);
  CHECK(refused({matrix}, [](const Arrays& in) { return argmax(in[0], 2); }).number == 403);
}

TEST_CASE("an extent of a dimension that an array does not have is refused with X403") {
  const auto extent = [](const Shape& shape, std::int64_t d) {
    return refused({f32(shape)}, [&](const Arrays& in) { return in[0] * static_cast<float>(in[0].extent(d)); }).number;
  };
  CHECK(extent({2, 3}, 2) == 403);
  CHECK(extent({2, 3}, -3) == 403);
  CHECK(extent({}, 0) == 403);
  CHECK(extent({}, -1) == 403);
  CHECK(extent({2, 3}, -2) == 0);
  CHECK(extent({2, 3}, 1) == 0);
}

TEST_CASE("functions on dimensions refuse an array that has none") {
  const Array index = constant(Tensor::scalar<std::int32_t>(0));
  const std::vector<std::function<Array(const Arrays&)>> functions{
      [&](const Arrays& in) { return take_along_last(in[0], index); },
      [&](const Arrays& in) { return take(in[0], index); },
      [](const Arrays& in) { return matrix_transpose(in[0]); },
      [](const Arrays& in) { return matmul(in[0], in[0]); },
      [](const Arrays& in) { return softmax(in[0]); },
      [](const Arrays& in) { return argmax(in[0]); },
      [](const Arrays& in) { return sort({in[0]})[0]; },
      [](const Arrays& in) { return concatenate({in[0], in[0]}, 0); },
      [&](const Arrays& in) { return index_leading(in[0], index); },
      [&](const Arrays& in) { return update_leading(in[0], in[0], index); },
      [&](const Arrays& in) { return all_gather(in[0], all_replicas(2)); },
      [&](const Arrays& in) { return all_to_all(in[0], all_replicas(2), 0, 0); },
  };
  for (std::size_t i = 0; i < functions.size(); ++i) {
    INFO(i);
    const Diagnostic fault = refused({f32({})}, functions[i]);
    CHECK((fault.number >= 401 && fault.number <= 404));
    CHECK(fault.where.file.string().ends_with("trace_faults.cpp"));
  }
}

TEST_CASE("an array of another trace is refused with X406, where it is used") {
  Array kept;
  trace([&](const Arrays& in) { return Arrays{kept = in[0]}; }, {f32({2})});
  unsigned line = 0;
  const Diagnostic fault = refused({f32({2})}, [&](const Arrays& in) {
    line = __LINE__ + 1;
    return in[0] * kept;
  });
  CHECK(fault.number == 406);
  CHECK(fault.where.line == line);
  CHECK(fault.sentence.find("'arg0'") != std::string::npos);
  CHECK(refused({f32({2})}, [&](const Arrays&) { return kept; }).number == 406);
}

TEST_CASE("an array that leaks out of a loop's body is refused with X406") {
  Array leaked;
  unsigned line = 0;
  const Diagnostic fault = refused({f32({})}, [&](const Arrays& in) {
    const Array last = fori_loop(
        0, 3,
        [&](const Array&, const Array& x) {
          line = __LINE__ + 1;
          leaked = x * 2.0;
          return leaked;
        },
        in[0]);
    return last + leaked;
  });
  CHECK(fault.number == 406);
  CHECK(fault.where.line == line);
}

TEST_CASE("an empty array is refused with X406") {
  CHECK(refused({f32({2})}, [](const Arrays& in) { return in[0] + Array{}; }).number == 406);
  CHECK(refused({f32({2})}, [](const Arrays&) { return Array{}; }).sentence.find("array 0 of what the traced") !=
        std::string::npos);
  const auto pairs = [](const Arrays& x) { return std::pair{x[0], x[1]}; };
  const auto refusal_of = [](auto&& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.diagnostics().front();
    }
    return Diagnostic{};
  };
  const Diagnostic argument = refusal_of([&] { trace(pairs, {"x"}, Arrays{zeros(f32({2})), Array{}}); });
  CHECK(argument.number == 406);
  CHECK(argument.sentence.find("argument 'x.1'") != std::string::npos);
  CHECK(refused({f32({})}, [](const Arrays& in) {
          return grad([](const Arrays& x) { return x[0]; })(Arrays{in[0], Array{}})[0];
        }).number == 406);
  CHECK(refused({f32({})}, [](const Arrays&) {
          return grad([](const Array&) { return Array{}; })(zeros({DType::f32, {}}));
        }).number == 406);
  const auto two = [](const Array& x) { return std::pair{x, Array{}}; };
  CHECK(refused({f32({})}, [&](const Arrays& in) {
          return cond(in[0] > 0.0, [&] { return two(in[0]); }, [&] { return two(in[0]); }).first;
        }).number == 406);
  CHECK(refused({f32({})}, [&](const Arrays& in) {
          return fori_loop(
                     0, 2, [&](const Array&, const auto& x) { return two(x.first); }, std::pair{in[0], in[0]})
              .first;
        }).number == 406);
  CHECK(refused({f32({})}, [&](const Arrays& in) {
          return fori_loop(0, 2, [&](const Array&, const auto& x) { return x; }, std::pair{in[0], Array{}}).first;
        }).number == 406);
}

TEST_CASE("too few arrays for a structure, and too few cotangents, are refused with X405") {
  CHECK(refused({f32({})}, [](const Arrays& in) { return with_arrays(std::pair{in[0], in[0]}, in).first; }).number ==
        405);
  CHECK(refused({f32({})}, [](const Arrays& in) {
          return vector_jacobian_product({in[0], in[0]}, in, in)[0];
        }).number == 405);
  CHECK(refused({f32({})}, [](const Arrays& in) { return vector_jacobian_product({Array{}}, in, in)[0]; }).number ==
        406);
}

TEST_CASE("what has no element to name, and indices of another shape, are refused") {
  CHECK(refused({f32({3, 0})}, [](const Arrays& in) { return argmax(in[0]); }).number == 403);
  CHECK(refused({f32({3, 0})}, [](const Arrays& in) { return argmax(in[0], 0); }).number == 0);
  CHECK(refused({{DType::u32, {2}}, f32({3, 0})}, [](const Arrays& in) {
          return random_categorical(in[0], in[1]);
        }).number == 403);
  const auto along = [](const Shape& indices) {
    return refused({f32({2, 3, 4}), {DType::i32, indices}},
                   [](const Arrays& in) { return take_along_last(in[0], in[1]); })
        .number;
  };
  CHECK(along({2, 3}) == 0);
  CHECK(along({3, 2}) == 401);
  CHECK(along({6}) == 401);
  CHECK(along({2, 3, 1}) == 401);
}

TEST_CASE("grad refuses what is no scalar, and what is no floating-point argument") {
  const auto squared = [](const Array& x) { return x * x; };
  unsigned line = __LINE__ + 1;
  const Diagnostic fault = refused({f32({2})}, [&](const Arrays& in) { return grad(squared)(in[0]); });
  CHECK(fault.number == 401);
  CHECK(fault.where.line == line);
  CHECK(fault.because.size() == 2);
  CHECK(refused({{DType::i32, {}}}, [&](const Arrays& in) { return grad(squared)(in[0]); }).number == 402);
  CHECK(refused({{DType::i32, {}}}, [](const Arrays& in) {
          return grad([](const Array& x) { return cast<float>(x); })(in[0]);
        }).number == 402);
}

TEST_CASE("an index of several elements is refused with what takes several") {
  const auto update = [](const Arrays& in) { return update_leading(in[0], in[1], in[2]); };
  const TensorType three{DType::i32, {3}}, one{DType::i32, {1}};
  const Diagnostic fault = refused({f32({5, 2}), f32({3, 2}), three}, update);
  CHECK(fault.number == 401);
  CHECK(fault.sentence == "update_leading takes one index, a scalar, and is given i32[3].");
  REQUIRE(fault.fix.size() == 1);
  CHECK(fault.fix[0].find("segment_sum(y, i, x.extent(0))") != std::string::npos);
  CHECK(fault.fix[0].find("scatter") != std::string::npos);
  CHECK(refused({f32({5, 2}), f32({2}), one}, update).fix[0] == "make a scalar of it: reshape(i, {})");
  CHECK(refused({f32({5, 2}), f32({2}), {DType::i32, {}}}, update).number == 0);
  CHECK(refused({f32({5, 2}), three}, [](const Arrays& in) { return index_leading(in[0], in[1]); }).fix[0] ==
        "a row for each index is take(x, i)");
  const auto summed = [](const Arrays& in) { return segment_sum(in[0], in[1], 3); };
  const Diagnostic fractions = refused({f32({5, 2}), f32({5})}, summed);
  CHECK(fractions.number == 402);
  CHECK(fractions.fix == std::vector<std::string>{"cast<int>(segments)"});
  CHECK(refused({f32({5, 2}), {DType::i32, {4}}}, summed).number == 401);
}

TEST_CASE("clamp says what its bounds may be") {
  const auto clamped = [](const Arrays& in) { return clamp(in[0], in[1], 1.0); };
  for (const Shape& bound : {Shape{}, Shape{3}, Shape{1}, Shape{2, 1}, Shape{1, 3}})
    CHECK(refused({f32(bound), f32({2, 3})}, clamped).number == 0);
  const Diagnostic fault = refused({f32({2}), f32({3})}, clamped);
  CHECK(fault.number == 401);
  CHECK(fault.sentence ==
        "clamp(low, x, high): a bound is f32[2], and x is f32[3]; a bound is a number, or broadcasts to x.");
  CHECK(fault.fix.at(0) == "make each extent of the bound that of x, or 1");
  CHECK(refused({f32({2, 3}), f32({3})}, clamped).fix.at(0) == "give x second: clamp(-1, x, 1), or clip(x, -1, 1)");
}
