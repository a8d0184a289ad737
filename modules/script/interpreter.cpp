/// Values of a script: refusals, conversions between the host's numbers and arrays, and operators.
module;

#include "../trace/refused.hpp"
module octet.script;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :interpreter;
import :syntax;

namespace octet::script {

namespace {

constexpr double largest_whole = 9007199254740992.0;  // 2^53

/// A number of the host: whole where it is.
Value host_number(double number, bool whole) {
  if (whole && std::abs(number) <= largest_whole) return static_cast<std::int64_t>(number);
  return number;
}

bool is_whole(const Value& value) {
  return std::holds_alternative<std::int64_t>(value.is) || std::holds_alternative<bool>(value.is);
}

Value of_host(std::string_view sign, const Value& left, const Value& right) {
  const double a = *left.number(), b = *right.number();
  const bool whole = is_whole(left) && is_whole(right);
  if (sign == "+") return host_number(a + b, whole);
  if (sign == "-") return host_number(a - b, whole);
  if (sign == "*") return host_number(a * b, whole);
  if (sign == "/") return host_number(a / b, whole && b != 0 && std::fmod(a, b) == 0);
  if (sign == "%") return host_number(std::fmod(a, b), whole && b != 0);
  if (sign == "**") return host_number(std::pow(a, b), whole && b >= 0);
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  if (sign == ">") return a > b;
  if (sign == ">=") return a >= b;
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "&&" || sign == "and") return a != 0 && b != 0;
  if (sign == "||" || sign == "or") return a != 0 || b != 0;
  if (sign == "&" && !whole) refuse_argument("& wants arrays, whole numbers or truth values.");
  const bool truths = std::holds_alternative<bool>(left.is) && std::holds_alternative<bool>(right.is);
  if (truths && (sign == "&" || sign == "|" || sign == "^"))
    return sign == "&" ? a != 0 && b != 0 : sign == "|" ? a != 0 || b != 0 : a != b;
  refuse_argument("'" + std::string{sign} + "' wants an array on one side at least.");
}

using Operator = Array (*)(const operand&, const operand&);

Operator operator_of(std::string_view sign) {
  static constexpr std::pair<std::string_view, Operator> table[] = {
      {"+", [](const operand& a, const operand& b) { return a + b; }},
      {"-", [](const operand& a, const operand& b) { return a - b; }},
      {"*", [](const operand& a, const operand& b) { return a * b; }},
      {"/", [](const operand& a, const operand& b) { return a / b; }},
      {"%", [](const operand& a, const operand& b) { return a % b; }},
      {"@", [](const operand& a, const operand& b) { return matmul(a, b); }},
      {"**", [](const operand& a, const operand& b) { return pow(a, b); }},
      {"&", [](const operand& a, const operand& b) { return a & b; }},
      {"|", [](const operand& a, const operand& b) { return a | b; }},
      {"^", [](const operand& a, const operand& b) { return a ^ b; }},
      {"<<", [](const operand& a, const operand& b) { return a << b; }},
      {">>", [](const operand& a, const operand& b) { return a >> b; }},
      {"==", [](const operand& a, const operand& b) { return a == b; }},
      {"!=", [](const operand& a, const operand& b) { return a != b; }},
      {"<", [](const operand& a, const operand& b) { return a < b; }},
      {"<=", [](const operand& a, const operand& b) { return a <= b; }},
      {">", [](const operand& a, const operand& b) { return a > b; }},
      {">=", [](const operand& a, const operand& b) { return a >= b; }},
  };
  for (const auto& [its_sign, call] : table)
    if (its_sign == sign) return call;
  return nullptr;
}

/// The elements of nested lists, and the extents that they make.
void flatten(const std::vector<Value>& list, std::size_t depth, Dims& extents, std::vector<double>& numbers, bool& real,
             bool& truth) {
  const auto size = static_cast<std::int64_t>(list.size());
  if (extents.size() == depth && numbers.empty())  // a number on a level above was an element already
    extents.push_back(size);
  else if (extents.size() == depth)
    refuse_argument("A list that makes an array holds numbers, or lists of numbers of one length.");
  else if (extents[depth] != size)
    refuse_argument("The lists within a list have different lengths, and an array has the same in each row.");
  for (const Value& element : list) {
    if (element.unknown()) throw PassedOver{};
    if (const auto* inner = element.list()) {
      if (depth >= 3) refuse_argument("Lists are nested more than four deep.");
      flatten(*inner, depth + 1, extents, numbers, real, truth);
    } else if (const auto number = element.number(); number && extents.size() == depth + 1) {
      numbers.push_back(*number);
      real = real || std::holds_alternative<double>(element.is);
      truth = truth && std::holds_alternative<bool>(element.is);
    } else {
      refuse_argument("A list that makes an array holds numbers, or lists of numbers of one length.");
    }
  }
}

}  // namespace

std::string bounds_of_arrays(std::int64_t most_elements) {
  return std::to_string(most_elements) + " elements and " + std::to_string(most_dimensions) + " dimensions";
}

std::optional<double> Value::number() const {
  if (const auto* real = std::get_if<double>(&is)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&is)) return static_cast<double>(*whole);
  if (const auto* truth = std::get_if<bool>(&is)) return *truth ? 1.0 : 0.0;
  return std::nullopt;
}

