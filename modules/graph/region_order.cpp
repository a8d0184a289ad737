module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :notation;
import :region_order;
import :syntax;

namespace octet::syntax {

namespace {

/// A floating-point number, or an integer or truth value.
struct Scalar {
  double real = 0;
  std::int64_t whole = 0;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A number whose order is the total order.
std::int64_t rank(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

/// Nothing where there is no such direction.
std::optional<bool> holds(std::string_view direction, std::partial_ordering order) {
  if (direction == "EQ") return order == 0;
  if (direction == "NE") return order != 0;
  if (direction == "LT") return order < 0;
  if (direction == "LE") return order <= 0;
  if (direction == "GT") return order > 0;
  if (direction == "GE") return order >= 0;
  return std::nullopt;
}

std::string_view word(const Statement& statement, std::string_view name) {
  const Entry* entry = find(statement.attributes, name);
  const auto* text = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
  return text ? std::string_view{*text} : std::string_view{};
}

/// Runs a region on scalars.
class Trial {
 public:
  /// `pair_of` says of each argument's number to which pair it belongs: values of one pair may be compared, and chosen
  /// between.
  Trial(const Region& region, std::function<int(std::size_t)> pair_of)
      : region_{region}, pair_of_{std::move(pair_of)} {}

  /// What the region returns of these arguments; nothing where it does what a trial cannot decide, or says other types
  /// than it has.
  std::optional<std::vector<Scalar>> operator()(std::span<const Scalar> arguments) {
    values_.clear();
    for (std::size_t i = 0; i < arguments.size(); ++i)
      values_[{region_.arguments[i].name, 0}] = {region_.arguments[i].type.dtype, arguments[i], pair_of_(i)};
    for (std::size_t i = 0; i + 1 < region_.statements.size(); ++i)
      if (!run(region_.statements[i])) return std::nullopt;
    if (region_.statements.empty() || region_.statements.back().name != "stablehlo.return") return std::nullopt;
    const auto returned = inputs(region_.statements.back());
    if (!returned) return std::nullopt;
    std::vector<Scalar> results;
    for (const Typed& value : *returned) results.push_back(value.scalar);
    return results;
  }

 private:
  static constexpr int no_pair = -1;
  struct Typed {
    DType dtype = DType::pred;
    Scalar scalar;
    int pair = no_pair;  ///< of constants and truth values, none
  };

  const Typed* at(const Use& use) const {
    const auto found = values_.find(use.name);
    return found == values_.end() ? nullptr : &found->second;
  }

  /// The operands of `statement`, of the types that it says.
  std::optional<std::vector<Typed>> inputs(const Statement& statement) const {
    if (statement.operand_types.size() != statement.operands.size()) return std::nullopt;
    std::vector<Typed> result;
    for (std::size_t i = 0; i < statement.operands.size(); ++i) {
      const Typed* value = at(statement.operands[i]);
      if (!value || statement.operand_types[i] != TensorType{value->dtype, {}}) return std::nullopt;
      result.push_back(*value);
    }
    return result;
  }

  bool run(const Statement& statement) {
    if (statement.results.size() != 1 || !statement.regions.empty()) return false;
    const auto given = inputs(statement);
    const std::optional<Typed> result = given ? applied(statement, *given) : std::nullopt;
    return result && statement.result_types == std::vector{TensorType{result->dtype, {}}} &&
           values_.emplace(ValueName{statement.results.front().name, 0}, *result).second;
  }

  /// The pair of both; nothing where they are of two.
  static std::optional<int> common(const Typed& a, const Typed& b) {
    if (a.pair != no_pair && b.pair != no_pair && a.pair != b.pair && a.dtype != DType::pred) return std::nullopt;
    return a.pair == no_pair ? b.pair : a.pair;
  }

  static std::optional<Typed> applied(const Statement& statement, const std::vector<Typed>& inputs) {
    const std::string_view name = statement.name;
    if (name == "stablehlo.constant") return constant(statement);
    if (name == "stablehlo.compare" && inputs.size() == 2) return compared(statement, inputs[0], inputs[1]);
    if (name == "stablehlo.select" && inputs.size() == 3) {
      const std::optional<int> pair = common(inputs[1], inputs[2]);
      if (inputs[0].dtype != DType::pred || inputs[1].dtype != inputs[2].dtype || !pair) return std::nullopt;
      return Typed{inputs[1].dtype, inputs[inputs[0].scalar.whole ? 1 : 2].scalar, *pair};
    }
    if (inputs.empty() || inputs.size() > 2) return std::nullopt;
    if (name == "stablehlo.minimum" && inputs.size() == 2) return smaller(inputs[0], inputs[1]);
    for (const Typed& input : inputs)
      if (input.dtype != DType::pred) return std::nullopt;
    const std::int64_t a = inputs.front().scalar.whole, b = inputs.back().scalar.whole;
    if (name == "stablehlo.not" && inputs.size() == 1) return Typed{DType::pred, {0, !a}};
    if (inputs.size() != 2) return std::nullopt;
    if (name == "stablehlo.and") return Typed{DType::pred, {0, a & b}};
    if (name == "stablehlo.or") return Typed{DType::pred, {0, a | b}};
    if (name == "stablehlo.xor") return Typed{DType::pred, {0, a ^ b}};
    return std::nullopt;
  }

  /// Of places, which are integers.
  static std::optional<Typed> smaller(const Typed& a, const Typed& b) {
    const std::optional<int> pair = common(a, b);
    if (a.dtype != b.dtype || is_floating(a.dtype) || a.dtype == DType::pred || !pair) return std::nullopt;
    return Typed{a.dtype, {0, std::min(a.scalar.whole, b.scalar.whole)}, *pair};
  }

  static std::optional<Typed> constant(const Statement& statement) {
    const Entry* entry = find(statement.attributes, "value");
    const auto* tensor = entry ? std::get_if<Tensor>(&entry->attribute.value) : nullptr;
    if (!tensor || tensor->shape().rank() != 0) return std::nullopt;
    const double value = tensor->item();
    const DType dtype = tensor->dtype();
    if (dtype == DType::pred) return Typed{dtype, {0, value != 0}};
    if (!is_floating(dtype) || (value != 0 && value == value)) return std::nullopt;
    return Typed{dtype, {value, 0}};
  }

  static std::optional<Typed> compared(const Statement& statement, const Typed& a, const Typed& b) {
    const std::string_view direction = word(statement, "comparison_direction"), type = word(statement, "compare_type");
    const bool total = is_floating(a.dtype) && type == notation::comparison_type(a.dtype, true);
    if (a.dtype != b.dtype || !common(a, b) ||
        !(total || type.empty() || type == "NOTYPE" || type == notation::comparison_type(a.dtype, false)))
      return std::nullopt;
    std::partial_ordering order = a.scalar.whole <=> b.scalar.whole;
    if (total)
      order = rank(a.scalar.real) <=> rank(b.scalar.real);
    else if (is_floating(a.dtype))
      order = a.scalar.real <=> b.scalar.real;
    const std::optional<bool> answer = holds(direction, order);
    return answer ? std::optional{Typed{DType::pred, {0, *answer}}} : std::nullopt;
  }

  const Region& region_;
  std::function<int(std::size_t)> pair_of_;
  std::map<ValueName, Typed> values_;
};

/// What has more statements is not tried: as comparators are, a dozen are many.
constexpr std::size_t most_statements = 64;

/// Values in every order that two of them have to each other, and of floating-point numbers to 0 and NaN.
std::vector<Scalar> in_every_order(DType dtype) {
  if (!is_floating(dtype)) return {{0, 0}, {0, 1}};
  return {{-nan}, {-2}, {-1}, {-0.0}, {0.0}, {1}, {2}, {nan}};
}

std::partial_ordering ordered(const Scalar& a, const Scalar& b, DType dtype, bool canonical) {
  if (!is_floating(dtype)) return a.whole <=> b.whole;
  const auto key = [&](double value) {
    if (canonical) value = value != value ? nan : value == 0 ? 0.0 : value;
    return rank(value);
  };
  return key(a.real) <=> key(b.real);
}

/// What a comparator answered, of the keys that it was given.
struct Answer {
  std::vector<Scalar> arguments;
  bool before;
};

bool has_nan(const Answer& answer) {
  return std::ranges::any_of(answer.arguments, [](const Scalar& each) { return each.real != each.real; });
}

/// Whether that is to compare by `ordering`.
bool agrees(const std::vector<Answer>& answers, const Region& region, const Ordering& ordering) {
  return std::all_of(answers.begin(), answers.end(), [&](const Answer& answer) {
    for (std::size_t key = 0; key < ordering.directions.size(); ++key) {
      const std::partial_ordering order = ordered(answer.arguments[2 * key], answer.arguments[2 * key + 1],
                                                  region.arguments[2 * key].type.dtype, ordering.canonical);
      if (order != 0)
        return answer.before == (ordering.directions[key] == SortDirection::ascending ? order < 0 : order > 0);
    }
    return !answer.before;
  });
}

bool element_of_each(const Region& region) {
  for (const Argument& argument : region.arguments)
    if (argument.type.shape.rank() != 0) return false;
  return true;
}

/// How many pairs of a comparator's arguments are compared: those from the first to the last that it uses.
std::size_t used_pairs(const Region& region) {
  std::size_t used = 0;
  for (const Statement& statement : region.statements)
    for (const Use& use : statement.operands)
      for (std::size_t i = 0; i < region.arguments.size(); ++i)
        if (use.name == ValueName{region.arguments[i].name, 0}) used = std::max(used, i / 2 + 1);
  return used;
}

}  // namespace

std::optional<Ordering> ordering_of(const Region& region) {
  constexpr std::size_t most_keys = 2;
  const std::size_t keys = used_pairs(region);
  if (keys == 0 || keys > most_keys || region.arguments.size() % 2 != 0 || !element_of_each(region) ||
      region.statements.size() > most_statements)
    return std::nullopt;
  // Each of the keys' arguments goes through its values as a digit does.
  std::vector<std::vector<Scalar>> values;
  std::size_t trials = 1;
  for (std::size_t i = 0; i < 2 * keys; ++i) {
    values.push_back(in_every_order(region.arguments[i].type.dtype));
    trials *= values.back().size();
  }
  std::vector<Answer> answers;
  std::vector<Scalar> arguments(region.arguments.size());
  Trial trial{region, [](std::size_t i) { return static_cast<int>(i / 2); }};
  for (std::size_t number = 0; number < trials; ++number) {
    std::size_t rest = number;
    for (std::size_t i = 0; i < values.size(); rest /= values[i].size(), ++i)
      arguments[i] = values[i][rest % values[i].size()];
    const auto results = trial(arguments);
    if (!results || results->size() != 1) return std::nullopt;
    answers.push_back(
        {{arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(2 * keys)}, results->front().whole != 0});
  }
  // Where a NaN is before no number and none before it, StableHLO leaves open where it comes to lie.
  std::vector<Answer> numbers = answers;
  const bool left_open =
      std::erase_if(numbers, has_nan) != 0 &&
      std::ranges::none_of(answers, [](const Answer& answer) { return answer.before && has_nan(answer); });
  if (left_open) answers = std::move(numbers);
  for (const bool canonical : {false, true})
    for (std::size_t choice = 0; choice < std::size_t{1} << keys; ++choice) {
      Ordering ordering{canonical, {}};
      for (std::size_t key = 0; key < keys; ++key)
        ordering.directions.push_back((choice >> key) & 1 ? SortDirection::descending : SortDirection::ascending);
      if (agrees(answers, region, ordering)) return ordering;
    }
  return std::nullopt;
}

std::optional<Reducer> selected_by(const Region& region) {
  if (region.arguments.size() != 4 || !element_of_each(region) || region.statements.size() > most_statements)
    return std::nullopt;
  const DType dtype = region.arguments[0].type.dtype;
  if (region.arguments[2].type.dtype != dtype || is_floating(region.arguments[1].type.dtype) ||
      region.arguments[1].type != region.arguments[3].type)
    return std::nullopt;
  bool maximum = true, minimum = true;
  // A region may choose a NaN for being one, or whatever stands on one side of it.
  bool chooses_nan = true, chooses_left = true, chooses_right = true;
  Trial trial{region, [](std::size_t i) { return static_cast<int>(i % 2); }};
  for (const Scalar& a : in_every_order(dtype))
    for (const Scalar& b : in_every_order(dtype))
      for (const std::int64_t i : {0, 1}) {
        const std::int64_t j = 1 - i;
        const auto results = trial(std::vector<Scalar>{a, {0, i}, b, {0, j}});
        if (!results || results->size() != 2) return std::nullopt;
        const Scalar value = (*results)[0];
        const std::int64_t place = (*results)[1].whole;
        const bool a_is_nan = a.real != a.real, b_is_nan = b.real != b.real;
        const auto is = [&](const Scalar& chosen, std::int64_t at) {
          return place == at && value.whole == chosen.whole &&
                 (value.real == chosen.real || (value.real != value.real && chosen.real != chosen.real));
        };
        if (a_is_nan || b_is_nan) {
          // Of two, the one that comes later stands behind the other.
          chooses_nan &= a_is_nan && b_is_nan ? i > j || is(a, i) : a_is_nan ? is(a, i) : is(b, j);
          chooses_left &= is(a, i);
          chooses_right &= is(b, j);
          continue;
        }
        const std::partial_ordering order = is_floating(dtype) ? a.real <=> b.real : a.whole <=> b.whole;
        if (order == 0) {
          if (!is(a, 0)) return std::nullopt;
          continue;
        }
        maximum &= order > 0 ? is(a, i) : is(b, j);
        minimum &= order < 0 ? is(a, i) : is(b, j);
      }
  if ((!maximum && !minimum) || (!chooses_nan && !chooses_left && !chooses_right)) return std::nullopt;
  return maximum ? Reducer::maximum : Reducer::minimum;
}

}  // namespace octet::syntax
