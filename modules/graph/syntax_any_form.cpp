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

/// Whether what opens here is a region: a block or an operation that makes something stands at its head.
bool opens_region(Cursor& text) {
  constexpr std::size_t enough = 256;
  const std::size_t from = text.position() + 1;
  const std::string_view inside = text.between(from, from + enough);
  const std::size_t first = inside.find_first_not_of(" \t\r\n");
  return first != inside.npos && (inside[first] == '%' || inside[first] == '^');
}

}  // namespace

void read_any_form(Cursor& text, Statement& statement) {
  int depth = 0;
  std::size_t first = 0;   // of the operands in the last brackets,
  bool has_types = false;  // which are arguments of a region where types stand beside them
  while (depth > 0 || !text.sees(":")) {
    if (text.peek() == '%') {
      statement.operands.push_back(read_use(text));
    } else if (text.sees("{") && opens_region(text)) {
      if (std::exchange(has_types, false)) statement.operands.resize(first);
      text.skip_brackets();
    } else if (text.sees("{")) {
      for (Entry& entry : read_dictionary(text)) statement.attributes.push_back(std::move(entry));
    } else if (text.accept("(")) {
      if (++depth == 1) {
        first = statement.operands.size();
        has_types = false;
      }
    } else if (text.accept(")")) {
      if (--depth < 0) text.fail("':'");
    } else if (depth > 0 && text.accept(":")) {
      has_types = true;
    } else if (!text.accept(",") && !text.accept("=") && !text.accept("->")) {
      read_said(text, statement);
    }
  }
}

}  // namespace octet::syntax
