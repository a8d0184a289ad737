/// switch_case and map_rows.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

#include "gradients.hpp"
#include "refusal.hpp"
#include "refused_trace.hpp"
#include "traced_results.hpp"

using namespace octet;

namespace {

struct Pair {
  Array first, second;
  int kind = 0;
};

Array chosen(const Array& index, const Array& x) {
  return switch_case(
      index, [&] { return x; }, [&] { return -x; }, [&] { return square(x); }, [&] { return exp(x); },
      [&] { return zeros(x.type()); });
}

}  // namespace

TEST_CASE("switch_case gives what the branch of the index gives, beyond the ends the first and the last") {
  for (const auto& [index, wanted] :
       {std::pair{-7, 3.0}, {0, 3.0}, {1, -3.0}, {2, 9.0}, {3, std::exp(3.0)}, {4, 0.0}, {9, 0.0}})
    CHECK(std::abs(result([](const Arrays& in) { return chosen(in[0], in[1]); },
                          {Tensor::scalar(index), Tensor::scalar(3.0)})
                       .item() -
                   wanted) < 1e-12);
  const auto of_list = [](const Arrays& in) {
    std::vector<std::function<Pair()>> branches;
    for (int i = 0; i < 3; ++i) branches.emplace_back([=] { return Pair{in[1] * i, in[1] + i, 5}; });
    const Pair pair = switch_case(in[0], branches);
    CHECK(pair.kind == 5);
    return Arrays{pair.first, pair.second};
  };
  const std::vector<Tensor> given = results(of_list, {Tensor::scalar<std::int64_t>(2), Tensor::scalar(4.0f)});
  CHECK(given[0].item() == 8);
  CHECK(given[1].item() == 6);
  CHECK(result([](const Arrays& in) { return switch_case(in[0], std::vector{[&] { return in[1]; }}); },
               {Tensor::scalar(7u), Tensor::scalar(4.0f)})
            .item() == 4);
}

TEST_CASE("branches may return references, and be constants") {
  const auto given = [](const Arrays& in) {
    const auto same = [&]() -> const Array& { return in[1]; };
    const auto negated = [&] { return -in[1]; };
    return Arrays{switch_case(in[0], same, negated), cond(in[0] == 0, same, negated), cond(in[0] == 1, negated, same)};
  };
  for (const int index : {0, 1})
    for (const Tensor& each : results(given, {Tensor::scalar(index), Tensor::scalar(3.0f)}))
      CHECK(each.item() == (index == 0 ? 3 : -3));
}

TEST_CASE("switch_case is differentiated, and each example of vmap has its own branch") {
  Draw draw{4};
  for (int index = 0; index < 5; ++index) {
    const Sample sample{"branch " + std::to_string(index),
                        [](const Arrays& in) { return Arrays{chosen(in[0], in[1])}; },
                        {{Tensor::scalar(index), draw.tensor({3})}}};
    CHECK(gradient_fault(sample) == "");
  }
  const Tensor each = result([](const Arrays& in) { return vmap(chosen)(in[0], in[1]); },
                             {Tensor::of<std::int32_t>({3}, {2, 0, 1}), Tensor::of<float>({3}, {3, 4, 5})});
  CHECK(numbers<float>(each) == Floats{9, 4, -5});
}

TEST_CASE("branches that differ, and an index that is none, are refused") {
  const TensorType index{DType::i32, {}};
  const auto unlike = [](const Arrays& in) {
    return switch_case(in[0], [&] { return in[1]; }, [&] { return -in[1]; }, [&] { return sum(in[1]); });
  };
  Diagnostic fault = refused({index, f32({2})}, unlike);
  CHECK(fault.number == 102);
  CHECK(fault.sentence == "Branch 2 of switch_case does not return what branch 0 does.");
  REQUIRE(fault.because.size() == 2);
  CHECK(fault.because[1].what == "branch 2: f32[]");
  const auto kinds = [](const Arrays& in) {
    return switch_case(in[0], [&] { return Pair{in[1], in[1], 1}; }, [&] { return Pair{in[1], in[1], 2}; }).first;
  };
  fault = refused({index, f32({2})}, kinds);
  CHECK(fault.number == 102);
  CHECK(fault.sentence ==
        "What the branches of switch_case return differs in members that are no arrays, in lengths "
        "of lists or alternatives of variants: the program has one of each.");
  const auto by = [](const TensorType& type) {
    return refused({type, f32({2})}, [](const Arrays& in) { return chosen(in[0], in[1]); });
  };
  CHECK(by(index).number == 0);
  CHECK(by({DType::i32, {1}}).number == 401);
  CHECK(by(f32({})).number == 402);
  CHECK(by(f32({})).fix == std::vector<std::string>{"cast<int>(i)"});
  CHECK(refused({index, f32({2})}, [](const Arrays& in) {
          return switch_case(in[0], std::vector<std::function<Array()>>{});
        }).number == 405);
}

TEST_CASE("map_rows gives what the function makes of each row, and its derivative") {
  const auto norm = [](const std::pair<Array, Array>& row) { return Pair{sum(square(row.first)), row.second * 2, 3}; };
  const std::vector<Tensor> given = results(
      [&](const Arrays& in) {
        const Pair all = map_rows(norm, std::pair{in[0], in[1]});
        CHECK(all.kind == 3);
        return Arrays{all.first, all.second};
      },
      {counted({3, 2}), Tensor::of<std::int32_t>({3}, {4, 5, 6})});
  CHECK(numbers<float>(given[0]) == Floats{1, 13, 41});
  CHECK(numbers<std::int32_t>(given[1]) == Integers{8, 10, 12});
  Draw draw{5};
  const auto row = [](const Array& x) { return softmax(x) * x; };
  CHECK(gradient_fault(
            {"map_rows", [&](const Arrays& in) { return Arrays{map_rows(row, in[0])}; }, {{draw.tensor({4, 3})}}}) ==
        "");
  for (const Shape& shape : {Shape{}, Shape{0, 2}}) {
    const Diagnostic fault = refused({f32(shape)}, [&](const Arrays& in) { return map_rows(row, in[0]); });
    CHECK(fault.number == 403);
    CHECK(fault.sentence.starts_with("map_rows needs inputs"));
  }
}