void refuse(std::string_view sentence, const Array& of, std::optional<Mending> mending) {
  // "X101: a traced Array has no value … exists. Write select(…), …"
  Diagnostic diagnostic;
  diagnostic.number = (sentence[1] - '0') * 100 + (sentence[2] - '0') * 10 + (sentence[3] - '0');
  sentence.remove_prefix(6);
  const std::size_t end = sentence.find(". ") + 1;
  diagnostic.sentence = sentence.substr(0, end);
  const std::size_t word = diagnostic.sentence.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  if (diagnostic.sentence[word] == ' ')
    diagnostic.sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(diagnostic.sentence[0])));
  if (mending) diagnostic.fix.push_back("write " + shortened(mending->text, 240) + mending->beside);
  std::string cure{sentence.substr(end + 1)};
  cure[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(cure[0])));
  diagnostic.fix.push_back(as_script(std::move(cure)));
  if (!of.empty()) diagnostic.because = because(of);
  throw Refusal{std::move(diagnostic), std::move(mending)};
}

std::string as_condition(std::string text, const Array& of) {
  if (of.dtype() == DType::pred) return text;
  const bool is_name =
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return (is_name ? text : "(" + text + ")") + " != 0";
}

void refuse_argument(std::string sentence, std::vector<std::string> fix) {
  throw Refusal{{.number = 733, .sentence = std::move(sentence), .fix = std::move(fix)}, {}};
}

Array as_array(const Value& value, const std::string& what) {
  if (value.unknown()) throw PassedOver{};
  if (const Array* array = value.array()) return *array;
  if (const auto* list = value.list()) {
    // What nonzero gives is a list of arrays; one alone stands for itself.
    if (list->size() == 1 && list->front().array()) return *list->front().array();
    return constant(as_tensor(*list));
  }
  if (value.is_number()) return as_operand(value, what).array();
  refuse_argument(what + " wants an array.");
}

operand as_operand(const Value& value, const std::string& what) {
  if (const auto* real = std::get_if<double>(&value.is)) return operand{*real};
  if (const auto* whole = std::get_if<std::int64_t>(&value.is)) return operand{*whole};
  if (const auto* truth = std::get_if<bool>(&value.is)) return operand{*truth};
  return as_array(value, what);
}

std::int64_t as_extent(const Value& value, const std::string& what) {
  if (value.unknown()) throw PassedOver{};
  if (const Array* array = value.array()) refuse(OCTET_NO_EXTENT, *array);
  const auto number = value.number();
  if (!number || std::floor(*number) != *number || std::abs(*number) > largest_whole)
    refuse_argument(what + " wants a whole number.");
  return static_cast<std::int64_t>(*number);
}

Dims as_dims(const Value& value, const std::string& what) {
  if (value.unknown()) throw PassedOver{};
  const auto* list = value.list();
  if (!list) return {as_extent(value, what)};
  Dims result;
  for (const Value& each : *list) result.push_back(as_extent(each, what));
  return result;
}

Tensor as_tensor(const std::vector<Value>& list) {
  Dims extents;
  std::vector<double> numbers;
  bool real = false, truth = true;
  flatten(list, 0, extents, numbers, real, truth);
  truth = truth && !numbers.empty();
  if (static_cast<std::int64_t>(numbers.size()) != Shape{extents}.elements())
    refuse_argument("The lists within a list have different lengths, and an array has the same in each row.");
  return Tensor::of<double>(Shape{extents}, numbers)
      .converted(truth                     ? DType::pred
                 : real || numbers.empty() ? DType::f32
                                           : DType::i32);
}

Value binary(std::string_view sign, const Value& left, const Value& right, const Call& call) {
  if (left.unknown() || right.unknown()) throw PassedOver{};
  if (left.is_number() && right.is_number()) return of_host(sign, left, right);
  const Array* one = left.array() ? left.array() : right.array();
  const auto side = [&](const Value& value, std::size_t at) {
    return "(" + (value.array() ? as_condition(call.text(at), *value.array()) : call.text(at)) + ")";
  };
  const bool and_sign = sign == "&&" || sign == "and", or_sign = sign == "||" || sign == "or";
  if (one && (and_sign || or_sign))
    refuse(and_sign ? OCTET_NO_AND : OCTET_NO_OR, *one,
           Mending{call.at.span, side(left, 0) + (and_sign ? " & " : " | ") + side(right, 1)});
  const Operator apply = operator_of(sign);
  if (!apply) refuse_argument("'" + std::string{sign} + "' wants numbers or arrays on both sides.");
  const std::string what = "'" + std::string{sign} + "'";
  return apply(as_operand(left, what), as_operand(right, what));
}

Value unary(std::string_view sign, const Value& of, const Call& call) {
  if (of.unknown()) throw PassedOver{};
  if (const auto number = of.number()) {
    if (sign == "!" || sign == "not") return *number == 0;
    if (sign == "-") return host_number(-*number, is_whole(of));
    if (sign == "+") return of;
    refuse_argument("~ wants an array; of a truth value of the host, ! is the opposite.");
  }
  if (sign == "!" || sign == "not") {
    if (const Array* array = of.array())
      refuse(OCTET_NO_NOT, *array, Mending{call.at.span, "~(" + as_condition(call.text(0), *array) + ")"});
  }
  const Array array = as_array(of, "'" + std::string{sign} + "'");
  return sign == "-" ? -array : sign == "~" ? ~array : array;
}

}  // namespace octet::script
