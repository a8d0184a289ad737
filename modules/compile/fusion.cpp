module;
#include <cstdint>
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :fusion;
import :group_order;
import :loop;
import :program_views;
import :view;

namespace octet {

namespace {

constexpr std::size_t largest_group = 48;

using Reduce = LoopProgram::Reduce;

class Fuser {
 public:
  Fuser(const Graph& graph, const std::vector<bool>& uniform)
      : graph_{graph}, uniform_{uniform}, found_{program_views(graph)}, order_{graph, found_.views} {}

  Fusion run() {
    partition();
    std::vector<FusionGroup> groups = ordered();
    return {std::move(found_.views), std::move(groups)};
  }

  std::vector<Passage> passages() {
    partition();
    std::vector<Passage> result;
    std::set<std::pair<ValueId, std::size_t>> seen;
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n) {
      if (found_.is_view[n]) continue;
      for (ValueId id : graph_.nodes()[n].inputs) {
        const ValueId root = view(id).root;
        const std::int32_t d = definition(root);
        if (d < 0 || graph_.nodes()[static_cast<std::size_t>(d)].op == Op::constant) continue;
        const auto writer = static_cast<std::size_t>(d);
        if (order_.group_of(writer) == order_.group_of(n) || !seen.emplace(root, order_.group_of(n)).second) continue;
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
    make_groups();
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n) {
      order_.take_in(n);
      join_with_operands(n);
    }
  }

  const Shape& shape(ValueId id) const { return graph_.type(id).shape; }
  std::int32_t definition(ValueId id) const { return graph_.values()[static_cast<std::size_t>(id)].node; }
  const View& view(ValueId id) const { return found_.views[static_cast<std::size_t>(id)]; }

  // What the loops over all nodes call is kept apart from them: a browser compiles a loop that runs often once more,
  // with all that is within it.

  [[gnu::noinline]] void make_groups() {
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n) {
      const Node& node = graph_.nodes()[n];
      Group group;
      group.uniform = !node.outputs.empty() && uniform_[static_cast<std::size_t>(node.outputs.front())];
      if (is_elementwise(node.op) || node.op == Op::iota || (is_move(node.op) && !found_.is_view[n])) {
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
        if (group.fusion.reduce == Reduce::columns)
          for (std::int64_t d = of.rank(); of[--d] == 1 || std::ranges::count(dimensions, d) == 0;)
            group.fusion.columns *= of[d];
        // Others between them: the loop runs over a permuted space, alone.
        group.closed = group.fusion.reduce == Reduce::none;
        if (group.closed) group.fusion.reduce = Reduce::rows;
      } else {
        group.closed = true;
      }
      groups_.push_back(std::move(group));
    }
  }

  [[gnu::noinline]] void join_with_operands(std::size_t n) {
    const Node& node = graph_.nodes()[n];
    if (groups_[order_.group_of(n)].closed) return;
    for (ValueId id : node.inputs) {
      const View& through = view(id);
      const std::int32_t d = definition(through.root);
      if (d < 0 || !is_dense(through, shape(id)) || shape(through.root) != shape(id)) continue;
      if (graph_.nodes()[static_cast<std::size_t>(d)].op == Op::reduce) continue;
      join(order_.group_of(static_cast<std::size_t>(d)), order_.group_of(n));
    }
  }

  /// Why two groups cannot be one loop; null where they can.
  [[gnu::noinline]] const char* obstacle(std::size_t a, std::size_t b) {
    const Group &x = groups_[a], &y = groups_[b];
    if (x.closed || y.closed)
      return "one of them moves elements, or reduces dimensions with others between them, and runs alone";
    if (x.uniform != y.uniform) return "one runs once for all replicas, the other on each";
    if (x.fusion.space != y.fusion.space) return "they run over different shapes";
    if (order_.nodes(a).size() + order_.nodes(b).size() > largest_group)
      return "one loop would have too many operations";
    const bool both = x.fusion.reduce != Reduce::none && y.fusion.reduce != Reduce::none;
    if (both && x.fusion.reduce != y.fusion.reduce) return "one reduces rows, the other columns";
    if (both && x.fusion.reduced != y.fusion.reduced) return "they reduce rows of different lengths";
    if (both && x.fusion.columns != y.fusion.columns) return "they reduce different dimensions";
    // What is as long, and reduces one space, has as many results; but not what is no longer than nothing.
    if (both && x.fusion.reduced == 0) return "they reduce nothing, each to as many results as it has";
    if (!side_by_side(a, b)) return "one needs other elements of what the other writes";
    if (order_.lies_between(a, b)) return "a third kernel must run after the one and before the other";
    if (order_.puts_off_a_meeting(a, b)) return "replicas would meet later, and keep what they hold until then";
    return nullptr;
  }

