/// Shape rules of dot_general and reduce.
module octet.graph;
import octet.standard;
import :constraints;
import :rules;

namespace octet::rules {

namespace {

bool contains(const Dims& dims, std::int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

Dims joined(const Dims& one, const Dims& other) {
  Dims all = one;
  all.insert(all.end(), other.begin(), other.end());
  return all;
}

/// The dimension that is contracted where it does not fit, and one beside it that would.
void suggest_transpose(Constraints& c, std::size_t input, std::int64_t contracted, std::int64_t wanted,
                       const Dims& named, Fixes& fixes) {
  const Shape& shape = c.shape(input);
  for (std::int64_t d = shape.rank() - 1; d >= 0; --d) {
    if (shape[d] != wanted || contains(named, d)) continue;
    Dims permutation;
    for (std::int64_t p = 0; p < shape.rank(); ++p)
      permutation.push_back(p == contracted ? d : p == d ? contracted : p);
    fixes.push_back(say("transpose(", c.variable(input), ", ", braced(permutation), ")"));
    return;
  }
}

}  // namespace

Types dot_general(Constraints& c, const DotAttributes& a) {
  const Shape &left = c.shape(0), &right = c.shape(1);
  if (a.precision > DotPrecision::HIGHEST) c.attribute(0, "precision is none of DEFAULT, HIGH and HIGHEST");
  c.same_element_type(0, 1, 13);
  const Dims left_named = joined(a.lhs_batching_dimensions, a.lhs_contracting_dimensions),
             right_named = joined(a.rhs_batching_dimensions, a.rhs_contracting_dimensions);
  bool holds = c.dimensions("lhs_batching_dimensions and lhs_contracting_dimensions", left_named, 0, 6, 3);
  holds &= c.dimensions("rhs_batching_dimensions and rhs_contracting_dimensions", right_named, 1, 8, 4);
  const auto same_length = [&](const char* what, const Dims& lhs, const Dims& rhs, int constraint) {
    if (lhs.size() == rhs.size()) return;
    c.fault([&] {
      c.attribute(constraint, say("lhs_", what, " ", lhs, " and rhs_", what, " ", rhs, " must pair up, and they have ",
                                  lhs.size(), " and ", counted(rhs.size(), "entry", "entries")));
    });
    holds = false;
  };
  same_length("batching_dimensions", a.lhs_batching_dimensions, a.rhs_batching_dimensions, 1);
  same_length("contracting_dimensions", a.lhs_contracting_dimensions, a.rhs_contracting_dimensions, 2);
  if (!holds) return {};

  Dims extents;
  for (std::size_t i = 0; i < a.lhs_batching_dimensions.size(); ++i) {
    const std::int64_t l = a.lhs_batching_dimensions[i], r = a.rhs_batching_dimensions[i];
    extents.push_back(left[l]);
    if (left[l] != right[r])
      c.fault([&] {
        c.shapes(9, say("dimension ", l, " of ", c.noun(0), " is a batch with dimension ", r, " of ", c.noun(1),
                        ", and ", left[l], " is not ", right[r]));
      });
  }
  for (std::size_t i = 0; i < a.lhs_contracting_dimensions.size(); ++i) {
    const std::int64_t l = a.lhs_contracting_dimensions[i], r = a.rhs_contracting_dimensions[i];
    if (left[l] == right[r]) continue;
    c.fault([&] {
      Fixes fixes;
      suggest_transpose(c, 1, r, left[l], right_named, fixes);
      suggest_transpose(c, 0, l, right[r], left_named, fixes);
      c.shapes(10,
               say("dimension ", l, " of ", c.noun(0), " is contracted with dimension ", r, " of ", c.noun(1), ", and ",
                   left[l], " is not ", right[r]),
               std::move(fixes));
    });
  }
  for (std::int64_t d = 0; d < left.rank(); ++d)
    if (!contains(left_named, d)) extents.push_back(left[d]);
  for (std::int64_t d = 0; d < right.rank(); ++d)
    if (!contains(right_named, d)) extents.push_back(right[d]);
  return {{c.dtype(0), Shape{extents}}};
}

bool reducible(Constraints& c, Reducer reducer, unsigned input) {
  const DType dtype = c.dtype(input);
  switch (reducer) {
    case Reducer::add:
    case Reducer::multiply:
    case Reducer::maximum:
    case Reducer::minimum:
      if (dtype != DType::pred) return true;
      c.element_types(
          0, say("truth values have no sum, product or extreme, and ", c.noun(input), " has truth values"),
          {say("cast<float>(", c.variable(input), "), to count the true ones"),
           reducer == Reducer::add || reducer == Reducer::maximum ? "the reducer or_, to ask whether any is true"
                                                                  : "the reducer and_, to ask whether all are true"});
      return false;
    case Reducer::and_:
    case Reducer::or_:
      if (!is_floating(dtype)) return true;
      c.element_types(
          0, say("and and or combine truth values or the bits of integers, and ", c.noun(input), " is neither"),
          {say(c.variable(input), " != 0")});
      return false;
    case Reducer::replace:
      c.attribute(0, "the reducer replace is for scatter alone");
      return false;
  }
  c.attribute(0, "the reducer is none of add, multiply, maximum, minimum, and, or");
  return false;
}

Types reduce(Constraints& c, const ReduceAttributes& attributes) {
  const Shape& from = c.shape(0);
  reducible(c, attributes.reducer, 0);
  if (!c.dimensions("dimensions", attributes.dimensions, 0, 4, 5)) return {};
  Dims extents;
  for (std::int64_t d = 0; d < from.rank(); ++d)
    if (!contains(attributes.dimensions, d)) extents.push_back(from[d]);
  return {{c.dtype(0), Shape{extents}}};
}

}  // namespace octet::rules
