/// Statement by statement: names, conditions of the host, and what becomes of a line that is refused.
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
import :tokens;

namespace octet {

namespace script {

namespace {

class Interpreter {
 public:
  Interpreter(std::string_view text, const ScriptLimits& limits) : limits_{limits}, values_{text, limits.elements} {}

  ScriptReport run() {
    Program program = parse(values_.text(), limits_.lines, limits_.characters_of_line, limits_.depth);
    values_.unread = !program.faults.empty();
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
    report_.arguments = std::move(values_.arguments);
    report_.mended = mended();
    return std::move(report_);
  }

 private:
  /// A line: what it is refused with goes to the report, and the names it would have given are unknown.
  void top(const Statement& statement) {
    const ComposedAt scope{place_of(statement.line)};
    try {
      execute(statement);
      return;
    } catch (Refusal& refusal) {
      refusal.diagnostic.where = place_of(statement.line);
      report_.faults.push_back(std::move(refusal.diagnostic));
      if (refusal.mending) mendings_.push_back(std::move(*refusal.mending));
    } catch (const Error& error) {
      for (Diagnostic diagnostic : of_library(error)) {
        diagnostic.where = place_of(statement.line);
        report_.faults.push_back(std::move(diagnostic));
      }
    } catch (const PassedOver&) {
    }
    forget(statement);
  }

  /// With fixes in the words of scripts.
  static std::vector<Diagnostic> of_library(const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics)
      for (std::string& fix : diagnostic.fix) fix = as_script(std::move(fix));
    return diagnostics;
  }

  void forget(const Statement& statement) {
    if (!statement.name.empty()) values_.names[statement.name] = Value{};
    for (const Statement& body : statement.bodies) forget(body);
  }

