/// The module that a text holds: which of its functions is the program, and what is said of it that is no part of what
/// it computes.
module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :graph;
import :reader;
import :reader_program;
import :syntax;

namespace octet::syntax {

ProgramText Reader::read() {
  document_ = parse(text_);
  std::string module_name;
  collect(document_.statements, module_name);
  std::vector<const Statement*> defined;
  for (const auto& [name, statement] : functions_)
    if (!statement->regions.empty()) defined.push_back(statement);
  if (defined.empty()) text_.refuse(0, "the text holds no function");
  const Statement* entry = defined.front();
  if (const auto main = functions_.find("main"); main != functions_.end() && !main->second->regions.empty())
    entry = main->second;
  else if (defined.size() > 1)
    text_.refuse(0, "the text holds " + std::to_string(defined.size()) + " functions and none is called @main");
  if (entry->unsigned64 ||
      (!entry->regions.front().statements.empty() && entry->regions.front().statements.back().unsigned64))
    note_unknown("ui64", text_.fault(410, entry->position,
                                     "the program has a parameter or a result of ui64, which Octet does not have",
                                     "take it as ui32 or i64"));
  for (const auto& [type, position] : text_.narrow)
    note_unknown(
        type, text_.fault(410, position,
                          "the program has tensors of " + type + ", which Octet does not have: they are counted as " +
                              (type.starts_with('f') ? "bf16" : "i32") + ", which takes more memory",
                          "convert it before the program, to i32, bf16 or f32"));
  const Statement* computation = manual(*entry);
  of_one_device_ = computation && is_all_of(*entry, *computation);
  Graph graph = of_one_device_ ? of_one_device(*entry, *computation) : function(*entry);
  if (module_name.empty()) module_name = symbol_name(*entry);
  graph.rename(module_name.empty() ? "main" : module_name);
  ProgramText program{.graph = std::move(graph), .donated = {}, .sharded = {}, .written_over = {}};
  for (auto& [name, diagnostic] : unknown_) program.unknown.push_back(std::move(diagnostic));
  program.widened = !text_.narrow.empty();
  program.replicas = replicas_;
  program.partitions = partitions_;
  program.of_one_device = of_one_device_;
  const std::vector<Argument>& arguments = entry->regions.front().arguments;
  const std::vector<std::string> shardings = shardings_of(*entry, computation);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].donated) program.donated.push_back(i);
    if (arguments[i].sharded) program.sharded.push_back(i);
    if (arguments[i].narrow) program.narrow.insert(i);
    if (arguments[i].result) program.written_over[i] = aliased(*entry, program, i, *arguments[i].result);
    if (partitions_ == 1) continue;
    Dims cuts = cuts_of(shardings[i], arguments[i].type.shape.rank(),
                        arguments[i].label.empty() ? "parameter " + std::to_string(i) : "'" + arguments[i].label + "'",
                        arguments[i].position);
    if (!cuts.empty() && cuts.front() >= 0) program.parts[i] = std::move(cuts);
  }
  if (partitions_ > 1 && !of_one_device_)
    for (std::size_t i = 0; i < std::min(entry->shardings.size(), entry->result_types.size()); ++i) {
      const std::string& sharding = entry->shardings[i];
      if (sharding.empty()) continue;
      const std::string of = "result " + std::to_string(i);
      program.result_parts[i] = cuts_of(sharding, entry->result_types[i].shape.rank(), of, entry->position);
    }
  return program;
}

std::size_t Reader::aliased(const Statement& entry, const ProgramText& program, std::size_t parameter,
                            std::int64_t result) const {
  const std::vector<TensorType> types = program.graph.result_types();
  const auto refuse = [&](const std::string& what) {
    malformed(entry.position,
              "tf.aliasing_output = " + std::to_string(result) + " of parameter " + std::to_string(parameter) + what,
              "The memory of a donated parameter goes to a result of its type, and to one alone.",
              "lower the program again, or write jax.buffer_donor = true and have the result found");
  };
  if (result < 0 || result >= std::ssize(types))
    refuse(" names a result that is not there: the program has " + std::to_string(types.size()) + ", counted from 0");
  const auto at = static_cast<std::size_t>(result);
  const TensorType& type = program.graph.type(program.graph.parameters()[parameter]);
  if (types[at] != type)
    refuse(" gives the memory of " + to_string(type) + " to a result of type " + to_string(types[at]));
  for (const auto& [other, over] : program.written_over)
    if (over == at) refuse(" names a result that takes the memory of parameter " + std::to_string(other) + " already");
  return at;
}

