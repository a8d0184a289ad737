/// einsum against its definition: a loop over all letters.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

#include "gradients.hpp"
#include "refused_trace.hpp"

using namespace octet;

namespace {

Tensor result(const std::function<Array(const Arrays&)>& function, const std::vector<Tensor>& inputs) {
  const Graph graph = trace([&](const Arrays& in) { return Arrays{function(in)}; }, types_of(inputs));
  verify(graph);
  return evaluate(graph, inputs).front();
}

/// By its definition: each element of the result is a sum over all values of the letters that it does not name.
std::vector<double> summed_over_all(const std::vector<std::string>& operands, const std::string& result,
                                    const std::vector<Tensor>& tensors) {
  std::map<char, std::int64_t> extents;
  for (std::size_t i = 0; i < operands.size(); ++i)
    for (std::size_t d = 0; d < operands[i].size(); ++d) {
      std::int64_t& extent = extents[operands[i][d]];
      extent = std::max(extent, tensors[i].shape()[static_cast<std::int64_t>(d)]);
    }
  std::string letters = result;
  for (const auto& [letter, extent] : extents)
    if (letters.find(letter) == letters.npos) letters += letter;
  std::int64_t size = 1, all = 1;
  for (const char letter : letters) all *= extents[letter];
  for (const char letter : result) size *= extents[letter];
  std::vector<double> sums(static_cast<std::size_t>(size));
  for (std::int64_t n = 0; n < all; ++n) {
    std::map<char, std::int64_t> at;
    std::int64_t rest = n;
    for (std::size_t d = letters.size(); d-- > 0; rest /= extents[letters[d]])
      at[letters[d]] = rest % extents[letters[d]];
    double product = 1;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      std::int64_t place = 0;
      for (std::size_t d = 0; d < operands[i].size(); ++d) {
        const std::int64_t extent = tensors[i].shape()[static_cast<std::int64_t>(d)];
        place = place * extent + (extent == 1 ? 0 : at[operands[i][d]]);
      }
      product *= tensors[i].span<double>()[static_cast<std::size_t>(place)];
    }
    sums[static_cast<std::size_t>(n / (all / size))] += product;
  }
  return sums;
}

}  // namespace

TEST_CASE("einsum is the sum over all letters that the result does not name") {
  struct Case {
    std::string text;
    std::vector<std::string> operands;
    std::string result;
    std::vector<Shape> shapes;
  };
  const std::vector<Case> cases{{"ij,jk->ik", {"ij", "jk"}, "ik", {{2, 3}, {3, 4}}},
                                {"ij , jk", {"ij", "jk"}, "ik", {{2, 3}, {3, 4}}},
                                {"ij,jk->ki", {"ij", "jk"}, "ki", {{2, 3}, {3, 4}}},
                                {"bqhd,bkhd->bhqk", {"bqhd", "bkhd"}, "bhqk", {{2, 3, 2, 4}, {2, 5, 2, 4}}},
                                {"bhqk,bkhd->bqhd", {"bhqk", "bkhd"}, "bqhd", {{2, 2, 3, 5}, {2, 5, 2, 4}}},
                                {"i,j->ij", {"i", "j"}, "ij", {{2}, {3}}},
                                {"i,i", {"i", "i"}, "", {{4}, {4}}},
                                {"ij,ij->ij", {"ij", "ij"}, "ij", {{2, 3}, {2, 3}}},
                                {"ij,j->i", {"ij", "j"}, "i", {{2, 3}, {3}}},
                                {"ij,kl->jk", {"ij", "kl"}, "jk", {{2, 3}, {4, 2}}},
                                {"ii", {"ii"}, "", {{3, 3}}},
                                {"ii->i", {"ii"}, "i", {{3, 3}}},
                                {"iij->ji", {"iij"}, "ji", {{3, 3, 2}}},
                                {"iii", {"iii"}, "", {{3, 3, 3}}},
                                {"ji", {"ji"}, "ij", {{2, 3}}},
                                {"ijk->", {"ijk"}, "", {{2, 3, 2}}},
                                {"->", {""}, "", {Shape{}}},
                                {",ij->ij", {"", "ij"}, "ij", {Shape{}, {2, 3}}},
                                {"ij,jk,kl->il", {"ij", "jk", "kl"}, "il", {{2, 3}, {3, 4}, {4, 2}}},
                                {"ij,ik,il->jkl", {"ij", "ik", "il"}, "jkl", {{2, 3}, {2, 4}, {2, 2}}},
                                {"i,ij,j->", {"i", "ij", "j"}, "", {{2}, {2, 3}, {3}}},
                                {"ij,jk->ik", {"ij", "jk"}, "ik", {{2, 1}, {3, 4}}},
                                {"ij,jk->ik", {"ij", "jk"}, "ik", {{1, 3}, {3, 1}}},
                                {"...ij,...jk->...ik", {"abij", "abjk"}, "abik", {{2, 3, 2, 4}, {2, 3, 4, 2}}},
                                {"...ij,...jk", {"abij", "bjk"}, "abik", {{2, 3, 2, 4}, {3, 4, 2}}},
                                {"i...,i...->...", {"ia", "ia"}, "a", {{2, 3}, {2, 1}}},
                                {"Aa->aA", {"Aa"}, "aA", {{2, 3}}},
                                {"ij,jk->ik", {"ij", "jk"}, "ik", {{2, 0}, {0, 4}}}};
  Draw draw{43};
  for (const Case& each : cases) {
    INFO(each.text);
    std::vector<Tensor> tensors;
    for (const Shape& shape : each.shapes) tensors.push_back(draw.tensor(shape));
    const Tensor given = result([&](const Arrays& in) { return einsum(each.text, in); }, tensors);
    const std::vector<double> expected = summed_over_all(each.operands, each.result, tensors);
    REQUIRE(given.elements() == static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(std::abs(given.span<double>()[i] - expected[i]) < 1e-12);
  }
}

TEST_CASE("einsum says what does not fit") {
  const std::vector<TensorType> two{f32({2, 3}), f32({3, 4})};
  const auto number = [&](const char* text) {
    return refused(two, [&](const Arrays& in) { return einsum(text, in[0], in[1]); }).number;
  };
  for (const char* text : {"ij", "ij,jk,kl->il", "ijk,jk", "i...jk,jk", "ij,j1->i", "ij,jk->iz", "ij,jk->ii",
                           "ij,jk->i k l", "", "ij,jk-ik", "ij,jk->ik->i"})
    CHECK(number(text) == 403);
  CHECK(number("ij,ik->jk") == 401);
  CHECK(refused({f32({2, 3})}, [](const Arrays& in) { return einsum("ii", in[0]); }).number == 401);
  const Diagnostic fault = refused(two, [](const Arrays& in) { return einsum("ij,ik->jk", in[0], in[1]); });
  CHECK(fault.sentence == "einsum(\"ij,ik->jk\"): 'i' stands for 2 elements and for 3, in f32[3, 4].");
  CHECK(fault.where.line != 0);
}
