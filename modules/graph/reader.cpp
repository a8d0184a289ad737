module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :graph;
import :literal;
import :notation;
import :operation;
import :reader;
import :reader_composed;
import :reader_fields;
import :reader_program;
import :reader_scope;
import :reference;
import :syntax;

namespace octet {

namespace syntax {

namespace {

/// `0` or `arg0`.
bool is_numbered(std::string_view name) {
  if (name.starts_with("arg")) name.remove_prefix(3);
  return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

bool asks_for_total_order(const Statement& compare) {
  const Entry* type = find(compare.attributes, "compare_type");
  const auto* word = type ? std::get_if<std::string>(&type->attribute.value) : nullptr;
  return word && *word == "TOTALORDER";
}

/// Whether elements are as many bits by others of another width: those of the last dimension become one, or one becomes
/// such a dimension.
bool takes_bits_apart(const Statement& statement) {
  if (statement.name != "stablehlo.bitcast_convert" || statement.operand_types.size() != 1 ||
      statement.result_types.size() != 1)
    return false;
  const TensorType &from = statement.operand_types.front(), &to = statement.result_types.front();
  if (from.dtype == DType::pred || to.dtype == DType::pred || size_of(from.dtype) == size_of(to.dtype)) return false;
  const bool apart = size_of(from.dtype) > size_of(to.dtype);
  Dims narrow = (apart ? to : from).shape.extents();
  if (narrow.empty() || from.bytes() != to.bytes()) return false;
  narrow.pop_back();
  return narrow == (apart ? from : to).shape.extents();
}

}  // namespace

void Reader::malformed(std::size_t position, std::string sentence, std::string rule, std::string fix) const {
  const unsigned line = text_.line_at(position);
  Diagnostic fault{.number = 404,
                   .sentence = "Line " + std::to_string(line) + ": " + std::move(sentence) + ".",
                   .where = {text_.file(), line, {}},
                   .rule = std::move(rule)};
  if (!fix.empty()) fault.fix = {std::move(fix)};
  fail(std::move(fault));
}

Graph Reader::region(const Region& region, const std::string& name, const std::vector<Use>& captured,
                     const std::vector<TensorType>& captured_types, const Scope* outer, std::string_view terminator,
                     std::size_t skipped, bool repeat_constants) {
  Graph graph{name};
  Scope scope;
  scope.outer = outer;
  // A label that several arguments have names none of them.
  std::map<std::string_view, int> labels;
  for (const Argument& argument : region.arguments) ++labels[argument.label];
  for (const Argument& argument : region.arguments) {
    std::string label = labels[argument.label] > 1 ? std::string{} : argument.label;
    // Whoever writes a program by hand names parameters; printers number them.
    if (argument.label.empty() && !outer && !is_numbered(argument.name) && !labels.contains(argument.name))
      label = argument.name;
    bind(scope, {argument.name, 0}, graph.parameter(argument.type, std::move(label)), argument.position);
  }
  for (std::size_t i = 0; i < captured.size(); ++i) {
    const ValueId parameter = graph.parameter(captured_types[i]);
    if (i < skipped)
      define(region.statements[i],
             [&](ValueName name) { bind(scope, name, parameter, region.statements[i].position); });
    else
      bind(scope, captured[i].name, parameter, captured[i].position);
    if (const Tensor* constant = outer ? outer->constant(captured[i].name) : nullptr)
      scope.constants[captured[i].name] = constant;
  }
  if (region.statements.empty() || region.statements.back().name != terminator)
    text_.refuse(region.position, "the region that begins here does not end with " + std::string{terminator});
  if (repeat_constants) {
    Captures captures{scope};
    captures.add(region);
    for (const Use& use : captures.uses())
      if (const Tensor* constant = scope.constant(use.name)) {
        bind(scope, use.name, graph.constant(*constant, {text_.file(), text_.line_at(use.position), {}}), use.position);
        scope.constants[use.name] = constant;
      }
  }
  find_initial_values(region, scope);
  for (std::size_t i = skipped; i + 1 < region.statements.size(); ++i) {
    add(graph, scope, region.statements[i]);
    note_constant(scope, region.statements[i]);
  }
  const Statement& last = region.statements.back();
  graph.set_results(inputs(graph, scope, last, last.operands.size()));
  return graph;
}

void Reader::bind(Scope& scope, ValueName name, ValueId value, std::size_t position) const {
  if (!scope.values.emplace(name, value).second)
    malformed(position, "the value %" + std::string{name.first} + " is defined a second time");
}

ValueId Reader::value(const Graph& graph, const Scope& scope, const Use& use, const TensorType* declared) const {
  const auto found = scope.values.find(use.name);
  const std::string name =
      "%" + std::string{use.name.first} + (use.name.second ? "#" + std::to_string(use.name.second) : "");
  if (found == scope.values.end()) malformed(use.position, "the value " + name + " is used and not defined before");
  if (declared && *declared != graph.type(found->second))
    malformed(use.position, "the value " + name + " is " + to_string(graph.type(found->second)) + " and is used as " +
                                to_string(*declared));
  return found->second;
}

std::vector<ValueId> Reader::inputs(const Graph& graph, const Scope& scope, const Statement& statement,
                                    std::size_t count) const {
  if (statement.operand_types.size() != statement.operands.size())
    text_.refuse(statement.position, "there are " + std::to_string(statement.operands.size()) +
                                         " operands and the types of " +
                                         std::to_string(statement.operand_types.size()));
  std::vector<ValueId> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(value(graph, scope, statement.operands[i], &statement.operand_types[i]));
  return result;
}

Place Reader::place(const Statement& statement) const {
  Location location = statement.location;
  for (int i = 0; i < 8 && !location.place.known() && !location.alias.empty(); ++i) {
    const auto found = document_.locations.find(location.alias);
    if (found == document_.locations.end()) break;
    std::string function = std::move(location.place.function);
    location = found->second;
    if (!function.empty()) location.place.function = std::move(function);
  }
  if (location.place.known()) return location.place;
  return {text_.file(), text_.line_at(statement.position), {}};
}

void Reader::add(Graph& graph, Scope& scope, const Statement& statement) {
  if (--budget_ == 0) too_many(statement);
  try {
    add_known(graph, scope, statement);
  } catch (const Error& error) {
    if (error.number() != 410 || !is_of_one_device(statement)) throw;
    add_unknown(graph, scope, statement, error.diagnostics().front());
  }
}

void Reader::add_known(Graph& graph, Scope& scope, const Statement& statement) {
  if (statement.unsigned64 && !same_of_signed(statement))
    text_.unknown(statement.position, statement.name + " of ui64 is something Octet does not have",
                  "compute in ui32 or i64");
  if (statement.name == "stablehlo.bitcast_convert" && statement.narrow &&
      statement.operand_types != statement.result_types)
    text_.unknown(statement.position, "the bits of types that Octet does not have are something it does not read",
                  "convert the values, where they are meant and not their bits");
  if (takes_bits_apart(statement))
    text_.unknown(statement.position,
                  "the bits of numbers as numbers of another width are something Octet does not have",
                  "convert the values, where they are meant and not their bits");
  if (statement.name == "sdy.manual_computation") return manual_computation(graph, scope, statement);
  if (partitions_ > 1 && asks_for_sharding(statement)) return add_sharding(graph, scope, statement);
  if (partitions_ > 1 && target_of(statement).starts_with("SPMD")) return cross_into_parts(graph, scope, statement);
  if (statement.name == "func.call") return call(graph, scope, statement, "callee");
  if (statement.name == "stablehlo.composite") return call(graph, scope, statement, "decomposition");
  if (statement.name == "stablehlo.case") return cases(graph, scope, statement);
  if (statement.name == "stablehlo.partition_id" && partitions_ > 1)
    return append(graph, scope, statement, Op::replica_id, {}, {}, {});
  std::optional<Op> op = operation_named(statement.name);
  if (op && !statement.operand_types.empty() && statement.regions.empty())
    op = notation::of_elements(*op, statement.operand_types.front().dtype);
  if (op && is_collective(*op) && statement.operands.size() > 1) return collectives(graph, scope, statement, *op);
  Composer composer{text_, statement, graph, [&](Op part, std::vector<ValueId> inputs, Attributes attributes) {
                      return appended(graph, statement, part, std::move(inputs), std::move(attributes), {});
                    }};
  if (statement.name == "stablehlo.reduce_window") {
    const Reducer reducer = read_reducer(text_, statement);
    require_one(statement);
    // What lies outside the tensor holds it, too: of another one, each window would have its own number.
    require_initial(scope, statement, 1, neutral_element(reducer, statement.operand_types[0].dtype));
    const auto operands = inputs(graph, scope, statement, 1);
    return bind_results(graph, scope, statement, {composer.accumulated(reducer, operands.front())});
  }
  if (!op) {
    if (statement.name.ends_with(".return"))
      text_.refuse(statement.position, statement.name + " ends a region, and something follows it here");
    if (!is_read(statement.name))
      text_.unknown(statement.position, "'" + statement.name + "' is not an operation that Octet has",
                    std::string{not_had});
    if (!statement.regions.empty()) text_.refuse(statement.position, statement.name + " has no regions");
    const auto operands = inputs(graph, scope, statement, statement.operands.size());
    return bind_results(graph, scope, statement, composer.composed(operands));
  }
  if (*op == Op::constant && statement.results.size() == 1) {
    const Entry* entry = find(statement.attributes, "value");
    const ValueName name{statement.results[0].name, 0};
    if (const auto* tensor = entry ? std::get_if<Tensor>(&entry->attribute.value) : nullptr) {
      scope.constants[name] = tensor;
      if (scope.initial_only.contains(name) && statement.result_types == std::vector{tensor->type()}) return;
    }
  }
  if (*op == Op::if_) return branches(graph, scope, statement);
  if (*op == Op::while_) return loop(graph, scope, statement);
  if (*op != Op::reduce && *op != Op::sort && *op != Op::scatter && *op != Op::all_reduce &&
      *op != Op::reduce_scatter && !statement.regions.empty())
    text_.refuse(statement.position, statement.name + " has no regions");
  std::vector<ValueId> operands = inputs(graph, scope, statement, inputs_of(statement));
  if (*op == Op::reduce && operands.size() == 2 && statement.operands.size() == 4) {
    const Reducer reducer = composer.selected();
    require_initial(scope, statement, 2, neutral_element(reducer, graph.type(operands[0]).dtype));
    require_initial(scope, statement, 3, Tensor{{graph.type(operands[1]).dtype, {}}});
    return bind_results(graph, scope, statement, composer.first_of(reducer, operands));
  }
  Attributes attributes = read_attributes(text_, statement, *op);
  if (*op == Op::reduce) {
    const Reducer reducer = std::get<ReduceAttributes>(attributes).reducer;
    const std::optional<ValueId> start = initial_value(graph, scope, statement, reducer);
    const ValueId reduced = appended(graph, statement, *op, std::move(operands), std::move(attributes), {}).front();
    return bind_results(graph, scope, statement, {composer.started(reducer, reduced, start)});
  }
  if (*op == Op::sort)
    return bind_results(graph, scope, statement, composer.sorted(std::get<SortAttributes>(attributes), operands));
  if (*op == Op::dot_general)
    return bind_results(graph, scope, statement,
                        {composer.product(std::get<DotAttributes>(attributes), std::move(operands))});
  if (*op == Op::compare && asks_for_total_order(statement))
    return bind_results(
        graph, scope, statement,
        {composer.in_total_order(operands, std::get<CompareAttributes>(attributes).comparison_direction)});
  if (*op == Op::gather || *op == Op::scatter) composer.take_in_batching(*op == Op::gather, attributes, operands);
  if (subtracts(statement) && operands.size() == 3)
    operands[2] = appended(graph, statement, Op::negate, {operands[2]}, {}, {}).front();
  append(graph, scope, statement, *op, std::move(operands), std::move(attributes), {});
}

void Reader::collectives(Graph& graph, Scope& scope, const Statement& statement, Op op) {
  const std::vector<ValueId> operands = inputs(graph, scope, statement, statement.operands.size());
  if (statement.result_types.size() != operands.size())
    text_.refuse(statement.position, statement.name + " of several tensors has as many results");
  std::vector<ValueId> outputs;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Statement one = statement;
    one.operands = {statement.operands[i]};
    one.operand_types = {statement.operand_types[i]};
    one.result_types = {statement.result_types[i]};
    outputs.push_back(appended(graph, one, op, {operands[i]}, read_attributes(text_, one, op), {}).front());
  }
  bind_results(graph, scope, statement, outputs);
}

void Reader::append(Graph& graph, Scope& scope, const Statement& statement, Op op, std::vector<ValueId> inputs,
                    Attributes attributes, std::vector<Graph> regions, std::size_t passed_on) {
  std::vector<ValueId> outputs =
      appended(graph, statement, op, std::move(inputs), std::move(attributes), std::move(regions));
  outputs.resize(outputs.size() - passed_on);
  bind_results(graph, scope, statement, outputs);
}

std::vector<ValueId> Reader::appended(Graph& graph, const Statement& statement, Op op, std::vector<ValueId> inputs,
                                      Attributes attributes, std::vector<Graph> regions) const {
  const Place where = place(statement);
  require_replicas(statement, attributes);
  try {
    return graph.append(op, std::move(inputs), std::move(attributes), std::move(regions), where);
  } catch (const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    const Place line{text_.file(), text_.line_at(statement.position), {}};
    for (Diagnostic& diagnostic : diagnostics)
      if (diagnostic.where != line) {
        if (where != line) diagnostic.because.push_back({"written here", where});
        diagnostic.where = line;
      }
    throw Error{std::move(diagnostics)};
  }
}

void Reader::bind_results(const Graph& graph, Scope& scope, const Statement& statement,
                          const std::vector<ValueId>& outputs) const {
  if (graph.types(outputs) != statement.result_types) {
    std::string types;
    for (const TensorType& type : graph.types(outputs)) types += (types.empty() ? "" : ", ") + literal::type(type);
    malformed(statement.position, statement.name + " gives (" + types + "), and the text says otherwise");
  }
  std::size_t next = 0;
  define(statement, [&](ValueName name) {
    if (next == outputs.size()) malformed(statement.position, statement.name + " has more names than results");
    bind(scope, name, outputs[next++], statement.position);
  });
  if (next != outputs.size() && !statement.results.empty())
    malformed(statement.position, statement.name + " has more results than names");
}

}  // namespace syntax

namespace {

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

}  // namespace

ProgramText read_program(std::string_view text, std::string file) {
  return syntax::Reader{without_byte_order_mark(text), std::move(file), true}.read();
}

Graph read(std::string_view text, std::string file) {
  std::string place = file;
  ProgramText program = syntax::Reader{without_byte_order_mark(text), std::move(file), false}.read();
  if (program.partitions > 1)
    program.unknown.push_back({.number = 410,
                               .sentence = "The program is partitioned over " + std::to_string(program.partitions) +
                                           " devices, and Octet's replicas each run a whole one.",
                               .where = {.file = std::move(place), .line = 1, .function = {}},
                               .fix = {"lower it for one device, with one replica's share of the batch"}});
  if (!program.unknown.empty()) throw Error{std::move(program.unknown)};
  return std::move(program.graph);
}

}  // namespace octet
