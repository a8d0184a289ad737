module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :collective;
import :constants;
import :slice;

namespace octet::tpu {

namespace {

/// A ring, or without the link that closes it a line, passes what `left` bytes on each of its chips become.
double ring_seconds(double left, const Slice& slice, std::size_t d, const CostConstants& constants) {
  const auto n = static_cast<double>(slice.torus[d]);
  return left * (n - 1) / n / (slice.chip.link_bandwidth * (slice.wraps[d] ? 2 : 1) * constants.link_efficiency);
}

/// A reduce-scatter of `bytes` on each chip, or the all-gather that undoes it.
double half_all_reduce(double bytes, const Slice& slice, const CostConstants& constants) {
  std::vector<std::size_t> linked;  // dimensions of one chip have no links
  for (std::size_t d = 0; d < slice.torus.size(); ++d)
    if (slice.torus[d] > 1) linked.push_back(d);
  double links = 0, hops = 0, seconds = 0;
  for (const std::size_t d : linked) {
    links += slice.wraps[d] ? 2 : 1;
    // As often as a ring passes something on: the link that closes it doubles what travels at once, and each piece
    // still comes by all chips.
    hops += static_cast<double>(slice.torus[d] - 1);
  }
  // Part p begins along linked dimension p, which has so many of the links, and goes on with the next ones. Where
  // dimensions differ in length, parts of other sizes that do not wait for one another would be done sooner, by up to
  // two fifths; whether XLA makes such parts is not published.
  for (std::size_t round = 0; round < linked.size(); ++round) {
    double slowest = 0;
    for (std::size_t part = 0; part < linked.size(); ++part) {
      double left = bytes * (slice.wraps[linked[part]] ? 2 : 1) / links;
      for (std::size_t before = 0; before < round; ++before)
        left /= static_cast<double>(slice.torus[linked[(part + before) % linked.size()]]);
      slowest = std::max(slowest, ring_seconds(left, slice, linked[(part + round) % linked.size()], constants));
    }
    seconds += slowest;
  }
  return seconds + hops * constants.hop_seconds;
}

}  // namespace

double collective_seconds(Op op, double bytes, const Slice& slice, const CostConstants& constants) {
  const bool shared = slice.replicas > slice.chips;  // two replicas to a chip
  const double bandwidth = slice.chip.hbm_bandwidth * constants.hbm_efficiency;
  // Each core reads half of both replicas' operands and writes their sum, while the first pieces are on their way.
  const double together = shared ? 3 * bytes / bandwidth : 0;
  const auto chips = static_cast<double>(slice.chips), replicas = static_cast<double>(slice.replicas);
  if (replicas <= 1) return 0;
  switch (op) {
    case Op::all_reduce:
      return std::max(together, 2 * half_all_reduce(bytes, slice, constants));
    case Op::reduce_scatter:
      return std::max(together, half_all_reduce(bytes, slice, constants));
    case Op::all_gather:
      // On one chip each core puts the other's operand beside its own.
      return slice.chips == 1 ? 4 * bytes / bandwidth : half_all_reduce(bytes * replicas, slice, constants);
    case Op::all_to_all: {
      if (slice.chips == 1) return 2 * bytes / bandwidth;
      // Half of the data crosses the middle of the longest dimension, over all links that do.
      double longest = 1;
      bool wraps = false;
      for (std::size_t d = 0; d < slice.torus.size(); ++d)
        if (static_cast<double>(slice.torus[d]) > longest) {
          longest = static_cast<double>(slice.torus[d]);
          wraps = slice.wraps[d];
        }
      const double links = chips / longest * (wraps ? 2 : 1);
      return bytes * replicas / 4 / (links * slice.chip.link_bandwidth * constants.link_efficiency) +
             longest * constants.hop_seconds;
    }
    default:
      return bytes * (shared ? 2 : 1) / (slice.chip.link_bandwidth * constants.link_efficiency) + constants.hop_seconds;
  }
}

namespace {

/// What one group has of a slice, and how many times as much its links carry where other groups share them.
struct Part {
  Slice slice;
  double load = 1;
};

Part part_of(const Dims& group, const Slice& slice) {
  const std::int64_t per_chip = std::max<std::int64_t>(1, slice.replicas / std::max<std::int64_t>(1, slice.chips));
  std::set<std::int64_t> chips;
  for (const std::int64_t replica : group) chips.insert(std::max<std::int64_t>(0, replica) / per_chip % slice.chips);
  Part part{slice};
  part.slice.replicas = static_cast<std::int64_t>(group.size());
  part.slice.chips = static_cast<std::int64_t>(chips.size());
  std::int64_t box = 1, inner = 1;
  for (std::size_t d = slice.torus.size(); d-- > 0;) {
    std::set<std::int64_t> places;
    for (const std::int64_t chip : chips) places.insert(chip / inner % slice.torus[d]);
    inner *= slice.torus[d];
    const auto extent = static_cast<std::int64_t>(places.size());
    const std::int64_t span = *places.rbegin() - *places.begin() + 1;
    part.slice.torus[d] = extent;
    part.slice.wraps[d] = slice.wraps[d] && extent == slice.torus[d];
    part.load = std::max(part.load, static_cast<double>(span) / static_cast<double>(extent));
    box *= extent;
  }
  if (box != part.slice.chips) {  // no box: from one to the next in a line
    part.slice.torus.assign(slice.torus.size(), 1);
    part.slice.torus.front() = part.slice.chips;
    part.slice.wraps.assign(slice.torus.size(), false);
  }
  // The other cores of its chips are in groups of their own.
  const double own = static_cast<double>(part.slice.replicas) / static_cast<double>(part.slice.chips);
  if (part.slice.chips > 1) part.load *= std::max(1.0, static_cast<double>(per_chip) / own);
  return part;
}

}  // namespace

double collective_seconds(Op op, double bytes, const ReplicaGroups& groups, const Slice& slice,
                          const CostConstants& constants) {
  const bool all = groups.empty() || (op != Op::collective_permute && groups.size() == 1 &&
                                      static_cast<std::int64_t>(groups.front().size()) >= slice.replicas);
  if (all) return collective_seconds(op, bytes, slice, constants);
  double slowest = 0;
  for (const Dims& group : groups) {
    if (alone({group})) continue;
    const Part part = part_of(group, slice);
    double seconds = 0;
    if (op != Op::collective_permute)
      seconds = collective_seconds(op, part.load * bytes, part.slice, constants);
    else if (part.slice.chips > 1)
      seconds = collective_seconds(op, bytes, slice, constants);
    else
      seconds = 2 * bytes / (slice.chip.hbm_bandwidth * constants.hbm_efficiency);
    slowest = std::max(slowest, seconds);
  }
  return slowest;
}

ReplicaGroups groups_of(const Node& collective) {
  return std::visit(
      [](const auto& attributes) {
        if constexpr (requires { attributes.replica_groups; })
          return attributes.replica_groups;
        else if constexpr (requires { attributes.source_target_pairs; })
          return attributes.source_target_pairs;
        else
          return ReplicaGroups{};
      },
      collective.attributes);
}

bool alone(const ReplicaGroups& groups) {
  return !groups.empty() && std::all_of(groups.begin(), groups.end(), [](const Dims& group) {
    return std::all_of(group.begin(), group.end(), [&](std::int64_t replica) { return replica == group.front(); });
  });
}

}  // namespace octet::tpu
