module;
#include <cstdint>
#include <source_location>
module octet.nn;
import octet.base;
import octet.graph;
import octet.trace;

namespace octet::nn {

Array cross_entropy(operand a, const Array& labels) {
  const ComposedAt scope{a.where()};
  // log Σ exp(x) - x[label], with the row's maximum taken out. The label is found by comparison with the column's number:
  // a multiply-and-sum that stays in one loop, where a gather would need a scatter for its derivative.
  const Array x = a.array();
  const Array top = stop_gradient(max(x, {-1}, true));
  const Array shifted = x - top;
  const Array column = iota({DType::i32, x.shape()}, 1);
  const Array hit = column == expand_dims(clamp(0, labels, static_cast<std::int32_t>(x.extent(-1) - 1)), 1);
  return log(sum(exp(shifted), {-1})) - sum(select(hit, shifted, 0.0), {-1});
}

SummedLoss summed_cross_entropy(operand logits, const Array& labels) {
  const ComposedAt scope{logits.where()};
  const Array keep = cast<float>(labels >= 0);
  return {sum(cross_entropy(logits, labels) * keep), sum(keep)};
}

}  // namespace octet::nn
