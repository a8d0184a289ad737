module octet.nn;
import octet.base;
import octet.standard;
import octet.tpu;
import :finding_text;
import :memory_refusal;
import :training_cost;

namespace octet::nn {

namespace {

std::string with_a_digit(double value) {
  const long long tenths = std::llround(10 * value);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}
std::string gigabytes(double bytes) { return with_a_digit(bytes / 1e9) + " GB"; }

/// The same batch in the fewest parts of which a replica takes at most `largest_batch` sequences at once.
std::optional<MemoryChoice> accumulated(const TrainingJob& job, std::int64_t sequences, std::int64_t largest_batch) {
  for (std::int64_t parts = 2; parts <= sequences; ++parts) {
    if (sequences % parts != 0 || sequences / parts > largest_batch) continue;
    TrainingJob changed = job;
    changed.accumulate *= parts;
    const TrainingEstimate then = estimate_training(changed);
    return MemoryChoice{"accumulate", accumulation_text(changed.accumulate), then.memory.needed, then.step,
                        then.memory.fits};
  }
  return std::nullopt;
}

}  // namespace

std::string accumulation_text(std::int64_t parts) {
  return "the same batch in " + std::to_string(parts) + " accumulation steps";
}

Diagnostic does_not_fit(const TrainingJob& job, const TrainingEstimate& estimate, std::int64_t largest_batch,
                        std::span<const MemoryChoice> choices) {
  const MemoryBudget& memory = estimate.memory;
  Diagnostic diagnostic{.number = 501,
                        .sentence = "A replica needs " + gigabytes(memory.needed) + " for " +
                                    std::to_string(estimate.sequences) + " x " + std::to_string(job.length) +
                                    " tokens, and a program on " + job.slice.name + " may use " +
                                    gigabytes(memory.capacity) + "."};
  if (largest_batch > 0)
    diagnostic.fix.push_back("take at most " + std::to_string(largest_batch) +
                             (largest_batch == 1 ? " sequence" : " sequences") + " a replica, " +
                             grouped(largest_batch * estimate.replicas) + " at once");
  const auto add = [&](const MemoryChoice& choice) {
    if (choice.fits && diagnostic.fix.size() < 3)
      diagnostic.fix.push_back(choice.what + ": " + gigabytes(choice.peak) + ", " +
                               with_a_digit(choice.step_seconds * 1e3) + " ms a step");
  };
  bool in_parts = false;
  for (const MemoryChoice& choice : choices) {
    in_parts |= choice.fits && choice.id == "accumulate";
    add(choice);
  }
  if (!in_parts)
    if (const auto parts = accumulated(job, estimate.sequences, largest_batch)) add(*parts);
  return diagnostic;
}

}  // namespace octet::nn
