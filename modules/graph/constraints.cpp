module octet.graph;
import octet.standard;
import :constraints;

namespace octet {

bool is_representable(const Shape& shape) {
  std::int64_t product = 1;
  for (std::int64_t extent : shape) {
    if (extent < 0) return false;
    if (extent > most_elements / product) return false;
    product *= std::max<std::int64_t>(extent, 1);
  }
  return true;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return say(count, " ", count == 1 ? one : many);
}

std::string braced(const Dims& dims) {
  std::string text = to_string(dims);
  text.front() = '{';
  text.back() = '}';
  return text;
}

std::string cast_to(DType dtype, std::string_view value) {
  if (dtype == DType::i64) return say("cast(", value, ", DType::i64)");  // a type of 64 bits has another name elsewhere
  constexpr std::string_view names[] = {"bool", "int", "", "unsigned", "bfloat16", "float", "double"};
  return say("cast<", names[static_cast<std::size_t>(dtype)], ">(", value, ")");
}

std::string cast_and_reshape(const TensorType& to) {
  return say("reshape(", cast_to(to.dtype, "x"), ", ", braced(to.shape.extents()), ")");
}

bool broadcast_places(const Shape& from, const Shape& to, Dims& places) {
  places.assign(static_cast<std::size_t>(from.rank()), 0);
  std::int64_t place = to.rank();
  for (std::int64_t d = from.rank() - 1; d >= 0; --d) {
    do {
      if (--place < 0) return false;
    } while (from[d] != 1 && from[d] != to[place]);
    places[static_cast<std::size_t>(d)] = place;
  }
  return true;
}

namespace {

/// The permutation that transposes `from` into `to`, if there is one.
bool permutation_to(const Shape& from, const Shape& to, Dims& permutation) {
  if (from.rank() != to.rank() || from == to) return false;
  std::vector<bool> taken(static_cast<std::size_t>(from.rank()));
  permutation.clear();
  for (std::int64_t extent : to) {
    std::size_t d = 0;
    while (d < taken.size() && (taken[d] || from[static_cast<std::int64_t>(d)] != extent)) ++d;
    if (d == taken.size()) return false;
    taken[d] = true;
    permutation.push_back(static_cast<std::int64_t>(d));
  }
  return true;
}

/// The first entry that comes twice, or -1.
std::int64_t repeated(const Dims& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]) !=
        values.begin() + static_cast<std::ptrdiff_t>(i))
      return static_cast<std::int64_t>(i);
  return -1;
}

}  // namespace

Fixes ways_to(const std::string& variable, const Shape& from, const Shape& to) {
  Fixes fixes;
  Dims dims;
  if (from == to || !is_representable(from) || !is_representable(to)) return fixes;
  if (permutation_to(from, to, dims)) fixes.push_back(say("transpose(", variable, ", ", braced(dims), ")"));
  if (broadcast_places(from, to, dims))
    fixes.push_back(say("broadcast_in_dim(", variable, ", ", braced(to.extents()), ", ", braced(dims), ")"));
  else if (from.elements() == to.elements() && fixes.empty())
    fixes.push_back(say("reshape(", variable, ", ", braced(to.extents()), ")"));
  return fixes;
}

std::string Constraints::noun(std::size_t input) const {
  constexpr std::string_view clamped[] = {"min", "the operand", "max"};
  constexpr std::string_view selected[] = {"the predicate", "on_true", "on_false"};
  std::string text;
  if (op() == Op::clamp && input < 3)
    text = clamped[input];
  else if (op() == Op::select && input < 3)
    text = selected[input];
  else if (inputs() == 1)
    text = "the operand";
  else if (operation(op()).kind == OpKind::binary || op() == Op::dot_general)
    text = input == 0 ? "the left operand" : "the right operand";
  else if (op() == Op::gather || op() == Op::scatter)
    text = input == 0 ? "the operand" : input == 1 ? "the indices" : "the updates";
  else if (op() == Op::pad)
    text = input == 0 ? "the operand" : "the padding value";
  else if (op() == Op::dynamic_slice)
    text = input == 0 ? "the operand" : say("start index ", input - 1);
  else if (op() == Op::dynamic_update_slice)
    text = input == 0 ? "the operand" : input == 1 ? "the update" : say("start index ", input - 2);
  else
    text = say("operand ", input);
  return say(text, " ", type(input));
}

