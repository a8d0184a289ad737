module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

namespace {

/// Rows written into as many segments as `initial` has rows.
Array combined(const operand& a, const operand& s, std::int64_t count, Reducer reducer, const char* function,
               Array (*initial)(const TensorType&)) {
  const ComposedAt scope{a.where()};
  const Array x = a.array(), segments = s.array();
  require_rank(x, 1, function, Place::of(a.where()));
  if (segments.rank() != 1 || segments.extent(0) != x.extent(0) || !is_integer(segments.dtype()) || count < 0)
    fail([&] {
      if (!is_integer(segments.dtype()))
        return Diagnostic{.number = 402,
                          .sentence = std::string{function} + " takes segments by whole numbers, and is given " +
                                      to_string(segments.type()) + ".",
                          .where = placed(Place::of(a.where())),
                          .because = because(segments),
                          .fix = {"cast<int>(segments)"}};
      return Diagnostic{.number = 401,
                        .sentence = std::string{function} + " needs an integer for each row of " + to_string(x.type()) +
                                    " and a number of segments, and is given " + to_string(segments.type()) + " and " +
                                    std::to_string(count) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(segments)};
    });
  ScatterAttributes attributes{
      .inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}, .index_vector_dim = 1, .reducer = reducer};
  for (std::int64_t d = 1; d < x.rank(); ++d) attributes.update_window_dims.push_back(d);
  Dims shape = x.shape().extents();
  shape[0] = count;
  return scatter(initial({x.dtype(), Shape{std::move(shape)}}), segments, x, std::move(attributes));
}

/// The least number of a type, or the largest: what any other one replaces.
template <bool least>
Array bound(const TensorType& type) {
  const auto integer = [&]<class T>(T) {
    return full(type, least ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max());
  };
  switch (type.dtype) {
    case DType::pred:
      return full(type, !least);
    case DType::i32:
      return integer(std::int32_t{});
    case DType::u32:
      return integer(std::uint32_t{});
    case DType::i64:
      return integer(std::int64_t{});
    default:
      return full(type, least ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity());
  }
}

}  // namespace

Array segment_sum(operand x, operand segments, std::int64_t count) {
  return combined(x, segments, count, Reducer::add, "segment_sum", [](const TensorType& type) { return zeros(type); });
}

Array segment_max(operand x, operand segments, std::int64_t count) {
  const bool truths = x.array().dtype() == DType::pred;
  return combined(x, segments, count, truths ? Reducer::or_ : Reducer::maximum, "segment_max", bound<true>);
}

Array segment_min(operand x, operand segments, std::int64_t count) {
  const bool truths = x.array().dtype() == DType::pred;
  return combined(x, segments, count, truths ? Reducer::and_ : Reducer::minimum, "segment_min", bound<false>);
}

}  // namespace octet
