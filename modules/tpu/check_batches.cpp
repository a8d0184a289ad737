/// How many examples fit into the memory of a replica.
module octet.tpu;
import octet.base;
import octet.standard;
import :check;
import :check_lines;
import :check_need;
import :memory;

namespace octet {

namespace {

/// With nothing recomputed.
tpu::Fit kept(const Need& need, double capacity) { return {need.peak, need.peak <= capacity}; }
/// With what can be.
tpu::Fit recomputed(const Need& need, double capacity) { return {need.least(), need.fits(capacity)}; }
/// With as much as XLA alone may do.
tpu::Fit unasked(const Need& need, double capacity) { return {need.unasked(), need.unasked() <= capacity}; }

/// The fewest equal parts of so many examples of which none has more than `most`; 0 where that takes parts of a few
/// examples, as of a prime number of them.
std::int64_t parts_of(std::int64_t examples, std::int64_t most) {
  const std::int64_t fewest = (examples + most - 1) / most;
  std::int64_t parts = fewest;
  while (examples % parts != 0) ++parts;
  return parts <= 4 * fewest ? parts : 0;
}

}  // namespace

std::int64_t most_examples(std::int64_t examples) { return std::max(std::int64_t{1} << 20, examples); }

std::optional<Limits> largest_batches(const Checked& checked, BatchNeeds& needs, std::int64_t examples,
                                      double capacity) {
  if (checked.candidate.of_one_replica || examples == 0) return std::nullopt;
  const std::int64_t parts = checked.candidate.parts;
  const auto most = [&](tpu::Fit (*fit)(const Need&, double)) {
    return parts * needs.most(most_examples(examples) / parts, {false, parts}, capacity, fit, fit == kept);
  };
  try {
    Limits limits{.recomputing = most(recomputed)};
    limits.kept = most(kept);  // last, as then some of what it asks for is known
    if (limits.recomputing > limits.kept) {
      const Need& need = needs.of(limits.recomputing);
      limits.recompute_seconds = need.recompute_seconds(capacity);
      limits.step_seconds = need.step_seconds;
      limits.must_ask = need.must_ask(capacity);
    }
    return limits;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<Smaller> smaller_batch(const Checked& checked, BatchNeeds& needs, std::int64_t examples, double capacity,
                                     bool asks, bool only_kept) {
  const std::int64_t now = checked.candidate.parts;
  const auto most = [&](std::int64_t parts, tpu::Fit (*fit)(const Need&, double)) {
    return needs.most(most_examples(examples) / parts, {asks, parts}, capacity, fit, fit == kept);
  };
  const auto fits = [&](std::int64_t count, std::int64_t parts, tpu::Fit (*fit)(const Need&, double)) {
    return fit(needs.of(count, {asks, parts}, fit == kept), capacity).fits;
  };
  const auto in_parts = [&](tpu::Fit (*fit)(const Need&, double)) -> std::optional<Smaller> {
    // What is added up of them is there besides.
    for (std::int64_t each = most(std::max<std::int64_t>(2, now), fit); each > 0;) {
      const std::int64_t parts = parts_of(examples, each);
      if (parts <= now) break;
      if (fits(examples, parts, fit)) return Smaller{each, parts, asks};
      each = examples / parts - 1;
    }
    return std::nullopt;
  };
  try {
    for (const auto fit : {kept, unasked}) {
      if (fit == unasked && only_kept) break;
      if (!fits(now, now, fit)) continue;  // of one example each, nor do they in more parts
      if (auto smaller = in_parts(fit)) return smaller;
      if (const std::int64_t each = most(now, fit); now * each < examples) return Smaller{each, 0, asks};
    }
  } catch (const Error&) {  // it cannot be traced so
  }
  return std::nullopt;
}

std::optional<Smaller> guessed_batch(const Checked& checked, BatchNeeds& needs, std::int64_t examples, double capacity,
                                     const Limits& limits, bool fits) {
  const std::int64_t now = checked.candidate.parts;
  // The sums of their gradients stay while the parts are computed.
  const std::optional<Limits> in_parts =
      now > 1 ? limits : largest_batches(checked, needs, examples, capacity - gradient_bytes(checked));
  const auto most = [&](const std::optional<Limits>& each) {
    return !each ? 0 : (fits ? each->kept : each->recomputing) / now;
  };
  const std::int64_t parts = most(in_parts) > 0 ? parts_of(examples, most(in_parts)) : 0;
  const Limits& taken = parts > 0 ? *in_parts : limits;
  if (most(taken) == 0) return std::nullopt;
  return Smaller{most(taken), parts, !fits && taken.must_ask, false};
}

}  // namespace octet