std::string Constraints::has_rank(std::size_t input) const {
  return say(noun(input), " has ", counted(static_cast<std::size_t>(shape(input).rank()), "dimension", "dimensions"));
}

std::string Constraints::variable(std::size_t input) const {
  constexpr std::string_view clamped[] = {"min", "x", "max"};
  constexpr std::string_view selected[] = {"predicate", "on_true", "on_false"};
  if (op() == Op::clamp && input < 3) return word(clamped[input]);
  if (op() == Op::select && input < 3) return word(selected[input]);
  if (inputs() == 1) return "x";
  if (operation(op()).kind == OpKind::binary || op() == Op::dot_general) return input == 0 ? "left" : "right";
  if (op() == Op::gather || op() == Op::scatter) return input == 0 ? "x" : input == 1 ? "indices" : "updates";
  if (op() == Op::pad) return input == 0 ? "x" : "padding_value";
  if (op() == Op::dynamic_slice) return input == 0 ? "x" : "start";
  if (op() == Op::dynamic_update_slice) return input == 0 ? "x" : input == 1 ? "update" : "start";
  return say("operand", input);
}

void Constraints::broken(int number, int constraint, std::string sentence, Fixes fix) {
  if (fix.size() > 3) fix.resize(3);
  std::string rule;
  if (constraint != 0)
    rule = say(catalogue_entry(number).rule, " This is constraint C", constraint, " of StableHLO's ", name(op()), ".");
  faults_.push_back({.number = number,
                     .sentence = say(name(op()), ": ", sentence, "."),
                     .where = application_.place,
                     .rule = std::move(rule),
                     .fix = std::move(fix)});
}

bool Constraints::same_element_type(std::size_t one, std::size_t other, int constraint) {
  if (dtype(one) == dtype(other)) return true;
  const auto cast = [&](std::size_t input, DType to) { return cast_to(to, variable(input)); };
  const bool second_is_wider = dtype(other) > dtype(one);
  const std::size_t narrow = second_is_wider ? one : other, wide = second_is_wider ? other : one;
  const bool bits = op() == Op::and_ || op() == Op::or_ || op() == Op::xor_;
  Fixes fixes;
  if (!bits || !is_floating(dtype(wide))) fixes.push_back(cast(narrow, dtype(wide)));
  if (bits || hold() || dtype(narrow) != DType::pred)
    fixes.push_back(cast(wide, dtype(narrow)));  // where truths are taken
  element_types(constraint, say(noun(one), " and ", noun(other), " have different element types"), std::move(fixes));
  return false;
}

bool Constraints::same_shape(std::size_t one, std::size_t other, int constraint) {
  const Shape &a = shape(one), &b = shape(other);
  if (a == b) return true;
  std::string sentence = say(noun(one), " and ", noun(other), " must have one shape, and ");
  if (a.rank() != b.rank()) {
    sentence +=
        say("they have ", counted(static_cast<std::size_t>(a.rank()), "dimension", "dimensions"), " and ", b.rank());
  } else {
    std::int64_t d = 0;
    while (a[d] == b[d]) ++d;
    sentence += say("in dimension ", d, " ", a[d], " is not ", b[d]);
  }
  Fixes fixes = ways_to(variable(other), b, a), reverse = ways_to(variable(one), a, b);
  if (a.elements() < b.elements()) std::swap(fixes, reverse);
  fixes.insert(fixes.end(), reverse.begin(), reverse.end());
  shapes(constraint, std::move(sentence), std::move(fixes));
  return false;
}

bool Constraints::scalar(std::size_t input, int constraint) {
  if (shape(input).rank() == 0) return true;
  Fixes fixes;
  if (shape(input).elements() == 1) fixes.push_back(say("reshape(", variable(input), ", {})"));
  shapes(constraint, say(noun(input), " must be a scalar"), std::move(fixes));
  return false;
}

