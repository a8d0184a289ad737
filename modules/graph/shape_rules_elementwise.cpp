/// Shape rules of operations that are made from nothing or work element by element.
module octet.graph;
import octet.standard;
import :constraints;
import :rules;

namespace octet::rules {

namespace {

void same_type(Constraints& c, std::size_t one, std::size_t other, int element_type_constraint, int shape_constraint) {
  c.same_element_type(one, other, element_type_constraint);
  c.same_shape(one, other, shape_constraint);
}

/// Input `input` is a scalar or has the shape of input `whole`.
void scalar_or_same_shape(Constraints& c, std::size_t input, std::size_t whole, int constraint) {
  if (c.shape(input).rank() != 0) c.same_shape(whole, input, constraint);
}

}  // namespace

Types constant(Constraints&, const ConstantAttributes& attributes) { return {attributes.value.type()}; }

Types iota(Constraints& c, const IotaAttributes& attributes) {
  if (attributes.type.dtype == DType::pred)
    c.element_types(0, say("it counts in numbers, and the result ", attributes.type, " has truth values"),
                    {"cast<bool>(iota of i32)"});
  c.dimension(
      "iota_dimension", attributes.iota_dimension, attributes.type.shape.rank(),
      [&] { return say("the result ", attributes.type); }, 1);
  return {attributes.type};
}

Types replica_id(Constraints&, const NoAttributes&) { return {{DType::u32, {}}}; }

Types unary(Constraints& c, const NoAttributes&) { return {c.type(0)}; }

Types is_finite(Constraints& c, const NoAttributes&) { return {{DType::pred, c.shape(0)}}; }

Types convert(Constraints& c, const ResultAttributes& attributes) {
  if (attributes.type.shape != c.shape(0))
    c.shapes(1, say("the result ", attributes.type, " must have the shape of ", c.noun(0)),
             {cast_and_reshape(attributes.type)});
  return {attributes.type};
}

Types bitcast_convert(Constraints& c, const ResultAttributes& attributes) {
  const std::size_t from = size_of(c.dtype(0)), to = size_of(attributes.type.dtype);
  if (from != to || (c.dtype(0) == DType::pred) != (attributes.type.dtype == DType::pred))
    c.element_types(1,
                    say(c.noun(0), " has elements of ", counted(from, "byte", "bytes"), ", and those of the result ",
                        attributes.type, " have ", to),
                    {say(cast_to(attributes.type.dtype, "x"), ", if the values are meant and not their bits")});
  if (attributes.type.shape != c.shape(0))
    c.shapes(1, say("the result ", attributes.type, " must have the shape of ", c.noun(0)));
  return {attributes.type};
}

Types binary(Constraints& c, const NoAttributes&) {
  same_type(c, 0, 1, 1, 1);
  return {c.type(0)};
}

Types compare(Constraints& c, const CompareAttributes& attributes) {
  if (attributes.comparison_direction > Comparison::LT)
    c.attribute(0, "comparison_direction is none of EQ, NE, GE, GT, LE, LT");
  same_type(c, 0, 1, 1, 2);
  return {{DType::pred, c.shape(0)}};
}

Types clamp(Constraints& c, const NoAttributes&) {
  c.same_element_type(1, 0, 3);
  c.same_element_type(1, 2, 3);
  scalar_or_same_shape(c, 0, 1, 1);
  scalar_or_same_shape(c, 2, 1, 2);
  return {c.type(1)};
}

Types select(Constraints& c, const NoAttributes&) {
  if (c.dtype(0) != DType::pred)
    c.element_types(0, say(c.noun(0), " must be of truth values"), {"predicate != 0", "cast<bool>(predicate)"});
  same_type(c, 1, 2, 2, 2);
  scalar_or_same_shape(c, 0, 1, 1);
  return {c.type(1)};
}

}  // namespace octet::rules