  /// Why the group of node `writer` and that of `reader`, which reads `id` from it, are not one.
  std::string why_apart(std::size_t writer, std::size_t reader, ValueId id) {
    const Op from = graph_.nodes()[writer].op, to = graph_.nodes()[reader].op;
    const auto own_kernel = [](Op op) { return std::string{name(op)} + " is a kernel of its own"; };
    if (!groups_[order_.group_of(writer)].fusion.is_loop) return own_kernel(from);
    if (!groups_[order_.group_of(reader)].fusion.is_loop) return own_kernel(to);
    if (from == Op::reduce) return "a reduction is known only when its loop is over";
    if (shape(view(id).root) != shape(id)) return "it is read over another shape";
    if (!is_dense(view(id), shape(id))) return "it is read in another order";
    const char* const reason = obstacle(order_.group_of(writer), order_.group_of(reader));
    return reason ? reason : "a third kernel lay between when they were looked at";
  }

  [[gnu::noinline]] void join(std::size_t a, std::size_t b) {
    if (a == b || obstacle(a, b)) return;
    Group &x = groups_[a], &y = groups_[b];
    if (x.fusion.reduce == Reduce::none) {
      x.fusion.reduce = y.fusion.reduce;
      x.fusion.reduced = y.fusion.reduced;
      x.fusion.columns = y.fusion.columns;
    }
    order_.join(a, b);
  }

  /// Whether each value that passes between the groups passes element by element: a loop cannot read across its own
  /// space.
  [[gnu::noinline]] bool side_by_side(std::size_t a, std::size_t b) const {
    const auto reads_across = [&](std::size_t reader, std::size_t written) {
      const std::vector<std::size_t>& writers = order_.nodes(written);
      for (std::size_t n : order_.nodes(reader))
        for (ValueId id : graph_.nodes()[n].inputs) {
          const View& through = view(id);
          const std::int32_t d = definition(through.root);
          if (d < 0 || !std::binary_search(writers.begin(), writers.end(), static_cast<std::size_t>(d))) continue;
          if (graph_.nodes()[static_cast<std::size_t>(d)].op == Op::reduce || !is_dense(through, shape(id)) ||
              shape(through.root) != shape(id))
            return true;
        }
      return false;
    };
    return !reads_across(a, b) && !reads_across(b, a);
  }

  static constexpr std::size_t unread = SIZE_MAX, several = SIZE_MAX - 1;
  /// Of each value, the group that alone reads it; a result is read by others, too.
  std::vector<std::size_t> readers() const {
    std::vector<std::size_t> reader(graph_.values().size(), unread);
    const auto reads = [&](ValueId id, std::size_t group) {
      std::size_t& only = reader[static_cast<std::size_t>(view(id).root)];
      only = only == unread || only == group ? group : several;
    };
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n)
      for (ValueId id : graph_.nodes()[n].inputs) reads(id, order_.group_of(n));
    for (ValueId id : graph_.results()) reads(id, several);
    return reader;
  }

