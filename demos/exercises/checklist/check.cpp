#include <string>
#include <utility>
#include <vector>
import octet;
import facts;
using namespace octet;

Readiness readiness();

void check() {
  const Readiness report = readiness();
  std::vector<Diagnostic> faults;
  for (const CheckLine& line : report.lines)
    if (line.verdict == Verdict::fail || line.id == "gradients")
      faults.insert(faults.end(), line.faults.begin(), line.faults.end());
  if (!faults.empty()) throw Error{std::move(faults)};
  facts::at_most("lines of the checklist that fail", static_cast<double>(report.count(Verdict::fail)), 0);
  facts::result("the slice", report.slice, "v3-8");
  for (const char* id : {"data", "gradients"})
    facts::result(std::string{"verdict of "} + id, report.line(id).verdict == Verdict::pass ? "pass" : "no pass",
                  "pass");
  double collectives = 0;
  for (const Figure& figure : report.line("gradients").figures)
    if (figure.name == "collectives") collectives = figure.value;
  facts::at_least("collectives of a step", collectives, 1);
}
