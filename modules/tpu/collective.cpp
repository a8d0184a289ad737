module octet.tpu;
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
  const std::size_t dimensions = slice.torus.size();
  double links = 0, hops = 0, seconds = 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (slice.torus[d] > 1) links += slice.wraps[d] ? 2 : 1;
    // As often as a ring passes something on: the link that closes it doubles what travels at once, and each piece
    // still comes by all chips.
    hops += static_cast<double>(slice.torus[d] - 1);
  }
  if (links == 0) return 0;
  // Part p begins along dimension p, which has so many of the links, and goes on with the next ones.
  for (std::size_t round = 0; round < dimensions; ++round) {
    double slowest = 0;
    for (std::size_t part = 0; part < dimensions; ++part) {
      if (slice.torus[part] <= 1) continue;
      double left = bytes * (slice.wraps[part] ? 2 : 1) / links;
      for (std::size_t before = 0; before < round; ++before)
        left /= static_cast<double>(slice.torus[(part + before) % dimensions]);
      slowest = std::max(slowest, ring_seconds(left, slice, (part + round) % dimensions, constants));
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
  switch (op) {
    case Op::all_reduce:
      return std::max(together, 2 * half_all_reduce(bytes, slice, constants));
    case Op::reduce_scatter:
      return std::max(together, half_all_reduce(bytes, slice, constants));
    case Op::all_gather:
      return half_all_reduce(bytes * replicas, slice, constants);
    case Op::all_to_all: {
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

}  // namespace octet::tpu
