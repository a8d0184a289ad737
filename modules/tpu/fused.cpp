module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :collective;
import :fused;

namespace octet::tpu {

namespace {

// Up to so much work is done anew in each of several users, but never a single operation of more than the second.
constexpr double cheap = 8, expensive = 4;

bool is_fusible(Op op) {
  return is_elementwise(op) || op == Op::broadcast_in_dim || op == Op::iota || op == Op::constant || op == Op::slice ||
         op == Op::reverse || op == Op::replica_id;
}

void insert_sorted(auto& set, auto value) {
  const auto at = std::lower_bound(set.begin(), set.end(), value);
  if (at == set.end() || *at != value) set.insert(at, value);
}
class GraphFuser {
 public:
  GraphFuser(const Graph& graph, const FuseOptions& options) : graph_{graph}, options_{options} {}

  FusedProgram run() {
    find_views();
    find_users();
    find_cheap();
    find_kernels();
    fuse_into_products();
    for (std::size_t n = 0; n < nodes(); ++n)
      if (leads(n) && !absorbed_[n]) emit(n);
    merge_loops(graph_, operations_);
    FusedProgram program;
    for (const Value& value : graph_.values()) program.tensors.push_back(value.type);
    for (const ValueId id : graph_.parameters()) program.parameters.push_back(id);
    for (const ValueId id : graph_.results()) program.results.push_back(root(id));
    find_last_reads();
    InMemory in_memory;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      FusedOperation& operation = operations_[i];
      const Node& node = graph_.nodes()[operation.node];
      if (node.op == Op::while_ || node.op == Op::if_) {
        std::vector<Given> operands;
        for (const ValueId id : node.inputs) operands.push_back({root(id), dies(root(id), i)});
        add_regions(program, graph_, node, std::move(operands), options_, in_memory);
        continue;
      }
      if ((node.op == Op::dynamic_update_slice || node.op == Op::scatter) && dies(root(node.inputs[0]), i))
        update_in_place(operation, node);
      program.operations.push_back(std::move(operation));
    }
    return program;
  }

 private:
  std::size_t nodes() const { return graph_.nodes().size(); }
  const Node& node(std::size_t n) const { return graph_.nodes()[n]; }
  ValueId root(ValueId id) const { return roots_[static_cast<std::size_t>(id)]; }
  bool leads(std::size_t n) const { return kernel_[n].size() == 1 && kernel_[n][0] == n; }
  double elements(ValueId id) const { return static_cast<double>(graph_.type(id).shape.elements()); }
  std::int32_t definition(ValueId id) const { return graph_.values()[static_cast<std::size_t>(id)].node; }

  /// A division by what is broadcast is a multiplication by its reciprocal.
  double weight(const Node& each) const {
    if (each.op == Op::divide) {
      const Node* divisor = graph_.definition(each.inputs[1]);
      if (divisor && divisor->op == Op::broadcast_in_dim &&
          2 * elements(divisor->inputs[0]) < elements(each.outputs[0]))
        return 1;
    }
    return vector_weight(each.op);
  }

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
    roots_.resize(graph_.values().size());
    for (std::size_t v = 0; v < roots_.size(); ++v) roots_[v] = static_cast<ValueId>(v);
    view_.assign(nodes(), false);
    after_.assign(roots_.size(), 0);
    held_.assign(roots_.size(), false);
    for (std::size_t n = 0; n < nodes(); ++n)
      if (is_view(node(n))) {
        roots_[static_cast<std::size_t>(node(n).outputs[0])] = root(node(n).inputs[0]);
        after_[static_cast<std::size_t>(node(n).outputs[0])] = after_[static_cast<std::size_t>(node(n).inputs[0])];
        view_[n] = true;
      } else if (node(n).op == Op::optimization_barrier) {
        for (std::size_t i = 0; i < node(n).inputs.size(); ++i) {
          const ValueId id = root(node(n).inputs[i]);
          held_[static_cast<std::size_t>(id)] = true;
          roots_[static_cast<std::size_t>(node(n).outputs[i])] = id;
          after_[static_cast<std::size_t>(node(n).outputs[i])] = n;
        }
        view_[n] = true;
      } else if (node(n).op == Op::while_) {
        const std::vector<bool> handed = handed_on(node(n));
        for (std::size_t e = 0; e < handed.size(); ++e)
          if (handed[e]) {
            roots_[static_cast<std::size_t>(node(n).outputs[e])] = root(node(n).inputs[e]);
            after_[static_cast<std::size_t>(node(n).outputs[e])] = after_[static_cast<std::size_t>(node(n).inputs[e])];
          }
      }
    for (const ValueId id : graph_.results()) held_[static_cast<std::size_t>(root(id))] = true;
  }

