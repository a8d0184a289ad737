/// How parameters and results of a program are parted among the devices that share it.
module octet.graph;
import octet.base;
import octet.standard;
import :literal;
import :reader_program;
import :reader_scope;
import :syntax;

namespace octet::syntax {

namespace {

/// Reads a sharding from left to right; what is not as it should be is told by `failed`.
class Scanner {
 public:
  explicit Scanner(std::string_view rest) : rest_{rest} {}
  bool failed = false;

  bool accept(std::string_view text) {
    skip();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) { failed |= !accept(text); }
  bool at_end() {
    skip();
    return rest_.empty();
  }

  std::int64_t number() {
    skip();
    std::int64_t number = 0;
    const std::string_view digits = taken(rest_.find_first_not_of("0123456789"));
    failed |= digits.empty() || !literal::read_number(digits, number);
    return number;
  }
  Dims numbers() {
    Dims all;
    do all.push_back(number());
    while (!failed && accept(","));
    return all;
  }
  std::string quoted() {
    expect("\"");
    std::string text{taken(rest_.find('"'))};
    expect("\"");
    return text;
  }
  /// Up to what can stand in no name.
  std::string name() { return std::string{taken(rest_.find_first_of(", ]>"))}; }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n\t"), rest_.size())); }
  std::string_view taken(std::size_t count) {
    const std::string_view text = rest_.substr(0, count);
    rest_.remove_prefix(text.size());
    return text;
  }

  std::string_view rest_;
};

/// The product, or 0 where there is none.
std::int64_t product(const Dims& extents) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::int64_t all = 1;
  for (const std::int64_t each : extents) all = each > 0 && all <= most / each ? all * each : 0;
  return all;
}

/// `{replicated}`, `{devices=[8,1]<=[8]}`, `{devices=[1,1,8]0,1,2,3,4,5,6,7 last_tile_dim_replicate}`.
std::optional<Dims> parts_of_tiles(Scanner& text, std::size_t rank, std::int64_t devices) {
  text.expect("{");
  if (text.accept("replicated}")) return text.at_end() ? std::optional{Dims(rank, 1)} : std::nullopt;
  text.expect("devices=[");
  Dims tiles = text.numbers();
  text.expect("]");
  if (text.accept("<=[")) {
    text.numbers();
    text.expect("]");
    if (text.accept("T(")) {
      text.numbers();
      text.expect(")");
    }
  } else {
    text.failed |= std::ssize(text.numbers()) != product(tiles);
  }
  const bool replicate = text.accept("last_tile_dim_replicate") || text.accept("last_tile_dims={replicated}");
  text.expect("}");
  if (text.failed || !text.at_end() || tiles.size() != rank + replicate || product(tiles) != devices)
    return std::nullopt;
  tiles.resize(rank);
  return tiles;
}

/// `["batch"=4, "model"=2]`; nothing of what is on one device alone.
std::optional<std::map<std::string, std::int64_t>> axes_of(Scanner& text) {
  std::map<std::string, std::int64_t> axes;
  text.expect("[");
  while (!text.failed && !text.accept("]")) {
    std::string name = text.quoted();
    text.expect("=");
    axes[std::move(name)] = text.number();
    text.accept(",");
  }
  if (text.accept(",")) {
    text.expect("device_ids=[");
    text.numbers();
    text.expect("]");
    if (axes.empty()) return std::nullopt;
  }
  return text.failed ? std::nullopt : std::optional{std::move(axes)};
}

/// Whether it is left to the compiler.
bool is_open(const std::string& sharding) { return sharding.empty() || sharding.find('?') != sharding.npos; }

std::vector<ValueName> names_of(const Statement& statement) {
  std::vector<ValueName> names;
  define(statement, [&](ValueName name) { names.push_back(name); });
  return names;
}

}  // namespace

std::optional<Dims> Reader::parts_of_axes(std::string_view sharding, std::size_t rank) const {
  Scanner text{sharding};
  std::optional<std::map<std::string, std::int64_t>> axes;
  if (text.accept("@")) {
    const auto mesh = meshes_.find(text.name());
    if (mesh == meshes_.end()) return std::nullopt;
    Scanner body{mesh->second};
    axes = axes_of(body);
    if (!body.at_end()) return std::nullopt;
  } else {
    text.accept("#sdy.");
    text.expect("mesh<");
    axes = axes_of(text);
    text.expect(">");
  }
  if (!axes) return std::nullopt;
  Dims sizes;
  for (const auto& [axis, size] : *axes) sizes.push_back(size);
  if (!axes->empty() && product(sizes) != partitions_) return std::nullopt;
  Dims parts;
  text.expect(",");
  text.expect("[");
  while (!text.failed && !text.accept("]")) {
    std::int64_t count = 1;
    text.expect("{");
    while (!text.failed && !text.accept("}")) {
      if (text.accept("?")) continue;
      const auto axis = axes->find(text.quoted());
      if (axis == axes->end()) return std::nullopt;
      if (text.accept(":(")) return std::nullopt;  // a part of an axis
      count *= axis->second;
      text.accept(",");
    }
    if (text.accept("p")) text.number();
    parts.push_back(count);
    text.accept(",");
  }
  if (text.accept(",")) {
    text.expect("replicated={");
    do text.quoted();
    while (!text.failed && text.accept(","));
    text.expect("}");
  }
  return text.failed || !text.at_end() || parts.size() != rank ? std::nullopt : std::optional{std::move(parts)};
}

