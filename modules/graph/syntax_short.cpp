/// The short form of StableHLO's operations, as JAX prints programs: `stablehlo.add %0, %1 : tensor<4xf32>`. It becomes
/// the same tree as the generic form. Operations with regions other than `reduce` and `while` have no short form.
module octet.graph;
import octet.base;
import octet.standard;
import :cursor;
import :reader_composed;
import :syntax;

namespace octet::syntax {

namespace {

/// What the short form of an operation calls an attribute.
struct Key {
  std::string_view operation, key, attribute;
};
constexpr Key keys[] = {
    {"chlo.top_k", "k", "k"},
    {"stablehlo.broadcast", "sizes", "broadcast_sizes"},
    {"stablehlo.broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"stablehlo.concatenate", "dim", "dimension"},
    {"stablehlo.dynamic_slice", "sizes", "slice_sizes"},
    {"stablehlo.iota", "dim", "iota_dimension"},
    {"stablehlo.pad", "low", "edge_padding_low"},
    {"stablehlo.pad", "high", "edge_padding_high"},
    {"stablehlo.pad", "interior", "interior_padding"},
    {"stablehlo.reverse", "dims", "dimensions"},
    {"stablehlo.transpose", "dims", "permutation"},
    {"stablehlo.dot", "precision", "precision_config"},
    {"stablehlo.dot_general", "precision", "precision_config"},
    {"stablehlo.dot_general", "algorithm", "algorithm"},
};

/// `[0, 1]`.
Dims read_dims(Cursor& text) {
  Dims dims;
  text.list("[", "]", [&] { dims.push_back(text.integer()); });
  return dims;
}

/// `[DEFAULT, HIGHEST]`.
std::vector<Attribute> read_word_list(Cursor& text) {
  std::vector<Attribute> words;
  text.list("[", "]", [&] {
    const std::string_view word = text.word();
    if (word.empty()) text.fail("a word");
    words.push_back({std::string{word}});
  });
  return words;
}

void add(Cursor& text, Statement& statement, std::string_view name, std::size_t position, Attribute attribute) {
  if (find(statement.attributes, name))
    text.refuse(position, std::string{name} + " of " + statement.name + " is said a second time");
  statement.attributes.push_back({std::string{name}, std::move(attribute), position});
}

/// `[0:4, 1:8:2]`: from, to, and every how many.
void read_slices(Cursor& text, Statement& statement) {
  const std::size_t position = text.position();
  Dims start, limit, strides;
  text.list("[", "]", [&] {
    start.push_back(text.integer());
    text.expect(":");
    limit.push_back(text.integer());
    strides.push_back(text.accept(":") ? text.integer() : 1);
  });
  add(text, statement, "start_indices", position, {std::move(start)});
  add(text, statement, "limit_indices", position, {std::move(limit)});
  add(text, statement, "strides", position, {std::move(strides)});
}

/// `contracting_dims = [1] x [0]` of a product, after the equals sign: both sides' part of its dimension numbers.
void read_both_sides(Cursor& text, std::string_view kind, std::size_t position, Statement& statement) {
  // What else a product says stands behind both.
  if (statement.attributes.empty()) add(text, statement, "dot_dimension_numbers", position, {Dictionary{}});
  auto* const numbers = std::get_if<Dictionary>(&statement.attributes.front().attribute.value);
  if (!numbers) text.refuse(position, "dimensions of a product stand before its precision");
  Dims lhs = read_dims(text);
  text.expect("x");
  const std::string suffix = "_" + std::string{kind} + "_dimensions";
  if (find(*numbers, "lhs" + suffix))
    text.refuse(position, std::string{kind} + " dimensions of " + statement.name + " are said a second time");
  numbers->push_back({"lhs" + suffix, {std::move(lhs)}, position});
  numbers->push_back({"rhs" + suffix, {read_dims(text)}, position});
}

/// `e8m7`: the bits of exponent and fraction.
void read_format(Cursor& text, std::size_t position, Statement& statement) {
  const std::string_view word = text.word();
  const std::size_t m = word.find('m');
  const auto bits = [&](std::string_view digits) -> std::int64_t {
    if (digits.empty() || digits.size() > 2) return -1;
    std::int64_t number = 0;
    for (const char digit : digits) {
      if (digit < '0' || digit > '9') return -1;
      number = 10 * number + (digit - '0');
    }
    return number;
  };
  const bool split = word.starts_with('e') && m != std::string_view::npos;
  const std::int64_t exponent = split ? bits(word.substr(1, m - 1)) : -1,
                     fraction = split ? bits(word.substr(m + 1)) : -1;
  if (exponent < 0 || fraction < 0) text.refuse(position, "the format of " + statement.name + " is written as e8m7");
  add(text, statement, "exponent_bits", position, {exponent});
  add(text, statement, "mantissa_bits", position, {fraction});
}

/// `dims = [0, 1]` and the like, after the equals sign.
void read_keyed(Cursor& text, std::string_view key, std::size_t position, Statement& statement) {
  if (statement.name == "stablehlo.dot_general" && (key == "contracting_dims" || key == "batching_dims"))
    return read_both_sides(text, key.substr(0, key.find('_')), position, statement);
  if (statement.name == "stablehlo.reduce_precision" && key == "format") return read_format(text, position, statement);
  for (const Key& row : keys)
    if (row.operation == statement.name && row.key == key) {
      Attribute value;
      if (key == "precision")
        value.value = read_word_list(text);
      else if (key == "algorithm")
        value.value = read_words(text);
      else if (text.sees("["))
        value.value = read_dims(text);
      else
        value.value = text.integer();
      return add(text, statement, row.attribute, position, std::move(value));
    }
  text.refuse(position, "'" + std::string{key} + "' of " + statement.name + " is something Octet does not have");
}

/// A single word: what a comparison asks for, and then how it compares.
void read_bare(Cursor& text, std::string_view word, std::size_t position, Statement& statement) {
  if (statement.name != "stablehlo.compare")
    text.refuse(position, "expected an operand of " + statement.name + " and found '" + std::string{word} + "'");
  const bool first = !find(statement.attributes, "comparison_direction");
  add(text, statement, first ? "comparison_direction" : "compare_type", position, {std::string{word}});
}

/// An operand, or what stands between operands.
void read_item(Cursor& text, Statement& statement) {
  if (text.peek() == '%') return statement.operands.push_back(read_use(text));
  const std::size_t position = text.position();
  const std::string_view word = text.word();
  if (word.empty()) text.fail("an operand or ':'");
  if (text.accept("="))
    read_keyed(text, word, position, statement);
  else
    read_bare(text, word, position, statement);
}

/// Operands and what stands between them, up to the attributes or types.
void read_items(Cursor& text, Statement& statement) {
  // What a composite is called does not matter: what it does stands in a function.
  if (statement.name == "stablehlo.composite") text.string();
  for (bool first = true; !text.sees(":") && !text.sees("{"); first = false) {
    if (statement.name == "stablehlo.slice" && text.sees("[")) {
      read_slices(text, statement);
      continue;
    }
    if (statement.name == "sdy.sharding_constraint" && text.sees("<")) {
      statement.attributes.push_back({"sharding", {in_brackets(text)}});
      continue;
    }
    if (!first) text.expect(",");
    read_item(text, statement);
  }
}

/// `(%0, k = 8)`.
void read_in_brackets(Cursor& text, Statement& statement) {
  text.list("(", ")", [&] { read_item(text, statement); });
}

void read_attributes_between(Cursor& text, Statement& statement) {
  if (text.sees("{"))
    for (Entry& entry : read_dictionary(text))
      add(text, statement, entry.name, entry.position, std::move(entry.attribute));
}

/// `@name(%0, %1)`.
void read_called(Cursor& text, std::string_view attribute, Statement& statement) {
  const std::size_t position = text.position();
  add(text, statement, attribute, position, {text.symbol()});
  text.list("(", ")", [&] { statement.operands.push_back(read_use(text)); });
}

/// `dense<0.0> : tensor<f32>`, which says the result's type.
void read_constant(Cursor& text, Statement& statement) {
  read_attributes_between(text, statement);
  const std::size_t position = text.position();
  Attribute value = read_attribute(text);
  const auto* tensor = std::get_if<Tensor>(&value.value);
  if (!tensor) text.refuse(position, "value of stablehlo.constant is not dense<...> of an element type that Octet has");
  statement.result_types = {tensor->type()};
  add(text, statement, "value", position, std::move(value));
}

/// What `applies stablehlo.add` stands for.
Region applied_region(std::string_view operation, std::size_t position, const TensorType& operand) {
  const TensorType element{operand.dtype, {}};
  Region region{.arguments = {{"lhs", element, {}, position}, {"rhs", element, {}, position}},
                .statements = {},
                .position = position};
  Statement combined, last;
  combined.name = operation;
  combined.position = last.position = position;
  combined.results = {{"combined"}};
  combined.operands = {{{"lhs", 0}, position}, {{"rhs", 0}, position}};
  combined.operand_types = {element, element};
  combined.result_types = last.operand_types = {element};
  last.name = "stablehlo.return";
  last.operands = {{{"combined", 0}, position}};
  region.statements = {std::move(combined), std::move(last)};
  return region;
}

/// `(%0 init: %1), (%2 init: %3) applies stablehlo.add across dimensions = [1] : (...) -> ...`, or without `applies`
/// and with `reducer(%a: tensor<f32>, %b: tensor<f32>) (...) {...}` at the end, where each pair is of one operand.
void read_reduce(Cursor& text, Statement& statement) {
  std::vector<Use> initial;
  do {
    text.expect("(");
    statement.operands.push_back(read_use(text));
    text.expect("init");
    text.expect(":");
    initial.push_back(read_use(text));
    text.expect(")");
  } while (text.accept(","));
  statement.operands.insert(statement.operands.end(), initial.begin(), initial.end());
  std::string_view applied;
  std::size_t position = text.position();
  if (text.accept("applies")) {
    position = text.position();
    applied = text.word();
    if (applied.empty()) text.fail("the name of an operation");
  }
  text.expect("across");
  const std::size_t dimensions = text.position();
  text.expect("dimensions");
  text.expect("=");
  add(text, statement, "dimensions", dimensions, {read_dims(text)});
  read_attributes_between(text, statement);
  read_signature(text, statement);
  if (!applied.empty()) {
    statement.regions.push_back(applied_region(applied, position, statement.operand_types.front()));
    return;
  }
  text.expect("reducer");
  std::vector<Argument> left, right;
  while (text.sees("(")) {
    const std::size_t pair = text.position();
    std::vector<Argument> both = read_arguments(text);
    if (both.size() != 2) text.refuse(pair, "a reducer takes two arguments of each operand");
    left.push_back(std::move(both[0]));
    right.push_back(std::move(both[1]));
  }
  left.insert(left.end(), right.begin(), right.end());
  statement.regions.push_back(read_region(text, std::move(left)));
}

/// `(%iterArg = %0, ...) : tensor<i32>, ... cond {...} do {...}`.
void read_while(Cursor& text, Statement& statement) {
  std::vector<Argument> arguments;
  text.list("(", ")", [&] {
    Argument argument;
    argument.position = text.position();
    argument.name = read_use(text).name.first;
    text.expect("=");
    statement.operands.push_back(read_use(text));
    arguments.push_back(std::move(argument));
  });
  if (!arguments.empty()) {
    read_signature(text, statement);
    for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i].type = statement.operand_types[i];
  }
  if (text.accept("attributes")) read_attributes_between(text, statement);
  text.expect("cond");
  statement.regions.push_back(read_region(text, arguments));
  text.expect("do");
  statement.regions.push_back(read_region(text, std::move(arguments)));
}

}  // namespace

/// `: (tensor<2xf32>) -> tensor<2xi1>`; or the types that operands and results share: one of all, one of each, or, of
/// select, those of the predicate and of the rest. CHLO's operations say `: tensor<2xf32> -> tensor<2xf32>`.
void read_signature(Cursor& text, Statement& statement) {
  text.expect(":");
  const std::size_t position = text.position();
  const std::size_t operands = statement.operands.size();
  if (text.sees("(")) {
    statement.operand_types = read_types(text);
    text.expect("->");
    statement.result_types = read_result_types(text);
  } else {
    std::vector<TensorType> types;
    do types.push_back(read_type(text));
    while (text.accept(","));
    const std::size_t count = types.size();
    if (text.accept("->")) {
      statement.result_types = read_result_types(text);
    } else if (statement.name == "stablehlo.select" && count == 2) {
      types.push_back(types.back());
      statement.result_types = {types.back()};
    } else if (count == 1) {
      statement.result_types = types;
      types.assign(operands, statement.result_types.front());  // not of itself
    } else {
      statement.result_types = types;
    }
    statement.operand_types = std::move(types);
  }
  if (statement.operand_types.size() != operands)
    text.refuse(position, "there are " + std::to_string(operands) + " operands and the types of " +
                              std::to_string(statement.operand_types.size()));
}

void read_short_form(Cursor& text, std::string_view name, Statement& statement) {
  statement.name = name == "call" ? "func.call" : std::string{name};
  if (statement.name == "stablehlo.reduce") return read_reduce(text, statement);
  if (statement.name == "stablehlo.while") return read_while(text, statement);
  if (statement.name == "sdy.manual_computation") return read_manual_computation(text, statement);
  if (statement.name == "stablehlo.constant") return read_constant(text, statement);
  if (statement.name == "func.call")
    read_called(text, "callee", statement);
  else if (statement.name == "stablehlo.custom_call")
    read_called(text, "call_target_name", statement);
  else if (statement.name == "chlo.top_k")
    read_in_brackets(text, statement);
  else if (is_read(statement.name))
    read_items(text, statement);
  else
    read_any_form(text, statement);
  read_attributes_between(text, statement);
  read_signature(text, statement);
}

}  // namespace octet::syntax
