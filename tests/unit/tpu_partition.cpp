// Programs that devices share compute what they compute whole: parts of the batch, what they add up and what they
// gather.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;
import octet.tpu;

#include "check_lines.hpp"

using namespace octet;

namespace {

constexpr std::int64_t devices = 4;
using Arrays = std::vector<Array>;

/// Small whole numbers, of which sums are exact in whatever order.
Tensor numbers(TensorType type, int seed) {
  Tensor tensor{type};
  visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
    const auto span = tensor.mutable_span<T>();
    for (std::size_t i = 0; i < span.size(); ++i)
      span[i] = static_cast<T>(static_cast<float>((i * 7 + static_cast<std::size_t>(seed) * 3) % 5));
  });
  return tensor;
}

/// Rows of one device.
Tensor part_of(const Tensor& whole, std::int64_t device) {
  Dims extents = whole.shape().extents();
  extents[0] /= devices;
  Tensor part{{whole.dtype(), Shape{extents}}};
  const auto size = static_cast<std::size_t>(part.type().bytes());
  std::memcpy(part.mutable_bytes().data(), whole.bytes().data() + static_cast<std::size_t>(device) * size, size);
  return part;
}

/// What one device runs, checked against the whole program. The parameters in `cuts` are cut along their rows.
Graph parted(const Graph& whole, const std::set<std::size_t>& cuts, const std::map<std::size_t, bool>& wanted = {}) {
  Graph part = tpu::one_part(whole, cuts, devices, wanted);
  INFO(to_string(part));
  verify(part);
  std::vector<Tensor> arguments;
  for (std::size_t i = 0; i < whole.parameters().size(); ++i)
    arguments.push_back(numbers(whole.parameter_types()[i], static_cast<int>(i)));
  std::vector<std::vector<Tensor>> each(devices);
  for (std::int64_t d = 0; d < devices; ++d)
    for (std::size_t i = 0; i < arguments.size(); ++i)
      each[static_cast<std::size_t>(d)].push_back(cuts.contains(i) ? part_of(arguments[i], d) : arguments[i]);
  const std::vector<Tensor> expected = evaluate(whole, arguments);
  const auto results = evaluate(part, each);
  for (std::size_t d = 0; d < results.size(); ++d)
    for (std::size_t r = 0; r < expected.size(); ++r) {
      INFO("result " << r << " of device " << d);
      const bool own = results[d][r].type() != expected[r].type();
      CHECK(results[d][r] == (own ? part_of(expected[r], static_cast<std::int64_t>(d)) : expected[r]));
    }
  return part;
}

Graph traced(const std::vector<TensorType>& types, Arrays (*function)(const Arrays&)) { return trace(function, types); }

std::ptrdiff_t count(const Graph& graph, Op op) {
  return std::ranges::count(graph.nodes(), op, [](const Node& node) { return node.op; });
}
std::int64_t largest(const Graph& graph) {
  std::int64_t most = 0;
  for (const Value& value : graph.values()) most = std::max(most, value.type.shape.elements());
  return most;
}

TensorType f32(const Shape& shape) { return {DType::f32, shape}; }
TensorType i32(const Shape& shape) { return {DType::i32, shape}; }

}  // namespace

TEST_CASE("a step whose batch is cut sums its gradients over devices, and gathers nothing") {
  const Graph part = parted(traced({f32({8, 4}), f32({8, 3, 8}), f32({8, 3, 4})},
                                   [](const Arrays& in) {
                                     const auto loss = [&](const Array& w) {
                                       const Array out = reshape(matmul(in[1], w), {24, 4});
                                       const Array error = out - reshape(in[2], {24, 4});
                                       return sum(error * error);
                                     };
                                     const auto [value, gradient] = value_and_grad(loss)(in[0]);
                                     return Arrays{in[0] - gradient, value};
                                   }),
                            {1, 2});
  CHECK(count(part, Op::all_reduce) == 2);
  CHECK(count(part, Op::all_gather) == 0);
  CHECK(count(part, Op::dynamic_slice) == 0);
  CHECK(largest(part) == 2 * 3 * 8);
}

