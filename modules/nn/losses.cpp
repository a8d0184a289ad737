module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

namespace {

/// What makes an array of shape `from` one of shape `to`.
std::string give_shape(const std::string& name, const Shape& from, const Shape& to) {
  if (from.elements() == to.elements()) return "reshape(" + name + ", x.shape()), if they are in the same order";
  if (from.rank() == 0) return "broadcast_to(" + name + ", x.shape()), if it is one for all";
  return "give as many " + name + " as there are values";
}

}  // namespace

Array log_sigmoid(operand x) {
  const ComposedAt scope{x.where()};
  return -softplus(-x.array());
}

Array binary_cross_entropy(operand a, operand labels) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  if (!labels.is_number() && labels.array().shape() != x.shape())
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = "binary_cross_entropy needs logits and labels of one shape, and is given " +
                                    to_string(x.type()) + " and " + to_string(labels.array().type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(labels.array()),
                        .fix = {give_shape("labels", labels.array().shape(), x.shape())}};
    });
  return maximum(x, 0.0) - x * labels + log1p(exp(-abs(x)));
}

// Labels that give a share to all classes alike. Apart from what each loss calls.
[[gnu::noinline]] static Array smoothed(const Array& of_label, const Array& shifted, double shared,
                                        const std::source_location& where) {
  if (!(shared >= 0 && shared <= 1))
    fail([&] {
      return Diagnostic{
          .number = 403,
          .sentence = "cross_entropy: a label_smoothing of " + shortest_decimal(shared) + " is no share of a label.",
          .where = placed(Place::of(where)),
          .fix = {"give a share from 0 to 1, such as 0.1"}};
    });
  return of_label * (1 - shared) + mean(shifted, {-1}) * shared;
}

// A label below 0 is clamped, or hits no class: then the loss of a row that is ignored is finite, whatever its classes.
static Array row_losses(operand a, const Array& labels, const CrossEntropyOptions& options, bool negative_hits_none) {
  const ComposedAt scope{a.where()};
  // log Σ exp(x) - x[label], with the row's maximum taken out. The label is found by comparison with the column's
  // number: a multiply-and-sum that stays in one loop, where a gather would need a scatter for its derivative.
  const Array x = a.array();
  if (x.rank() == 0 || labels.shape() != Shape{Dims{x.shape().begin(), x.shape().end() - 1}})
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = "cross_entropy needs logits [rows…, classes] and labels [rows…], and is given " +
                                    to_string(x.type()) + " and " + to_string(labels.type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(labels),
                        .fix = {is_integer(x.dtype()) && !is_integer(labels.dtype())
                                    ? "exchange the two: cross_entropy(logits, labels)"
                                : x.rank() > 0 && labels.shape() == x.shape()
                                    ? "for a share of each class: -sum(labels * log_softmax(logits), {-1})"
                                    : "give one label for each row"}};
    });
  if (!is_integer(labels.dtype()))
    fail([&] {
      return Diagnostic{.number = 402,
                        .sentence =
                            "cross_entropy takes labels that are integers, the number of each row's class, and "
                            "is given " +
                            to_string(labels.type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(labels),
                        .fix = {"cast<int>(labels)"}};
    });
  const Array top = stop_gradient(max(x, {-1}, true));
  const Array shifted = x - top;
  const Array column = iota({labels.dtype(), x.shape()}, -1);
  const auto last = static_cast<std::int32_t>(x.extent(-1) - 1);
  const Array hit = column == expand_dims(negative_hits_none ? minimum(labels, last) : clamp(0, labels, last), -1);
  const Array of_label = sum(select(hit, shifted, 0.0), {-1}), of_all = log(sum(exp(shifted), {-1}));
  const double shared = options.label_smoothing;
  return of_all - (shared == 0 ? of_label : smoothed(of_label, shifted, shared, a.where()));
}

Array cross_entropy(operand logits, operand labels, const CrossEntropyOptions& options) {
  return row_losses(logits, labels.array(), options, false);
}

SummedLoss summed_cross_entropy(operand logits, operand label, const CrossEntropyOptions& options) {
  const ComposedAt scope{logits.where()};
  const Array labels = label.array();
  const Array keep = cast<float>(labels >= 0), losses = row_losses(logits, labels, options, true);
  // bf16 would round their sum.
  const Array wide = losses.dtype() == DType::bf16 ? cast<float>(losses) : losses;
  return {sum(wide * cast(keep, wide.dtype())), sum(keep)};
}

Array masked_mean(operand values, operand of) {
  const ComposedAt scope{values.where()};
  const Array mask = of.array();
  const DType dtype = values.array().dtype();
  const Shape& shape = values.array().shape();
  if (dtype == DType::pred)
    fail([&] {
      return Diagnostic{.number = 402,
                        .sentence = "masked_mean needs numbers and then a mask, and is given " +
                                    to_string(values.array().type()) + " and then " + to_string(mask.type()) + ".",
                        .where = placed(Place::of(values.where())),
                        .because = because(values.array()),
                        .fix = {mask.dtype() == DType::pred ? "cast<float>(x) makes numbers of truth values"
                                                            : "exchange the two: masked_mean(x, mask)"}};
    });
  if (mask.shape() != shape || mask.dtype() != DType::pred)
    fail([&] {
      const bool unlike = mask.shape() != shape;
      return Diagnostic{
          .number = unlike ? 401 : 402,
          .sentence = "masked_mean needs a mask of truth values of the shape of the values, and is given " +
                      to_string(mask.type()) + " for " + to_string(values.array().type()) + ".",
          .where = placed(Place::of(values.where())),
          .because = because(mask),
          .fix = {!unlike ? "mask != 0"
                  : mask.shape().elements() == shape.elements()
                      ? give_shape("mask", mask.shape(), shape)
                      : "give each value a truth value: broadcast_to(mask, x.shape()) repeats a mask of extents 1"}};
    });
  // bf16 could not even count to 257.
  const Array wide = dtype == DType::bf16 ? cast<float>(values) : values.array();
  const Array kept = select(mask, wide, full({wide.dtype(), Shape{}}, 0));
  const Array flat = reshape(kept, {kept.shape().elements()});
  // A product with ones: unlike reduce, whose partial sums depend on where an element stands, it adds in order, and
  // adding 0 changes no sum.
  const Array ones = full(flat.type(), 1);
  DotAttributes in_order;
  in_order.lhs_contracting_dimensions = in_order.rhs_contracting_dimensions = {0};
  in_order.precision = DotPrecision::HIGHEST;
  const Array total = dot_general(flat, ones, in_order);
  return cast(total / maximum(sum(cast(mask, flat.dtype())), 1), dtype);
}

}  // namespace octet::nn
