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

}  // namespace

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
  for (const MemoryChoice& choice : choices)
    if (choice.fits && diagnostic.fix.size() < 3)
      diagnostic.fix.push_back(choice.what + ": " + gigabytes(choice.peak) + ", " +
                               with_a_digit(choice.step_seconds * 1e3) + " ms a step");
  return diagnostic;
}

}  // namespace octet::nn