TEST_CASE("rows of a table are looked up by each device, and what is added to them is summed") {
  const Graph part = parted(traced({f32({16, 4}), i32({8, 3})},
                                   [](const Arrays& in) {
                                     const auto loss = [&](const Array& table) {
                                       const Array rows = take(table, in[1]);
                                       return sum(rows * rows);
                                     };
                                     return Arrays{value_and_grad(loss)(in[0]).second};
                                   }),
                            {1});
  CHECK(count(part, Op::all_gather) == 0);
  CHECK(count(part, Op::all_reduce) == 1);
}

TEST_CASE("what each example picks of its own row is picked by its device") {
  const Graph whole = read(R"(module {
  func.func @main(%x: tensor<8x5xf32>, %label: tensor<8xi32>) -> (tensor<8xf32>, tensor<8x5xf32>) {
    %i = stablehlo.iota dim = 0 : tensor<8x1xi32>
    %l = stablehlo.reshape %label : (tensor<8xi32>) -> tensor<8x1xi32>
    %at = stablehlo.concatenate %i, %l, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
    %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<8x5xf32>, tensor<8x2xi32>) -> tensor<8xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %zeros = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
    %1 = "stablehlo.scatter"(%zeros, %at, %0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x5xf32>, tensor<8x2xi32>, tensor<8xf32>) -> tensor<8x5xf32>
    return %0, %1 : tensor<8xf32>, tensor<8x5xf32>
  }
}
)");
  const Graph part = parted(whole, {0, 1});
  CHECK(part.result_types() == std::vector{f32({2}), f32({2, 5})});
  for (const Op op : {Op::all_gather, Op::all_reduce, Op::dynamic_slice}) CHECK(count(part, op) == 0);
}

TEST_CASE("a loop over layers keeps the batch in parts, and what it stacks for the way back") {
  const Graph part = parted(traced({f32({3, 4, 4}), f32({8, 4})},
                                   [](const Arrays& in) {
                                     const auto loss = [&](const Array& layers) {
                                       const auto layer = [](const Array& x, const Array& w) {
                                         return std::pair{matmul(x, w) - x, sum(x)};
                                       };
                                       const Array out = scan(layer, in[1], layers).first;
                                       return sum(out * out);
                                     };
                                     return Arrays{value_and_grad(loss)(in[0]).second};
                                   }),
                            {1});
  const auto within = [](const Graph& graph) {
    std::ptrdiff_t gathers = 0;
    for (const Node& node : graph.nodes())
      for (const Graph& region : node.regions) gathers += count(region, Op::all_gather);
    return gathers;
  };
  CHECK(count(part, Op::all_gather) + within(part) == 0);
  CHECK(largest(part) <= 3 * 4 * 4);
}

TEST_CASE("what follows from no parameter is made in parts where it is wanted so") {
  const Graph part = parted(traced({f32({8, 64})},
                                   [](const Arrays& in) {
                                     const Array place = iota(i32({8, 64}), 0) + iota(i32({8, 64}), 1);
                                     const Array even = cast<float>((place & 1) == 0);
                                     return Arrays{in[0] * even};
                                   }),
                            {0});
  CHECK(largest(part) == 2 * 64);
  CHECK(count(part, Op::all_gather) == 0);
}

TEST_CASE("random bits are made by each device for its part") {
  const ProgramText program = read_program(R"(module {
  func.func @main(%x: tensor<8x64xui32>, %key: tensor<4xui32>) -> (tensor<8x64xui32>, tensor<4xui32>) {
    %state, %bits = stablehlo.rng_bit_generator %key, algorithm =  DEFAULT : (tensor<4xui32>) -> (tensor<4xui32>, tensor<8x64xui32>)
    %0 = stablehlo.and %x, %bits : tensor<8x64xui32>
    return %0, %state : tensor<8x64xui32>, tensor<4xui32>
  }
}
)");
  const Graph part = tpu::one_part(program.graph, {0}, devices);
  verify(part);
  CHECK(largest(part) == 2 * 64);
  CHECK(part.result_types().back() == TensorType{DType::u32, {4}});
}

