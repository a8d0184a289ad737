/// What names stand for while a text is turned into a Graph, and what regions take from outside.
module octet.graph:reader_scope;
import octet.base;
import octet.standard;
import :graph;
import :syntax;

namespace octet::syntax {

/// Whether the regions of an operation may use values from outside. Those of reductions and of sort are scalar and
/// closed.
inline bool may_capture(const Statement& statement) {
  return statement.name == "stablehlo.if" || statement.name == "stablehlo.case" || statement.name == "stablehlo.while";
}

/// Whether it starts from initial values, which are the second half of its operands.
inline bool has_initial_values(const Statement& statement) {
  return statement.name == "stablehlo.reduce" || statement.name == "stablehlo.reduce_window";
}

/// The operands that become inputs of the node; initial values do not.
inline std::size_t inputs_of(const Statement& statement) {
  return has_initial_values(statement) ? statement.operands.size() / 2 : statement.operands.size();
}

void define(const Statement& statement, auto&& defined) {
  for (const Result& result : statement.results)
    for (std::int64_t i = 0; i < result.count; ++i) defined(ValueName{result.name, i});
}

/// What the names of one region stand for.
struct Scope {
  const Scope* outer = nullptr;
  std::map<ValueName, ValueId> values;
  std::map<ValueName, const Tensor*> constants;
  std::set<ValueName> initial_only;  ///< constants that nothing but `reduce` uses, as its initial value

  /// The constant that `name` names here or outside; nullptr where it is something else.
  const Tensor* constant(ValueName name) const {
    for (const Scope* scope = this; scope; scope = scope->outer) {
      if (const auto found = scope->constants.find(name); found != scope->constants.end()) return found->second;
      if (scope->values.contains(name)) break;
    }
    return nullptr;
  }
};

/// The values that regions use from outside, in the order of their first use.
class Captures {
 public:
  /// Of regions in `scope`, whose constants need not come from outside as initial values.
  explicit Captures(const Scope& scope) : scope_{scope} {}

  void add(const Region& region, std::size_t from = 0) {
    std::vector<ValueName> own;
    const auto define_here = [&](ValueName name) {
      if (defined_.insert(name).second) own.push_back(name);
    };
    for (const Argument& argument : region.arguments) define_here({argument.name, 0});
    for (std::size_t i = 0; i < from; ++i) define(region.statements[i], define_here);
    for (std::size_t i = from; i < region.statements.size(); ++i) {
      const Statement& statement = region.statements[i];
      for (std::size_t o = 0; o < statement.operands.size(); ++o)
        if (o < inputs_of(statement) || !scope_.constant(statement.operands[o].name)) use(statement.operands[o]);
      if (may_capture(statement))
        for (const Region& inner : statement.regions) add(inner);
      define(statement, define_here);
    }
    for (ValueName name : own) defined_.erase(name);
  }
  void use(const Use& use) {
    if (!defined_.contains(use.name) && seen_.insert(use.name).second) uses_.push_back(use);
  }
  const std::vector<Use>& uses() const { return uses_; }

 private:
  const Scope& scope_;
  std::set<ValueName> defined_, seen_;
  std::vector<Use> uses_;
};

/// Counts how the values of one region are used, there and in the regions within.
inline void count_uses(const Region& region, std::map<ValueName, int>& as_input, std::map<ValueName, int>& as_initial) {
  for (const Statement& statement : region.statements) {
    for (std::size_t i = 0; i < statement.operands.size(); ++i)
      ++(i < inputs_of(statement) ? as_input : as_initial)[statement.operands[i].name];
    if (may_capture(statement))
      for (const Region& inner : statement.regions) count_uses(inner, as_input, as_initial);
  }
}

}  // namespace octet::syntax
