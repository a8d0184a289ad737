#include "output.hpp"

#include "check_padding.hpp"
import octet.standard;
import octet;

namespace program {

namespace nn = octet::nn;

namespace {

/// What is changed, by the finding.
constexpr std::pair<std::string_view, std::string_view> sizes[] = {{"padded_sequence", "the sequence"},
                                                                   {"padded_vocabulary", "the vocabulary"},
                                                                   {"padded_hidden", "the hidden size"},
                                                                   {"padded_intermediate", "the intermediate size"}};

/// The change that a finding proposes, as a sentence that stands alone: {size} is made {1}, or {2}. Without the times
/// of `octet estimate`, whose step is another than the one that the line on time tells of; what is not listed has none.
constexpr std::pair<std::string_view, std::string_view> changes[] = {
    {"fill_up", "make {size} {1}, which takes no longer"},
    {"fill_up_or_below", "make {size} {1}, which takes no longer; or {2}, which saves the time that goes into padding"},
    {"down_to", "make {size} {1}, which saves the time that goes into padding"},
    {"other_length", "make {size} {1}"},
    {"longer_positions", "take a model of {1} positions, and fill them"}};

std::string cure_of(const nn::Finding& finding) {
  const auto change = std::ranges::find(changes, finding.remedy, &std::pair<std::string_view, std::string_view>::first);
  if (change == std::end(changes)) return finding.change;
  std::string cure{change->second};
  const auto put = [&](std::string_view place, std::string_view value) {
    if (const std::size_t at = cure.find(place); at != cure.npos) cure.replace(at, place.size(), value);
  };
  for (const auto& [id, size] : sizes)
    if (finding.id == id) put("{size}", size);
  for (std::size_t i = 0; i < finding.changes.size(); ++i)
    put("{" + std::to_string(i + 1) + "}", grouped(std::llround(finding.changes[i].value)));
  return cure;
}

}  // namespace

void judge_padding(octet::CheckLine& line, nn::TrainingJob job) {
  if (line.verdict != octet::Verdict::warn || line.faults.empty()) return;
  // The step's operations stand in the library's source, where there is nothing to mend.
  for (octet::Diagnostic& fault : line.faults) fault.where = {};
  // A batch that cannot be shared is told in a line of its own, and judged as if it were filled up.
  const std::int64_t rest = job.batch % job.slice.replicas;
  if (rest > 0) job.padding = job.slice.replicas - rest;
  job.batch += job.padding;
  const nn::TrainingEstimate estimate = nn::estimate_training(job);
  std::vector<octet::Diagnostic> faults;
  for (const nn::Finding& finding : nn::findings(job, estimate))
    if (finding.id.starts_with("padded_"))
      faults.push_back({.number = line.number(), .sentence = finding.sentence, .fix = {cure_of(finding)}});
  if (faults.empty()) return;
  line.faults = octet::Error{std::move(faults)}.diagnostics();
  line.finding = line.faults.front().sentence;
  // Said of the products as they are, which a changed size takes out of memory's hold.
  for (std::string& each : line.evidence) each = each.substr(0, each.find(", which takes no time"));
  line.cure.clear();
  for (const octet::Diagnostic& fault : line.faults) line.cure.push_back(fault.fix.front());
}

}  // namespace program