std::string Reader::symbol_name(const Statement& statement) const {
  const Entry* entry = find(statement.attributes, "sym_name");
  const auto* name = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
  return name ? *name : "";
}

void Reader::collect(const std::vector<Statement>& statements, std::string& module_name) {
  for (const Statement& statement : statements) {
    if (statement.name == "builtin.module") {
      if (module_name.empty()) module_name = symbol_name(statement);
      count_devices(statement);
      for (const Region& region : statement.regions) collect(region.statements, module_name);
    } else if (statement.name == "func.func") {
      if (!functions_.emplace(symbol_name(statement), &statement).second)
        text_.refuse(statement.position, "there is a second function called @" + symbol_name(statement));
    } else if (statement.name == "sdy.mesh") {
      const Entry* mesh = find(statement.attributes, "mesh");
      if (const auto* axes = mesh ? std::get_if<std::string>(&mesh->attribute.value) : nullptr)
        meshes_[symbol_name(statement)] = *axes;
    } else {
      text_.refuse(statement.position, "expected a module or a function and found " + statement.name);
    }
  }
}

void Reader::count_devices(const Statement& module) {
  for (const auto& [name, count] :
       {std::pair{"mhlo.num_partitions", &partitions_}, {"mhlo.num_replicas", &replicas_}}) {
    const Entry* entry = find(module.attributes, name);
    if (!entry) continue;
    const auto* said = std::get_if<std::int64_t>(&entry->attribute.value);
    if (!said || *said < 1 || *said > most_devices)
      malformed(module.position,
                std::string{name} + (said ? " = " + std::to_string(*said) : "") + " is no number of devices",
                "A module says how many devices it is compiled for: 1 to " + std::to_string(most_devices) + ".",
                "write that number, or leave " + std::string{name} + " out where it is 1");
    *count = *said;
  }
  if (partitions_ > 1 && replicas_ > 1)
    text_.unknown(module.position,
                  "mhlo.num_replicas = " + std::to_string(replicas_) + " beside mhlo.num_partitions = " +
                      std::to_string(partitions_) + " shares the program in two ways, and Octet judges one",
                  std::string{share_of_one});
}

void Reader::require_replicas(const Statement& statement, const Attributes& attributes) const {
  const std::int64_t devices = replicas_ * partitions_;
  if (devices <= 1) return;
  std::visit(
      [&](const auto& each) {
        if constexpr (requires { each.replica_groups; }) {
          std::size_t named = 0;
          for (const auto& group : each.replica_groups) named += group.size();
          if (std::cmp_greater(named, devices))
            malformed(statement.position,
                      "replica_groups names " + std::to_string(named) + " replicas, and the module runs on " +
                          (partitions_ > 1 ? "mhlo.num_partitions = " : "mhlo.num_replicas = ") +
                          std::to_string(devices),
                      "The groups of a collective are made of the devices that the module is compiled for.",
                      "lower the program for as many devices as its groups name");
        }
      },
      attributes);
}

namespace {

/// Whether the generic form says other types of a function than these, `which` it "takes" or "returns".
bool says_others(const Statement& function, std::string_view which, const std::vector<TensorType>& types) {
  const Entry* entry = find(function.attributes, "function_type");
  const auto* both = entry ? std::get_if<Dictionary>(&entry->attribute.value) : nullptr;
  const Entry* some = both ? find(*both, which) : nullptr;
  const auto* said = some ? std::get_if<std::vector<Attribute>>(&some->attribute.value) : nullptr;
  return said && !std::ranges::equal(*said, types, [](const Attribute& attribute, const TensorType& type) {
           const auto* each = std::get_if<TensorType>(&attribute.value);
           return each && *each == type;
         });
}

}  // namespace

Graph Reader::function(const Statement& statement) {
  const std::string name = symbol_name(statement);
  if (statement.regions.size() != 1) text_.refuse(statement.position, "the function @" + name + " has no body");
  if (!open_.insert(&statement).second) text_.refuse(statement.position, "the function @" + name + " calls itself");
  if (open_.size() > Cursor::deepest)
    text_.refuse(statement.position,
                 "functions call each other more than " + std::to_string(Cursor::deepest) + " deep");
  Graph graph = region(statement.regions.front(), name, {}, {}, nullptr, "func.return");
  open_.erase(&statement);
  if (says_others(statement, "takes", graph.parameter_types()))
    malformed(statement.position, "the function @" + name + " takes other types than it says");
  if ((!statement.result_types.empty() && statement.result_types != graph.result_types()) ||
      says_others(statement, "returns", graph.result_types()))
    malformed(statement.position, "the function @" + name + " returns other types than it says");
  return graph;
}

}  // namespace octet::syntax