  void find_users() {
    users_.resize(roots_.size());
    for (std::size_t n = 0; n < nodes(); ++n)
      if (!view_[n])
        for (const ValueId id : node(n).inputs) insert_sorted(users_[static_cast<std::size_t>(root(id))], n);
  }

  /// Of each value, what it takes to compute it anew: the work, and the large tensors that are read for it.
  void find_cheap() {
    again_.resize(roots_.size());
    for (std::size_t n = 0; n < nodes(); ++n) {
      if (view_[n] || !is_fusible(node(n).op)) continue;
      const ValueId out = node(n).outputs[0];
      Again& own = again_[static_cast<std::size_t>(out)];
      own.work = weight(node(n));
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
    kernel_.resize(nodes());
    for (std::size_t n = nodes(); n-- > 0;) {
      if (view_[n]) continue;
      const Node& each = node(n);
      std::vector<std::size_t>& kernels = kernel_[n];
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
        for (const std::size_t kernel : kernel_[user]) insert_sorted(into, kernel);
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
    absorbed_.assign(nodes(), false);
    product_of_.assign(nodes(), -1);
    for (std::size_t n = 0; n < nodes(); ++n) {
      if (node(n).op != Op::dot_general) continue;
      const ValueId out = node(n).outputs[0];
      if (held_[static_cast<std::size_t>(out)]) continue;
      std::vector<std::size_t> into;
      for (const std::size_t user : users_[static_cast<std::size_t>(out)])
        for (const std::size_t kernel : kernel_[user]) insert_sorted(into, kernel);
      if (into.size() != 1) continue;
      const std::size_t to = into[0];
      if (!is_elementwise(node(to).op) || product_of_[to] >= 0 || elements(node(to).outputs[0]) != elements(out))
        continue;
      product_of_[to] = static_cast<std::int64_t>(n);
      absorbed_[n] = true;
    }
  }

  void emit(std::size_t n) {
    const Node& last = node(n);
    if (view_[n] || last.outputs.empty()) return;
    if (last.op == Op::constant && graph_.type(last.outputs[0]).shape.elements() <= 1024) return;
    FusedOperation operation;
    operation.node = n;
    operation.place = last.place;
    for (const ValueId id : last.outputs) operation.writes.push_back(id);
    collect(operation, n);
    const TensorType& type = graph_.type(last.outputs[0]);
    const bool product = last.op == Op::dot_general || product_of_[n] >= 0;
    if (product) {
      operation.kind = FusedOperation::Kind::product;
      operation.elsewhere = read_elsewhere(n);
      operation.product = product_at(last.op == Op::dot_general ? n : static_cast<std::size_t>(product_of_[n]));
      const Product& p = operation.product;
      operation.description = "dot_general " + (p.batch > 1 ? std::to_string(p.batch) + " x " : "") +
                              to_string(Dims{p.m, p.k}) + " x " + to_string(Dims{p.k, p.n});
    } else if (is_collective(last.op)) {
      operation.kind = FusedOperation::Kind::collective;
      operation.collective = last.op;
      operation.groups = groups_of(last);
      operation.description = std::string{name(last.op)} + " " + to_string(type);
    } else if (is_elementwise(last.op) || last.op == Op::reduce || last.op == Op::broadcast_in_dim ||
               last.op == Op::iota) {
      operation.elsewhere = read_elsewhere(n);
      operation.description = std::string{name(last.op)} + " over " + to_string(loop_space(graph_, node(n)));
    } else {
      operation.kind = FusedOperation::Kind::movement;
      operation.description = std::string{name(last.op)} + " " + to_string(type);
      if (last.op == Op::gather || last.op == Op::dynamic_slice) reads_rows(operation, last);
      if (last.op == Op::sort) {
        const double rounds = std::log2(std::max(2.0, elements(last.outputs[0])));
        operation.vector_operations += 4 * rounds * (rounds + 1) / 2 * elements(last.outputs[0]);
      }
    }
    operations_.push_back(std::move(operation));
  }

  /// Of its operand, a lookup touches what it gives.
  void reads_rows(FusedOperation& operation, const Node& lookup) const {
    const auto at = std::find(operation.reads.begin(), operation.reads.end(), root(lookup.inputs[0]));
    if (at != operation.reads.end())  // and not a constant so small that none counts it
      operation.read_shares[static_cast<std::size_t>(at - operation.reads.begin())] =
          std::min(1.0, elements(lookup.outputs[0]) / std::max(1.0, elements(lookup.inputs[0])));
  }

  /// The work of node `n` and of what is computed with it, and what they read.
  void collect(FusedOperation& operation, std::size_t n) {
    std::vector<bool> seen(nodes(), false);
    std::vector<std::size_t> open{n};  // a chain may be as long as the program: no call for each
    while (!open.empty()) {
      const Node& each = node(open.back());
      const bool is_new = !seen[open.back()];
      seen[open.back()] = true;
      open.pop_back();
      if (is_new) collect(operation, each, open);
    }
  }
  /// Those of one node; what is computed with it goes to `open`.
  void collect(FusedOperation& operation, const Node& each, std::vector<std::size_t>& open) {
    const bool reduces = each.op == Op::reduce;
    if (options_.draws_bits && graph_.type(each.outputs[0]).dtype == DType::u32) operation.drawn = operation.writes;
    if (is_elementwise(each.op) || reduces || each.op == Op::iota)
      operation.vector_operations += weight(each) * elements(reduces ? each.inputs[0] : each.outputs[0]);
    for (const ValueId input : each.inputs) {
      const ValueId id = root(input);
      operation.after = std::max(operation.after, after_[static_cast<std::size_t>(input)]);
      const std::int32_t d = definition(id);
      if (d >= 0) {
        const auto from = static_cast<std::size_t>(d);
        if (is_computed_with(operation.node, from)) {
          open.push_back(from);
          continue;
        }
        if (node(from).op == Op::constant && elements(id) <= 1024) continue;
      }
      const double share = each.op == Op::slice ? elements(each.outputs[0]) / std::max(1.0, elements(id)) : 1;
      const auto at = std::find(operation.reads.begin(), operation.reads.end(), id);
      if (at == operation.reads.end()) {
        operation.reads.push_back(id);
        operation.read_shares.push_back(share);
      } else {
        double& known = operation.read_shares[static_cast<std::size_t>(at - operation.reads.begin())];
        known = std::max(known, share);
      }
    }
  }
  /// Whether node `from` is computed with node `leader`: the product that it follows, or what leads no kernel.
  bool is_computed_with(std::size_t leader, std::size_t from) const {
    return product_of_[leader] == static_cast<std::int64_t>(from) || (is_fusible(node(from).op) && !leads(from));
  }

  /// What the loop of node `n` reads at other elements than the one it is at: what it broadcasts, slices or reverses,
  /// and the operands of the product that it follows.
  std::vector<ValueId> read_elsewhere(std::size_t n) const {
    std::vector<ValueId> result;
    std::vector<bool> seen_here(nodes(), false), seen_elsewhere(nodes(), false);
    std::vector<std::pair<std::size_t, bool>> open{{n, true}};  // and whether they are read at the same element
    while (!open.empty()) {
      const auto [each, here] = open.back();
      open.pop_back();
      std::vector<bool>& seen = here ? seen_here : seen_elsewhere;
      if (seen[each]) continue;
      seen[each] = true;
      const bool same = here && (is_elementwise(node(each).op) || (each == n && node(each).op == Op::reduce));
      for (const ValueId input : node(each).inputs) {
        const ValueId id = root(input);
        const std::int32_t d = definition(id);
        if (d >= 0 && is_computed_with(n, static_cast<std::size_t>(d)))
          open.emplace_back(static_cast<std::size_t>(d), same);
        else if (!same)
          insert_sorted(result, id);
      }
    }
    return result;
  }

  Product product_at(std::size_t n) const {
    const auto& a = std::get<DotAttributes>(node(n).attributes);
    Product product;
    const auto extents = [&](std::size_t which, const Dims& batching, const Dims& contracting, std::int64_t& free) {
      const Shape& shape = graph_.type(node(n).inputs[which]).shape;
      product.batch = product.k = 1;
      for (std::int64_t d = 0; d < shape.rank(); ++d)
        (contains(batching, d) ? product.batch : contains(contracting, d) ? product.k : free) *= shape[d];
    };
    extents(0, a.lhs_batching_dimensions, a.lhs_contracting_dimensions, product.m);
    extents(1, a.rhs_batching_dimensions, a.rhs_contracting_dimensions, product.n);
    product.passes = passes_of(graph_, node(n));
    return product;
  }

  void find_last_reads() {
    last_read_.assign(roots_.size(), 0);
    may_die_.assign(roots_.size(), false);
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      for (const ValueId id : operations_[i].reads) last_read_[static_cast<std::size_t>(id)] = i;
      for (const ValueId id : operations_[i].writes) may_die_[static_cast<std::size_t>(id)] = true;
    }
    for (const std::size_t p : options_.donated)
      if (p < graph_.parameters().size()) may_die_[static_cast<std::size_t>(graph_.parameters()[p])] = true;
    for (const ValueId id : graph_.results()) may_die_[static_cast<std::size_t>(root(id))] = false;
  }
  /// Whether nothing needs the tensor `id` once operation `i` has read it.
  bool dies(ValueId id, std::size_t i) const {
    return may_die_[static_cast<std::size_t>(id)] && last_read_[static_cast<std::size_t>(id)] == i;
  }

  /// Of its operand, an update in place touches what it changes: to add to that, it reads it.
  void update_in_place(FusedOperation& operation, const Node& update) const {
    const ValueId operand = root(update.inputs[0]);
    const ValueId values = update.inputs[update.op == Op::scatter ? 2 : 1];
    if (root(values) == operand) return;
    operation.write_share = std::min(1.0, elements(values) / std::max(1.0, elements(operand)));
    const auto at = std::find(operation.reads.begin(), operation.reads.end(), operand) - operation.reads.begin();
    operation.read_shares[static_cast<std::size_t>(at)] = update.op == Op::scatter ? operation.write_share : 0;
    operation.over = {operand};
  }

  struct Again {
    bool possible = false;
    double work = 0;
    std::vector<ValueId> leaves;
  };

  const Graph& graph_;
  const FuseOptions& options_;
  std::vector<ValueId> roots_;
  std::vector<bool> view_, absorbed_;
  std::vector<bool> held_;                        ///< of each value, whether it must lie in memory, whoever reads it
  std::vector<std::size_t> after_;                ///< of each value, the barrier that it is a result of, by node
  std::vector<std::vector<std::size_t>> users_;   ///< of each value
  std::vector<Again> again_;                      ///< of each value
  std::vector<std::vector<std::size_t>> kernel_;  ///< of each node, the nodes that lead the kernels it is computed in
  std::vector<std::int64_t> product_of_;          ///< of each node that leads a kernel, the product it follows
  std::vector<FusedOperation> operations_;
  std::vector<std::size_t> last_read_;  ///< of each value, the last of `operations_` that reads it
  std::vector<bool> may_die_;           ///< of each value, whether its place is free once it was read last
};

}  // namespace

int passes_of(const Graph& graph, const Node& dot) {
  const auto exact = [&](ValueId id) {
    const Node* from = graph.definition(id);
    return graph.type(from && from->op == Op::convert ? from->inputs[0] : id).dtype == DType::bf16;
  };
  const DotPrecision precision = std::get<DotAttributes>(dot.attributes).precision;
  if (precision == DotPrecision::DEFAULT || (exact(dot.inputs[0]) && exact(dot.inputs[1]))) return 1;
  return precision == DotPrecision::HIGH ? 3 : 6;
}

FusedProgram fused(const Graph& graph, const FuseOptions& options) { return GraphFuser{graph, options}.run(); }

}  // namespace octet::tpu
