/// What the operations mean in which replicas meet.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
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

/// What each replica gets of `op`, where replica i has operands[i].
std::string meeting(Op op, const std::vector<Tensor>& operands, Attributes attributes) {
  std::vector<std::vector<Tensor>> arguments;
  for (const Tensor& operand : operands) arguments.push_back({operand});
  std::string result;
  for (const std::vector<Tensor>& replica :
       evaluate(program(op, {operands[0].type()}, std::move(attributes)), arguments))
    result += (result.empty() ? "" : " | ") + text(replica);
  return result;
}

std::vector<Diagnostic> refused(Op op, const std::vector<Tensor>& operands, Attributes attributes) {
  try {
    meeting(op, operands, std::move(attributes));
  } catch (const Error& error) {
    return error.diagnostics();
  }
  return {};
}

Tensor pair(std::int32_t a, std::int32_t b) { return row({a, b}); }

}  // namespace

TEST_CASE("all_gather puts a group's operands together in the group's order") {
  const std::vector<Tensor> operands{pair(0, 1), pair(10, 11), pair(20, 21), pair(30, 31)};
  CHECK(meeting(Op::all_gather, operands, AllGatherAttributes{0, {{0, 2}, {3, 1}}}) ==
        "i32[4]: 0 1 20 21 | i32[4]: 30 31 10 11 | i32[4]: 0 1 20 21 | i32[4]: 30 31 10 11");
  const std::vector<Tensor> columns{Tensor::of<std::int32_t>({2, 1}, {1, 2}), Tensor::of<std::int32_t>({2, 1}, {3, 4})};
  CHECK(meeting(Op::all_gather, columns, AllGatherAttributes{1, {{0, 1}}}) ==
        "i32[2, 2]: 1 3 2 4 | i32[2, 2]: 1 3 2 4");
}

TEST_CASE("all_reduce combines neighbours first, then neighbours of those") {
  const auto sums = [](std::initializer_list<float> values, ReplicaGroups groups) {
    std::vector<Tensor> operands;
    for (float value : values) operands.push_back(Tensor::scalar(value));
    const std::string all = meeting(Op::all_reduce, operands, AllReduceAttributes{std::move(groups), Reducer::add});
    return all.substr(0, all.find(" |"));
  };
  CHECK(sums({1e8f, 1, -1e8f, 1}, all_replicas(4)) == "f32[]: 0");
  CHECK(sums({1e8f, -1e8f, 1, 1}, all_replicas(4)) == "f32[]: 2");
  CHECK(sums({1e8f, -1e8f, 1}, all_replicas(3)) == "f32[]: 1");
  CHECK(sums({1, 1e8f, -1e8f}, all_replicas(3)) == "f32[]: 0");
  CHECK(sums({1, 1e8f, -1e8f}, {{1, 2, 0}}) == "f32[]: 1");
  // Of five, the last moves up twice: ((0+1)+(2+3))+4.
  CHECK(sums({1e8f, 0, -1e8f, 0, 1}, all_replicas(5)) == "f32[]: 1");
  CHECK(sums({1, 2, 3, 4, 5, 6, 7, 8}, all_replicas(8)) == "f32[]: 36");
  CHECK(sums({7}, {{0}}) == "f32[]: 7");
}

TEST_CASE("all_reduce keeps groups apart, and without groups all replicas are one") {
  const std::vector<Tensor> operands{pair(0, 1), pair(10, 11), pair(20, 21), pair(30, 31)};
  CHECK(meeting(Op::all_reduce, operands, AllReduceAttributes{{{0, 1}, {2, 3}}, Reducer::maximum}) ==
        "i32[2]: 10 11 | i32[2]: 10 11 | i32[2]: 30 31 | i32[2]: 30 31");
  CHECK(meeting(Op::all_reduce, operands, AllReduceAttributes{{}, Reducer::add}) ==
        "i32[2]: 60 64 | i32[2]: 60 64 | i32[2]: 60 64 | i32[2]: 60 64");
}

TEST_CASE("all_reduce of bf16 rounds after each addition") {
  const std::vector<Tensor> operands{bf16_row({256}), bf16_row({1}), bf16_row({1}), bf16_row({0})};
  CHECK(meeting(Op::all_reduce, operands, AllReduceAttributes{all_replicas(4), Reducer::add})
            .starts_with("bf16[1]: 256 |"));
}

TEST_CASE("all_reduce of truth values asks all or any") {
  const std::vector<Tensor> operands{Tensor::scalar(true), Tensor::scalar(false)};
  CHECK(meeting(Op::all_reduce, operands, AllReduceAttributes{all_replicas(2), Reducer::and_}) == "i1[]: 0 | i1[]: 0");
  CHECK(meeting(Op::all_reduce, operands, AllReduceAttributes{all_replicas(2), Reducer::or_}) == "i1[]: 1 | i1[]: 1");
}

