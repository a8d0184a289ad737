module;

#include "../trace/refused.hpp"
module octet.script;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :evaluator;
import :interpreter;
import :syntax;

namespace octet::script {

namespace {

/// A script's name of a type that C++, NumPy, JAX or PyTorch calls so; empty where it is none of theirs.
std::string element_type_named(std::string_view elsewhere) {
  constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"bool", "pred"}, {"bool_", "pred"},  {"int", "i32"},       {"int32", "i32"},
      {"float", "f32"}, {"float32", "f32"}, {"bfloat16", "bf16"}, {"float16", "bf16"},
  };
  for (const auto& [name, here] : types)
    if (name == elsewhere) return std::string{here};
  return {};
}

/// Lists of lists grow with every line.
void require_small(const std::vector<Value>& list) {
  constexpr std::size_t most = 4096, deepest = 8;
  std::size_t count = 0;
  const auto weigh = [&](const auto& self, const std::vector<Value>& values, std::size_t depth) -> void {
    count += values.size();
    if (depth > deepest || count > most)
      fail({.number = 734,
            .sentence = "A list of a script has at most " + std::to_string(most) +
                        " elements, and lists lie in each other at most " + std::to_string(deepest) + " deep."});
    for (const Value& value : values)
      if (const auto* inner = value.list()) self(self, *inner, depth + 1);
  };
  weigh(weigh, list, 1);
}

Value number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  std::size_t length = static_cast<std::size_t>(end - text.c_str());
  if (length + 1 == text.size() && (text.back() == 'f' || text.back() == 'F')) ++length;  // 0.5f
  const bool hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  if (length != text.size() || hexadecimal || !std::isfinite(value))
    throw Refusal{{.number = 730,
                   .sentence = "'" + shortened(text) + "' is no number.",
                   .fix = {"write it with digits, such as 12, 0.5 or 1e-3"}},
                  {}};
  const bool whole = text.find_first_not_of("0123456789") == text.npos;
  if (whole && value <= 9007199254740992.0) return static_cast<std::int64_t>(value);
  return value;
}

double elements_of(const Array& array) {
  double product = 1;
  for (const std::int64_t extent : array.shape()) product *= static_cast<double>(extent);
  return product;
}

}  // namespace

Evaluator::Evaluator(std::string_view text, std::int64_t most_elements) : text_{text}, most_elements_{most_elements} {
  for (Function& function : functions()) functions_.emplace(function.name, function);
  for (const DType type : all_dtypes) names[std::string{name(type)}] = type;
  names["pred"] = names["bool_"] = DType::pred;
  names["u32"] = DType::u32;
  names["true"] = names["True"] = true;
  names["false"] = names["False"] = false;
}

Value Evaluator::evaluate_for(const std::string& target, const Expression& expression) {
  around_.clear();  // what a line that was refused has left
  target_ = target;
  Value value = evaluate(expression);
  target_.clear();
  return value;
}

Value Evaluator::evaluate(const Expression& expression) {
  switch (expression.kind) {
    case Expression::Kind::name:
      return named(expression.text);
    case Expression::Kind::number:
      return number(expression.text);
    case Expression::Kind::list: {
      std::vector<Value> list;
      for (const Expression& part : expression.parts) list.push_back(evaluate(part));
      require_small(list);
      return list;
    }
    case Expression::Kind::unary: {
      const Call call = call_of(expression);
      return checked(unary(expression.text, call.values[0], call));
    }
    case Expression::Kind::binary: {
      const Call call = call_of(expression);
      return checked(binary(expression.text, call.values[0], call.values[1], call));
    }
    case Expression::Kind::choice:
      return choice(expression);
    case Expression::Kind::index:
      return checked(indexed(expression));
    case Expression::Kind::part:
    case Expression::Kind::absent:
      break;  // only `indexed` asks for them
    case Expression::Kind::member:
      return member(expression);
    case Expression::Kind::call:
      return called(expression);
  }
  return {};
}

Value Evaluator::named(const std::string& name) const {
  const auto found = names.find(name);
  if (found != names.end()) return found->second;
  if (unread) return {};
  std::vector<std::string> known;
  for (const auto& [other, value] : names) known.push_back(other);
  std::vector<std::string> fix = nearest_first(name, known);
  if (functions_.contains(name)) fix = {"call it: " + name + "(…)"};
  if (const std::string type = element_type_named(name); !type.empty())
    fix.insert(fix.begin(), "as an element type write " + type);
  fix.push_back("give it a value in a line before: " + shortened(name) + " = input(f32, [4, 8])");
  throw Refusal{{.number = 731, .sentence = "'" + shortened(name) + "' has no value here.", .fix = std::move(fix)}, {}};
}

Value Evaluator::choice(const Expression& expression) {
  const Value chosen = evaluate(expression.parts[0]);
  if (chosen.unknown()) throw PassedOver{};
  if (const Array* array = chosen.array())
    refuse(
        OCTET_NO_BRANCH, *array,
        Mending{expression.span, "where(" + as_condition(inner(expression.parts[0].span), *array) + ", " +
                                     slice(expression.parts[1].span) + ", " + slice(expression.parts[2].span) + ")"});
  const auto number = chosen.number();
  if (!number) refuse_argument("A condition is a truth value or a number.");
  return evaluate(expression.parts[*number != 0 ? 1 : 2]);
}