bool Constraints::integers(std::size_t input, int constraint) {
  if (is_integer(dtype(input))) return true;
  element_types(constraint, say(noun(input), " must be of integers"), {cast_to(DType::i32, variable(input))});
  return false;
}

bool Constraints::wrong_length(std::string_view name, const Dims& values, std::size_t expected, const std::string& of,
                               int constraint) {
  attribute(constraint, say(name, " ", values, " has ", counted(values.size(), "entry", "entries"), ", and ", of),
            {say("give ", name, " ", counted(expected, "entry", "entries"))});
  return false;
}

bool Constraints::no_dimension(std::string_view name, std::int64_t value, std::int64_t rank, const std::string& of,
                               int constraint) {
  Fixes fixes;
  if (-rank <= value && value < 0)
    fixes.push_back(say("count from the front: ", name, " = ", value + rank));
  else if (rank == 1)
    fixes.push_back(say(name, " = 0"));
  attribute(constraint,
            say(name, " is ", value, ", and ", of,
                rank == 0   ? " has no dimensions"
                : rank == 1 ? " has dimension 0 alone"
                            : "",
                rank > 1 ? say(" has dimensions 0 to ", rank - 1) : ""),
            std::move(fixes));
  return false;
}

bool Constraints::are_dimensions(const Dims& values, std::int64_t rank) {
  return std::all_of(values.begin(), values.end(), [&](std::int64_t d) { return 0 <= d && d < rank; }) &&
         repeated(values) < 0;
}

bool Constraints::wrong_dimensions(std::string_view name, const Dims& values, std::int64_t rank, const std::string& of,
                                   int range_constraint, int unique_constraint) {
  const auto outside = std::find_if(values.begin(), values.end(), [&](std::int64_t d) { return d < 0 || d >= rank; });
  if (outside != values.end()) {
    Fixes fixes;
    Dims front = values;
    for (std::int64_t& d : front)
      if (d < 0) d = d < -rank ? -1 : d + rank;
    if (repeated(front) < 0 &&
        std::all_of(front.begin(), front.end(), [&](std::int64_t d) { return 0 <= d && d < rank; }))
      fixes.push_back(say("count from the front: ", name, " = ", braced(front)));
    attribute(range_constraint,
              say(name, " ", values, " names dimension ", *outside, ", and ", of,
                  rank == 0   ? " has no dimensions"
                  : rank == 1 ? " has dimension 0 alone"
                              : "",
                  rank > 1 ? say(" has dimensions 0 to ", rank - 1) : ""),
              std::move(fixes));
    return false;
  }
  const std::int64_t twice = repeated(values);
  Dims once;
  for (std::int64_t d : values)
    if (std::find(once.begin(), once.end(), d) == once.end()) once.push_back(d);
  attribute(unique_constraint,
            say(name, " ", values, " names dimension ", values[static_cast<std::size_t>(twice)], " more than once"),
            {say("name each dimension once", name == "permutation" ? "" : say(": ", name, " = ", braced(once)))});
  return false;
}

bool Constraints::increasing(std::string_view name, const Dims& values, int constraint) {
  if (std::is_sorted(values.begin(), values.end())) return true;
  Dims sorted = values;
  std::sort(sorted.begin(), sorted.end());
  attribute(constraint, say(name, " ", values, " is not in increasing order"), {say(name, " = ", braced(sorted))});
  return false;
}

bool Constraints::too_large(std::string_view what, const Shape& shape) {
  const auto negative = std::find_if(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 0; });
  if (negative != shape.end()) {
    attribute(0, say(what, " of shape ", shape, " would have the extent ", *negative, ", and extents are at least 0"));
  } else {
    shapes(0, say(what, " of shape ", shape, " would have more than 2^40 elements"),
           {"make it smaller: split the batch, or compute it in pieces with scan"});
  }
  return false;
}

}  // namespace octet
