module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :program_views;
import :view;

namespace octet {

namespace {

/// Whether `node` reads its operands through any strides.
bool reads_views(const Node& node) {
  return is_elementwise(node.op) || node.op == Op::reduce || node.op == Op::dot_general;
}

class ViewFinder {
 public:
  explicit ViewFinder(const Graph& graph) : graph_{graph} {}

  ProgramViews run() {
    std::vector<View>& views = found_.views;
    views.resize(graph_.values().size());
    for (std::size_t v = 0; v < views.size(); ++v) {
      const auto id = static_cast<ValueId>(v);
      views[v] = dense_view(id, shape(id));
    }
    // What is read otherwise than through strides, or leaves the program, has a buffer of its own.
    dense_.assign(views.size(), false);
    for (ValueId id : graph_.results()) dense_[static_cast<std::size_t>(id)] = true;
    for (const Node& node : graph_.nodes())
      if (!reads_views(node) && !is_move(node.op))
        for (ValueId id : node.inputs) dense_[static_cast<std::size_t>(id)] = true;
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n)
      if (const Node& node = graph_.nodes()[n]; node.op == Op::dot_general)
        for (std::size_t i = 0; i < node.inputs.size(); ++i) products_[node.inputs[i]].emplace_back(n, i);
    found_.is_view.assign(graph_.nodes().size(), false);
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n) {
      const Node& node = graph_.nodes()[n];
      if (is_move(node.op)) {
        found_.is_view[n] = becomes_view(node);
      } else if (node.op == Op::optimization_barrier) {
        become_views(node, n);
      }
    }
    return std::move(found_);
  }

 private:
  const Shape& shape(ValueId id) const { return graph_.type(id).shape; }
  View& view(ValueId id) { return found_.views[static_cast<std::size_t>(id)]; }

  // What the loop over all nodes calls is kept apart from it: a browser compiles a loop that runs often once more, with
  // all that is within it.

  /// What passes the barrier `node`, which is node `n`, is read where it lies.
  [[gnu::noinline]] void become_views(const Node& node, std::size_t n) {
    found_.is_view[n] = true;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      view(node.outputs[i]) = view(node.inputs[i]);
      view(node.outputs[i]).barrier = static_cast<std::int32_t>(n);
    }
  }

  /// Whether the result of a move is read as a view of its operand, which it becomes.
  [[gnu::noinline]] bool becomes_view(const Node& node) {
    const ValueId out = node.outputs.front();
    auto through = viewed_through(node, view(node.inputs[0]), shape(node.inputs[0]), shape(out));
    // A dense value that is another one's buffer from the first element to the last needs no buffer either, unless it
    // leaves the program.
    const bool result = std::find(graph_.results().begin(), graph_.results().end(), out) != graph_.results().end();
    if (!through || (dense_[static_cast<std::size_t>(out)] && (result || !is_whole(*through, shape(out)))))
      return false;
    if (!products_can_read(out, *through)) return false;
    view(out) = std::move(*through);
    return true;
  }

  /// Whether each product that reads `id` could do so through a view: where it could not, it is moved once, for all.
  [[gnu::noinline]] bool products_can_read(ValueId id, const View& through) const {
    const auto readers = products_.find(id);
    if (readers == products_.end()) return true;
    return std::all_of(readers->second.begin(), readers->second.end(), [&](const auto& reader) {
      const auto& a = std::get<DotAttributes>(graph_.nodes()[reader.first].attributes);
      const Dims& batching = reader.second == 0 ? a.lhs_batching_dimensions : a.rhs_batching_dimensions;
      const Dims& contracting = reader.second == 0 ? a.lhs_contracting_dimensions : a.rhs_contracting_dimensions;
      const auto contains = [](const Dims& dims, std::int64_t d) {
        return std::find(dims.begin(), dims.end(), d) != dims.end();
      };
      Dims free;
      for (std::int64_t d = 0; d < shape(id).rank(); ++d)
        if (!contains(batching, d) && !contains(contracting, d)) free.push_back(d);
      return joint_stride(through, shape(id), free) && joint_stride(through, shape(id), contracting);
    });
  }

  bool is_whole(const View& through, const Shape& of) const {
    return is_dense(through, of) && shape(through.root).elements() == of.elements();
  }

  const Graph& graph_;
  ProgramViews found_;
  std::vector<bool> dense_;  ///< of each value, whether it must have a buffer that it fills
  std::map<ValueId, std::vector<std::pair<std::size_t, std::size_t>>>
      products_;  ///< that read a value, as which operand
};

}  // namespace

bool is_move(Op op) {
  return op == Op::broadcast_in_dim || op == Op::transpose || op == Op::slice || op == Op::reverse || op == Op::reshape;
}

ProgramViews program_views(const Graph& graph) { return ViewFinder{graph}.run(); }

}  // namespace octet
