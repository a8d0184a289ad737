/// What a reduction starts from: its reducer's neutral element, which the graph does not write, or any other scalar.
module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :graph;
import :literal;
import :reader_program;
import :reader_scope;
import :reference;
import :syntax;

namespace octet::syntax {

void Reader::find_initial_values(const Region& region, Scope& scope) const {
  const auto is_reduce = [](const Statement& statement) {
    return has_initial_values(statement) || may_capture(statement);
  };
  if (std::none_of(region.statements.begin(), region.statements.end(), is_reduce)) return;
  std::map<ValueName, int> as_input, as_initial;
  count_uses(region, as_input, as_initial);
  for (const auto& [name, uses] : as_initial)
    if (!as_input.contains(name)) scope.initial_only.insert(name);
}

void Reader::note_constant(Scope& scope, const Statement& statement) {
  constexpr std::string_view handing_on[] = {"sdy.sharding_constraint", "stablehlo.broadcast_in_dim",
                                             "stablehlo.reshape"};
  if (std::ranges::find(handing_on, statement.name) == std::end(handing_on)) return;
  if (statement.results.size() != 1 || statement.operands.size() != 1) return;
  const Tensor* constant = scope.constant(statement.operands[0].name);
  if (constant && constant->shape().rank() == 0 && statement.result_types == std::vector{constant->type()})
    scope.constants[{statement.results[0].name, 0}] = constant;
}

bool Reader::starts_from(const Scope& scope, const Statement& statement, std::size_t operand, const Tensor& neutral) {
  const Tensor* initial = scope.constant(statement.operands[operand].name);
  if (!initial || initial->type() != neutral.type() || statement.operand_types[operand] != neutral.type()) return false;
  // -0 does as well as +0.
  return *initial == neutral || (is_floating(neutral.dtype()) && neutral.item() == 0 && initial->item() == 0);
}

void Reader::require_one(const Statement& statement) const {
  if (statement.operands.size() != 2 || statement.operand_types.size() != 2)
    text_.unknown(statement.position, statement.name + " takes one tensor and one initial value here",
                  "reduce each tensor by itself");
}

std::optional<ValueId> Reader::initial_value(Graph& graph, const Scope& scope, const Statement& statement,
                                             Reducer reducer) const {
  require_one(statement);
  const Tensor neutral = neutral_element(reducer, statement.operand_types[0].dtype);
  if (starts_from(scope, statement, 1, neutral)) return {};
  if (statement.operand_types[1] != neutral.type())
    malformed(statement.operands[1].position, statement.name + " starts from " + to_string(statement.operand_types[1]) +
                                                  ", and reduces " + to_string(statement.operand_types[0]));
  const Use& initial = statement.operands[1];
  const Tensor* constant = scope.values.contains(initial.name) ? nullptr : scope.constant(initial.name);
  if (constant && constant->type() == neutral.type()) return graph.constant(*constant, place(statement));
  return value(graph, scope, initial, &statement.operand_types[1]);
}

void Reader::require_initial(const Scope& scope, const Statement& statement, std::size_t operand,
                             const Tensor& neutral) const {
  if (!starts_from(scope, statement, operand, neutral))
    text_.unknown(statement.operands[operand].position,
                  "the initial value of " + statement.name + " is not a constant that holds its neutral element, " +
                      literal::dense(neutral),
                  "start from the neutral element and combine the result with the value");
}

}  // namespace octet::syntax
