/// Statement by statement: names, conditions of the host, and what becomes of a line that is refused.
module;

#include "../trace/refused.hpp"
module octet.script;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :interpreter;
import :syntax;

namespace octet {

namespace script {

namespace {

/// How many single changes make one word of another; at most 3 are counted.
std::size_t distance(std::string_view a, std::string_view b) {
  if (a.size() > b.size() + 2 || b.size() > a.size() + 2) return 3;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j)
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])}));
  }
  return row.back();
}

std::vector<std::string> nearest_first(const std::string& name, const std::vector<std::string>& known) {
  std::vector<std::string> fix;
  for (std::size_t far = 1; far <= 2; ++far)
    for (const std::string& other : known)
      if (distance(name, other) == far && fix.size() < 2) fix.push_back("write " + other);
  return fix;
}

class Interpreter {
 public:
  Interpreter(std::string_view text, const ScriptLimits& limits) : text_{text}, limits_{limits} {
    for (Function& function : functions()) functions_.emplace(function.name, function);
    for (const DType type : all_dtypes) names_[std::string{name(type)}] = type;
    names_["pred"] = names_["bool_"] = DType::pred;
    names_["true"] = names_["True"] = true;
    names_["false"] = names_["False"] = false;
  }

  ScriptReport run() {
    Program program = parse(text_, limits_.lines, limits_.characters_of_line, limits_.depth);
    // A line that cannot be read may have been the one that gives a name its value.
    unread_ = !program.faults.empty();
    report_.faults = std::move(program.faults);
    for (const Statement& statement : program.statements) top(statement);
    if (report_.faults.empty() && shown_.empty())
      report_.faults.push_back({.number = 730,
                                .sentence = "The program has no line that gives an array.",
                                .where = place_of(0),
                                .fix = {"begin with one, such as x = input(f32, [4, 8]), and compute with it"}});
    if (report_.faults.empty()) finish();
    std::sort(report_.faults.begin(), report_.faults.end(), [](const Diagnostic& a, const Diagnostic& b) {
      return std::pair{a.where.line, a.number} < std::pair{b.where.line, b.number};
    });
    complete();
    report_.mended = mended();
    return std::move(report_);
  }

 private:
  // Statements ---------------------------------------------------------------------------------------------

  /// A line: what it is refused with goes to the report, and the names it would have given are unknown.
  void top(const Statement& statement) {
    around_.clear();  // what a line that was refused has left
    target_.clear();
    const ComposedAt scope{place_of(statement.line)};
    try {
      execute(statement);
      return;
    } catch (Refusal& refusal) {
      refusal.diagnostic.where = place_of(statement.line);
      report_.faults.push_back(std::move(refusal.diagnostic));
      if (refusal.mending) mendings_.push_back(std::move(*refusal.mending));
    } catch (const Error& error) {
      for (Diagnostic diagnostic : error.diagnostics()) {
        diagnostic.where = place_of(statement.line);
        report_.faults.push_back(std::move(diagnostic));
      }
    } catch (const PassedOver&) {
    }
    forget(statement);
  }

  void forget(const Statement& statement) {
    if (!statement.name.empty()) names_[statement.name] = Value{};
    for (const Statement& body : statement.bodies) forget(body);
  }

