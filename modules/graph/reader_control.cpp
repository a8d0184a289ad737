/// Operations that run regions or functions: `if`, `while`, `case` and calls.
module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :graph;
import :notation;
import :operation;
import :reader_program;
import :reader_scope;
import :syntax;

namespace octet::syntax {

const Region& Reader::require_region(const Statement& statement, std::size_t r, std::size_t arguments) const {
  if (statement.regions.size() != 2) text_.refuse(statement.position, statement.name + " has two regions");
  const Region& region = statement.regions[r];
  if (region.arguments.size() != arguments)
    text_.refuse(region.position, "a region of " + statement.name + " has " + std::to_string(region.arguments.size()) +
                                      " arguments where it needs " + std::to_string(arguments));
  return region;
}

std::vector<Use> Reader::named_parameters(const Region& region) {
  std::vector<Use> uses;
  for (const Statement& statement : region.statements) {
    const Entry* entry = find(statement.attributes, notation::branch_parameter);
    const auto* number = entry ? std::get_if<std::int64_t>(&entry->attribute.value) : nullptr;
    if (!number || *number != static_cast<std::int64_t>(uses.size()) || statement.name != "stablehlo.reshape" ||
        statement.operands.size() != 1 || statement.results.size() != 1 ||
        statement.operand_types != statement.result_types)
      break;
    uses.push_back(statement.operands[0]);
  }
  return uses;
}

void Reader::branches(Graph& graph, Scope& scope, const Statement& statement) {
  const Region &on_true = require_region(statement, 0, 0), &on_false = require_region(statement, 1, 0);
  if (statement.operands.size() != 1)
    text_.refuse(statement.position, "stablehlo.if takes its predicate and nothing else");
  std::vector<Use> captured = named_parameters(on_true);
  const std::vector<Use> others = named_parameters(on_false);
  if (!std::equal(captured.begin(), captured.end(), others.begin(), others.end(),
                  [](const Use& a, const Use& b) { return a.name == b.name; }))
    captured.clear();
  const std::size_t named = captured.size();
  Captures captures{scope};
  captures.add(on_true, named);
  captures.add(on_false, named);
  captured.insert(captured.end(), captures.uses().begin(), captures.uses().end());

  std::vector<ValueId> operands = inputs(graph, scope, statement, 1);
  for (const Use& use : captured) operands.push_back(value(graph, scope, use, nullptr));
  const std::vector<TensorType> types = graph.types({operands.begin() + 1, operands.end()});
  std::vector<Graph> regions;
  for (const Region* branch : {&on_true, &on_false})
    regions.push_back(region(*branch, graph.name(), captured, types, &scope, "stablehlo.return", named));
  append(graph, scope, statement, Op::if_, std::move(operands), {}, std::move(regions));
}

void Reader::loop(Graph& graph, Scope& scope, const Statement& statement) {
  const Region& condition = require_region(statement, 0, statement.operands.size());
  const Region& body = require_region(statement, 1, statement.operands.size());
  std::vector<ValueId> operands = inputs(graph, scope, statement, statement.operands.size());
  const std::size_t state = operands.size();
  Captures captures{scope};
  captures.add(condition);
  captures.add(body);
  std::vector<Use> captured;
  for (const Use& use : captures.uses())
    if (!scope.constant(use.name)) captured.push_back(use);
  for (const Use& use : captured) operands.push_back(value(graph, scope, use, nullptr));
  const std::vector<TensorType> types =
      graph.types({operands.begin() + static_cast<std::ptrdiff_t>(state), operands.end()});
  std::vector<Graph> regions;
  for (const Region* part : {&condition, &body})
    regions.push_back(region(*part, graph.name(), captured, types, &scope, "stablehlo.return", 0, true));
  // What the loop uses from outside is state that does not change.
  std::vector<ValueId> results = regions[1].results();
  results.insert(results.end(), regions[1].parameters().begin() + static_cast<std::ptrdiff_t>(state),
                 regions[1].parameters().end());
  regions[1].set_results(std::move(results));
  append(graph, scope, statement, Op::while_, std::move(operands), {}, std::move(regions), types.size());
}

ValueId Reader::within(Graph& graph, const Statement& statement, ValueId index, std::int32_t count) const {
  const auto apply = [&](Op op, std::vector<ValueId> inputs, Attributes attributes = {}) {
    return appended(graph, statement, op, std::move(inputs), std::move(attributes), {}).front();
  };
  const auto number = [&](std::int32_t value) {
    return apply(Op::constant, {}, ConstantAttributes{Tensor::scalar(value)});
  };
  const ValueId last = number(count - 1);
  const ValueId negative = apply(Op::compare, {index, number(0)}, CompareAttributes{Comparison::LT});
  const ValueId beyond = apply(Op::compare, {index, last}, CompareAttributes{Comparison::GT});
  return apply(Op::select, {apply(Op::or_, {negative, beyond}), last, index});
}

void Reader::cases(Graph& graph, Scope& scope, const Statement& statement) {
  if (statement.operands.size() != 1 || statement.regions.empty())
    text_.refuse(statement.position,
                 "stablehlo.case takes an index and nothing else, and has a region for each branch");
  Captures captures{scope};
  for (const Region& branch : statement.regions) {
    if (!branch.arguments.empty()) text_.refuse(branch.position, "a region of stablehlo.case takes no arguments");
    captures.add(branch);
  }
  std::vector<ValueId> operands = inputs(graph, scope, statement, 1);
  if (graph.type(operands.front()) != TensorType{DType::i32, {}})
    text_.refuse(statement.position, "the index of stablehlo.case is not tensor<i32>");
  for (const Use& use : captures.uses()) operands.push_back(value(graph, scope, use, nullptr));
  const std::vector<TensorType> types = graph.types(operands);
  // The number that chooses is the first parameter of each branch, by a name that no text can give.
  std::vector<Use> captured{{{" ", 0}, statement.position}};
  captured.insert(captured.end(), captures.uses().begin(), captures.uses().end());
  const auto count = static_cast<std::int32_t>(statement.regions.size());
  if (count > 2) operands.front() = within(graph, statement, operands.front(), count);
  std::vector<TensorType> returned;
  const auto among = [&](const auto& self, std::int32_t first, std::int32_t last) -> Graph {
    if (last - first == 1) {
      const Region& branch = statement.regions[static_cast<std::size_t>(first)];
      Graph read = region(branch, graph.name(), captured, types, &scope, "stablehlo.return");
      if (first == 0) returned = read.result_types();
      if (read.result_types() != returned)
        malformed(branch.position,
                  "branch " + std::to_string(first) + " of stablehlo.case returns other types than branch 0",
                  "All branches of a case return the same types.", "return the same types from each branch");
      return read;
    }
    const std::int32_t middle = first + (last - first) / 2;
    Graph outer{graph.name()};
    std::vector<ValueId> passed;
    for (const TensorType& type : types) passed.push_back(outer.parameter(type));
    // Of two, what is not the first is the last.
    const bool two = count == 2;
    const ValueId bound = outer.constant(Tensor::scalar(two ? 0 : middle), place(statement));
    std::vector<ValueId> branched = appended(outer, statement, Op::compare, {passed.front(), bound},
                                             CompareAttributes{two ? Comparison::EQ : Comparison::LT}, {});
    branched.insert(branched.end(), passed.begin(), passed.end());
    std::vector<Graph> regions;
    regions.push_back(self(self, first, middle));
    regions.push_back(self(self, middle, last));
    outer.set_results(appended(outer, statement, Op::if_, std::move(branched), {}, std::move(regions)));
    return outer;
  };
  const Graph chosen = among(among, 0, count);
  bind_results(graph, scope, statement, graph.splice(chosen, operands));
}

void Reader::call(Graph& graph, Scope& scope, const Statement& statement, std::string_view attribute) {
  const Entry* entry = find(statement.attributes, attribute);
  const auto* name = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
  const auto found = name ? functions_.find(*name) : functions_.end();
  if (found == functions_.end())
    text_.refuse(statement.position, "the function that is called here is not in the text");
  auto called = called_.find(found->second);
  if (called == called_.end()) {
    const std::size_t before = budget_;
    Graph callee = function(*found->second);
    called = called_.emplace(found->second, std::pair{std::move(callee), before - budget_}).first;
  }
  const auto& [callee, size] = called->second;
  if (size >= budget_) too_many(statement);
  budget_ -= size;
  const std::vector<ValueId> arguments = inputs(graph, scope, statement, statement.operands.size());
  if (graph.types(arguments) != callee.parameter_types())
    malformed(statement.position, "the function @" + *name + " takes arguments of other types");
  bind_results(graph, scope, statement, graph.splice(callee, arguments));
}

void Reader::too_many(const Statement& statement) const {
  text_.refuse(statement.position, "with all called functions written out the program has more than " +
                                       std::to_string(most_operations) + " operations");
}

}  // namespace octet::syntax
