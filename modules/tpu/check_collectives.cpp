/// Collectives that wait for one another: what they take, and what one would.
module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :check_lines;
import :collective;
import :constants;
import :estimate;
import :readiness;
import :slice;

namespace octet {

namespace {

constexpr double much = 0.1;  // of a step

/// Collectives in an order of rounds: those of one round do not depend on each other, and a compiler joins them.
struct Rounds {
  double rounds = 0, collectives = 0;  ///< as often as they run
  double seconds = 0;                  ///< with the collectives of each round joined
  std::vector<JoinedCollectives> all;  ///< in a loop those of one turn
  Place place;                         ///< of the first
  double turns = 1;
  std::vector<Rounds> apart = {};  ///< of loops whose collectives wait for those of the turn before: of one turn each
};

/// Whether it brings together what devices have parts of, or hands parts out, where these are used: such do not belong
/// in one place.
bool moves_parts(Op op) { return op == Op::all_gather || op == Op::reduce_scatter; }

class Walk {
 public:
  /// Over all collectives, or those alone that could be joined.
  Walk(const tpu::Slice& slice, bool joinable) : slice_{slice}, joinable_{joinable} {}

  Rounds over(const Graph& graph) const {
    Rounds result;
    std::vector<std::size_t> round_of(graph.values().size(), 0);   // of the last collective that a value depends on
    std::map<std::size_t, std::vector<JoinedCollectives>> joined;  // by round
    for (const Node& node : graph.nodes()) {
      std::size_t round = 0;
      for (const ValueId id : node.inputs) round = std::max(round, round_of[static_cast<std::size_t>(id)]);
      if (is_collective(node.op) && !tpu::alone(tpu::groups_of(node)) && !(joinable_ && moves_parts(node.op))) {
        if (result.collectives++ == 0 && !result.place.known()) result.place = node.place;
        join(joined[++round],
             {node.op, tpu::groups_of(node), static_cast<double>(graph.type(node.inputs.front()).bytes())});
      }
      const double turns = turns_of(graph, node);
      bool meets = false;
      for (Rounds& inner : taken(node)) {
        for (Rounds& each : inner.apart) {
          meets = true;
          each.turns *= turns;
          result.apart.push_back(std::move(each));
        }
        if (inner.collectives == 0) continue;
        meets = true;
        if (node.op == Op::while_ && feeds_itself(node.regions[1])) {
          inner.turns = turns;
          inner.apart.clear();
          result.apart.push_back(std::move(inner));
          continue;
        }
        if (!result.place.known()) result.place = inner.place;
        result.rounds += turns * inner.rounds;
        result.collectives += turns * inner.collectives;
        result.seconds += turns * inner.seconds;
        for (const JoinedCollectives& kind : inner.all) join(result.all, kind);
      }
      round += meets;
      for (const ValueId id : node.outputs) round_of[static_cast<std::size_t>(id)] = round;
    }
    for (const auto& [round, kinds] : joined) {
      ++result.rounds;
      result.seconds += seconds(kinds);
      for (const JoinedCollectives& kind : kinds) join(result.all, kind);
    }
    return result;
  }

  double seconds(const std::vector<JoinedCollectives>& kinds) const {
    return seconds_of(kinds, slice_, constants_.operation_seconds);
  }

 private:
  /// What runs within `node`: condition and body of a loop, and of branches the one that takes longest.
  std::vector<Rounds> taken(const Node& node) const {
    std::vector<Rounds> result;
    for (const Graph& region : node.regions) result.push_back(over(region));
    if (node.op != Op::if_) return result;
    return {*std::max_element(result.begin(), result.end(),
                              [](const Rounds& a, const Rounds& b) { return a.seconds < b.seconds; })};
  }

  /// How often a loop runs; 1 where that is not known, and for what is no loop.
  static double turns_of(const Graph& graph, const Node& node) {
    if (node.op != Op::while_) return 1;
    const std::int64_t turns = trip_count(graph, node);
    return turns < 0 ? 1 : static_cast<double>(turns);
  }

  const tpu::Slice& slice_;
  bool joinable_;
  tpu::CostConstants constants_ = tpu::fitted_constants();
};

}  // namespace

void join(std::vector<JoinedCollectives>& kinds, const JoinedCollectives& more) {
  for (JoinedCollectives& known : kinds)
    if (known.op == more.op && known.groups == more.groups) {
      known.bytes += more.bytes;
      return;
    }
  kinds.push_back(more);
}

double bytes_of(const std::vector<JoinedCollectives>& kinds) {
  double bytes = 0;
  for (const JoinedCollectives& kind : kinds) bytes += kind.bytes;
  return bytes;
}

double seconds_of(const std::vector<JoinedCollectives>& kinds, const tpu::Slice& slice, double start) {
  double seconds = 0;
  for (const JoinedCollectives& kind : kinds)
    if (!tpu::alone(kind.groups))
      seconds += start + tpu::collective_seconds(kind.op, kind.bytes, kind.groups, slice, tpu::fitted_constants());
  return seconds;
}

double gradient_bytes(const Checked& checked) {
  double bytes = 0;
  const Rounds rounds = Walk{checked.slice, false}.over(checked.optimized);
  const auto add = [&](const Rounds& each) {
    for (const JoinedCollectives& kind : each.all)
      if (kind.op == Op::all_reduce || kind.op == Op::reduce_scatter) bytes += kind.bytes;
  };
  add(rounds);
  for (const Rounds& each : rounds.apart) add(each);
  return bytes;
}

std::vector<Diagnostic> many_collectives(const Checked& checked) {
  const Walk walk{checked.slice, true};
  Rounds rounds = walk.over(checked.optimized);
  const auto gain = [&](const Rounds& each) {
    return each.rounds < 2 ? 0 : each.turns * (each.seconds - walk.seconds(each.all));
  };
  for (const Rounds& each : std::vector{std::move(rounds.apart)})
    if (gain(each) > gain(rounds)) rounds = each;
  const double one = walk.seconds(rounds.all);
  const double step = estimated(checked, checked.options.activations).seconds + checked.recompute_seconds;
  if (rounds.rounds < 2 || gain(rounds) < much * step) return {};
  const bool again = rounds.turns > 1;
  return {{.number = 611,
           .sentence = counted(rounds.collectives, "collective") + " in " + counted(rounds.rounds, "round") +
                       " that wait for one another" +
                       (again ? ", in each of " + number_text(rounds.turns) + " turns," : "") + " take " +
                       seconds_text(rounds.turns * rounds.seconds) + " of a step's " + seconds_text(step) +
                       "; one of all their " + bytes_text(bytes_of(rounds.all)) + (again ? " in each" : "") +
                       " would take " + seconds_text(rounds.turns * one) + ".",
           .where = rounds.place,
           .fix = {"add up first, and reduce once: in a loop over parts of the batch, the all_reduce belongs after it",
                   "reduce what belongs together in one place, so that the compiler joins it"}}};
}

}  // namespace octet
