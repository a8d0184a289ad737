module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :memory;

namespace octet::tpu {

std::int64_t most_that_fit(double capacity, std::int64_t most, const std::function<Fit(std::int64_t)>& need) {
  // What must stay grows about evenly with the batch: a line through two batches tells where to look, and what is found
  // there, where to look next.
  if (most < 1) return 0;
  most = std::min(most, std::numeric_limits<std::int64_t>::max() - 1);
  std::int64_t fits = 0, above = most + 1;
  if (most < 16) {  // too few for a line
    while (above - fits > 1) {
      const std::int64_t middle = fits + (above - fits) / 2;
      (need(middle).fits ? fits : above) = middle;
    }
    return fits;
  }
  const Fit eight = need(8), sixteen = need(16);
  double slope = std::max(1.0, (sixteen.bytes - eight.bytes) / 8);
  double at_fits = eight.bytes - 8 * slope, at_above = 0;
  const auto looked_at = [&](std::int64_t count, const Fit& found) {
    (found.fits ? fits : above) = count;
    (found.fits ? at_fits : at_above) = found.bytes;
  };
  looked_at(8, eight);
  if (eight.fits) looked_at(16, sixteen);
  constexpr int guesses = 8;  // from there on by halves
  int tries = 0;
  while (above - fits > 1) {
    if (above <= most) slope = std::max(1.0, (at_above - at_fits) / static_cast<double>(above - fits));
    // Of few examples what does not grow may need more than what grows: such a line would tell too much.
    const auto farthest = static_cast<double>(std::min(above - 1, 8 * fits + 8));
    const double guess = static_cast<double>(fits) + (capacity - at_fits) / slope;
    // Bytes that are no number tell nothing.
    const double line = std::isfinite(guess) ? std::clamp(guess, static_cast<double>(fits + 1), farthest)
                                             : static_cast<double>(fits + (above - fits) / 2);
    const std::int64_t middle = std::min(fits + (above - fits) / 2, 2 * fits + 1);
    const std::int64_t next = tries++ < guesses ? static_cast<std::int64_t>(line) : middle;
    looked_at(next, need(next));
  }
  return fits;
}

}  // namespace octet::tpu
