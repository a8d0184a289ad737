/// A recursive-descent parser, one line at a time: an operator's precedence is its place in a table.
module octet.script;
import octet.base;
import octet.standard;
import :syntax;
import :tokens;

namespace octet::script {

Place place_of(unsigned line) { return {"program", line, ""}; }

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string{text};
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return std::string{text.substr(0, most)} + "…";
}

namespace {

/// Operators that stand between two operands, the loosest first. As in Python, comparisons are looser than `&`, `|` and
/// `^`.
constexpr std::string_view levels[][6] = {
    {"||", "or"}, {"&&", "and"},        {"==", "!=", "<", "<=", ">", ">="}, {"|"}, {"^"}, {"&"}, {"<<", ">>"},
    {"+", "-"},   {"*", "/", "%", "@"},
};
constexpr std::size_t tightest = std::size(levels), comparisons = 2;

class LineParser : Tokens {
 public:
  LineParser(std::string_view program, Span line, unsigned number, std::size_t most_depth)
      : Tokens{program, line, number}, most_depth_{most_depth} {}

  using Tokens::empty;

  Statement parsed() {
    Statement result = statement();
    while (take(";")) {
    }
    if (!at_end()) unexpected("the line ended");
    return result;
  }

 private:
  /// A finished expression, of what begins at `begin` and ends before the next token.
  Expression made(Expression::Kind kind, std::size_t begin, std::string text = {},
                  std::vector<Expression> parts = {}) const {
    Expression result{
        .kind = kind, .text = std::move(text), .parts = std::move(parts), .keywords = {}, .span = {begin, passed()}};
    for (const Expression& part : result.parts) result.depth = std::max(result.depth, part.depth + 1);
    require_depth(result.depth);
    return result;
  }
  void require_depth(std::size_t depth) const {
    if (depth > most_depth_)
      fail({.number = 734,
            .sentence =
                "Line " + std::to_string(line()) + " is nested more than " + std::to_string(most_depth_) + " deep.",
            .where = place_of(line()),
            .fix = {"give parts of it a name, in lines of their own"}});
  }

  // Statements ---------------------------------------------------------------------------------------------

  Statement statement() {
    require_depth(++depth_);
    Statement result{.line = line()};
    const std::size_t begin = next().begin;
    if (is("else") || is("elif"))
      fail([&] {
        return Diagnostic{
            .number = 730,
            .sentence = "Line " + std::to_string(line()) + " begins with '" + std::string{next().text} + "'.",
            .where = place_of(line()),
            .fix = {"write it behind what its condition decides: if (n > 2) y = x else y = z"}};
      });
    if (take("if"))
      conditional(result, Statement::Kind::branch);
    else if (take("while"))
      conditional(result, Statement::Kind::loop);
    else if (take("for"))
      each(result);
    else if (take("assert")) {
      result.kind = Statement::Kind::claim;
      result.parts.push_back(expression());
    } else if (take("return")) {
      result.kind = Statement::Kind::give;
      do result.parts.push_back(expression());
      while (take(","));
    } else {
      plain(result);
    }
    result.span = {begin, passed()};
    --depth_;
    return result;
  }

  void plain(Statement& to) {
    if (is_name() && is_name(1) && is("=", 2)) to.type = pass();  // as C++ declares: float total = …
    if (is_name() && assigns(1)) {
      to.kind = Statement::Kind::assign;
      to.name = pass();
      to.op = assignment();
    }
    to.parts.push_back(expression());
    if (to.kind == Statement::Kind::show && to.parts.front().kind == Expression::Kind::index && assigns(0)) {
      to.kind = Statement::Kind::change;
      to.op = assignment();
      to.parts.push_back(expression());
    }
  }

  bool assigns(std::size_t ahead) const {
    return is("=", ahead) || is("+=", ahead) || is("-=", ahead) || is("*=", ahead) || is("/=", ahead);
  }
  /// The operator of +=; none of =.
  std::string assignment() {
    const std::string_view sign = pass();
    return std::string{sign.substr(0, sign.size() - 1)};
  }