TEST_CASE("reduce_scatter gives member i part i of what all_reduce gives") {
  CHECK(meeting(Op::reduce_scatter, {pair(1, 2), pair(10, 20)}, ReduceScatterAttributes{0, {{0, 1}}, Reducer::add}) ==
        "i32[1]: 11 | i32[1]: 22");
  CHECK(meeting(Op::reduce_scatter, {pair(1, 2), pair(10, 20)}, ReduceScatterAttributes{0, {{1, 0}}, Reducer::add}) ==
        "i32[1]: 22 | i32[1]: 11");
}

TEST_CASE("all_to_all gives member i part i of each") {
  CHECK(meeting(Op::all_to_all, {pair(1, 2), pair(10, 20)}, AllToAllAttributes{0, 0, 2, {{0, 1}}}) ==
        "i32[2]: 1 10 | i32[2]: 2 20");
  const std::vector<Tensor> matrices{Tensor::of<std::int32_t>({1, 4}, {1, 2, 3, 4}),
                                     Tensor::of<std::int32_t>({1, 4}, {5, 6, 7, 8})};
  CHECK(meeting(Op::all_to_all, matrices, AllToAllAttributes{1, 0, 2, {{0, 1}}}) ==
        "i32[2, 2]: 1 2 5 6 | i32[2, 2]: 3 4 7 8");
}

TEST_CASE("collective_permute sends along its pairs and leaves zeros elsewhere") {
  const std::vector<Tensor> operands{pair(0, 1), pair(10, 11), pair(20, 21)};
  CHECK(meeting(Op::collective_permute, operands, PermuteAttributes{{{0, 1}, {1, 2}}}) ==
        "i32[2]: 0 0 | i32[2]: 0 1 | i32[2]: 10 11");
}

TEST_CASE("each replica has its number") {
  const std::vector<std::vector<Tensor>> nothing(3);
  const auto ids = evaluate(program(Op::replica_id, {}), nothing);
  for (std::size_t r = 0; r < 3; ++r) CHECK(ids[r][0] == Tensor::scalar(static_cast<std::uint32_t>(r)));
}

TEST_CASE("operands without elements meet too") {
  const std::vector<Tensor> nothing(2, Tensor{DType::f32, {0}});
  CHECK(meeting(Op::all_gather, nothing, AllGatherAttributes{0, {{0, 1}}}) == "f32[0]: | f32[0]:");
  CHECK(meeting(Op::all_reduce, nothing, AllReduceAttributes{{{0, 1}}, Reducer::add}) == "f32[0]: | f32[0]:");
  CHECK(meeting(Op::reduce_scatter, nothing, ReduceScatterAttributes{0, {{0, 1}}, Reducer::add}) ==
        "f32[0]: | f32[0]:");
}

TEST_CASE("a collective that does not name each replica once is refused with X603") {
  const std::vector<Tensor> three(3, Tensor::scalar(1.0f));
  const auto beyond = refused(Op::all_reduce, three, AllReduceAttributes{{{0, 1}, {2, 3}}, Reducer::add});
  REQUIRE(beyond.size() == 1);
  CHECK(beyond[0].number == 603);
  CHECK(beyond[0].sentence == "This all_reduce names replica 3, and there are replicas 0 to 2.");
  const auto left_out = refused(Op::all_reduce, three, AllReduceAttributes{{{0}}, Reducer::add});
  REQUIRE(left_out.size() == 1);
  CHECK(left_out[0].sentence == "The replica_groups of this all_reduce leave out replicas 1 to 2.");

  const auto permuted = refused(Op::collective_permute, three, PermuteAttributes{{{0, 3}}});
  REQUIRE(permuted.size() == 1);
  CHECK(permuted[0].sentence == "This collective_permute names replica 3, and there are replicas 0 to 2.");
}

TEST_CASE("a program for eight replicas is refused on one") {
  const Graph graph = program(Op::all_reduce, {{DType::f32, {}}}, AllReduceAttributes{all_replicas(8), Reducer::add});
  try {
    evaluate(graph, std::vector{Tensor::scalar(1.0f)});
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.number() == 603);
    CHECK(error.diagnostics()[0].sentence == "This all_reduce names replicas 1 to 7, and there is replica 0 only.");
    REQUIRE(error.diagnostics().size() == 1);
    CHECK(error.diagnostics()[0].fix.front().find("tpu::replicate") != std::string::npos);
  }
}