Value Evaluator::indexed(const Expression& expression) {
  const std::string around = std::exchange(around_, "");
  const Value of = evaluate(expression.parts[0]);
  if (of.unknown()) throw PassedOver{};
  const std::span<const Expression> at{expression.parts.begin() + 1, expression.parts.end()};
  if (const auto* list = of.list(); list && at.size() == 1) return element_of(*list, at.front());
  Array x = as_array(of, "[ ]");
  if (const auto rank = static_cast<std::size_t>(x.rank()); at.size() > std::max<std::size_t>(rank, 1))
    refuse_argument("An array of " + std::to_string(rank) + " dimensions has no element at " +
                    std::to_string(at.size()) + " indices.");
  const TensorType whole = x.type();
  std::int64_t dimension = 0;  // of `x`, which has lost those that were indexed by a number
  for (const Expression& each : at) {
    if (each.kind == Expression::Kind::part) {
      if (x.rank() == 0) refuse_argument("A scalar has no part from … to ….");
      const auto [from, to] = ends_of(each, x.extent(dimension));
      x = slice_in_dim(x, from, to, dimension++);
      continue;
    }
    const Value index = evaluate(each);
    if (index.unknown()) throw PassedOver{};
    if (const Array* traced = index.array()) {
      const std::string array = slice(expression.parts[0].span);
      const std::string inside =
          is_integer(traced->dtype()) ? slice(each.span) : as_condition(slice(each.span), *traced);
      std::optional<Mending> mending;
      if (is_integer(traced->dtype()))
        mending = Mending{expression.span, "take(" + array + ", " + inside + ")"};
      else if (around == "mean")
        mending =
            Mending{around_span_, "sum(where(" + inside + ", " + array + ", 0)) / sum(cast(" + inside + ", f32))"};
      else if (around == "sum")
        mending = Mending{expression.span, "where(" + inside + ", " + array + ", 0)"};
      refuse(OCTET_NO_MASKING, *traced, at.size() == 1 ? mending : std::nullopt);
    }
    if (index.list())
      refuse_argument(
          "An array is indexed by a number, x[i], or by a part, x[from:to], for each dimension; "
          "take(x, indices) takes rows.");
    const std::int64_t i = as_extent(index, "an index");
    if (&each == &at.front()) {
      x = x[HostIndex{i}];
    } else {
      const std::int64_t extent = x.extent(dimension), from = i < 0 ? i + extent : i;
      if (from < 0 || from >= extent)
        throw Refusal{{.number = 403,
                       .sentence = "There is no element " + std::to_string(i) + " in dimension " +
                                   std::to_string(&each - &at.front()) + " of " + to_string(whole) + ".",
                       .fix = {extent > 0 ? "take one from 0 to " + std::to_string(extent - 1) : "it is empty"}},
                      {}};
      x = squeeze(slice_in_dim(x, from, from + 1, dimension), dimension);
    }
  }
  return x;
}

Value Evaluator::element_of(const std::vector<Value>& list, const Expression& at) {
  const auto size = static_cast<std::int64_t>(list.size());
  const auto require = [&](bool there) {
    if (!there)
      refuse_argument("The list has " + std::to_string(size) + " elements, and no element " + slice(at.span) + ".");
  };
  if (at.kind == Expression::Kind::part) {
    const auto [from, to] = ends_of(at, size);
    require(from >= 0 && from <= to && to <= size);
    return std::vector<Value>(list.begin() + from, list.begin() + to);
  }
  const Value index = evaluate(at);
  if (index.unknown()) throw PassedOver{};
  if (const Array* array = index.array()) refuse(OCTET_NO_INDEX, *array);
  std::int64_t i = as_extent(index, "an index");
  if (i < 0) i += size;
  require(i >= 0 && i < size);
  return list[static_cast<std::size_t>(i)];
}

std::pair<std::int64_t, std::int64_t> Evaluator::ends_of(const Expression& part, std::int64_t extent) {
  const auto end = [&](const Expression& at, std::int64_t left_out) {
    if (at.kind == Expression::Kind::absent) return left_out;
    const std::int64_t place = as_extent(evaluate(at), "a part");
    return place < 0 ? place + extent : place;
  };
  return {end(part.parts[0], 0), end(part.parts[1], extent)};
}

Value Evaluator::member(const Expression& expression) {
  const Value of = evaluate(expression.parts[0]);
  if (of.unknown()) throw PassedOver{};
  std::optional<Array> written_out;
  if (of.list() && !of.list()->empty()) written_out = as_array(of, "." + expression.text);
  if (const Array* x = written_out ? &*written_out : of.array()) {
    if (expression.text == "shape") {
      std::vector<Value> extents;
      for (const std::int64_t extent : x->shape()) extents.emplace_back(extent);
      return extents;
    }
    if (expression.text == "dtype") return x->dtype();
    if (expression.text == "T") return matrix_transpose(*x);
  }
  refuse_argument("There is no ." + shortened(expression.text) + " of this.",
                  {"an array has .shape, .dtype and .T, and functions: x.sum() is sum(x)"});
}

