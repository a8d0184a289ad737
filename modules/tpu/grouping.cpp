module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :fused;
import :grouping;

namespace octet::tpu {

namespace {

// Up to so much work is done anew in each of several users, but never a single operation of more than the second.
constexpr double cheap = 8, expensive = 4;

bool is_fusible(Op op) {
  return is_elementwise(op) || op == Op::broadcast_in_dim || op == Op::iota || op == Op::constant || op == Op::slice ||
         op == Op::reverse || op == Op::replica_id;
}

class Grouper {
 public:
  Grouper(const Graph& graph, const FuseOptions& options) : graph_{graph}, options_{options} {}

  Grouping run() {
    find_views();
    find_users();
    find_cheap();
    find_kernels();
    fuse_into_products();
    return std::move(made_);
  }

 private:
  std::size_t nodes() const { return graph_.nodes().size(); }
  const Node& node(std::size_t n) const { return graph_.nodes()[n]; }
  ValueId root(ValueId id) const { return made_.root(id); }
  double elements(ValueId id) const { return static_cast<double>(graph_.type(id).shape.elements()); }
  std::int32_t definition(ValueId id) const { return graph_.values()[static_cast<std::size_t>(id)].node; }

  /// A reshape or a transpose that is only another way to read its operand.
  bool is_view(const Node& each) const {
    if (each.op == Op::transpose) return true;
    // To put dimensions of 1 around is no more than a reshape is.
    const bool only_ones = each.op == Op::broadcast_in_dim && elements(each.inputs[0]) == elements(each.outputs[0]);
    if (each.op != Op::reshape && !only_ones) return false;
    if (!options_.reshapes_move) return true;
    const Shape &from = graph_.type(each.inputs[0]).shape, &to = graph_.type(each.outputs[0]).shape;
    return from.rank() < 2 || to.rank() < 2 || from[-1] == to[-1] || from[-1] == 1 || to[-1] == 1;
  }

  void find_views() {
    made_.roots.resize(graph_.values().size());
    for (std::size_t v = 0; v < made_.roots.size(); ++v) made_.roots[v] = static_cast<ValueId>(v);
    made_.is_view.assign(nodes(), false);
    made_.after.assign(made_.roots.size(), 0);
    held_.assign(made_.roots.size(), false);
    for (std::size_t n = 0; n < nodes(); ++n)
      if (is_view(node(n))) {
        made_.roots[static_cast<std::size_t>(node(n).outputs[0])] = root(node(n).inputs[0]);
        made_.after[static_cast<std::size_t>(node(n).outputs[0])] =
            made_.after[static_cast<std::size_t>(node(n).inputs[0])];
        made_.is_view[n] = true;
      } else if (node(n).op == Op::optimization_barrier) {
        for (std::size_t i = 0; i < node(n).inputs.size(); ++i) {
          const ValueId id = root(node(n).inputs[i]);
          held_[static_cast<std::size_t>(id)] = true;
          made_.roots[static_cast<std::size_t>(node(n).outputs[i])] = id;
          made_.after[static_cast<std::size_t>(node(n).outputs[i])] = n;
        }
        made_.is_view[n] = true;
      } else if (node(n).op == Op::while_) {
        const std::vector<bool> handed = handed_on(node(n));
        for (std::size_t e = 0; e < handed.size(); ++e)
          if (handed[e]) {
            made_.roots[static_cast<std::size_t>(node(n).outputs[e])] = root(node(n).inputs[e]);
            made_.after[static_cast<std::size_t>(node(n).outputs[e])] =
                made_.after[static_cast<std::size_t>(node(n).inputs[e])];
          }
      }
    for (const ValueId id : graph_.results()) held_[static_cast<std::size_t>(root(id))] = true;
  }

  void find_users() {
    users_.resize(made_.roots.size());
    for (std::size_t n = 0; n < nodes(); ++n)
      if (!made_.is_view[n])
        for (const ValueId id : node(n).inputs) insert_sorted(users_[static_cast<std::size_t>(root(id))], n);
  }

  /// Of each value, what it takes to compute it anew: the work, and the large tensors that are read for it.
  void find_cheap() {
    again_.resize(made_.roots.size());
    for (std::size_t n = 0; n < nodes(); ++n) {
      if (made_.is_view[n] || !is_fusible(node(n).op)) continue;
      const ValueId out = node(n).outputs[0];
      Again& own = again_[static_cast<std::size_t>(out)];
      own.work = weight(graph_, node(n));
      own.possible = own.work <= expensive;
      for (const ValueId input : node(n).inputs) {
        const ValueId id = root(input);
        const Again& operand = again_[static_cast<std::size_t>(id)];
        const std::int32_t d = definition(id);
        const bool fusible =
            d >= 0 && is_fusible(node(static_cast<std::size_t>(d)).op) && !held_[static_cast<std::size_t>(id)];
        if (fusible && (is_cheap(id) || users_[static_cast<std::size_t>(id)].size() == 1)) {
          own.possible &= operand.possible;
          own.work += operand.work * std::min(1.0, elements(id) / std::max(1.0, elements(out)));
          for (const ValueId leaf : operand.leaves) insert_sorted(own.leaves, leaf);
        } else if (2 * elements(id) > elements(out)) {
          insert_sorted(own.leaves, id);
        }
      }
    }
  }
  bool is_cheap(ValueId id) const {
    const Again& own = again_[static_cast<std::size_t>(id)];
    return own.possible && own.work <= cheap && own.leaves.size() <= 1;
  }

