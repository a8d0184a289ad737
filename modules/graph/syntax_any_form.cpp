/// The short form of an operation that Octet does not have: whatever it is, its operands stand before the colon and
/// its types behind it.
module octet.graph;
import octet.standard;
import :cursor;
import :syntax;

namespace octet::syntax {

namespace {

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, as it is written.
std::string read_layouts(Cursor& text) {
  const std::size_t from = text.position();
  text.skip_brackets();
  text.expect("x");
  text.skip_brackets();
  text.expect("->");
  text.skip_brackets();
  return std::string{text.between(from, text.end_of_last())};
}

/// What stands between operands: a word, with what it is said to be.
void read_said(Cursor& text, Statement& statement) {
  const std::size_t position = text.position();
  if (text.sees("[") || text.sees("<") || text.sees("#")) {
    text.accept("#");
    text.word();
    if (text.sees("[") || text.sees("<")) text.skip_brackets();
    return;
  }
  if (text.peek() == '@') return static_cast<void>(text.symbol());
  if (text.peek() == '"') return static_cast<void>(text.string());
  const std::string_view word = text.literal();
  if (word.empty()) text.fail("an operand or ':'");
  if (word == "dim_numbers" && text.accept("="))
    statement.attributes.push_back({"dimension_numbers", {read_layouts(text)}, position});
}

}  // namespace

void read_any_form(Cursor& text, Statement& statement) {
  int depth = 0;
  while (depth > 0 || !text.sees(":")) {
    if (text.peek() == '%') {
      statement.operands.push_back(read_use(text));
    } else if (text.sees("{")) {
      for (Entry& entry : read_dictionary(text)) statement.attributes.push_back(std::move(entry));
    } else if (text.accept("(")) {
      ++depth;
    } else if (text.accept(")")) {
      if (--depth < 0) text.fail("':'");
    } else if (!text.accept(",") && !text.accept("=") && !text.accept("->") && !(depth > 0 && text.accept(":"))) {
      read_said(text, statement);
    }
  }
}

}  // namespace octet::syntax
