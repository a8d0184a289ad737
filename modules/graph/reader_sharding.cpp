/// How parameters and results of a program are parted among the devices that share it.
module octet.graph;
import octet.base;
import octet.standard;
import :reader_program;
import :reader_scope;
import :syntax;

namespace octet::syntax {

namespace {

/// Into how many parts each dimension is cut.
Dims parts(const Dims& cuts, std::int64_t rank) {
  Dims counts(static_cast<std::size_t>(rank), 1);
  for (std::size_t i = 0; i < cuts.size(); i += 3)
    if (cuts[i] >= 0) counts[static_cast<std::size_t>(cuts[i])] *= cuts[i + 1];
  return counts;
}

/// Whether it is left to the compiler.
bool is_open(const std::string& sharding) { return sharding.empty() || sharding.find('?') != sharding.npos; }

/// The type of a part; nothing where parts are not equal.
std::optional<TensorType> part_of(const TensorType& whole, const Dims& cuts) {
  Dims extents = whole.shape.extents();
  const Dims counts = parts(cuts, whole.shape.rank());
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] % counts[d] != 0) return std::nullopt;
    extents[d] /= counts[d];
  }
  return TensorType{whole.dtype, Shape{extents}};
}

std::vector<ValueName> names_of(const Statement& statement) {
  std::vector<ValueName> names;
  define(statement, [&](ValueName name) { names.push_back(name); });
  return names;
}

}  // namespace

bool Reader::asks_for_sharding(const Statement& statement) {
  return statement.name == "sdy.sharding_constraint" || target_of(statement) == "Sharding";
}

void Reader::add_sharding(Graph& graph, Scope& scope, const Statement& statement) {
  if (of_one_device_)
    text_.unknown(statement.position, "a sharding is asked for in the program of one device",
                  std::string{share_of_one});
  const std::vector<ValueId> operands = inputs(graph, scope, statement, statement.operands.size());
  if (operands.size() != 1) text_.refuse(statement.position, statement.name + " takes one operand");
  std::string sharding;
  for (const std::string_view name : {"sharding", "sdy.sharding", "mhlo.sharding"})
    if (const Entry* said = find(statement.attributes, name); said && sharding.empty())
      if (const auto* text = std::get_if<std::string>(&said->attribute.value)) sharding = *text;
  if (sharding == "{manual}") return bind_results(graph, scope, statement, operands);
  const TensorType type = graph.type(operands[0]);
  Dims cuts = cuts_of(sharding, type.shape.rank(), "a value", statement.position);
  const Entry* config = find(statement.attributes, "backend_config");
  const auto* options = config ? std::get_if<std::string>(&config->attribute.value) : nullptr;
  if (options && options->starts_with("unspecified_dims")) cuts.insert(cuts.end(), {-1, 1, 1});
  // Of dimensions that are left open the compiler finds out itself.
  if (type.shape.rank() == 0 || cuts == Dims{-1, 1, 1}) return bind_results(graph, scope, statement, operands);
  append(graph, scope, statement, Op::custom_call, operands,
         CustomCallAttributes{.call_target_name = "Sharding", .results = {type}, .parts = std::move(cuts)}, {});
}