TEST_CASE("a result that is said to be whole is gathered, and what needs the examples of others is not judged") {
  const auto doubled = [](const Arrays& in) { return Arrays{in[0] + in[0]}; };
  const Graph part = parted(traced({f32({8, 4})}, doubled), {0}, {{0, false}});
  CHECK(count(part, Op::all_gather) == 1);
  CHECK(part.result_types() == std::vector{f32({8, 4})});
  CHECK(parted(traced({f32({8, 4})}, doubled), {0}, {{0, true}}).result_types() == std::vector{f32({2, 4})});
  const auto number = [](const std::vector<TensorType>& types, Arrays (*function)(const Arrays&),
                         const std::map<std::size_t, bool>& wanted) {
    try {
      tpu::one_part(traced(types, function), {0}, devices, wanted);
    } catch (const Error& error) {
      return error.number();
    }
    return 0;
  };
  CHECK(number({f32({8, 4})}, [](const Arrays& in) { return Arrays{sort(Arrays{in[0]}, 0)[0]}; }, {}) == 410);
  CHECK(number({f32({8, 4})}, [](const Arrays& in) { return Arrays{reshape(transpose(in[0]), {32})}; }, {}) == 410);
  CHECK(number({f32({0, 4})}, [](const Arrays& in) { return Arrays{reshape(in[0], {4, 0})}; }, {}) == 410);
  CHECK(number({f32({8, 4})}, [](const Arrays& in) { return Arrays{sum(in[0])}; }, {{0, true}}) == 410);
}

namespace {

/// A step as JAX lowers it for a mesh of eight devices.
std::string step_of_jax(const std::string& module, const std::string& weights, const std::string& batch) {
  return module + R"(  func.func public @main(%arg0: tensor<128x128xf32> {tf.aliasing_output = 0 : i32)" + weights +
         R"(} loc("w"), %arg1: tensor<1024x128xf32> {)" + batch + R"(} loc("x")) -> (tensor<128x128xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0] : (tensor<1024x128xf32>, tensor<128x128xf32>) -> tensor<1024x128xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<1024x128xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.dot_general %arg1, %0, contracting_dims = [0] x [0] : (tensor<1024x128xf32>, tensor<1024x128xf32>) -> tensor<128x128xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<128x128xf32>
    return %3, %1 : tensor<128x128xf32>, tensor<f32>
  }
}
)";
}
const std::string parted_module =
    "module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {\n";
const std::string mesh = "  sdy.mesh @mesh = <[\"batch\"=8, \"model\"=1]>\n";

}  // namespace

TEST_CASE("a program that JAX partitions by the batch is judged as one replica of it, by what its text says") {
  for (const auto& [head, weights, batch] :
       {std::tuple{parted_module, ", mhlo.sharding = \"{replicated}\"", "mhlo.sharding = \"{devices=[8,1]<=[8]}\""},
        {parted_module, ", mhlo.sharding = \"{devices=[1,1,8]<=[8] last_tile_dim_replicate}\"",
         "mhlo.sharding = \"{devices=[8,1]0,1,2,3,4,5,6,7}\""},
        {parted_module + mesh, ", sdy.sharding = #sdy.sharding<@mesh, [{}, {\"model\"}]>",
         "sdy.sharding = #sdy.sharding<@mesh, [{\"batch\"}, {}]>"}}) {
    const Readiness readiness = check_stablehlo(step_of_jax(head, weights, batch), "step.mlir", tpu::slice("v3-8"));
    INFO(to_string(readiness));
    CHECK(readiness.ready());
    CHECK(readiness.line("batch").verdict == Verdict::pass);
    CHECK(mentions(readiness.line("batch"), "'x': f32[128, 128] for each of 8 replicas"));
    CHECK(readiness.line("gradients").verdict == Verdict::pass);
    CHECK(figure(readiness.line("memory"), "parameter_bytes") == 2 * 128 * 128 * 4);
  }
}

