import octet;
import facts;
using namespace octet;

Shape sizes();

Array product_of(Array x, Array weight) {
  return matmul(x, weight);
}

/// What a product of these sizes takes on a core.
tpu::ProgramEstimate product(Shape shape) {
  const TensorType x{DType::f32, shape}, weight{DType::f32, {shape[1], shape[1]}};
  return tpu::estimate(trace(facts::function(product_of), {x, weight}), tpu::slice("v3-8"));
}

void check() {
  const Shape own = sizes();
  facts::at_least("rows", static_cast<double>(own[0]), 10);
  facts::at_least("features", static_cast<double>(own[1]), 1000);
  const auto needed = product({10, 1000}), chosen = product(own);
  facts::at_most("share of the product that is padding, in %", 100 * (1 - chosen.flops / chosen.padded_flops), 0);
  facts::at_most("millions of operations on the matrix unit", 1e-6 * chosen.padded_flops, 1e-6 * needed.padded_flops);
}