void Reader::manual_computation(Graph& graph, Scope& scope, const Statement& statement) {
  if (statement.regions.size() != 1 || statement.regions[0].arguments.size() != statement.operands.size())
    text_.refuse(statement.position, "sdy.manual_computation has one region, which takes its operands");
  const Region& body = statement.regions[0];
  if (of_one_device_)
    text_.unknown(statement.position, "a program of one device holds another", std::string{share_of_one});
  require_all_axes(statement);
  const auto in = shardings_in(statement, "in_shardings", statement.operands.size());
  const auto out = shardings_in(statement, "out_shardings", statement.result_types.size());
  const auto crossed = [&](ValueId id, const TensorType& to, const std::string& sharding, bool into) {
    const TensorType from = graph.type(id);
    const std::string of = into ? "an operand" : "a result";
    require_part(into ? to : from, into ? from : to, sharding, of, statement.position);
    const Dims cuts = cuts_of(sharding, from.shape.rank(), of, statement.position);
    const auto call = [&](ValueId of_call, const char* target, const TensorType& type) {
      return appended(graph, statement, Op::custom_call, {of_call},
                      CustomCallAttributes{.call_target_name = target, .results = {type}, .parts = cuts}, {})
          .front();
    };
    if (into && from.shape.rank() > 0) id = call(id, "Sharding", from);
    return call(id, into ? "SPMDFullToShardShape" : "SPMDShardToFullShape", to);
  };
  std::vector<ValueId> passed = inputs(graph, scope, statement, statement.operands.size());
  for (std::size_t i = 0; i < passed.size(); ++i) passed[i] = crossed(passed[i], body.arguments[i].type, in[i], true);
  Captures captures{scope};
  captures.add(body);
  std::vector<ValueId> captured;
  for (const Use& use : captures.uses()) captured.push_back(value(graph, scope, use, nullptr));
  of_one_device_ = true;
  const Graph inner = region(body, graph.name(), captures.uses(), graph.types(captured), &scope, "sdy.return");
  of_one_device_ = false;
  for (const ValueId id : captured) passed.push_back(crossed(id, graph.type(id), "", true));
  std::vector<ValueId> results = graph.splice(inner, passed);
  if (results.size() != statement.result_types.size())
    malformed(statement.position, "the program of one device has other results than it says");
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = crossed(results[i], statement.result_types[i], out[i], false);
  bind_results(graph, scope, statement, results);
}

void Reader::cross_into_parts(Graph& graph, Scope& scope, const Statement& statement) {
  const std::vector<ValueId> operands = inputs(graph, scope, statement, statement.operands.size());
  const std::string target = target_of(statement);
  if (operands.size() != 1 || statement.result_types.size() != 1)
    text_.refuse(statement.position, target + " takes one operand and has one result");
  const Entry* said = find(statement.attributes, "mhlo.sharding");
  const auto* sharding = said ? std::get_if<std::string>(&said->attribute.value) : nullptr;
  const TensorType from = graph.type(operands[0]), to = statement.result_types[0];
  Dims cuts;
  if (target == "SPMDFullToShardShape" && sharding && *sharding == "{manual}") {
    // It says how far it is cut, and what is cut says along which axes.
    const Node* asked = graph.definition(operands[0]);
    const auto* call = asked ? std::get_if<CustomCallAttributes>(&asked->attributes) : nullptr;
    if (call && call->call_target_name == "Sharding") cuts = call->parts;
    if (part_of(from, cuts) != to)
      text_.unknown(statement.position,
                    target + " takes " + to_string(to) + " of " + to_string(from) +
                        ", and no Sharding before it says which devices have which",
                    std::string{share_of_one});
  } else if (target == "SPMDShardToFullShape" && sharding) {
    cuts = cuts_of(*sharding, to.shape.rank(), "a result", statement.position);
    require_part(from, to, *sharding, "a result", statement.position);
  } else {
    text_.unknown(statement.position, target + " goes over into parts in a way that Octet does not read",
                  std::string{share_of_one});
  }
  append(graph, scope, statement, Op::custom_call, operands,
         CustomCallAttributes{.call_target_name = target, .results = {to}, .parts = std::move(cuts)}, {});
}

const Statement* Reader::manual(const Statement& entry) const {
  const Region& region = entry.regions.front();
  if (region.statements.size() != 2 || region.statements[0].name != "sdy.manual_computation") return nullptr;
  const Statement& computation = region.statements[0];
  const bool all = computation.operands.size() == region.arguments.size() &&
                   std::ranges::equal(
                       computation.operands, region.arguments, {}, [](const Use& use) { return use.name; },
                       [](const Argument& argument) { return ValueName{argument.name, 0}; });
  return all && computation.regions.front().arguments.size() == region.arguments.size() ? &computation : nullptr;
}

