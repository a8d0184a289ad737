module @main {
  func.func public @main() -> () {
    "stablehlo.sort"() <{dimension = 0 : i64, is_stable = true}> ({
      %1 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }
}
