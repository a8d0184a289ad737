// What the Machine section asks about one product on the matrix unit: what is filled up, and what other extents would
// cost.
#include "crossing.hpp"
import octet.standard;
import octet;

namespace {

namespace tpu = octet::tpu;
using crossing::number, crossing::take, crossing::text_of, crossing::val;

/// The cost of one product in bf16 on a core of `slice`.
tpu::OperationTotal cost_of(const tpu::Product& product, const tpu::Slice& slice) {
  const octet::Graph graph =
      octet::trace([](const std::vector<octet::Array>& a) { return std::vector{octet::matmul(a[0], a[1])}; },
                   {{octet::DType::bf16, {product.m, product.k}}, {octet::DType::bf16, {product.k, product.n}}});
  return tpu::estimate(graph, slice).operations.front();
}

/// An extent of a product: what it is filled up to, the next one below that wastes nothing, and seconds with each.
val dimension_of(const char* name, std::int64_t tpu::Product::* extent, const tpu::Product& product,
                 const tpu::Product& filled, std::int64_t tile, const tpu::Slice& slice) {
  const auto changed = [&](std::int64_t to) {
    tpu::Product other = product;
    other.*extent = to;
    return cost_of(other, slice).seconds;
  };
  const std::int64_t now = product.*extent, below = now / tile * tile;
  val object = val::object();
  object.set("name", name);
  object.set("extent", number(now));
  object.set("padded", number(filled.*extent));
  object.set("tile", number(tile));
  object.set("padded_seconds", changed(filled.*extent));
  object.set("below", number(below));
  object.set("below_seconds", below > 0 ? val{changed(below)} : val::null());
  return object;
}

/// `{chip, m, k, n}` → how [m, k] x [k, n] fills the matrix unit of the chip.
val matrix_unit(const val& request) {
  const std::string name = text_of(request, "chip");
  const tpu::Chip* const chip = tpu::find_chip(name);
  if (!chip) octet::fail({.number = 604, .sentence = "There is no TPU generation called '" + name + "'."});
  tpu::Product product;
  take(request, "m", product.m);
  take(request, "k", product.k);
  take(request, "n", product.n);
  constexpr std::int64_t most = 1 << 20;
  for (const std::int64_t extent : {product.m, product.k, product.n})
    if (extent < 1 || extent > most)
      octet::fail({.number = 403, .sentence = "An extent of a product here is a whole number from 1 to 1,048,576."});

  const tpu::Slice slice = tpu::slice(tpu::slice_names(*chip).front());
  const std::int64_t size = chip->matrix_unit_size;
  const tpu::Product filled = tpu::padded(product, size);
  const tpu::OperationTotal cost = cost_of(product, slice);
  // Where both fill up to whole units, either operand may stream.
  const bool n_streams = filled.n % size != 0 && filled.m % size == 0;
  constexpr std::int64_t rows = 8;
  val answer = val::object();
  answer.set("size", number(size));
  answer.set("streams", n_streams ? "n" : "m");
  answer.set("seconds", cost.seconds);
  answer.set("bound", std::string{tpu::name(cost.bound)});
  answer.set("flops", cost.flops);
  answer.set("padded_flops", cost.padded_flops);
  answer.set("use", cost.flops / std::max(1.0, cost.padded_flops));
  answer.set("m", dimension_of("m", &tpu::Product::m, product, filled, n_streams ? size : rows, slice));
  answer.set("k", dimension_of("k", &tpu::Product::k, product, filled, size, slice));
  answer.set("n", dimension_of("n", &tpu::Product::n, product, filled, n_streams ? rows : size, slice));
  return answer;
}

const crossing::Functions functions{{"matrixUnit", matrix_unit}};

}  // namespace
