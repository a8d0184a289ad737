#include <cmath>
#include <string>
#include <utility>
#include <vector>
import octet;
import facts;
using namespace octet;

struct Model {
  Array slope;
};
Model step(const Model& model, const Array& x, const Array& y);
Readiness readiness();

double figure(const CheckLine& line, const std::string& name) {
  for (const Figure& each : line.figures)
    if (each.name == name) return each.value;
  return 0;
}

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
  const bool node = report.line("data").finding.find("TPU node") != std::string::npos;
  facts::result("the slice is reached as", node ? "a TPU node" : "a TPU VM", "a TPU node");
  const CheckLine& input = report.line("input");  // knows the batch by how fast the chips would take it
  const double batch = figure(input, "needed_examples_per_second") * figure(input, "step_seconds");
  facts::at_least("examples of a batch", std::round(batch), 60);
  facts::at_least("collectives of a step", figure(report.line("gradients"), "collectives"), 1);

  // The mean gradient is 2 (0 - 31.5), and a tenth of it is subtracted.
  const tpu::Slice slice = tpu::slice("v3-8");
  const auto stepped =
      facts::on_replicas([](const std::vector<Array>& x) { return std::vector{step({x[0]}, x[1], x[2]).slope}; }, slice,
                         facts::shared_out(slice, {facts::number(0)}, {facts::filled({64}, 1), facts::counted(64)}));
  for (const unsigned replica : {0u, 7u})
    facts::result("slope on replica " + std::to_string(replica) + " after a step from 0, x all 1, y {0, 1, ..., 63}",
                  stepped[replica][0], facts::number(6.3), 1e-4);
}