  void execute(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::assign:
        return assign(statement);
      case Statement::Kind::change:
        return change(statement);
      case Statement::Kind::show:
        return note(values_.evaluate_for("", statement.parts.front()), "", statement.line);
      case Statement::Kind::give:
        given_.clear();
        for (const Expression& part : statement.parts) {
          const Value value = values_.evaluate_for("", part);
          note(value, "", statement.line);
          if (value.array()) given_.push_back(*value.array());
        }
        return;
      case Statement::Kind::claim: {
        const Value value = values_.evaluate_for("", statement.parts.front());
        if (value.unknown()) throw PassedOver{};
        if (const Array* array = value.array()) refuse(OCTET_NO_BRANCH, *array);
        if (value.number().value_or(1) == 0)
          refuse_argument("The assertion does not hold: " + values_.slice(statement.parts.front().span) + ".");
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
    Value value = values_.evaluate_for(statement.name, statement.parts.front());
    if (!statement.op.empty()) {
      const Expression& part = statement.parts.front();
      const Expression name{
          .kind = Expression::Kind::name, .text = statement.name, .parts = {}, .keywords = {}, .span = part.span};
      value = values_.checked(binary(statement.op, values_.evaluate_for("", name), value,
                                     {.at = part, .program = values_.text(), .spans = {part.span, part.span}}));
    }
    if (const Array* array = value.array(); array && !statement.type.empty()) {
      // As C++ would convert it.
      const Mending untyped{statement.span, statement.name + " = " + values_.slice(statement.parts.front().span),
                            ", without " + statement.type};
      if (statement.type == "bool") refuse(OCTET_NO_BRANCH, *array, untyped);
      if (statement.type == "float" || statement.type == "double") refuse(OCTET_NO_NUMBER, *array, untyped);
      if (statement.type == "int" || statement.type == "long") refuse(OCTET_NO_INDEX, *array, untyped);
    }
    note(value, statement.name, statement.line);
    values_.names[statement.name] = std::move(value);
  }

  /// `x[i] = y`: X109.
  void change(const Statement& statement) {
    const Expression& at = statement.parts.front();
    const Value of = values_.evaluate_for("", at.parts.front()), by = values_.evaluate_for("", statement.parts[1]);
    if (of.unknown() || by.unknown()) throw PassedOver{};
    if (!of.array())
      refuse_argument("No element of a list or a number can be replaced.",
                      {"write the list anew, with the other element in it"});
    refuse(OCTET_NO_ELEMENT, *of.array(), as_where(statement, *of.array(), by));
  }

  /// `x[i] = y` as `x = where(iota(i32, x.shape, axis=0) == i, y, x)`, `x[mask] = y` as `x = where(mask, y, x)`.
  std::optional<Mending> as_where(const Statement& statement, const Array& x, const Value& y) {
    const Expression& at = statement.parts.front();
    if (at.parts.front().kind != Expression::Kind::name || x.rank() == 0) return {};
    const std::string name = at.parts.front().text;
    const auto indices = static_cast<std::int64_t>(at.parts.size()) - 1;
    Shape most = x.shape();  // of what is assigned: what the indices leave
    std::vector<std::string> conditions;
    const auto traced = [&](const Expression& index) -> std::optional<Array> {
      if (is_part(index)) return {};
      const Value value = values_.evaluate_for("", index);
      return value.array() ? std::optional{*value.array()} : std::nullopt;
    };
    if (std::none_of(at.parts.begin() + 1, at.parts.end(), traced))
      values_.evaluate_for("", at);  // X403 where there is no such element
    if (const std::optional<Array> array = traced(at.parts[1]); array && array->dtype() == DType::pred) {
      if (array->shape() != x.shape() || indices > 1) return {};
      conditions.push_back(values_.inner(at.parts[1].span));
    } else {
      if (indices > x.rank()) return {};
      for (std::int64_t dimension = 0; dimension < indices; ++dimension)
        if (!add_conditions(conditions, at.parts[static_cast<std::size_t>(dimension) + 1], name, x, dimension))
          return {};
      most = Shape{Dims{x.shape().begin() + indices, x.shape().end()}};
    }
    if (conditions.empty()) return {};
    std::string where = conditions.front();
    if (conditions.size() > 1) {
      where = "(" + where + ")";
      for (std::size_t i = 1; i < conditions.size(); ++i) where += " & (" + conditions[i] + ")";
    }
    const Array given = as_array(y, "What is assigned to an element");
    if (given.rank() > 0 && given.shape() != most) return {};
    std::string value = values_.slice(statement.parts[1].span);
    if (given.dtype() != x.dtype()) {
      // A number of the host is taken for what x holds where that holds it; another array is converted.
      const bool is_number = given.rank() == 0 && !y.array();
      const bool holds = is_floating(x.dtype()) || is_integer(given.dtype());
      if (!holds || x.dtype() == DType::pred || given.dtype() == DType::pred) return {};
      if (!is_number) value = "cast(" + value + ", " + std::string{octet::name(x.dtype())} + ")";
    }
    if (!statement.op.empty()) value = name + " " + statement.op + " (" + value + ")";
    return Mending{statement.span, name + " = where(" + where + ", " + value + ", " + name + ")"};
  }

  static bool is_part(const Expression& at) { return at.kind == Expression::Kind::part; }

  /// Those under which an element of `x` lies where `at` says, along a dimension; false where none can be written.
  bool add_conditions(std::vector<std::string>& conditions, const Expression& at, const std::string& name,
                      const Array& x, std::int64_t dimension) {
    const std::string place = "iota(i32, " + name + ".shape, axis=" + std::to_string(dimension) + ")";
    const auto add = [&](const std::string& sign, const Expression& end) {
      const Value value = values_.evaluate_for("", end);
      const std::string text = values_.inner(end.span);
      if (const Array* array = value.array()) {
        if (is_part(at) || array->dtype() != DType::i32 || array->rank() > 0) return false;
        conditions.push_back(place + sign + "(" + text + ")");
        return true;
      }
      // As it is written, since a loop gives it another value in each turn.
      const std::int64_t i = as_extent(value, "What stands in the brackets");
      const bool written_out = text.find_first_not_of("0123456789- ") == text.npos;
      if (i < 0 && !written_out) return false;
      conditions.push_back(place + sign +
                           (written_out ? std::to_string(i < 0 ? i + x.extent(dimension) : i) : "(" + text + ")"));
      return true;
    };
    if (!is_part(at)) return add(" == ", at);
    const auto left_out = [](const Expression& end) { return end.kind == Expression::Kind::absent; };
    return (left_out(at.parts[0]) || add(" >= ", at.parts[0])) && (left_out(at.parts[1]) || add(" < ", at.parts[1]));
  }

  /// The host's answer; a traced array has none.
  bool condition(const Statement& statement) {
    const Expression& part = statement.parts.front();
    const Value value = values_.evaluate_for("", part);
    if (value.unknown()) throw PassedOver{};
    if (const Array* array = value.array()) refuse(OCTET_NO_BRANCH, *array, as_select(statement, *array));
    const auto number = value.number();
    if (!number) refuse_argument("A condition is a truth value or a number.");
    return *number != 0;
  }

  /// `if (c) y = a else y = b` as `y = where(c, a, b)`.
  std::optional<Mending> as_select(const Statement& statement, const Array& condition) {
    if (statement.kind != Statement::Kind::branch || statement.bodies.empty()) return {};
    const Statement& yes = statement.bodies.front();
    if (yes.kind != Statement::Kind::assign || !yes.op.empty()) return {};
    std::string otherwise = yes.name;
    if (statement.bodies.size() > 1) {
      const Statement& no = statement.bodies[1];
      if (no.kind != Statement::Kind::assign || no.name != yes.name || !no.op.empty()) return {};
      otherwise = values_.slice(no.parts.front().span);
    } else if (!values_.names.contains(yes.name)) {
      return {};
    }
    return Mending{statement.span, yes.name + " = where(" +
                                       as_condition(values_.inner(statement.parts.front().span), condition) + ", " +
                                       values_.slice(yes.parts.front().span) + ", " + otherwise + ")"};
  }

  void body(const Statement& statement, std::size_t which) {
    if (statement.bodies.size() <= which)
      throw Refusal{
          {.number = 730,
           .sentence = "Line " + std::to_string(statement.line) + " has nothing to " +
                       (statement.kind == Statement::Kind::each ? "repeat." : "decide."),
           .fix = {std::string{"write it on the same line: "} +
                   (statement.kind == Statement::Kind::each ? "for k in range(4): y = y + x" : "if (n > 2) y = x")}},
          {}};
    execute(statement.bodies[which]);
  }

  void each(const Statement& statement) {
    const Value over = values_.evaluate_for("", statement.parts.front());
    if (over.unknown()) throw PassedOver{};
    if (const Array* array = over.array()) refuse(OCTET_NO_ITERATION, *array);
    if (!over.list()) refuse_argument("for counts over a list, such as range(4).");
    const std::vector<Value> list = *over.list();
    require_turns(list.size());
    for (const Value& value : list) {
      values_.names[statement.name] = value;
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

  void finish() {
    try {
      const std::vector<Array> results = given_.empty() ? std::vector{shown_.back()} : given_;
      report_.graph = linearize("main", values_.parameters, results);
      report_.every_line = linearize("every_line", values_.parameters, shown_);
    } catch (const Error& error) {
      report_.faults = of_library(error);
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
    std::string result{values_.text()};
    std::vector<Mending> order = mendings_;
    std::sort(order.begin(), order.end(),
              [](const Mending& a, const Mending& b) { return a.span.begin > b.span.begin; });
    for (const Mending& mending : order)
      result.replace(mending.span.begin, mending.span.end - mending.span.begin, mending.text);
    return result;
  }

  const ScriptLimits& limits_;
  Evaluator values_;
  ScriptReport report_;
  std::vector<Array> shown_, given_;
  std::vector<Mending> mendings_;
  std::size_t repetitions_ = 0;
};

}  // namespace

}  // namespace script

ScriptReport trace_script(std::string_view text, const ScriptLimits& limits) {
  const std::string program = script::in_ascii(text);
  return script::Interpreter{program, limits}.run();
}

}  // namespace octet
