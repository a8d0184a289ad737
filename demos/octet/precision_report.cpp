
#include "json.hpp"
#include "output.hpp"

#include "messages.hpp"
#include "precision_report.hpp"
import octet.standard;
import octet;

namespace program {

namespace tpu = octet::tpu;

namespace {

constexpr std::size_t most_lines = 6;

bool is_moment(const tpu::TensorPrecision& each) { return each.name.find("_moment") != each.name.npos; }

std::vector<tpu::TensorPrecision> of(const tpu::PrecisionReport& report, bool moments) {
  std::vector<tpu::TensorPrecision> result;
  for (const tpu::TensorPrecision& each : report.state)
    if (is_moment(each) == moments) result.push_back(each);
  return result;
}

std::string percent(double share) { return fixed(100 * share, 1) + " %"; }
std::string magnitude(double number) { return number > 0 ? octet::scientific_decimal(number, 2) : "0"; }

std::string line_of(const tpu::TensorPrecision& each, bool updates) {
  std::string text = "  " + each.name + ": ";
  if (updates) text += percent(each.vanished_share()) + " of its updates, ";
  text += magnitude(each.smallest) + " to " + magnitude(each.largest);
  if (each.not_finite > 0) text += ", " + fixed(each.not_finite, 0) + " not finite";
  if (each.overflowed > 0) text += ", " + fixed(each.overflowed, 0) + " infinite in bf16";
  if (each.underflowed > 0) text += ", " + fixed(each.underflowed, 0) + " lost to 0";
  return text;
}

/// The tensors of which most is lost.
std::string worst(std::vector<tpu::TensorPrecision> tensors, bool updates) {
  const auto lost = [&](const tpu::TensorPrecision& each) {
    return updates ? each.vanished_share()
                   : (each.not_finite + each.overflowed + each.underflowed) / std::max(1.0, each.seen);
  };
  std::sort(tensors.begin(), tensors.end(),
            [&](const auto& a, const auto& b) { return lost(a) != lost(b) ? lost(a) > lost(b) : a.name < b.name; });
  std::string text;
  for (std::size_t i = 0; i < std::min(most_lines, tensors.size()) && lost(tensors[i]) > 0; ++i)
    text += line_of(tensors[i], updates) + "\n";
  return text;
}

JsonObject json_of(const tpu::TensorPrecision& each) {
  return JsonObject{}
      .add("name", each.name)
      .add("elements_seen", each.seen)
      .add("changed", each.changed)
      .add("vanished", each.vanished)
      .add("vanished_share", each.vanished_share())
      .add("smallest", each.smallest)
      .add("largest", each.largest)
      .add("not_finite", each.not_finite)
      .add("bf16_overflows", each.overflowed)
      .add("bf16_underflows", each.underflowed)
      .add("fp16_overflows", each.half_overflowed)
      .add("fp16_underflows", each.half_underflowed);
}

}  // namespace

std::string text_of(const tpu::PrecisionReport& report, const octet::train::TrainOptions& options) {
  const bool in_bf16 = options.parameters == octet::DType::bf16;
  const tpu::TensorPrecision weights = tpu::total("weights", of(report, false)),
                             moments = tpu::total("moments", of(report, true)),
                             values = tpu::total("values", report.values);
  std::string text = "precision, over " + std::to_string(report.updates) + (report.updates == 1 ? " step" : " steps") +
                     " that were looked at\n";
  text += std::string{in_bf16 ? "updates of weights that vanish in bf16: "
                              : "updates of weights that bf16 would lose, and f32 keeps: "} +
          percent(weights.vanished_share()) + "\n" + worst(of(report, false), true);
  text += "updates of moments that bf16 would lose, and f32 keeps: " + percent(moments.vanished_share()) + "\n" +
          worst(of(report, true), true);
  text += "numbers within a step: " + magnitude(values.smallest) + " to " + magnitude(values.largest) +
          "; bf16 has no room for " + fixed(values.overflowed + values.not_finite, 0) + " of them and loses " +
          percent(values.underflowed / std::max(1.0, values.seen)) + " to 0, fp16 " +
          fixed(values.half_overflowed + values.not_finite, 0) + " and " +
          percent(values.half_underflowed / std::max(1.0, values.seen)) + "\n" + worst(report.values, false);
  for (const octet::Diagnostic& each : tpu::judged(report, in_bf16)) text += each.text() + "\n";
  text.pop_back();
  return text;
}

JsonObject json_of(const tpu::PrecisionReport& report, const octet::train::TrainOptions& options) {
  std::vector<JsonObject> state, values, findings;
  for (const tpu::TensorPrecision& each : report.state) state.push_back(json_of(each));
  for (const tpu::TensorPrecision& each : report.values) values.push_back(json_of(each));
  for (const octet::Diagnostic& each : tpu::judged(report, options.parameters == octet::DType::bf16))
    findings.push_back(json_of_fault(each));
  return JsonObject{}
      .add("steps", report.updates)
      .add("weights", json_of(tpu::total("weights", of(report, false))))
      .add("moments", json_of(tpu::total("moments", of(report, true))))
      .add("within_a_step", json_of(tpu::total("values", report.values)))
      .add("state", state)
      .add("values", values)
      .add("findings", findings);
}

}  // namespace program