  void conditional(Statement& to, Statement::Kind kind) {
    to.kind = kind;
    to.parts.push_back(expression());
    body(to);
    if (kind == Statement::Kind::branch && (take(";"), take("else"))) body(to);
  }

  void each(Statement& to) {
    to.kind = Statement::Kind::each;
    const bool parenthesis = take("(");
    while (is_name(1)) {
      if (next(1).text == "in") break;
      pass();  // auto, Array
    }
    if (!is_name()) unexpected("a name stood after 'for'");
    to.name = pass();
    if (!take("in") && !take(":")) unexpected("'in' or ':' stood after the name");
    to.parts.push_back(expression());
    if (parenthesis) expect(")", "after the expression");
    body(to);
  }

  /// What a condition decides about, on the same line; none where the line ends.
  void body(Statement& to) {
    if (!take(":")) take("{");
    if (at_end() || is("}") || is("else")) {
      take("}");
      return;
    }
    to.bodies.push_back(statement());
    take(";");
    take("}");
  }

  // Expressions --------------------------------------------------------------------------------------------

  Expression expression() {
    require_depth(++depth_);
    const std::size_t begin = next().begin;
    Expression first = binary(0);
    if (take("?")) {  // C++: condition ? a : b
      Expression on_true = expression();
      expect(":", "between the two values");
      Expression on_false = expression();
      first = made(Expression::Kind::choice, begin, {},
                   parts_of(std::move(first), std::move(on_true), std::move(on_false)));
    } else if (take("if")) {  // Python: a if condition else b
      Expression condition = binary(0);
      expect("else", "after the condition");
      Expression on_false = expression();
      first = made(Expression::Kind::choice, begin, {},
                   parts_of(std::move(condition), std::move(first), std::move(on_false)));
    }
    --depth_;
    return first;
  }

  template <class... Parts>
  static std::vector<Expression> parts_of(Parts&&... parts) {
    std::vector<Expression> result;
    (result.push_back(std::move(parts)), ...);
    return result;
  }

  Expression binary(std::size_t level) {
    if (level == tightest) return unary();
    const std::size_t begin = next().begin;
    if (level == comparisons && take("not")) {  // as in Python, looser than a comparison
      require_depth(++depth_);
      Expression of = binary(comparisons);
      --depth_;
      return made(Expression::Kind::unary, begin, "not", parts_of(std::move(of)));
    }
    Expression left = binary(level + 1);
    Span middle = left.span;
    for (bool compared = false;; compared = level == comparisons) {
      std::string_view found;
      for (const std::string_view sign : levels[level])
        if (!sign.empty() && is(sign)) found = sign;
      if (found.empty()) return left;
      pass();
      Expression right = binary(level + 1);
      if (compared) refuse_chain(left, middle, found, right);
      middle = right.span;
      left = made(Expression::Kind::binary, begin, std::string{found}, parts_of(std::move(left), std::move(right)));
    }
  }

  // a < b < c is two comparisons to Python, and to C++ one of a truth value.
  [[noreturn]] void refuse_chain(const Expression& left, Span middle, std::string_view sign, const Expression& right) {
    const std::string again = text_of(middle) + " " + std::string{sign} + " " + text_of(right.span);
    fail({.number = 730,
          .sentence = "'" + shortened(text_of({left.span.begin, right.span.end})) +
                      "' holds where both comparisons do in Python, and compares a truth value in C++.",
          .where = place_of(line()),
          .fix = {"write (" + shortened(text_of(left.span)) + ") & (" + shortened(again) + ")"}});
  }

  Expression unary() {
    const std::size_t begin = next().begin;
    for (const std::string_view sign : {"-", "+", "~", "!", "not"})
      if (take(sign)) {
        require_depth(++depth_);
        Expression of = unary();
        --depth_;
        return made(Expression::Kind::unary, begin, std::string{sign}, parts_of(std::move(of)));
      }
    Expression base = postfix();
    if (!take("**")) return base;
    require_depth(++depth_);
    Expression power = unary();
    --depth_;
    return made(Expression::Kind::binary, begin, "**", parts_of(std::move(base), std::move(power)));
  }

