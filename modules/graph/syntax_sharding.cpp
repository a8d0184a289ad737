/// How programs that are partitioned over devices say so, in Shardy's dialect.
module octet.graph;
import octet.standard;
import :cursor;
import :syntax;

namespace octet::syntax {

std::string in_brackets(Cursor& text) {
  const std::size_t from = text.position() + 1;
  text.skip_brackets();
  return std::string{text.between(from, text.end_of_last() - 1)};
}

void read_mesh(Cursor& text, Statement& statement) {
  statement.attributes.push_back({"sym_name", {text.symbol()}});
  text.expect("=");
  if (text.accept("#")) text.word();
  statement.attributes.push_back({"mesh", {in_brackets(text)}});
  if (text.sees("{")) text.skip_brackets();  // the same once more, as an attribute
}

void read_manual_computation(Cursor& text, Statement& statement) {
  text.list("(", ")", [&] { statement.operands.push_back(read_use(text)); });
  while (!text.sees("(")) {
    const std::size_t position = text.position();
    const std::string name{text.word()};
    text.expect("=");
    if (name != "in_shardings" && name != "out_shardings") {
      statement.attributes.push_back({name, {in_brackets(text)}, position});
      continue;
    }
    std::vector<Attribute> shardings;
    text.list("[", "]", [&] { shardings.push_back({in_brackets(text)}); });
    statement.attributes.push_back({name, {std::move(shardings)}, position});
  }
  std::vector<Argument> arguments = read_arguments(text);
  statement.regions.push_back(read_region(text, std::move(arguments)));
  read_signature(text, statement);
}

}  // namespace octet::syntax
