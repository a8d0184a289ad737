/// Shape rules of operations that move elements to places known when the program is traced.
module octet.graph;
import octet.standard;
import :constraints;
import :rules;

namespace octet::rules {

namespace {

/// `shape` with one extent changed so that it has `elements` elements; the last dimension that can be is changed.
bool with_elements(Shape shape, std::int64_t elements, Shape& result) {
  for (std::int64_t d = shape.rank() - 1; d >= 0; --d) {
    Shape other = shape;
    other[d] = 1;
    const std::int64_t rest = other.elements();
    if (rest == 0 || elements % rest != 0) continue;
    other[d] = elements / rest;
    result = other;
    return true;
  }
  return false;
}

}  // namespace

Types broadcast_in_dim(Constraints& c, const BroadcastAttributes& attributes) {
  const Shape &from = c.shape(0), &to = attributes.shape;
  const Dims& places = attributes.broadcast_dimensions;
  if (!c.representable("the result", to)) return {};
  const auto fixes = [&]() -> Fixes {
    Dims guess;
    if (!broadcast_places(from, to, guess)) return {};
    return {say("broadcast_in_dim(x, ", braced(to.extents()), ", ", braced(guess), ")")};
  };
  if (places.size() != static_cast<std::size_t>(from.rank())) {
    c.attribute(2,
                say("broadcast_dimensions ", places, " has ", counted(places.size(), "entry", "entries"), ", and ",
                    c.has_rank(0)),
                fixes());
    return {};
  }
  if (!c.dimensions("broadcast_dimensions", places, to.rank(), [&] { return say("the result ", to); }, 3, 4)) return {};
  for (std::int64_t d = 0; d < from.rank(); ++d) {
    const std::int64_t place = places[static_cast<std::size_t>(d)];
    if (from[d] != 1 && from[d] != to[place])
      c.shapes(5,
               say("dimension ", d, " of ", c.noun(0), " becomes dimension ", place, " of the result ", to, ", and ",
                   from[d], " is neither 1 nor ", to[place]),
               fixes());
  }
  return {{c.dtype(0), to}};
}

Types concatenate(Constraints& c, const DimensionAttributes& attributes) {
  if (c.inputs() == 0) {
    c.broken(404, 3, "it takes at least 1 operand, and 0 are given");
    return {};
  }
  const std::int64_t dimension = attributes.dimension;
  if (!c.dimension("dimension", dimension, 0, 4)) return {};
  Shape shape = c.shape(0);
  for (std::size_t i = 1; i < c.inputs(); ++i) {
    c.same_element_type(0, i, 1);
    const Shape& other = c.shape(i);
    if (other.rank() != shape.rank()) {
      c.shapes(2, say(c.noun(0), " and ", c.noun(i), " must have equally many dimensions"));
      continue;
    }
    std::vector<std::int64_t> different;
    for (std::int64_t d = 0; d < shape.rank(); ++d)
      if (d != dimension && other[d] != shape[d]) different.push_back(d);
    if (!different.empty()) {
      Fixes fixes;
      const std::int64_t d = different.front();
      if (different.size() == 1 && c.inputs() == 2 && other[dimension] == c.shape(0)[dimension])
        fixes.push_back(say("concatenate along dimension ", d, " instead"));
      c.shapes(2,
               say(c.noun(0), " and ", c.noun(i), " are joined along dimension ", dimension, ", and in dimension ", d,
                   " ", shape[d], " is not ", other[d]),
               std::move(fixes));
    }
    shape[dimension] += other[dimension];
  }
  return {{c.dtype(0), shape}};
}

Types pad(Constraints& c, const PadAttributes& attributes) {
  c.same_element_type(0, 1, 1);
  c.scalar(1, 0);
  const auto rank = static_cast<std::size_t>(c.shape(0).rank());
  bool fits = c.length("edge_padding_low", attributes.edge_padding_low, 0, 2);
  fits &= c.length("edge_padding_high", attributes.edge_padding_high, 0, 2);
  fits &= c.length("interior_padding", attributes.interior_padding, 0, 2);
  if (!fits) return {};
  Shape shape = c.shape(0);
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t low = attributes.edge_padding_low[d], high = attributes.edge_padding_high[d],
                       interior = attributes.interior_padding[d], extent = c.shape(0)[static_cast<std::int64_t>(d)];
    if (interior < 0) {
      c.fault([&] {
        c.attribute(3,
                    say("interior_padding of dimension ", d, " is ", interior,
                        ", and only edges can be cut off by a negative padding"),
                    {"take every n-th element with slice(x, start, limit, strides)"});
      });
      continue;
    }
    const std::int64_t gaps = std::max<std::int64_t>(extent - 1, 0);
    if (low > most_elements || high > most_elements || (gaps > 0 && interior > most_elements / gaps)) {
      c.fault([&] {
        c.attribute(4, say("padding dimension ", d, " of ", c.noun(0), " by ", low, ", ", high, " and ", interior,
                           " inside would make it longer than 2^40"));
      });
      continue;
    }
    std::int64_t& padded = shape[static_cast<std::int64_t>(d)];
    const bool loses_all = low < -most_elements || high < -most_elements;  // and does not overflow in what follows
    padded = loses_all ? -1 : extent + low + high + gaps * interior;
    if (padded < 0)
      c.fault([&] {
        c.attribute(4, say("dimension ", d, " of ", c.noun(0), " cannot lose more than its ",
                           counted(static_cast<std::size_t>(extent + gaps * interior), "element", "elements"),
                           ", and the paddings at its edges are ", low, " and ", high));
      });
  }
  return {{c.dtype(0), shape}};
}

