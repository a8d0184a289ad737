#include "output.hpp"

#include "sharding_cure.hpp"
import octet.standard;
import octet;

namespace program {

namespace nn = octet::nn;

namespace {

double figure(const octet::CheckLine& line, std::string_view name) {
  const auto at = std::ranges::find(line.figures, name, &octet::Figure::name);
  return at == line.figures.end() ? 0 : at->value;
}

std::string size_text(double bytes) {
  if (bytes < 1e8) return fixed(bytes / 1e6, 1) + " MB";
  return fixed(bytes / 1e9, bytes < 1e10 ? 2 : 1) + " GB";
}

}  // namespace

void propose_sharding(octet::CheckLine& line, const nn::TrainingJob& job,
                      const std::function<octet::CheckLine()>& recomputing) {
  const double capacity = figure(line, "capacity_bytes"), peak = figure(line, "needed_bytes"),
               least = figure(line, "least_bytes");
  const std::int64_t replicas = job.slice.replicas, examples = job.batch / nn::shares_of(job);
  if (peak <= capacity || replicas < 2 || job.code.sharded_update) return;
  const double moments = 2 * 4 * nn::parameter_count(job.model),
               freed = moments - moments / static_cast<double>(replicas);
  line.evidence.push_back("of the arguments, the optimizer's state is " + size_text(moments) +
                          ", all of it on each replica");
  const bool suffices = least - freed <= capacity, whole = peak - freed <= capacity;
  if (suffices && !whole && line.verdict != octet::Verdict::fail) return;  // as it is without
  // Where the program must ask for recomputing besides, as XLA alone would not do so much.
  const bool asks = !whole && peak - freed > figure(line, "most_without_asking_bytes");
  const std::string cure = "shard the optimizer's state over the replicas (--shard-optimizer)",
                    then = ": " + size_text((whole ? peak : least) - freed);
  // Before chips that cost more, and what does not suffice last.
  const auto before_chips = line.cure.begin() + static_cast<std::ptrdiff_t>(line.cures_here);
  if (suffices) {
    line.cure.insert(before_chips, cure + then +
                                       (whole ? ", which fits" : ", which fits with all recomputed that can be") +
                                       (asks ? " (--gradient-checkpointing)" : ""));
  } else {
    const octet::CheckLine asked = recomputing();
    // That which fits with what is asked for; if none, with more than that dropped.
    const double kept = figure(asked, "largest_batch_without_recomputing_per_replica");
    const std::int64_t parts = job.accumulate,
                       each = static_cast<std::int64_t>(kept > 0 ? kept : figure(asked, "largest_batch_per_replica")) /
                              parts;
    const bool asks_already = job.code.program.gradient_checkpointing;
    if (asked.verdict != octet::Verdict::fail)
      line.cure.insert(before_chips, cure + ": " + size_text(figure(asked, "least_bytes")) +
                                         ", which fits with all recomputed that can be" +
                                         (asks_already ? "" : " (--gradient-checkpointing)"));
    else if (each > 0 && each < examples)
      line.cure.insert(before_chips,
                       cure + ", and take at most " + counted(each, "example") +
                           (parts > 1 ? " a replica in each part" : " a replica") +
                           (asks_already ? "" : ", with recomputing asked for (--gradient-checkpointing)"));
    else
      line.cure.push_back(cure + then + ", still too much");
  }
  for (octet::Diagnostic& fault : line.faults) fault.fix = line.cure;
}

}  // namespace program
