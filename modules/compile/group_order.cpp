module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :group_order;
import :view;

namespace octet {

namespace {

bool meets(const Node& node) {
  return is_collective(node.op) || std::any_of(node.regions.begin(), node.regions.end(), [](const Graph& region) {
           return std::any_of(region.nodes().begin(), region.nodes().end(), meets);
         });
}

}  // namespace

GroupOrder::GroupOrder(const Graph& graph, const std::vector<View>& views)
    : graph_{graph}, group_of_(graph.nodes().size()), nodes_(graph.nodes().size()), heights_(graph.nodes().size(), 0) {
  for (Search& each : search_) each.seen.assign(graph.nodes().size(), 0);
  for (std::size_t n = 0; n < group_of_.size(); ++n) {
    group_of_[n] = n;
    nodes_[n] = {n};
  }
  find_sources(views);
  find_meetings();
}

void GroupOrder::find_sources(const std::vector<View>& views) {
  for (const Node& node : graph_.nodes()) {
    first_source_.push_back(sources_.size());
    for (ValueId id : node.inputs) {
      const View& view = views[static_cast<std::size_t>(id)];
      for (const std::int32_t n : {graph_.values()[static_cast<std::size_t>(view.root)].node, view.barrier})
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

/// From the last node to the first: each waits for its sources.
void GroupOrder::find_meetings() {
  meeting_after_.assign(graph_.nodes().size(), graph_.nodes().size());
  for (std::size_t n = graph_.nodes().size(); n-- > 0;) {
    if (meets(graph_.nodes()[n])) meeting_after_[n] = n;
    for (std::size_t source : sources(n)) meeting_after_[source] = std::min(meeting_after_[source], meeting_after_[n]);
  }
}

/// Whether a meeting that is there waits for `group`, and `other` for a third group, as high as this one need be, for
/// which it does not.
bool GroupOrder::holds_up(std::size_t group, std::size_t other) const {
  const std::size_t meeting = meeting_after_[group];
  if (meeting > newest_) return false;
  const auto for_each_below = [&](std::size_t of, auto function) {
    for (std::size_t n : nodes_[of])
      for (std::size_t source : sources(n))
        if (const std::size_t below = group_of_[source];
            below != group && below != other && graph_.nodes()[source].op != Op::constant)
          function(below);
  };
  std::size_t height = 0;  // less than that of a group to which reductions were joined
  for_each_below(group, [&](std::size_t below) { height = std::max(height, heights_[below] + 1); });
  bool found = false;
  for_each_below(other, [&](std::size_t below) {
    found = found || (heights_[below] >= height && meeting_after_[below] > meeting);
  });
  return found;
}

/// The nodes that read the buffers of node `n`, in order.
std::span<const std::size_t> GroupOrder::readers(std::size_t n) const {
  return std::span{readers_}.subspan(first_reader_[n], first_reader_[n + 1] - first_reader_[n]);
}

// What a loop over all nodes calls is kept apart from it: a browser compiles a loop that runs often once more, with all
// that is within it.

[[gnu::noinline]] void GroupOrder::take_in(std::size_t n) {
  for (std::size_t source : sources(n)) heights_[n] = std::max(heights_[n], heights_[group_of_[source]] + 1);
  newest_ = n;
}

/// Lifts those that read from `group` above it.
[[gnu::noinline]] void GroupOrder::lift_readers(std::size_t group) {
  std::vector<std::size_t> pending{group};
  while (!pending.empty()) {
    const std::size_t below = pending.back();
    pending.pop_back();
    for (std::size_t n : nodes_[below])
      for (std::size_t reader : readers(n)) {
        if (reader > newest_) break;  // not taken in yet
        const std::size_t above = group_of_[reader];
        if (above == below || heights_[above] > heights_[below]) continue;
        heights_[above] = heights_[below] + 1;
        pending.push_back(above);
      }
  }
}

/// Whether `to` reads from a group that is neither of the two and must run after `from`: sought from both ends, a step
/// where it costs less, until they meet or one of them has seen all.
[[gnu::noinline]] bool GroupOrder::passes(std::size_t from, std::size_t to) {
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
    for (std::size_t n : nodes_[group])
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
    for (std::size_t n : nodes_[group]) sum += way == down ? sources(n).size() : readers(n).size();
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

void GroupOrder::join(std::size_t group, std::size_t other) {
  std::vector<std::size_t>&own = nodes_[group], &more = nodes_[other];
  for (std::size_t node : more) group_of_[node] = group;
  const bool in_order = own.back() < more.front();
  own.insert(own.end(), more.begin(), more.end());
  if (!in_order) std::sort(own.begin(), own.end());
  more.clear();
  heights_[group] = std::max(heights_[group], heights_[other]);
  meeting_after_[group] = std::min(meeting_after_[group], meeting_after_[other]);
  lift_readers(group);
}

}  // namespace octet
