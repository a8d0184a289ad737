module octet.graph;
import octet.base;
import octet.standard;
import :cursor;
import :syntax;

namespace octet::syntax {

namespace {

std::string_view value_name(Cursor& text) {
  text.expect("%");
  const std::string_view name = text.word("-");
  if (name.empty()) text.fail("the name of a value");
  return name;
}

void read_optional_location(Cursor& text, Location& location) {
  if (text.sees("loc")) location = read_location(text);
}

/// How what has these attributes is cut over devices, as it is written.
std::string sharding_of(const Dictionary& attributes) {
  for (const std::string_view sharding : {"sdy.sharding", "mhlo.sharding"})
    if (const Entry* said = find(attributes, sharding)) {
      const auto* text = std::get_if<std::string>(&said->attribute.value);
      return text && !text->empty() && !text->starts_with('#') ? *text : "?";
    }
  return {};
}

/// Takes over what attributes say of an argument, and what its location calls it.
void describe(Argument& argument, const Dictionary& attributes, const Location& location) {
  const Entry* entry = find(attributes, "jax.arg_info");
  const auto* name = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
  if (name)
    argument.label = *name;
  else if (!location.place.function.empty())
    argument.label = location.place.function;
  argument.sharding = sharding_of(attributes);
  const auto says = [&](std::string_view what) {
    const Entry* said = find(attributes, what);
    const auto* yes = said ? std::get_if<bool>(&said->attribute.value) : nullptr;
    return yes && *yes;
  };
  const Entry* aliasing = find(attributes, "tf.aliasing_output");
  if (const auto* number = aliasing ? std::get_if<std::int64_t>(&aliasing->attribute.value) : nullptr)
    argument.result = *number;
  argument.donated = aliasing || says("jax.buffer_donor");
  argument.sharded = says("octet.sharded");
}

/// `module @name attributes {...} {...}`, after the first word.
void read_module(Cursor& text, Statement& statement) {
  statement.name = "builtin.module";
  if (text.peek() == '@') statement.attributes.push_back({"sym_name", {text.symbol()}});
  if (text.accept("attributes"))
    for (Entry& entry : read_dictionary(text)) statement.attributes.push_back(std::move(entry));
  statement.regions.push_back(read_region(text, {}));
}

/// `func.func public @main(%arg0: ...) -> (...) {...}`, after the first word. A declaration has no region.
void read_function(Cursor& text, Statement& statement) {
  statement.name = "func.func";
  for (std::string_view visibility : {"public", "private", "nested"})
    if (text.accept(visibility)) break;
  statement.attributes.push_back({"sym_name", {text.symbol()}});
  std::vector<Argument> arguments = read_arguments(text);
  if (text.accept("->"))
    statement.result_types = text.sees("(") ? read_types(text, &statement.shardings) : read_result_types(text);
  if (text.accept("attributes")) read_dictionary(text);
  if (text.sees("{")) statement.regions.push_back(read_region(text, std::move(arguments)));
}

/// `return %0 : tensor<f32>`, after the first word.
void read_return(Cursor& text, Statement& statement) {
  if (text.peek() != '%') return;
  do statement.operands.push_back(read_use(text));
  while (text.accept(","));
  text.expect(":");
  do statement.operand_types.push_back(read_type(text));
  while (text.accept(","));
}

void read_generic(Cursor& text, Statement& statement) {
  statement.name = text.string();
  text.list("(", ")", [&] { statement.operands.push_back(read_use(text)); });
  if (text.accept("<")) {
    statement.attributes = read_dictionary(text);
    text.expect(">");
  }
  if (text.accept("(")) {
    do statement.regions.push_back(read_region(text, {}));
    while (text.accept(","));
    text.expect(")");
  }
  if (text.sees("{"))
    for (Entry& entry : read_dictionary(text)) statement.attributes.push_back(std::move(entry));
  text.expect(":");
  const std::size_t types = text.position();
  statement.operand_types = read_types(text);
  text.expect("->");
  statement.result_types = read_result_types(text);
  if (statement.operand_types.size() != statement.operands.size())
    text.refuse(types, "there are " + std::to_string(statement.operands.size()) + " operands and the types of " +
                           std::to_string(statement.operand_types.size()));
}

/// What attributes say of the arguments and results of a function in generic form.
void describe_arguments(Statement& function) {
  const Entry* results = find(function.attributes, "res_attrs");
  if (const auto* each = results ? std::get_if<std::vector<Attribute>>(&results->attribute.value) : nullptr)
    for (const Attribute& attribute : *each) {
      const auto* attributes = std::get_if<Dictionary>(&attribute.value);
      function.shardings.push_back(attributes ? sharding_of(*attributes) : "");
    }
  const Entry* entry = find(function.attributes, "arg_attrs");
  const auto* all = entry ? std::get_if<std::vector<Attribute>>(&entry->attribute.value) : nullptr;
  if (!all || function.regions.empty()) return;
  std::vector<Argument>& arguments = function.regions.front().arguments;
  for (std::size_t i = 0; i < arguments.size() && i < all->size(); ++i)
    if (const auto* attributes = std::get_if<Dictionary>(&(*all)[i].value)) describe(arguments[i], *attributes, {});
}

Statement read_statement(Cursor& text) {
  Statement statement;
  const bool around = std::exchange(text.unsigned64, false), narrow_around = std::exchange(text.any_narrow, false);
  if (text.peek() == '%') {
    do {
      Result result{value_name(text)};
      if (text.accept(":")) result.count = text.integer();
      statement.results.push_back(result);
    } while (text.accept(","));
    text.expect("=");
  }
  statement.position = text.position();
  if (text.peek() == '"') {
    read_generic(text, statement);
    if (statement.name == "func.func") describe_arguments(statement);
  } else {
    const std::string_view word = text.word();
    if (word == "module" || word == "builtin.module") {
      read_module(text, statement);
    } else if (word == "func.func") {
      read_function(text, statement);
    } else if (word == "return" || word == "func.return" || word == "stablehlo.return" || word == "sdy.return") {
      statement.name = word == "return" ? "func.return" : std::string{word};
      read_return(text, statement);
    } else if (word == "sdy.mesh") {
      statement.name = word;
      read_mesh(text, statement);
    } else if (word.find('.') != std::string_view::npos || word == "call") {
      read_short_form(text, word, statement);
    } else {
      text.refuse(statement.position,
                  "expected an operation" + (word.empty() ? "" : " and found '" + std::string{word} + "'"));
    }
  }
  std::int64_t count = 0;
  for (const Result& result : statement.results) {
    if (result.count < 1) text.refuse(statement.position, "a name stands for at least one result");
    count += result.count;
  }
  if (!statement.results.empty() && count != static_cast<std::int64_t>(statement.result_types.size()))
    text.refuse(statement.position, statement.name + " has " + std::to_string(statement.result_types.size()) +
                                        " results, and there are names for " + std::to_string(count));
  read_optional_location(text, statement.location);
  statement.unsigned64 = std::exchange(text.unsigned64, around);
  statement.narrow = std::exchange(text.any_narrow, narrow_around);
  return statement;
}

Location location_body(Cursor& text) {
  const Cursor::Level level{text, "locations"};
  Location location;
  if (text.peek() == '"') {
    std::string name = text.string();
    if (text.accept(":")) {
      location.place.file = std::move(name);
      location.place.line = static_cast<unsigned>(text.integer());
      if (text.accept(":")) text.integer();
      if (text.accept("to")) {
        if (!text.sees(":")) text.integer();
        text.expect(":");
        text.integer();
      }
      return location;
    }
    if (text.accept("(")) {
      location = location_body(text);
      text.expect(")");
    }
    location.place.function = std::move(name);
  } else if (text.accept("#")) {
    location.alias = text.word();
  } else if (text.accept("callsite")) {
    text.expect("(");
    location = location_body(text);
    text.expect("at");
    location_body(text);
    text.expect(")");
  } else if (text.accept("fused")) {
    if (text.sees("<")) text.skip_brackets();
    text.list("[", "]", [&] {
      Location part = location_body(text);
      if (!location.place.known() && location.alias.empty()) location = std::move(part);
    });
  } else if (!text.accept("unknown") && !text.accept("?")) {
    text.fail("a location");
  }
  return location;
}

}  // namespace

Use read_use(Cursor& text) {
  Use use{{}, text.position()};
  use.name.first = value_name(text);
  if (text.accept("#")) use.name.second = text.integer();
  return use;
}

std::vector<TensorType> read_types(Cursor& text, std::vector<std::string>* shardings) {
  std::vector<TensorType> types;
  text.list("(", ")", [&] {
    types.push_back(read_type(text));
    Dictionary attributes;
    if (text.sees("{")) attributes = read_dictionary(text);
    if (shardings) shardings->push_back(sharding_of(attributes));
  });
  return types;
}

std::vector<TensorType> read_result_types(Cursor& text) {
  if (text.sees("(")) return read_types(text);
  return {read_type(text)};
}

std::vector<Argument> read_arguments(Cursor& text) {
  std::vector<Argument> arguments;
  text.list("(", ")", [&] {
    Argument argument;
    argument.position = text.position();
    if (text.peek() == '%') {
      argument.name = value_name(text);
      text.expect(":");
    }
    argument.type = read_type(text);
    argument.narrow = !text.last_narrow.empty();
    Dictionary attributes;
    Location location;
    if (text.sees("{")) attributes = read_dictionary(text);
    read_optional_location(text, location);
    describe(argument, attributes, location);
    arguments.push_back(std::move(argument));
  });
  return arguments;
}

Region read_region(Cursor& text, std::vector<Argument> arguments) {
  const Cursor::Level level{text, "regions"};
  Region region{.arguments = std::move(arguments), .statements = {}, .position = text.position()};
  text.expect("{");
  if (text.accept("^")) {
    text.word("-");
    if (text.sees("(")) region.arguments = read_arguments(text);
    text.expect(":");
  }
  while (!text.accept("}")) {
    if (text.sees("^")) text.refuse(text.position(), "a region of Octet's operations has one block");
    region.statements.push_back(read_statement(text));
  }
  return region;
}

Location read_location(Cursor& text) {
  text.expect("loc");
  text.expect("(");
  Location location = location_body(text);
  text.expect(")");
  return location;
}

Document parse(Cursor& text) {
  Document document;
  while (!text.at_end()) {
    if (text.accept("#")) {
      std::string name{text.word()};
      text.expect("=");
      if (text.sees("loc"))
        document.locations[std::move(name)] = read_location(text);
      else
        text.skip_line();
    } else if (text.sees("!")) {
      text.skip_line();
    } else if (text.accept("{-#")) {
      text.skip_past("#-}");
    } else {
      document.statements.push_back(read_statement(text));
    }
  }
  return document;
}

}  // namespace octet::syntax
