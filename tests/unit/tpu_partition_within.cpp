// Programs of one device (`shard_map`) within one that devices share: they compute what they would on one device, of
// what they are given, and only they may say what devices exchange.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>
import octet.base;
import octet.graph;
import octet.tpu;

using namespace octet;

namespace {

constexpr std::int64_t devices = 4;
constexpr tpu::Sharding weights{.dimension = 0}, batch{.dimension = 0, .of_batch = true};

ProgramText shared(const std::string& body) {
  return read_program("module attributes {mhlo.num_partitions = 4 : i32} {\n  sdy.mesh @mesh = <[\"a\"=4]>\n" + body +
                      "}\n");
}

std::ptrdiff_t count(const Graph& graph, Op op) {
  return std::ranges::count(graph.nodes(), op, [](const Node& node) { return node.op; });
}

/// Of `f32[8]` 0 to 7, which each device has two of, what devices make of it, one after another.
std::vector<float> results(const Graph& part) {
  verify(part);
  std::vector<std::vector<Tensor>> arguments;
  for (std::int64_t d = 0; d < devices; ++d)
    arguments.push_back({Tensor::of<float>({2}, {static_cast<float>(2 * d), static_cast<float>(2 * d + 1)})});
  std::vector<float> all;
  for (const std::vector<Tensor>& own : evaluate(part, arguments))
    for (const float each : own[0].span<float>()) all.push_back(each);
  return all;
}

int number(const std::string& body, const std::map<std::size_t, tpu::Sharding>& cut) {
  try {
    tpu::one_part(shared(body).graph, cut, devices);
  } catch (const Error& error) {
    return error.number();
  }
  return 0;
}

/// The part of `%whole` that a device is to leave, by its number.
const std::string own_part = R"(
      %id = stablehlo.partition_id : tensor<ui32>
      %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %at = stablehlo.multiply %i, %two : tensor<i32>
      %own = stablehlo.dynamic_slice %whole, %at, sizes = [2] : (tensor<8xf32>, tensor<i32>) -> tensor<2xf32>
)";

const std::string sum = R"(({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : )";

}  // namespace

TEST_CASE("what is cut is gathered for a shard_map that takes it whole, the batch too") {
  const std::string shardy = R"(  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%whole: tensor<8xf32>) {)" +
                             own_part + R"(      sdy.return %own : tensor<2xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.optimization_barrier %0 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
)";
  const std::string gspmd = R"(  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<8xf32>
    %2 = call @shmap_body(%1) : (tensor<8xf32>) -> tensor<2xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<2xf32>) -> tensor<8xf32>
    return %4 : tensor<8xf32>
  }
  func.func private @shmap_body(%whole: tensor<8xf32>) -> tensor<2xf32> {)" +
                            own_part + "      return %own : tensor<2xf32>\n  }\n";
  for (const std::string& text : {shardy, gspmd})
    for (const tpu::Sharding& cut : {weights, batch}) {
      const Graph part = tpu::one_part(shared(text).graph, {{0, cut}}, devices);
      CHECK(results(part) == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
      CHECK(count(part, Op::all_gather) == 1);
    }
}

TEST_CASE("what devices exchange is said within a shard_map alone, of constants too, and nowhere beside one") {
  const std::string reduced =
      "\"stablehlo.all_reduce\"(%w) <{replica_groups = dense<[[0, 1, 2, 3]]> : "
      "tensor<1x4xi64>}> " +
      sum + "(tensor<8xf32>) -> tensor<8xf32>\n";
  // `jax.lax.psum(jnp.ones(8), 'a')`, which nothing that enters goes into.
  const std::string inside = R"(  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"a"} (%own: tensor<2xf32>) {
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      %w = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %all = )" + reduced + R"(      sdy.return %all : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.optimization_barrier %0 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
)";
  CHECK(results(tpu::one_part(shared(inside).graph, {{0, batch}}, devices)) == std::vector<float>(32, 4));
  const auto beside = [&](const std::string& operation) {
    return number(R"(  func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%own: tensor<2xf32>) {
      sdy.return %own : tensor<2xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    %all = )" + operation +
                      R"(    return %0, %all : tensor<8xf32>, tensor<8xf32>
  }
)",
                  {{0, batch}});
  };
  CHECK(beside(reduced) == 410);
  CHECK(beside("stablehlo.add %w, %w : tensor<8xf32>\n") == 0);
}

TEST_CASE("what each device has of its own does not mix with what they share") {
  CHECK(number(R"(  func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.add %0, %y : tensor<8xf32>
    %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{replicated}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
  }
)",
               {{0, weights}, {1, weights}}) == 410);
}
