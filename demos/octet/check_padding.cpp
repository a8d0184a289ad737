#include "output.hpp"

#include "check_padding.hpp"
import octet.standard;
import octet;

namespace program {

namespace nn = octet::nn;

namespace {

/// What `make it 56` makes, by the finding.
constexpr std::pair<std::string_view, std::string_view> sizes[] = {{"padded_sequence", "the sequence"},
                                                                   {"padded_vocabulary", "the vocabulary"},
                                                                   {"padded_hidden", "the hidden size"},
                                                                   {"padded_intermediate", "the intermediate size"}};

/// The change that a finding proposes, as a sentence that stands alone: without the times of `octet estimate`, whose
/// step is another than the one that the line on time tells of.
std::string cure_of(const nn::Finding& finding) {
  std::string cure = finding.change;
  for (const auto& [id, size] : sizes)
    if (finding.id == id && cure.starts_with("make it ")) cure.replace(5, 2, size);
  return cure.substr(0, cure.find(": a step takes "));
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