bool Reader::is_all_of(const Statement& entry, const Statement& computation) const {
  const auto same = [&](const std::string& said, const std::string& taken, const TensorType& type) {
    const auto cuts = [&](const std::string& sharding) {
      return cuts_of(sharding, type.shape.rank(), "a parameter or a result", computation.position);
    };
    return is_open(said) || cuts(said) == cuts(taken);
  };
  const Region& region = entry.regions.front();
  const auto in = shardings_in(computation, "in_shardings", region.arguments.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    if (!same(region.arguments[i].sharding, in[i], region.arguments[i].type)) return false;
  const auto out = shardings_in(computation, "out_shardings", computation.result_types.size());
  const std::vector<ValueName> names = names_of(computation);
  const std::vector<Use>& returned = region.statements.back().operands;
  for (std::size_t i = 0; i < returned.size(); ++i) {
    const auto r = static_cast<std::size_t>(std::ranges::find(names, returned[i].name) - names.begin());
    if (r >= std::min(out.size(), names.size())) return false;
    if (i < entry.shardings.size() && !same(entry.shardings[i], out[r], computation.result_types[r])) return false;
  }
  return true;
}

std::vector<std::string> Reader::shardings_of(const Statement& entry, const Statement* computation) const {
  std::vector<std::string> shardings;
  for (const Argument& argument : entry.regions.front().arguments) shardings.push_back(argument.sharding);
  if (!computation) return shardings;
  const auto in = shardings_in(*computation, "in_shardings", shardings.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    if (is_open(shardings[i])) shardings[i] = in[i];
  return shardings;
}

std::vector<std::string> Reader::shardings_in(const Statement& computation, std::string_view attribute,
                                              std::size_t count) const {
  std::vector<std::string> shardings(count, "?");
  const Entry* said = find(computation.attributes, attribute);
  if (const auto* each = said ? std::get_if<std::vector<Attribute>>(&said->attribute.value) : nullptr)
    for (std::size_t i = 0; i < std::min(each->size(), count); ++i)
      if (const auto* text = std::get_if<std::string>(&(*each)[i].value)) shardings[i] = *text;
  return shardings;
}

void Reader::require_part(const TensorType& part, const TensorType& whole, const std::string& sharding,
                          const std::string& of, std::size_t position) const {
  const Dims cuts = cuts_of(sharding, whole.shape.rank(), of, position);
  if (part_of(whole, cuts) != part)
    malformed(position, of + " is " + to_string(whole) + ", and " + to_string(part) + " is no part of it of " +
                            to_string(parts(cuts, whole.shape.rank())));
}

Graph Reader::of_one_device(const Statement& entry, const Statement& computation) {
  require_all_axes(computation);
  const Region& outer = entry.regions.front();
  Region program = computation.regions.front();
  const auto in = shardings_in(computation, "in_shardings", outer.arguments.size());
  for (std::size_t i = 0; i < program.arguments.size(); ++i) {
    const std::string& label = outer.arguments[i].label;
    require_part(program.arguments[i].type, outer.arguments[i].type, in[i],
                 label.empty() ? "parameter " + std::to_string(i) : "'" + label + "'", program.arguments[i].position);
    program.arguments[i].label = label;
  }
  // What the function returns is some of what devices have, in an order of its own.
  const Statement& returned = outer.statements.back();
  if (program.statements.empty() || program.statements.back().name != "sdy.return")
    text_.refuse(computation.position, "the program of one device does not end with sdy.return");
  Statement& results = program.statements.back();
  const auto out = shardings_in(computation, "out_shardings", results.operands.size());
  const std::vector<ValueName> names = names_of(computation);
  if (names.size() != results.operands.size() || computation.result_types.size() != names.size() ||
      results.operand_types.size() != names.size())
    malformed(computation.position, "the program of one device has other results than it says");
  Statement chosen = results;
  chosen.operands.clear();
  chosen.operand_types.clear();
  for (const Use& use : returned.operands) {
    const auto i = static_cast<std::size_t>(std::ranges::find(names, use.name) - names.begin());
    require_part(results.operand_types[i], computation.result_types[i], out[i], "result " + std::to_string(i),
                 computation.position);
    chosen.operands.push_back(results.operands[i]);
    chosen.operand_types.push_back(results.operand_types[i]);
  }
  results = std::move(chosen);
  return region(program, symbol_name(entry), {}, {}, nullptr, "sdy.return");
}

}  // namespace octet::syntax