  /// Whether node `n` adds a product that nothing else uses: a sum of products is kept after each, not added up in the
  /// end.
  bool adds_product(std::size_t n) const {
    return node(n).op == Op::add && std::any_of(node(n).inputs.begin(), node(n).inputs.end(), [&](ValueId id) {
             const Node* from = graph_.definition(root(id));
             return from && from->op == Op::dot_general && users_[static_cast<std::size_t>(root(id))].size() == 1;
           });
  }

  /// Decides which nodes lead a kernel, and in which kernels the others are computed.
  void find_kernels() {
    made_.kernels.resize(nodes());
    for (std::size_t n = nodes(); n-- > 0;) {
      if (made_.is_view[n]) continue;
      const Node& each = node(n);
      std::vector<std::size_t>& kernels = made_.kernels[n];
      if (!is_fusible(each.op)) {
        kernels = {n};
        continue;
      }
      const ValueId out = each.outputs[0];
      bool needs_memory = held_[static_cast<std::size_t>(out)];
      std::vector<std::size_t> into;
      for (const std::size_t user : users_[static_cast<std::size_t>(out)]) {
        const Op op = node(user).op;
        if (!is_fusible(op) && op != Op::dot_general && op != Op::reduce) needs_memory = true;
        for (const std::size_t kernel : made_.kernels[user]) insert_sorted(into, kernel);
      }
      if (each.op == Op::constant && elements(out) <= 1024) needs_memory = false;
      needs_memory |= adds_product(n) && users_[static_cast<std::size_t>(out)].size() == 1 &&
                      adds_product(users_[static_cast<std::size_t>(out)][0]);
      if (needs_memory)
        kernels = {n};
      else if (into.size() <= 1 || is_cheap(out))
        kernels = std::move(into);
      else
        kernels = {n};
    }
  }

  /// A loop that is all that uses a product, element by element, runs as the product leaves the matrix unit.
  void fuse_into_products() {
    made_.absorbed.assign(nodes(), false);
    made_.product_of.assign(nodes(), -1);
    for (std::size_t n = 0; n < nodes(); ++n) {
      if (node(n).op != Op::dot_general) continue;
      const ValueId out = node(n).outputs[0];
      if (held_[static_cast<std::size_t>(out)]) continue;
      std::vector<std::size_t> into;
      for (const std::size_t user : users_[static_cast<std::size_t>(out)])
        for (const std::size_t kernel : made_.kernels[user]) insert_sorted(into, kernel);
      if (into.size() != 1) continue;
      const std::size_t to = into[0];
      if (!is_elementwise(node(to).op) || made_.product_of[to] >= 0 || elements(node(to).outputs[0]) != elements(out))
        continue;
      made_.product_of[to] = static_cast<std::int64_t>(n);
      made_.absorbed[n] = true;
    }
  }

  struct Again {
    bool possible = false;
    double work = 0;
    std::vector<ValueId> leaves;
  };

  const Graph& graph_;
  const FuseOptions& options_;
  Grouping made_;
  std::vector<bool> held_;                       ///< of each value, whether it must lie in memory, whoever reads it
  std::vector<std::vector<std::size_t>> users_;  ///< of each value
  std::vector<Again> again_;                     ///< of each value
};

}  // namespace

double weight(const Graph& graph, const Node& each) {
  const auto elements = [&](ValueId id) { return static_cast<double>(graph.type(id).shape.elements()); };
  if (each.op == Op::divide) {
    const Node* divisor = graph.definition(each.inputs[1]);
    if (divisor && divisor->op == Op::broadcast_in_dim && 2 * elements(divisor->inputs[0]) < elements(each.outputs[0]))
      return 1;
  }
  return vector_weight(each.op);
}

bool Grouping::is_computed_with(const Graph& graph, std::size_t leader, std::size_t from) const {
  return product_of[leader] == static_cast<std::int64_t>(from) || (is_fusible(graph.nodes()[from].op) && !leads(from));
}

Grouping grouped(const Graph& graph, const FuseOptions& options) { return Grouper{graph, options}.run(); }

}  // namespace octet::tpu
