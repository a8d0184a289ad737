
#include "json.hpp"

#include "check_report.hpp"
#include "messages.hpp"
import octet.standard;
import octet;

namespace program {

using octet::Verdict;

std::string json_of(const octet::Readiness& readiness) {
  std::vector<JsonObject> lines;
  for (const octet::CheckLine& line : readiness.lines) {
    JsonObject figures;
    for (const octet::Figure& figure : line.figures) figures.add(figure.name, figure.value);
    std::vector<JsonObject> faults;
    for (const octet::Diagnostic& fault : line.faults) faults.push_back(json_of_fault(fault));
    JsonObject object;
    object.add("id", line.id).add("question", line.question).add("verdict", name(line.verdict));
    if (line.number()) object.add("number", octet::diagnostic_name(line.number()));
    lines.push_back(object.add("finding", line.finding)
                        .add("evidence", line.evidence)
                        .add("cure", line.cure)
                        .add("figures", figures)
                        .add("faults", faults));
  }
  const auto count = [&](Verdict verdict) { return readiness.count(verdict); };
  return JsonObject{}
      .add("program", readiness.program)
      .add("slice", readiness.slice)
      .add("ready", readiness.ready())
      .add("known", readiness.known())
      .add("passed", count(Verdict::pass))
      .add("warned", count(Verdict::warn))
      .add("failed", count(Verdict::fail))
      .add("not_judged", count(Verdict::not_judged))
      .add("lines", lines)
      .text();
}

}  // namespace program
