module;
#include <cstdint>
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :fusion;
import :loop;
import :view;

namespace octet {

namespace {

constexpr std::size_t largest_group = 48;

/// Whether `node` reads its operands through any strides.
bool reads_views(const Node& node) {
  return is_elementwise(node.op) || node.op == Op::reduce || node.op == Op::dot_general;
}

using Reduce = LoopProgram::Reduce;

class Fuser {
 public:
  Fuser(const Graph& graph, const std::vector<bool>& uniform)
      : graph_{graph}, uniform_{uniform}, heights_(graph.nodes().size(), 0) {
    for (Search& each : search_) each.seen.assign(graph.nodes().size(), 0);
  }

  Fusion run() {
    partition();
    std::vector<FusionGroup> groups = ordered();
    return {std::move(views_), std::move(groups)};
  }

  std::vector<Passage> passages() {
    partition();
    std::vector<Passage> result;
    std::set<std::pair<ValueId, std::size_t>> seen;
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n) {
      if (is_view_[n]) continue;
      for (ValueId id : graph_.nodes()[n].inputs) {
        const ValueId root = view(id).root;
        const std::int32_t d = definition(root);
        if (d < 0 || graph_.nodes()[static_cast<std::size_t>(d)].op == Op::constant) continue;
        const auto writer = static_cast<std::size_t>(d);
        if (group_of_[writer] == group_of_[n] || !seen.emplace(root, group_of_[n]).second) continue;
        result.push_back({root, writer, n, why_apart(writer, n, id)});
      }
    }
    return result;
  }

 private:
  struct Group {
    FusionGroup fusion;
    bool closed = false;   ///< takes no further node
    bool uniform = false;  ///< computes what is equal on all replicas
  };

  void partition() {
    find_views();
    find_sources();
    make_groups();
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n) {
      depend(n);
      join_with_operands(n);
    }
  }

  const Shape& shape(ValueId id) const { return graph_.type(id).shape; }
  std::int32_t definition(ValueId id) const { return graph_.values()[static_cast<std::size_t>(id)].node; }
  View& view(ValueId id) { return views_[static_cast<std::size_t>(id)]; }

  // What the loops over all nodes call is kept apart from them: a browser compiles a loop that runs often once more,
  // with all that is within it.