Dims Reader::parts_of(const std::string& sharding, std::int64_t rank, const std::string& of,
                      std::size_t position) const {
  const auto extents = static_cast<std::size_t>(rank);
  Scanner text{sharding};
  std::optional<Dims> parts = Dims(extents, 1);
  if (!sharding.empty())
    parts = sharding.starts_with('{') ? parts_of_tiles(text, extents, partitions_) : parts_of_axes(sharding, extents);
  if (!parts)
    text_.unknown(position,
                  "the sharding of " + of + ", '" + sharding + "', is none that Octet reads for " +
                      std::to_string(partitions_) + " devices",
                  std::string{share_of_one});
  return std::move(*parts);
}

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
  Dims parts = parts_of(sharding, type.shape.rank(), "a value", statement.position);
  const Entry* config = find(statement.attributes, "backend_config");
  const auto* options = config ? std::get_if<std::string>(&config->attribute.value) : nullptr;
  // Of dimensions that are left open the compiler finds out itself.
  const bool open = sharding.find('?') != sharding.npos || (options && options->starts_with("unspecified_dims"));
  if (parts.empty() || (open && parts == Dims(parts.size(), 1))) return bind_results(graph, scope, statement, operands);
  append(graph, scope, statement, Op::custom_call, operands,
         CustomCallAttributes{.call_target_name = "Sharding", .results = {type}, .parts = std::move(parts)}, {});
}

void Reader::require_all_axes(const Statement& computation) const {
  const Entry* said = find(computation.attributes, "manual_axes");
  const auto* manual = said ? std::get_if<std::string>(&said->attribute.value) : nullptr;
  for (const auto& [name, text] : meshes_) {
    Scanner mesh{text};
    for (const auto& [axis, size] : axes_of(mesh).value_or(std::map<std::string, std::int64_t>{}))
      if (size > 1 && (!manual || manual->find('"' + axis + '"') == manual->npos))
        text_.unknown(computation.position,
                      "a program of one device leaves the axis '" + axis + "' of a mesh to the compiler",
                      std::string{share_of_one});
  }
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
    const Dims parts = parts_of(sharding, from.shape.rank(), of, statement.position);
    const auto call = [&](ValueId of_call, const char* target, const TensorType& type) {
      return appended(graph, statement, Op::custom_call, {of_call},
                      CustomCallAttributes{.call_target_name = target, .results = {type}, .parts = parts}, {})
          .front();
    };
    if (into && !parts.empty()) id = call(id, "Sharding", from);
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
  Dims parts;
  if (target == "SPMDFullToShardShape" && sharding && *sharding == "{manual}" && from.shape.rank() == to.shape.rank()) {
    for (std::int64_t d = 0; d < from.shape.rank(); ++d)
      parts.push_back(to.shape[d] > 0 && from.shape[d] % to.shape[d] == 0 ? from.shape[d] / to.shape[d] : 0);
  } else if (target == "SPMDShardToFullShape" && sharding) {
    parts = parts_of(*sharding, to.shape.rank(), "a result", statement.position);
    require_part(from, to, *sharding, "a result", statement.position);
  } else {
    text_.unknown(statement.position, target + " goes over into parts in a way that Octet does not read",
                  std::string{share_of_one});
  }
  append(graph, scope, statement, Op::custom_call, operands,
         CustomCallAttributes{.call_target_name = target, .results = {to}, .parts = std::move(parts)}, {});
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
    const auto parts = [&](const std::string& sharding) {
      return parts_of(sharding, type.shape.rank(), "a parameter or a result", computation.position);
    };
    return is_open(said) || parts(said) == parts(taken);
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
  Dims extents = part.shape.extents();
  const Dims parts = parts_of(sharding, whole.shape.rank(), of, position);
  for (std::size_t d = 0; d < std::min(extents.size(), parts.size()); ++d) extents[d] *= parts[d];
  if (TensorType{part.dtype, Shape{extents}} != whole)
    malformed(position,
              of + " is " + to_string(whole) + ", and " + to_string(part) + " is no part of it of " + to_string(parts));
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