TEST_CASE("whatever devices share besides the batch is not judged, and fails nothing") {
  const auto of = [](const std::string& head, const std::string& weights, const std::string& batch) {
    return check_stablehlo(step_of_jax(head, weights, batch), "step.mlir", tpu::slice("v3-8"));
  };
  const std::string cut = "mhlo.sharding = \"{devices=[8,1]<=[8]}\"", none = ", mhlo.sharding = \"{replicated}\"";
  for (const Readiness& readiness : {
           of(parted_module, ", " + cut, cut),
           of(parted_module, none, "mhlo.sharding = \"{devices=[1,8]<=[8]}\""),
           of(parted_module, none, "mhlo.sharding = \"{devices=[1,1,8]<=[8]}\""),
           of(parted_module, none, "mhlo.sharding = \"{devices=[\""),
           of(parted_module, ", mhlo.sharding = \"{maximal device=0}\"", cut),
           of(parted_module, none, "sdy.sharding = #sdy.sharding<@mesh, [{\"batch\"}, {}]>"),
           of(parted_module + mesh, none, "sdy.sharding = #sdy.sharding<@mesh, [{\"batch\":(1)4}, {}]>"),
           of("module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 2 : i32} {\n", none,
              cut),
       }) {
    INFO(to_string(readiness));
    CHECK(!readiness.ready());
    CHECK(!readiness.known());
    CHECK(readiness.count(Verdict::fail) == 0);
    CHECK(readiness.line("compiles").verdict == Verdict::not_judged);
    CHECK(readiness.line("compiles").number() == 410);
  }
  CHECK(of(parted_module, none, "sdy.sharding = #sdy.sharding<mesh<[\"a\"=8]>, [{\"a\"}, {}]>").ready());
}

TEST_CASE("a program for other devices than the slice has fails, and so does a batch that they cannot share") {
  const auto of = [](const std::string& devices) {
    return check_stablehlo(step_of_jax("module @jit_step attributes {mhlo.num_partitions = " + devices + " : i32} {\n",
                                       "", "mhlo.sharding = \"{devices=[" + devices + ",1]<=[" + devices + "]}\""),
                           "step.mlir", tpu::slice("v3-8"));
  };
  CHECK(of("4").line("gradients").number() == 603);
  CHECK(of("7").line("compiles").number() == 601);
  CHECK(mentions(of("7").line("compiles"), "'x' has 1024 examples, which 7 devices cannot share equally"));
  for (const char* devices : {"0", "-8", "1073741824"}) CHECK(of(devices).line("compiles").number() == 404);
}

TEST_CASE("shard_map has the program of one device in the text") {
  const std::string text =
      parted_module + mesh +
      R"(  func.func public @main(%w: tensor<128x128xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<1024x128xf32>) -> tensor<128x128xf32> {
    %0 = sdy.manual_computation(%w, %x) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"batch"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"batch", "model"} (%arg0: tensor<128x128xf32>, %arg1: tensor<128x128xf32>) {
      %1 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %3 = stablehlo.subtract %arg0, %2 : tensor<128x128xf32>
      sdy.return %3 : tensor<128x128xf32>
    } : (tensor<128x128xf32>, tensor<1024x128xf32>) -> tensor<128x128xf32>
    return %0 : tensor<128x128xf32>
  }
}
)";
  const Readiness readiness = check_stablehlo(text, "step.mlir", tpu::slice("v3-8"));
  INFO(to_string(readiness));
  CHECK(readiness.ready());
  CHECK(readiness.line("gradients").verdict == Verdict::pass);
  CHECK(readiness.line("batch").verdict == Verdict::pass);
}