  [[gnu::noinline]] void find_views() {
    views_.resize(graph_.values().size());
    for (std::size_t v = 0; v < views_.size(); ++v) {
      const auto id = static_cast<ValueId>(v);
      views_[v] = dense_view(id, shape(id));
    }
    // What is read otherwise than through strides, or leaves the program, has a buffer of its own.
    std::vector<bool> dense(views_.size(), false);
    for (ValueId id : graph_.results()) dense[static_cast<std::size_t>(id)] = true;
    for (const Node& node : graph_.nodes())
      if (!reads_views(node) && !is_move(node.op))
        for (ValueId id : node.inputs) dense[static_cast<std::size_t>(id)] = true;
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n)
      if (const Node& node = graph_.nodes()[n]; node.op == Op::dot_general)
        for (std::size_t i = 0; i < node.inputs.size(); ++i) products_[node.inputs[i]].emplace_back(n, i);
    is_view_.assign(graph_.nodes().size(), false);
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n) {
      const Node& node = graph_.nodes()[n];
      if (is_move(node.op)) {
        is_view_[n] = becomes_view(node, dense);
      } else if (node.op == Op::optimization_barrier) {
        become_views(node, n);
      }
    }
  }

  /// What passes the barrier `node`, which is node `n`, is read where it lies.
  [[gnu::noinline]] void become_views(const Node& node, std::size_t n) {
    is_view_[n] = true;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      view(node.outputs[i]) = view(node.inputs[i]);
      view(node.outputs[i]).barrier = static_cast<std::int32_t>(n);
    }
  }

  /// Whether the result of a move is read as a view of its operand, which it becomes.
  [[gnu::noinline]] bool becomes_view(const Node& node, const std::vector<bool>& dense) {
    const ValueId out = node.outputs.front();
    auto through = viewed_through(node, view(node.inputs[0]), shape(node.inputs[0]), shape(out));
    // A dense value that is another one's buffer from the first element to the last needs no buffer either, unless it
    // leaves the program.
    const bool result = std::find(graph_.results().begin(), graph_.results().end(), out) != graph_.results().end();
    if (!through || (dense[static_cast<std::size_t>(out)] && (result || !is_whole(*through, shape(out))))) return false;
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

  [[gnu::noinline]] void make_groups() {
    group_of_.assign(graph_.nodes().size(), 0);
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n) {
      const Node& node = graph_.nodes()[n];
      group_of_[n] = groups_.size();
      Group group;
      group.fusion.nodes = {n};
      group.uniform = !node.outputs.empty() && uniform_[static_cast<std::size_t>(node.outputs.front())];
      if (is_elementwise(node.op) || node.op == Op::iota || (is_move(node.op) && !is_view_[n])) {
        // A reshape that moves elements is a copy in the operand's order.
        group.fusion.is_loop = true;
        group.fusion.space = shape(node.op == Op::reshape ? node.inputs[0] : node.outputs[0]);
        group.closed = !(is_elementwise(node.op) || node.op == Op::iota);
      } else if (node.op == Op::reduce) {
        const Shape& of = shape(node.inputs[0]);
        const Dims& dimensions = std::get<ReduceAttributes>(node.attributes).dimensions;
        group.fusion.is_loop = true;
        group.fusion.space = of;
        group.fusion.reduce = reduce_kind(of, dimensions);
        for (std::int64_t d : dimensions) group.fusion.reduced *= of[d];
        // Reduced dimensions in the middle: the loop runs over a permuted space, alone.
        group.closed = group.fusion.reduce == Reduce::none;
        if (group.closed) group.fusion.reduce = Reduce::rows;
      } else {
        group.closed = true;
      }
      groups_.push_back(std::move(group));
    }
  }

  /// The nodes whose buffers node `n` reads, and the barriers that it waits for. Asked for again and again, so they are
  /// found once, all into one vector.
  std::span<const std::size_t> sources(std::size_t n) const {
    return std::span{sources_}.subspan(first_source_[n], first_source_[n + 1] - first_source_[n]);
  }
  [[gnu::noinline]] void find_sources() {
    for (const Node& node : graph_.nodes()) {
      first_source_.push_back(sources_.size());
      for (ValueId id : node.inputs) {
        for (const std::int32_t n : {definition(view(id).root), view(id).barrier})
          if (n >= 0) sources_.push_back(static_cast<std::size_t>(n));
      }
    }
    first_source_.push_back(sources_.size());
    first_reader_.assign(graph_.nodes().size() + 1, 0);
    for (std::size_t source : sources_) ++first_reader_[source + 1];
    std::partial_sum(first_reader_.begin(), first_reader_.end(), first_reader_.begin());
    readers_.resize(sources_.size());
    std::vector<std::size_t> next{first_reader_.begin(), first_reader_.end() - 1};
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n)
      for (std::size_t source : sources(n)) readers_[next[source]++] = n;
  }
  /// The nodes that read the buffers of node `n`, in order.
  std::span<const std::size_t> readers(std::size_t n) const {
    return std::span{readers_}.subspan(first_reader_[n], first_reader_[n + 1] - first_reader_[n]);
  }

  // Which groups must have run before another is found by a search, and only where two might be one: to know it of all
  // would take the square of the nodes. A group is higher than all that it reads from, so that a search for one ends at
  // what is as low as that.

  [[gnu::noinline]] void depend(std::size_t n) {
    for (std::size_t source : sources(n)) heights_[n] = std::max(heights_[n], heights_[group_of_[source]] + 1);
    newest_ = n;
  }

  /// Lifts those that read from `group` above it.
  [[gnu::noinline]] void lift_readers(std::size_t group) {
    std::vector<std::size_t> pending{group};
    while (!pending.empty()) {
      const std::size_t below = pending.back();
      pending.pop_back();
      for (std::size_t n : groups_[below].fusion.nodes)
        for (std::size_t reader : readers(n)) {
          if (reader > newest_) break;  // not looked at yet
          const std::size_t above = group_of_[reader];
          if (above == below || heights_[above] > heights_[below]) continue;
          heights_[above] = heights_[below] + 1;
          pending.push_back(above);
        }
    }
  }

  /// Whether `to` reads from a group that is neither of the two and must run after `from`: sought from both ends, a
  /// step where it costs less, until they meet or one of them has seen all.
  [[gnu::noinline]] bool passes(std::size_t from, std::size_t to) {
    const std::size_t low = heights_[from], high = heights_[to];
    if (high <= low) return false;
    ++searches_;
    bool met = false;
    std::size_t scanned[2] = {0, 0};
    enum : std::size_t { down, up };
    const auto look_at = [&](std::size_t way, std::size_t group) {
      ++scanned[way];
      Search& own = search_[way];
      if (heights_[group] <= low || heights_[group] >= high || own.seen[group] == searches_) return;
      own.seen[group] = searches_;
      own.pending.push_back(group);
      met = met || search_[1 - way].seen[group] == searches_;
    };
    const auto expand = [&](std::size_t way, std::size_t group) {
      const std::size_t begin = way == down ? to : from, end = way == down ? from : to;
      const auto reach = [&](std::size_t next) {
        if (next == end && group != begin)
          met = true;
        else
          look_at(way, next);
      };
      for (std::size_t n : groups_[group].fusion.nodes)
        if (way == down)
          for (std::size_t source : sources(n)) reach(group_of_[source]);
        else
          for (std::size_t reader : readers(n)) {
            if (reader > newest_) break;
            reach(group_of_[reader]);
          }
    };
    const auto width = [&](std::size_t way, std::size_t group) {
      std::size_t sum = 0;
      for (std::size_t n : groups_[group].fusion.nodes) sum += way == down ? sources(n).size() : readers(n).size();
      return sum;
    };
    search_[down].pending = {to};
    search_[up].pending = {from};
    while (!met && !search_[down].pending.empty() && !search_[up].pending.empty()) {
      const auto cost = [&](std::size_t way) { return scanned[way] + width(way, search_[way].pending.back()); };
      const std::size_t way = cost(down) <= cost(up) ? down : up;
      const std::size_t group = search_[way].pending.back();
      search_[way].pending.pop_back();
      expand(way, group);
    }
    return met;
  }

  [[gnu::noinline]] void join_with_operands(std::size_t n) {
    const Node& node = graph_.nodes()[n];
    if (groups_[group_of_[n]].closed) return;
    for (ValueId id : node.inputs) {
      const View& through = view(id);
      const std::int32_t d = definition(through.root);
      if (d < 0 || !is_dense(through, shape(id)) || shape(through.root) != shape(id)) continue;
      if (graph_.nodes()[static_cast<std::size_t>(d)].op == Op::reduce) continue;
      join(group_of_[static_cast<std::size_t>(d)], group_of_[n]);
    }
  }

  /// Why two groups cannot be one loop; null where they can.
  [[gnu::noinline]] const char* obstacle(std::size_t a, std::size_t b) {
    const Group &x = groups_[a], &y = groups_[b];
    if (x.closed || y.closed) return "one of them moves elements, or reduces dimensions between others, and runs alone";
    if (x.uniform != y.uniform) return "one runs once for all replicas, the other on each";
    if (x.fusion.space != y.fusion.space) return "they run over different shapes";
    if (x.fusion.nodes.size() + y.fusion.nodes.size() > largest_group) return "one loop would have too many operations";
    const bool both = x.fusion.reduce != Reduce::none && y.fusion.reduce != Reduce::none;
    if (both && x.fusion.reduce != y.fusion.reduce) return "one reduces rows, the other columns";
    if (both && x.fusion.reduced != y.fusion.reduced) return "they reduce rows of different lengths";
    // What is as long, and reduces one space, has as many results; but not what is no longer than nothing.
    if (both && x.fusion.reduced == 0) return "they reduce nothing, each to as many results as it has";
    if (!side_by_side(x, y)) return "one needs other elements of what the other writes";
    if (lies_between(a, b)) return "a third kernel must run after the one and before the other";
    return nullptr;
  }

  /// Why the group of node `writer` and that of `reader`, which reads `id` from it, are not one.
  std::string why_apart(std::size_t writer, std::size_t reader, ValueId id) {
    const Op from = graph_.nodes()[writer].op, to = graph_.nodes()[reader].op;
    const auto own_kernel = [](Op op) { return std::string{name(op)} + " is a kernel of its own"; };
    if (!groups_[group_of_[writer]].fusion.is_loop) return own_kernel(from);
    if (!groups_[group_of_[reader]].fusion.is_loop) return own_kernel(to);
    if (from == Op::reduce) return "a reduction is known only when its loop is over";
    if (shape(view(id).root) != shape(id)) return "it is read over another shape";
    if (!is_dense(view(id), shape(id))) return "it is read in another order";
    const char* const reason = obstacle(group_of_[writer], group_of_[reader]);
    return reason ? reason : "a third kernel lay between when they were looked at";
  }

  [[gnu::noinline]] void join(std::size_t a, std::size_t b) {
    if (a == b || obstacle(a, b)) return;
    Group &x = groups_[a], &y = groups_[b];
    if (x.fusion.reduce == Reduce::none) {
      x.fusion.reduce = y.fusion.reduce;
      x.fusion.reduced = y.fusion.reduced;
    }
    for (std::size_t node : y.fusion.nodes) group_of_[node] = a;
    const bool in_order = x.fusion.nodes.back() < y.fusion.nodes.front();
    x.fusion.nodes.insert(x.fusion.nodes.end(), y.fusion.nodes.begin(), y.fusion.nodes.end());
    if (!in_order) std::sort(x.fusion.nodes.begin(), x.fusion.nodes.end());
    y.fusion.nodes.clear();
    heights_[a] = std::max(heights_[a], heights_[b]);
    lift_readers(a);
  }

  /// Whether each value that passes between the groups passes element by element: a loop cannot read across its own
  /// space.
  [[gnu::noinline]] bool side_by_side(const Group& x, const Group& y) {
    const auto reads_across = [&](const Group& reader, const Group& written) {
      for (std::size_t n : reader.fusion.nodes)
        for (ValueId id : graph_.nodes()[n].inputs) {
          const View& through = view(id);
          const std::int32_t d = definition(through.root);
          if (d < 0 || !std::binary_search(written.fusion.nodes.begin(), written.fusion.nodes.end(),
                                           static_cast<std::size_t>(d)))
            continue;
          if (graph_.nodes()[static_cast<std::size_t>(d)].op == Op::reduce || !is_dense(through, shape(id)) ||
              shape(through.root) != shape(id))
            return true;
        }
      return false;
    };
    return !reads_across(x, y) && !reads_across(y, x);
  }

  /// Whether a third group must run after one of the two and before the other.
  bool lies_between(std::size_t a, std::size_t b) { return passes(a, b) || passes(b, a); }

  /// Of each group, whether nothing leaves it but reductions: it reads much and keeps little.
  std::vector<bool> reducing() {
    std::vector<bool> result(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) result[g] = groups_[g].fusion.reduce != Reduce::none;
    const auto leaves = [&](ValueId id, std::size_t to) {
      const std::int32_t d = definition(view(id).root);
      if (d < 0 || graph_.nodes()[static_cast<std::size_t>(d)].op == Op::reduce) return;
      if (const std::size_t from = group_of_[static_cast<std::size_t>(d)]; from != to) result[from] = false;
    };
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n)
      for (ValueId id : graph_.nodes()[n].inputs) leaves(id, group_of_[n]);
    for (ValueId id : graph_.results()) leaves(id, SIZE_MAX);
    return result;
  }

  /// The groups in an order of execution: each as early as the last of its nodes was written, and those that only
  /// reduce at once, while what they read is still in the cache.
  std::vector<FusionGroup> ordered() {
    std::vector<std::size_t> waiting(groups_.size(), 0);
    std::vector<std::vector<std::size_t>> after(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      std::vector<std::size_t> before;
      for (std::size_t n : groups_[g].fusion.nodes)
        for (std::size_t source : sources(n)) before.push_back(group_of_[source]);
      std::sort(before.begin(), before.end());
      before.erase(std::unique(before.begin(), before.end()), before.end());
      for (std::size_t b : before)
        if (b != g) {
          after[b].push_back(g);
          ++waiting[g];
        }
    }
    using Entry = std::pair<std::size_t, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    const std::vector<bool> at_once = reducing();
    const auto offer = [&](std::size_t g) { ready.emplace(at_once[g] ? 0 : groups_[g].fusion.nodes.back(), g); };
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (!groups_[g].fusion.nodes.empty() && waiting[g] == 0) offer(g);
    std::vector<FusionGroup> result;
    while (!ready.empty()) {
      const std::size_t g = ready.top().second;
      ready.pop();
      const std::size_t n = groups_[g].fusion.nodes.front();
      if (!is_view_[n]) result.push_back(std::move(groups_[g].fusion));
      for (std::size_t next : after[g])
        if (--waiting[next] == 0) offer(next);
    }
    return result;
  }

  const Graph& graph_;
  const std::vector<bool>& uniform_;
  std::map<ValueId, std::vector<std::pair<std::size_t, std::size_t>>>
      products_;  ///< that read a value, as which operand
  std::vector<View> views_;
  std::vector<bool> is_view_;
  std::vector<std::size_t> sources_, first_source_;  ///< of all nodes, and where those of each begin
  std::vector<std::size_t> readers_, first_reader_;
  std::vector<std::size_t> group_of_;
  std::vector<Group> groups_;
  std::size_t newest_ = 0;            ///< the node that was looked at last
  std::vector<std::size_t> heights_;  ///< of groups
  struct Search {
    std::vector<std::size_t> seen;     ///< of groups: the search that came by last
    std::vector<std::size_t> pending;  ///< groups to look at next
  };
  Search search_[2];
  std::size_t searches_ = 0;
};

}  // namespace

bool is_move(Op op) {
  return op == Op::broadcast_in_dim || op == Op::transpose || op == Op::slice || op == Op::reverse || op == Op::reshape;
}

LoopProgram::Reduce reduce_kind(const Shape& shape, const Dims& dimensions) {
  std::vector<bool> reduced;  // for each dimension that is not 1
  for (std::int64_t d = 0; d < shape.rank(); ++d)
    if (shape[d] != 1) reduced.push_back(std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end());
  if (std::is_sorted(reduced.begin(), reduced.end())) return Reduce::rows;
  if (std::is_sorted(reduced.rbegin(), reduced.rend())) return Reduce::columns;
  return Reduce::none;
}

Fusion fuse(const Graph& graph, const std::vector<bool>& uniform) { return Fuser{graph, uniform}.run(); }

std::vector<Passage> passages(const Graph& graph, const std::vector<bool>& uniform) {
  return Fuser{graph, uniform}.passages();
}

}  // namespace octet