  /// Of each group, whether it runs as soon as it can. One that nothing leaves but reductions reads much and keeps
  /// little. So does one that adds to what a loop carries on: where what leaves a group is no more than what it alone
  /// reads, nothing is gained by waiting: unless it reads what others read after it, which it may then not write over.
  /// (Replicas would meet more often for what one computes for all.)
  std::vector<bool> at_once() {
    const std::vector<std::size_t> reader = readers();
    std::vector<double> ends(groups_.size(), 0);  // bytes that are needed no more, less those that are made
    std::vector<bool> reduces(groups_.size(), true);
    for (std::size_t v = 0; v < reader.size(); ++v) {
      const std::int32_t d = definition(static_cast<ValueId>(v));
      if (d < 0 || reader[v] == unread) continue;
      if (graph_.nodes()[static_cast<std::size_t>(d)].op == Op::constant) continue;  // needs no memory of a run
      const std::size_t from = order_.group_of(static_cast<std::size_t>(d));
      if (from == reader[v]) continue;
      const auto bytes = static_cast<double>(graph_.values()[v].type.bytes());
      ends[from] -= bytes;
      if (reader[v] != several) ends[reader[v]] += bytes;
      if (graph_.nodes()[static_cast<std::size_t>(d)].op != Op::reduce) reduces[from] = false;
    }
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n)
      for (ValueId id : graph_.nodes()[n].inputs) {
        const ValueId root = view(id).root;
        const FusionGroup& group = groups_[order_.group_of(n)].fusion;
        if (definition(root) < 0 && reader[static_cast<std::size_t>(root)] == several &&
            shape(root).elements() == group.space.elements())
          ends[order_.group_of(n)] = -1;
      }
    std::vector<bool> result(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g)
      result[g] = groups_[g].fusion.is_loop && !groups_[g].uniform &&
                  ((groups_[g].fusion.reduce != Reduce::none && reduces[g]) || ends[g] >= 0);
    return result;
  }

  /// The first meeting of replicas that waits for each group: for the groups, too, that those before it were joined to.
  std::vector<std::size_t> meetings_after(const std::vector<std::vector<std::size_t>>& after) const {
    std::vector<std::size_t> result(groups_.size()), downwards(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      result[g] = order_.meeting_after(g);
      downwards[g] = g;
    }
    std::sort(downwards.begin(), downwards.end(),
              [&](std::size_t a, std::size_t b) { return order_.height(a) > order_.height(b); });
    for (std::size_t g : downwards)
      for (std::size_t next : after[g]) result[g] = std::min(result[g], result[next]);
    return result;
  }

  /// The groups in an order of execution: each as early as the last of its nodes was written, or the first meeting of
  /// replicas that waits for it, and some at once, while what they read is still in the cache.
  std::vector<FusionGroup> ordered() {
    std::vector<std::size_t> waiting(groups_.size(), 0);
    std::vector<std::vector<std::size_t>> after(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      std::vector<std::size_t> before;
      for (std::size_t n : order_.nodes(g))
        for (std::size_t source : order_.sources(n)) before.push_back(order_.group_of(source));
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
    const std::vector<bool> runs_at_once = at_once();
    const std::vector<std::size_t> meetings = meetings_after(after);
    const auto offer = [&](std::size_t g) {
      ready.emplace(runs_at_once[g] ? 0 : std::min(order_.nodes(g).back(), meetings[g]), g);
    };
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (!order_.nodes(g).empty() && waiting[g] == 0) offer(g);
    std::vector<FusionGroup> result;
    while (!ready.empty()) {
      const std::size_t g = ready.top().second;
      ready.pop();
      if (!found_.is_view[order_.nodes(g).front()]) {
        result.push_back(std::move(groups_[g].fusion));
        result.back().nodes = order_.nodes(g);
      }
      for (std::size_t next : after[g])
        if (--waiting[next] == 0) offer(next);
    }
    return result;
  }

  const Graph& graph_;
  const std::vector<bool>& uniform_;
  ProgramViews found_;
  GroupOrder order_;
  std::vector<Group> groups_;
};

}  // namespace

LoopProgram::Reduce reduce_kind(const Shape& shape, const Dims& dimensions) {
  bool begun = false, ended = false;  // the dimensions that are reduced, and have more than one element
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (shape[d] == 1) continue;
    if (std::find(dimensions.begin(), dimensions.end(), d) == dimensions.end())
      ended = begun;
    else if (ended)
      return Reduce::none;
    else
      begun = true;
  }
  return ended ? Reduce::columns : Reduce::rows;
}

Fusion fuse(const Graph& graph, const std::vector<bool>& uniform) { return Fuser{graph, uniform}.run(); }

std::vector<Passage> passages(const Graph& graph, const std::vector<bool>& uniform) {
  return Fuser{graph, uniform}.passages();
}

}  // namespace octet
