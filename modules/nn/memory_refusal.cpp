module octet.nn;
import octet.base;
import octet.standard;
import octet.tpu;
import :finding_text;
import :memory_refusal;
import :training_cost;

namespace octet::nn {

namespace {

constexpr std::size_t most_fixes = 3;

std::string with_a_digit(double value) {
  const long long tenths = std::llround(10 * value);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}
std::string gigabytes(double bytes) { return with_a_digit(bytes / 1e9) + " GB"; }

std::string told(const MemoryChoice& choice) {
  return choice.what + ": " + gigabytes(choice.peak) + ", " + with_a_digit(choice.step_seconds * 1e3) + " ms a step";
}

/// `sequences` in each of so many parts of a step.
std::string at_most(std::int64_t sequences, std::int64_t replicas, std::int64_t parts) {
  const std::int64_t all = sequences * parts;
  return "take at most " + std::to_string(all) + (all == 1 ? " sequence" : " sequences") + " a replica, " +
         grouped(static_cast<double>(all * replicas)) + (parts > 1 ? " in a step" : " at once");
}

/// The same batch in the fewest parts that fit, where `largest_batch` are the most sequences of `job` as it is.
std::optional<MemoryChoice> accumulated(const TrainingJob& job, std::int64_t sequences, std::int64_t largest_batch) {
  for (std::int64_t parts = 2; parts <= sequences; ++parts) {
    if (sequences % parts != 0 || sequences / parts > largest_batch) continue;
    TrainingJob changed = job;
    changed.accumulate *= parts;
    const TrainingEstimate then = estimate_training(changed);
    if (then.memory.fits)  // beside the gradients that are added up
      return MemoryChoice{
          "accumulate",
          accumulation_text(changed.accumulate) + " (--accumulate " + std::to_string(changed.accumulate) + ")",
          then.memory.needed, then.step, true};
  }
  return std::nullopt;
}

/// Whether one sequence for each replica and part fits.
bool one_fits(TrainingJob job) {
  job.padding = 0;
  job.batch = shares_of(job);
  return estimate_training(job).memory.fits;
}

/// What a job can give up, from what changes the training least.
struct Change {
  std::string what;
  bool (*possible)(const TrainingJob&);
  void (*make)(TrainingJob&);
};
const Change changes[] = {
    {"no gradients added up (--accumulate 1)", [](const TrainingJob& job) { return job.accumulate > 1; },
     [](TrainingJob& job) {
       job.accumulate = 1;
       job.batch -= std::exchange(job.padding, 0);  // the parts' own
       job = padded_evenly(std::move(job));
     }},
    {"optimizer state sharded over the replicas (--shard-optimizer)",
     [](const TrainingJob& job) { return !job.code.sharded_update && shares_of(job) > job.accumulate; },
     [](TrainingJob& job) { job.code.sharded_update = true; }},
    {"bf16 activations (--activations bf16)", [](const TrainingJob& job) { return job.code.activations == DType::f32; },
     [](TrainingJob& job) { job.code.activations = DType::bf16; }},
    {"Adafactor, which keeps no moments (--optimizer adafactor)",
     [](const TrainingJob& job) { return job.code.update != UpdateRule::adafactor; },
     [](TrainingJob& job) { job.code.update = UpdateRule::adafactor; }},
};

/// The fewest of the changes that together make `job` fit, its batch in parts where it takes them. After those, the
/// fewest with which, though that batch still does not fit, a replica takes more sequences than `largest_now`.
std::vector<std::string> together(const TrainingJob& job, std::int64_t largest_now) {
  std::vector<std::string> result, smaller;
  int smaller_size = 0;
  constexpr unsigned count = std::size(changes);
  for (int size = 1; size <= static_cast<int>(count) && result.empty(); ++size)
    for (unsigned chosen = 1; chosen < 1u << count; ++chosen) {
      if (std::popcount(chosen) != size) continue;
      TrainingJob changed = job;
      std::string what;
      bool possible = true;
      for (unsigned i = 0; i < count; ++i) {
        if (!(chosen >> i & 1)) continue;
        possible = possible && changes[i].possible(job);
        changes[i].make(changed);
        what += (what.empty() ? "" : " and ") + changes[i].what;
      }
      if (!possible || !one_fits(changed)) continue;
      const std::int64_t most = largest_batch(changed), sequences = changed.batch / shares_of(changed);
      std::optional<MemoryChoice> parts;
      if (sequences > most && changed.accumulate == job.accumulate) parts = accumulated(changed, sequences, most);
      if (sequences <= most) {
        const TrainingEstimate then = estimate_training(changed);
        result.push_back(told({"", what, then.memory.needed, then.step, true}));
      } else if (parts) {
        result.push_back(told({"", what + ", " + parts->what, parts->peak, parts->step_seconds, true}));
      } else if (most > largest_now && (smaller.empty() || smaller_size == size)) {
        smaller.push_back(what + ": " + at_most(most, shares_of(changed) / changed.accumulate, changed.accumulate));
        smaller_size = size;
      }
    }
  result.insert(result.end(), smaller.begin(), smaller.end());
  return result;
}

/// Where nothing else helps: chips with more memory, as many as now at least.
std::string larger_chips(const TrainingJob& job) {
  std::vector<std::string> chips;
  const auto on = [&](const std::string& name) {
    TrainingJob there = job;
    there.slice = tpu::slice(name);
    return there;
  };
  for (const tpu::Chip& chip : tpu::chips()) {
    const std::vector<std::string> names = tpu::slice_names(chip);
    const auto at = std::find_if(names.begin(), names.end(),
                                 [&](const std::string& name) { return tpu::slice(name).chips >= job.slice.chips; });
    if (at != names.end() && chip.name != job.slice.chip.name && one_fits(on(*at))) chips.push_back(*at);
  }
  if (chips.empty())
    return "cut the model into parts: as it is computed here, one sequence of it fits on no chip that is known";
  std::string names;
  for (std::size_t i = 0; i < chips.size(); ++i)
    names += (i == 0 ? "" : i + 1 == chips.size() ? " or " : ", ") + chips[i];
  const bool several = job.batch > shares_of(job);
  return "chips with more memory: computed as it is here, one sequence a replica fits" +
         std::string{several ? ", if not all of this batch, on " : " on "} + names;
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
  std::vector<std::string>& fix = diagnostic.fix;
  if (largest_batch > 0) fix.push_back(at_most(largest_batch, estimate.replicas, job.accumulate));
  bool in_parts = false, whole_batch = false;
  for (const MemoryChoice& choice : choices) {
    if (!choice.fits) continue;
    in_parts |= choice.id == "accumulate";
    whole_batch |= choice.id != "half_batch";
    fix.push_back(told(choice));
  }
  if (!in_parts)
    if (const auto parts = accumulated(job, estimate.sequences, largest_batch)) {
      fix.push_back(told(*parts));
      whole_batch = true;
    }
  if (!whole_batch)
    for (std::string& each : together(job, largest_batch)) fix.push_back(std::move(each));
  if (fix.empty()) fix.push_back(larger_chips(job));
  if (fix.size() > most_fixes) fix.resize(most_fixes);
  return diagnostic;
}

}  // namespace octet::nn