  Expression postfix() {
    const std::size_t begin = next().begin;
    Expression result = primary();
    for (;;) {
      if (is("(") && (result.kind == Expression::Kind::name || result.kind == Expression::Kind::member)) {
        result = call(begin, std::move(result));
      } else if (take("[")) {
        std::vector<Expression> parts = parts_of(std::move(result));
        do parts.push_back(place());
        while (take(","));
        expect("]", "after the index");
        result = made(Expression::Kind::index, begin, {}, std::move(parts));
      } else if (take(".")) {
        if (!is_name()) unexpected("a name stood after '.'");
        std::string name{pass()};
        result = made(Expression::Kind::member, begin, std::move(name), parts_of(std::move(result)));
      } else {
        return result;
      }
    }
  }

  /// Of one dimension: `i`, or `from:to`, where either may be left out.
  Expression place() {
    const std::size_t begin = next().begin;
    Expression from = is(":") ? Expression{.kind = Expression::Kind::absent} : expression();
    if (!take(":")) return from;
    Expression to = is(",") || is("]") ? Expression{.kind = Expression::Kind::absent} : expression();
    return made(Expression::Kind::part, begin, {}, parts_of(std::move(from), std::move(to)));
  }

  /// `f(a, b, size=4)`; `x.sum()` is sum(x).
  Expression call(std::size_t begin, Expression callee) {
    std::vector<Expression> parts = std::move(callee.parts);
    std::vector<std::string> keywords(parts.size());
    expect("(", "here");
    while (!is(")")) {
      const bool named = is_name() && is("=", 1);
      keywords.emplace_back(named ? next().text : std::string_view{});
      for (int i = 0; named && i < 2; ++i) pass();
      parts.push_back(expression());
      if (!take(",")) break;
    }
    expect(")", "after the arguments");
    Expression result = made(Expression::Kind::call, begin, std::move(callee.text), std::move(parts));
    result.keywords = std::move(keywords);
    return result;
  }

  Expression primary() {
    const Token token = next();
    if (token.kind == Token::Kind::name || token.kind == Token::Kind::number) {
      for (const std::string_view word : {"if", "else", "for", "while", "in", "return", "and", "or"})
        if (token.text == word) unexpected("a value stood here");
      pass();
      return made(token.kind == Token::Kind::name ? Expression::Kind::name : Expression::Kind::number, token.begin,
                  std::string{token.text});
    }
    if (take("(")) {
      Expression inner = expression();
      expect(")", "after the expression");
      inner.span = {token.begin, passed()};
      return inner;
    }
    if (is("[") || is("{")) {
      const std::string_view close = take("[") ? "]" : (take("{"), "}");
      std::vector<Expression> parts;
      while (!is(close)) {
        parts.push_back(expression());
        if (!take(",")) break;
      }
      expect(close, "after the list");
      return made(Expression::Kind::list, token.begin, {}, std::move(parts));
    }
    unexpected("a value stood here");
  }

  std::size_t most_depth_, depth_ = 0;
};

}  // namespace

Program parse(std::string_view text, std::size_t most_lines, std::size_t most_characters, std::size_t most_depth) {
  Program result;
  const auto guarded = [&](const auto& work) {
    try {
      work();
    } catch (const Error& error) {
      result.faults.insert(result.faults.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  };
  unsigned number = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    ++number;
    bool more = true;
    guarded([&] {
      if (number > most_lines) {
        more = false;
        fail({.number = 734,
              .sentence = "The program has more than " + std::to_string(most_lines) + " lines.",
              .where = place_of(number)});
      }
      if (end - begin > most_characters)
        fail({.number = 734,
              .sentence = "Line " + std::to_string(number) + " has more than " + std::to_string(most_characters) +
                          " characters.",
              .where = place_of(number)});
      LineParser parser{text, {begin, end}, number, most_depth};
      if (!parser.empty()) result.statements.push_back(parser.parsed());
    });
    if (!more) break;
    begin = end + 1;
  }
  return result;
}

}  // namespace octet::script
