// A function is traced once, into a graph of StableHLO operations; its gradient is another function, traced the same
// way.
#include <cstdio>
import octet;
using namespace octet;

// The mean squared distance between the rows of `x` and `center`.
Array spread(Array center, Array x) { return mean(square(x - center)); }

int main() {
  const Tensor center = Tensor::of<float>({2}, {0, 0});
  const Tensor x = Tensor::of<float>({3, 2}, {1, 0, 0, 1, 2, 2});

  // Tracing calls the function with arrays that have a type and no data. This is what XLA would be given.
  const auto value = jit(spread, {.argument_names = {"center", "x"}});
  std::printf("%s\n", to_string(value.lower(center, x)).c_str());

  // With data the program is compiled, kept, and run.
  const auto slope = jit(value_and_grad(spread));
  const auto [at_center, gradient] = slope(center, x);
  std::printf("spread %g, gradient %g %g\n", at_center.item(), gradient.at(0), gradient.at(1));

  // What cannot be traced is refused with a number, the line, and what to write instead.
  try {
    jit([](Array a, Array b) { return matmul(a, b); })(x, x);
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
  }
}

// clang-format off: what this program prints
// module @main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
//   func.func public @main(%arg0: tensor<2xf32> {jax.arg_info = "center"}, %arg1: tensor<3x2xf32> {jax.arg_info = "x"}) -> (tensor<f32>) {
//     %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<2xf32>) -> tensor<3x2xf32>
//     %1 = "stablehlo.subtract"(%arg1, %0) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
//     %2 = "stablehlo.multiply"(%1, %1) : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
//     %3 = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
//     %4 = "stablehlo.reduce"(%2, %3) ({
//     ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
//       %5 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
//       "stablehlo.return"(%5) : (tensor<f32>) -> ()
//     }) {dimensions = array<i64: 0, 1>} : (tensor<3x2xf32>, tensor<f32>) -> tensor<f32>
//     %6 = "stablehlo.constant"() {value = dense<6.0> : tensor<f32>} : () -> tensor<f32>
//     %7 = "stablehlo.divide"(%4, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
//     "func.return"(%7) : (tensor<f32>) -> ()
//   }
// }
//
// spread 1.66667, gradient -1 -1
// X401: dot_general: dimension 1 of the left operand f32[3, 2] is contracted with dimension 0 of the right operand f32[3, 2], and 2 is not 3.
//   where:   demos/examples/1_trace.cpp:25, in auto main()::(anonymous class)::operator()(Array, Array) const
//   because: argument arg0: f32[3, 2]
//            argument arg1: f32[3, 2]
//   rule:    StableHLO operations state which extents must agree, and the check comes before anything runs. This is constraint C10 of StableHLO's dot_general.
//   fix:     transpose(right, {1, 0})
//       or:  transpose(left, {1, 0})
//   see:     octet explain X401