  void execute(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::assign:
        return assign(statement);
      case Statement::Kind::show:
        return note(evaluate(statement.parts.front()), "", statement.line);
      case Statement::Kind::give:
        given_.clear();
        for (const Expression& part : statement.parts) {
          const Value value = evaluate(part);
          note(value, "", statement.line);
          if (value.array()) given_.push_back(*value.array());
        }
        return;
      case Statement::Kind::claim: {
        const Value value = evaluate(statement.parts.front());
        if (value.unknown()) throw PassedOver{};
        if (const Array* array = value.array()) refuse(OCTET_NO_BRANCH, *array);
        if (value.number().value_or(1) == 0)
          refuse_argument("The assertion does not hold: " + slice(statement.parts.front().span) + ".");
        return;
      }
      case Statement::Kind::branch:
        if (condition(statement))
          body(statement, 0);
        else if (statement.bodies.size() > 1)
          body(statement, 1);
        return;
      case Statement::Kind::loop:
        for (std::size_t turn = 0; condition(statement); ++turn) {
          require_turns(turn + 1);
          body(statement, 0);
        }
        return;
      case Statement::Kind::each:
        return each(statement);
    }
  }

  void assign(const Statement& statement) {
    target_ = statement.name;
    Value value = evaluate(statement.parts.front());
    target_.clear();
    if (!statement.op.empty()) {
      const Expression& part = statement.parts.front();
      const Expression name{
          .kind = Expression::Kind::name, .text = statement.name, .parts = {}, .keywords = {}, .span = part.span};
      value = checked(
          binary(statement.op, evaluate(name), value, {.at = part, .program = text_, .spans = {part.span, part.span}}));
    }
    if (const Array* array = value.array(); array && !statement.type.empty()) {
      // As C++ would convert it.
      const Mending untyped{statement.span, statement.name + " = " + slice(statement.parts.front().span)};
      if (statement.type == "bool") refuse(OCTET_NO_BRANCH, *array, untyped);
      if (statement.type == "float" || statement.type == "double") refuse(OCTET_NO_NUMBER, *array, untyped);
      if (statement.type == "int" || statement.type == "long") refuse(OCTET_NO_INDEX, *array, untyped);
    }
    note(value, statement.name, statement.line);
    names_[statement.name] = std::move(value);
  }

  /// The host's answer; a traced array has none.
  bool condition(const Statement& statement) {
    const Expression& part = statement.parts.front();
    const Value value = evaluate(part);
    if (value.unknown()) throw PassedOver{};
    if (const Array* array = value.array()) refuse(OCTET_NO_BRANCH, *array, as_select(statement));
    const auto number = value.number();
    if (!number) refuse_argument("A condition is a truth value or a number.");
    return *number != 0;
  }

  /// `if (c) y = a else y = b` as `y = where(c, a, b)`.
  std::optional<Mending> as_select(const Statement& statement) {
    if (statement.kind != Statement::Kind::branch || statement.bodies.empty()) return {};
    const Statement& yes = statement.bodies.front();
    if (yes.kind != Statement::Kind::assign || !yes.op.empty()) return {};
    std::string otherwise = yes.name;
    if (statement.bodies.size() > 1) {
      const Statement& no = statement.bodies[1];
      if (no.kind != Statement::Kind::assign || no.name != yes.name || !no.op.empty()) return {};
      otherwise = slice(no.parts.front().span);
    } else if (!names_.contains(yes.name)) {
      return {};
    }
    return Mending{statement.span, yes.name + " = where(" + inner(statement.parts.front().span) + ", " +
                                       slice(yes.parts.front().span) + ", " + otherwise + ")"};
  }

  void body(const Statement& statement, std::size_t which) {
    if (statement.bodies.size() <= which)
      throw Refusal{
          {.number = 730,
           .sentence = "Line " + std::to_string(statement.line) + " has a condition, and nothing that it decides.",
           .fix = {"write what it decides on the same line: if (n > 2) y = x"}},
          {}};
    execute(statement.bodies[which]);
  }

  void each(const Statement& statement) {
    const Value over = evaluate(statement.parts.front());
    if (over.unknown()) throw PassedOver{};
    if (const Array* array = over.array()) refuse(OCTET_NO_ITERATION, *array);
    if (!over.list()) refuse_argument("for counts over a list, such as range(4).");
    const std::vector<Value> list = *over.list();
    require_turns(list.size());
    for (const Value& value : list) {
      names_[statement.name] = value;
      body(statement, 0);
    }
  }

  void require_turns(std::size_t turns) {
    repetitions_ += 1;
    if (turns > limits_.repetitions || repetitions_ > 16 * limits_.repetitions)
      fail({.number = 734,
            .sentence = "A loop of the host goes round more than " + std::to_string(limits_.repetitions) +
                        " times, and copies its body into the program each time."});
  }

  /// Remembers what a line gave.
  void note(const Value& value, const std::string& name, unsigned line) {
    if (const auto* list = value.list()) {
      for (std::size_t i = 0; i < list->size(); ++i)
        if ((*list)[i].array()) note((*list)[i], name.empty() ? "" : name + "[" + std::to_string(i) + "]", line);
    }
    const Array* array = value.array();
    if (!array) return;
    if (shown_.size() >= 4 * limits_.lines)
      fail({.number = 734, .sentence = "The program makes too many arrays to be shown."});
    report_.lines.push_back({line, name, array->type()});
    shown_.push_back(*array);
  }

  // Expressions --------------------------------------------------------------------------------------------

  Value evaluate(const Expression& expression) {
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
      case Expression::Kind::member:
        return member(expression);
      case Expression::Kind::call:
        return called(expression);
    }
    return {};
  }

  /// Lists of lists grow with every line.
  static void require_small(const std::vector<Value>& list) {
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

  Value named(const std::string& name) {
    const auto found = names_.find(name);
    if (found != names_.end()) return found->second;
    if (unread_) return {};
    std::vector<std::string> known;
    for (const auto& [other, value] : names_) known.push_back(other);
    std::vector<std::string> fix = nearest_first(name, known);
    if (functions_.contains(name)) fix = {"call it: " + name + "(…)"};
    fix.push_back("give it a value in a line before: " + shortened(name) + " = input(f32, [4, 8])");
    throw Refusal{{.number = 731, .sentence = "'" + shortened(name) + "' has no value here.", .fix = std::move(fix)},
                  {}};
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

  Value choice(const Expression& expression) {
    const Value chosen = evaluate(expression.parts[0]);
    if (chosen.unknown()) throw PassedOver{};
    if (const Array* array = chosen.array())
      refuse(
          OCTET_NO_BRANCH, *array,
          Mending{expression.span, "where(" + inner(expression.parts[0].span) + ", " + slice(expression.parts[1].span) +
                                       ", " + slice(expression.parts[2].span) + ")"});
    const auto number = chosen.number();
    if (!number) refuse_argument("A condition is a truth value or a number.");
    return evaluate(expression.parts[*number != 0 ? 1 : 2]);
  }

  Value indexed(const Expression& expression) {
    const std::string around = std::exchange(around_, "");
    const Call call = call_of(expression);
    const Value& of = call.values[0];
    const Value& at = call.values[1];
    if (of.unknown() || at.unknown()) throw PassedOver{};
    if (const auto* list = of.list()) {
      if (const Array* array = at.array()) refuse(OCTET_NO_INDEX, *array);
      std::int64_t i = as_extent(at, "an index");
      const auto size = static_cast<std::int64_t>(list->size());
      if (i < 0) i += size;
      if (i < 0 || i >= size || call.values.size() > 2)
        refuse_argument("The list has " + std::to_string(size) + " elements, and no element " +
                        slice(expression.parts[1].span) + ".");
      return (*list)[static_cast<std::size_t>(i)];
    }
    const Array x = as_array(of, "[ ]");
    if (call.values.size() > 2) {
      if (x.rank() == 0) refuse_argument("A scalar has no part from … to ….");
      return slice_in_dim(x, as_extent(at, "a part"), as_extent(call.values[2], "a part"), 0);
    }
    if (const Array* index = at.array()) {
      const std::string array = slice(expression.parts[0].span), inside = slice(expression.parts[1].span);
      std::optional<Mending> mending;
      if (is_integer(index->dtype()))
        mending = Mending{expression.span, "take(" + array + ", " + inside + ")"};
      else if (around == "mean")
        mending =
            Mending{around_span_, "sum(where(" + inside + ", " + array + ", 0)) / sum(cast(" + inside + ", f32))"};
      else if (around == "sum")
        mending = Mending{expression.span, "where(" + inside + ", " + array + ", 0)"};
      refuse(OCTET_NO_MASKING, *index, mending);
    }
    if (at.list())
      refuse_argument(
          "An array is indexed by one number, x[i], or by a part, x[from:to]; take(x, indices) takes rows.");
    return x[HostIndex{as_extent(at, "an index")}];
  }

  Value member(const Expression& expression) {
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

  Value called(const Expression& expression) {
    const auto found = functions_.find(expression.text);
    if (found == functions_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, function] : functions_) known.emplace_back(name);
      std::vector<std::string> fix = nearest_first(expression.text, known);
      fix.push_back("use one of those that are known: input, where, sum, mean, max, matmul, softmax, take, …");
      throw Refusal{{.number = 732,
                     .sentence = "There is no function " + shortened(expression.text) + ".",
                     .fix = std::move(fix)},
                    {}};
    }
    const Function& function = found->second;
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
  Call call_of(const Expression& expression) {
    Call call{.at = expression,
              .program = text_,
              .parameters = &parameters_,
              .arguments = &report_.arguments,
              .most_elements = limits_.elements};
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

  /// Arrays too large for a page are refused before another is made of them.
  Value checked(Value value) {
    const auto large = [&](const Array& array) {
      return array.rank() > 8 || elements_of(array) > static_cast<double>(limits_.elements) ||
             std::any_of(array.shape().begin(), array.shape().end(),
                         [&](std::int64_t extent) { return extent > limits_.elements; });
    };
    if (const Array* array = value.array(); array && large(*array))
      fail({.number = 734,
            .sentence = "This makes " + to_string(array->type()) + "; a script's arrays have at most " +
                        std::to_string(limits_.elements) + " elements."});
    return value;
  }
  static double elements_of(const Array& array) {
    double product = 1;
    for (const std::int64_t extent : array.shape()) product *= static_cast<double>(extent);
    return product;
  }

  // The end ------------------------------------------------------------------------------------------------

  void finish() {
    try {
      const std::vector<Array> results = given_.empty() ? std::vector{shown_.back()} : given_;
      report_.graph = linearize("main", parameters_, results);
      report_.every_line = linearize("every_line", parameters_, shown_);
    } catch (const Error& error) {
      report_.faults = error.diagnostics();
    }
  }

  /// What the catalogue says of each number.
  void complete() {
    for (Diagnostic& fault : report_.faults) {
      const Error whole{std::vector<Diagnostic>{fault}};
      fault = whole.diagnostics().front();
    }
  }

  std::string mended() const {
    if (mendings_.empty()) return {};
    std::string result{text_};
    std::vector<Mending> order = mendings_;
    std::sort(order.begin(), order.end(),
              [](const Mending& a, const Mending& b) { return a.span.begin > b.span.begin; });
    for (const Mending& mending : order)
      result.replace(mending.span.begin, mending.span.end - mending.span.begin, mending.text);
    return result;
  }

  std::string slice(Span span) const { return std::string{text_.substr(span.begin, span.end - span.begin)}; }
  /// Without the parentheses around it.
  std::string inner(Span span) const {
    std::string text = slice(span);
    int open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      open += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
      if (open == 0 && i + 1 < text.size()) return text;
    }
    return text.starts_with('(') ? text.substr(1, text.size() - 2) : text;
  }

  std::string_view text_;
  const ScriptLimits& limits_;
  ScriptReport report_;
  std::map<std::string_view, Function> functions_;
  std::map<std::string, Value> names_;
  std::vector<Array> parameters_, shown_, given_;
  std::vector<Mending> mendings_;
  std::string target_;  // the name that the line assigns to, until its expression is evaluated
  std::string around_;  // the function whose only argument is the part of an array that is evaluated
  Span around_span_;
  std::size_t repetitions_ = 0;
  bool unread_ = false;
};

}  // namespace

}  // namespace script

ScriptReport trace_script(std::string_view text, const ScriptLimits& limits) {
  return script::Interpreter{text, limits}.run();
}

std::vector<std::string_view> script_functions() {
  std::vector<std::string_view> names;
  for (const script::Function& function : script::functions()) names.push_back(function.name);
  return names;
}

}  // namespace octet
