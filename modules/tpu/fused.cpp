module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :collective;
import :fused;
import :grouping;

namespace octet::tpu {

namespace {

class GraphFuser {
 public:
  GraphFuser(const Graph& graph, const FuseOptions& options)
      : graph_{graph}, options_{options}, groups_{grouped(graph, options)} {}

  FusedProgram run() {
    for (std::size_t n = 0; n < nodes(); ++n)
      if (groups_.leads(n) && !groups_.absorbed[n]) emit(n);
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
  ValueId root(ValueId id) const { return groups_.root(id); }
  double elements(ValueId id) const { return static_cast<double>(graph_.type(id).shape.elements()); }
  std::int32_t definition(ValueId id) const { return graph_.values()[static_cast<std::size_t>(id)].node; }

  void emit(std::size_t n) {
    const Node& last = node(n);
    if (groups_.is_view[n] || last.outputs.empty()) return;
    if (last.op == Op::constant && graph_.type(last.outputs[0]).shape.elements() <= 1024) return;
    FusedOperation operation;
    operation.node = n;
    operation.place = last.place;
    for (const ValueId id : last.outputs) operation.writes.push_back(id);
    collect(operation, n);
    const TensorType& type = graph_.type(last.outputs[0]);
    const bool product = last.op == Op::dot_general || groups_.product_of[n] >= 0;
    if (product) {
      operation.kind = FusedOperation::Kind::product;
      operation.elsewhere = read_elsewhere(n);
      const std::size_t of = last.op == Op::dot_general ? n : static_cast<std::size_t>(groups_.product_of[n]);
      operation.product = product_at(of);
      operation.place = node(of).place;
      const Product& p = operation.product;
      operation.description = "dot_general " + (p.batch > 1 ? std::to_string(p.batch) + " x " : "") +
                              to_string(Dims{p.m, p.k}) + " x " + to_string(Dims{p.k, p.n});
    } else if (const auto* call = std::get_if<CustomCallAttributes>(&last.attributes)) {
      operation.kind = FusedOperation::Kind::movement;
      const TensorType& most = *std::ranges::max_element(call->results, {}, &TensorType::bytes);
      operation.description =
          call->call_target_name.substr(call->call_target_name.find('.') + 1) + " " + to_string(most);
      if (const Dims& p = call->product; p.size() == 3) {
        operation.kind = FusedOperation::Kind::product;
        operation.product = {.m = p[0], .n = p[1], .k = p[2]};
      }
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
      operation.vector_operations += weight(graph_, each) * elements(reduces ? each.inputs[0] : each.outputs[0]);
    for (const ValueId input : each.inputs) {
      const ValueId id = root(input);
      operation.after = std::max(operation.after, groups_.after[static_cast<std::size_t>(input)]);
      const std::int32_t d = definition(id);
      if (d >= 0) {
        const auto from = static_cast<std::size_t>(d);
        if (groups_.is_computed_with(graph_, operation.node, from)) {
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
        if (d >= 0 && groups_.is_computed_with(graph_, n, static_cast<std::size_t>(d)))
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
    last_read_.assign(groups_.roots.size(), 0);
    may_die_.assign(groups_.roots.size(), false);
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

  const Graph& graph_;
  const FuseOptions& options_;
  Grouping groups_;
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