// In np.sum(x) or jax.nn.relu(x) a name without a value stands where x.sum() has its array.
void Evaluator::require_no_module(const Expression& call) const {
  if (call.parts.empty() || unread) return;
  const Expression* first = &call.parts.front();
  while (first->kind == Expression::Kind::member) first = &first->parts.front();
  if (first->kind != Expression::Kind::name || names.contains(first->text)) return;
  const std::string before = slice(call.parts.front().span) + ".";
  if (slice(call.span).starts_with(before))
    throw Refusal{{.number = 731,
                   .sentence = "'" + shortened(first->text) + "' has no value here.",
                   .fix = {"write " + call.text + "(…): functions stand without a module's name"}},
                  {}};
}

Value Evaluator::called(const Expression& expression) {
  const auto found = functions_.find(expression.text);
  if (found == functions_.end()) {
    std::vector<std::string> known;
    for (const auto& [name, function] : functions_) known.emplace_back(name);
    std::vector<std::string> fix = instead_of(expression.text, known);
    if (expression.text == "astype" && expression.parts.size() == 2) {
      const std::string to = slice(expression.parts[1].span), type = element_type_named(to);
      fix = {"write cast(" + slice(expression.parts[0].span) + ", " + (type.empty() ? to : type) + ")"};
    }
    fix.push_back("use one of those that are known: input, where, sum, mean, max, matmul, softmax, take, …");
    throw Refusal{
        {.number = 732, .sentence = "There is no function " + shortened(expression.text) + ".", .fix = std::move(fix)},
        {}};
  }
  const Function& function = found->second;
  require_no_module(expression);
  // Where the call takes x[mask] and nothing else, both are rewritten together.
  const bool of_part = expression.parts.size() == 1 && expression.parts.front().kind == Expression::Kind::index &&
                       (expression.keywords.empty() || expression.keywords.front().empty());
  const std::string around = std::exchange(around_, of_part ? std::string{function.name} : std::string{});
  const Span around_span = std::exchange(around_span_, expression.span);
  const std::string target = std::exchange(target_, "");
  Call call = call_of(expression);
  around_ = around;
  around_span_ = around_span;
  call.target = target;
  if (call.values.size() < function.least || call.values.size() > function.most) {
    const std::string count = function.least == function.most
                                  ? std::to_string(function.least)
                                  : std::to_string(function.least) + " to " + std::to_string(function.most);
    refuse_argument(expression.text + " takes " + count + (function.most == 1 ? " argument" : " arguments") +
                    ", and is given " + std::to_string(call.values.size()) + ".");
  }
  for (const auto& [name, value] : call.named) {
    if ((" " + std::string{function.keywords} + " ").find(" " + name + " ") == std::string::npos)
      refuse_argument(expression.text + " knows no " + shortened(name) + "=.",
                      function.keywords.empty()
                          ? std::vector<std::string>{}
                          : std::vector<std::string>{"it knows " + std::string{function.keywords}});
    if (value.unknown()) throw PassedOver{};
  }
  for (const Value& value : call.values)
    if (value.unknown()) throw PassedOver{};
  return checked(function.call(call));
}

/// The parts of an expression, evaluated.
Call Evaluator::call_of(const Expression& expression) {
  Call call{.at = expression,
            .program = text_,
            .parameters = &parameters,
            .arguments = &arguments,
            .most_elements = most_elements_};
  for (std::size_t i = 0; i < expression.parts.size(); ++i) {
    const Expression& part = expression.parts[i];
    Value value = evaluate(part);
    if (i < expression.keywords.size() && !expression.keywords[i].empty()) {
      if (call.named.contains(expression.keywords[i]))
        refuse_argument(shortened(expression.keywords[i]) + "= is given twice.");
      call.named[expression.keywords[i]] = std::move(value);
    } else {
      call.values.push_back(std::move(value));
      call.spans.push_back(part.span);
    }
  }
  return call;
}

Value Evaluator::checked(Value value) const {
  const auto large = [&](const Array& array) {
    return array.rank() > static_cast<std::int64_t>(most_dimensions) ||
           elements_of(array) > static_cast<double>(most_elements_) ||
           std::any_of(array.shape().begin(), array.shape().end(),
                       [&](std::int64_t extent) { return extent > most_elements_; });
  };
  if (const Array* array = value.array(); array && large(*array))
    fail({.number = 734,
          .sentence = "This makes " + to_string(array->type()) + "; a script's arrays have at most " +
                      bounds_of_arrays(most_elements_) + "."});
  return value;
}

std::string Evaluator::inner(Span span) const {
  std::string text = slice(span);
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    open += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (open == 0 && i + 1 < text.size()) return text;
  }
  return text.starts_with('(') ? text.substr(1, text.size() - 2) : text;
}

}  // namespace octet::script