Types reshape(Constraints& c, const ResultAttributes& attributes) {
  const Shape& to = attributes.type.shape;
  if (attributes.type.dtype != c.dtype(0))
    c.fault([&] {
      c.element_types(1, say("the result ", attributes.type, " must have the element type of ", c.noun(0)),
                      {cast_and_reshape(attributes.type)});
    });
  if (!c.representable("the result", to)) return {};
  const std::int64_t elements = c.shape(0).elements();
  if (to.elements() != elements) {
    c.fault([&] {
      Fixes fixes;
      if (Shape guess; with_elements(to, elements, guess))
        fixes.push_back(say("reshape(x, ", braced(guess.extents()), ")"));
      if (Dims places; broadcast_places(c.shape(0), to, places))
        fixes.push_back(say("broadcast_in_dim(x, ", braced(to.extents()), ", ", braced(places),
                            "), if elements are to be repeated"));
      c.shapes(2,
               say(c.noun(0), " has ", counted(static_cast<std::size_t>(elements), "element", "elements"),
                   ", and the result ", to, " has ", to.elements()),
               std::move(fixes));
    });
  }
  return {attributes.type};
}

Types reverse(Constraints& c, const DimensionsAttributes& attributes) {
  c.dimensions("dimensions", attributes.dimensions, 0, 3, 2);
  return {c.type(0)};
}

Types slice(Constraints& c, const SliceAttributes& attributes) {
  const auto rank = static_cast<std::size_t>(c.shape(0).rank());
  bool fits = c.length("start_indices", attributes.start_indices, 0, 2);
  fits &= c.length("limit_indices", attributes.limit_indices, 0, 2);
  fits &= c.length("strides", attributes.strides, 0, 2);
  if (!fits) return {};
  Shape shape = c.shape(0);
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t& extent = shape[static_cast<std::int64_t>(d)];
    const std::int64_t start = attributes.start_indices[d], limit = attributes.limit_indices[d],
                       stride = attributes.strides[d];
    if (start < 0 || limit > extent || start > limit) {
      c.fault([&] {
        Fixes fixes;
        if (start >= 0 && start <= extent && limit > extent)
          fixes.push_back(say("end at ", extent, ", where dimension ", d, " ends"));
        else if (start < 0 && start >= -extent)
          fixes.push_back(say("count from the front: start at ", extent + start));
        else if (limit < 0 && limit >= -extent && start >= 0 && start <= extent + limit)
          fixes.push_back(say("count from the front: end at ", extent + limit));
        else if (start > limit && limit >= 0 && start <= extent)
          fixes.push_back(say("start at ", limit, " and end at ", start));
        c.attribute(3,
                    say("dimension ", d, " of ", c.noun(0), " is cut from ", start, " to ", limit,
                        ", and that is not within 0 to ", extent, start > limit ? " in rising order" : ""),
                    std::move(fixes));
      });
      continue;
    }
    if (stride <= 0) {
      c.fault([&] {
        std::string fix =
            stride < 0 ? say("reverse(slice(x, ...), {", d, "}), to go backwards") : word("stride 1 for every element");
        c.attribute(4, say("the stride of dimension ", d, " is ", stride, ", and strides are at least 1"),
                    {std::move(fix)});
      });
      continue;
    }
    extent = limit == start ? 0 : (limit - start - 1) / stride + 1;
  }
  return {{c.dtype(0), shape}};
}

Types sort(Constraints& c, const SortAttributes& attributes) {
  if (c.inputs() == 0) {
    c.broken(404, 1, "it takes at least 1 operand, and 0 are given");
    return {};
  }
  for (std::size_t i = 1; i < c.inputs(); ++i) c.same_shape(0, i, 3);
  c.dimension("dimension", attributes.dimension, 0, 4);
  if (attributes.direction > SortDirection::descending) c.attribute(0, "direction is neither ascending nor descending");
  return {c.application().inputs.begin(), c.application().inputs.end()};
}

Types transpose(Constraints& c, const TransposeAttributes& attributes) {
  const Shape& from = c.shape(0);
  const Dims& permutation = attributes.permutation;
  if (!c.length("permutation", permutation, 0, 2) || !c.dimensions("permutation", permutation, 0, 2, 2)) return {};
  Dims extents;
  for (std::int64_t d : permutation) extents.push_back(from[d]);
  return {{c.dtype(0), Shape{extents}}};
}

}  // namespace octet::rules
