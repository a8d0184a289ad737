/// A program as XLA reads it: StableHLO text, of a layer max(x w, 0). Somebody has altered it by hand.
import octet;
using namespace octet;

const char* layer() {
  return R"(
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>):
    %0 = "stablehlo.dot_general"(%x, %w) {dot_dimension_numbers =
        #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}
        : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = "stablehlo.constant"() {value = dense<0.0> : tensor<2x4xf32>} : () -> tensor<2x4xf32>
    %2 = "stablehlo.maximum"(%0, %1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%2) : (tensor<2x4xf32>) -> ()
  }) {sym_name = "main", function_type = (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>} : () -> ()
}) : () -> ()
)";
}
