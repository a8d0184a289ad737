module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :fused;
import :precision_report;

namespace octet::tpu {

namespace {

constexpr double smallest_normal = 0x1p-126;  // of f32 and of bf16
constexpr double largest_half = 65504, smallest_half = 0x1p-24;
constexpr double much = 0.1;  // of the updates

bool is_float(DType dtype) { return dtype == DType::f32 || dtype == DType::bf16 || dtype == DType::f64; }

/// Rounded to bf16 as a TPU holds it: subnormal numbers are 0.
float held(float value) {
  const float rounded = rounded_to_bfloat16(value);
  return std::fabs(rounded) < static_cast<float>(smallest_normal) ? 0.0f : rounded;
}

void add(TensorPrecision& to, const TensorPrecision& from) {
  to.seen += from.seen;
  to.changed += from.changed;
  to.vanished += from.vanished;
  to.largest = std::max(to.largest, from.largest);
  if (from.smallest > 0) to.smallest = to.smallest > 0 ? std::min(to.smallest, from.smallest) : from.smallest;
  to.not_finite += from.not_finite;
  to.overflowed += from.overflowed;
  to.underflowed += from.underflowed;
  to.half_overflowed += from.half_overflowed;
  to.half_underflowed += from.half_underflowed;
}

std::string percent(double share) {
  return shortest_decimal(static_cast<float>(std::round(1000 * share) / 10), Notation::plain) + " %";
}

/// The worst by `measure`, as far as they are worth naming.
std::string worst(const std::vector<TensorPrecision>& tensors, const auto& measure) {
  std::vector<const TensorPrecision*> order;
  for (const TensorPrecision& each : tensors)
    if (measure(each) > 0) order.push_back(&each);
  std::sort(order.begin(), order.end(), [&](const TensorPrecision* a, const TensorPrecision* b) {
    return measure(*a) != measure(*b) ? measure(*a) > measure(*b) : a->name < b->name;
  });
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()); ++i)
    names += (i ? ", '" : "'") + order[i]->name + "'";
  if (order.size() > 3) names += " and " + std::to_string(order.size() - 3) + " more";
  return names;
}

std::vector<TensorPrecision> of_state(const PrecisionReport& report, bool moments) {
  std::vector<TensorPrecision> result;
  for (const TensorPrecision& each : report.state)
    if ((each.name.find("_moment") != each.name.npos) == moments) result.push_back(each);
  return result;
}

}  // namespace

void note_values(TensorPrecision& to, const Tensor& tensor) {
  if (!is_float(tensor.dtype())) return;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    const double value = tensor.at(i), magnitude = std::fabs(value);
    ++to.seen;
    if (!std::isfinite(value)) {
      ++to.not_finite;
      continue;
    }
    to.largest = std::max(to.largest, magnitude);
    if (magnitude == 0) continue;
    to.smallest = to.smallest > 0 ? std::min(to.smallest, magnitude) : magnitude;
    const float rounded = held(static_cast<float>(value));
    to.overflowed += std::isinf(rounded);
    to.underflowed += rounded == 0;
    to.half_overflowed += magnitude >= largest_half + 16;  // half of the distance to what would be next
    to.half_underflowed += magnitude <= smallest_half / 2;
  }
}

void note_update(TensorPrecision& to, const Tensor& before, const Tensor& after) {
  if (!is_float(before.dtype())) return;
  if (before.type() != after.type())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = "'" + to.name + "' was " + to_string(before.type()) + " before the step and is " +
                                    to_string(after.type()) + " after it."};
    });
  note_values(to, after);
  for (std::int64_t i = 0; i < before.elements(); ++i) {
    const auto was = static_cast<float>(before.at(i)), is = static_cast<float>(after.at(i));
    const float change = is - was;
    if (!(change != 0) || !std::isfinite(change)) continue;
    ++to.changed;
    to.vanished += held(held(was) + change) == held(was);
  }
}

void note_step(PrecisionReport& report, const std::vector<std::string>& names, const std::vector<Tensor>& before,
               const std::vector<Tensor>& after) {
  if (names.size() != before.size() || names.size() != after.size())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = std::to_string(names.size()) + " names were given for " +
                                    std::to_string(before.size()) + " tensors before a step and " +
                                    std::to_string(after.size()) + " after it."};
    });
  ++report.updates;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_float(before[i].dtype())) continue;
    auto at = std::find_if(report.state.begin(), report.state.end(),
                           [&](const TensorPrecision& each) { return each.name == names[i]; });
    if (at == report.state.end()) at = report.state.insert(at, TensorPrecision{.name = names[i]});
    note_update(*at, before[i], after[i]);
  }
}

void note_program(PrecisionReport& report, const Graph& graph, std::vector<Tensor> arguments, Precision precision,
                  Threads& threads) {
  const FusedProgram program = fused(graph);
  std::map<ValueId, std::string> stored;
  for (const FusedOperation& operation : program.operations)
    for (const ValueId id : operation.writes) {
      const auto v = static_cast<std::size_t>(id);
      if (v >= graph.values().size() || !is_float(graph.values()[v].type.dtype) || graph.values()[v].node < 0) continue;
      stored[id] = operation.description + (operation.place.known() ? " (" + to_string(operation.place) + ")" : "");
    }
  for (const ValueId id : graph.results())
    if (is_float(graph.type(id).dtype)) stored.try_emplace(id, "a result");
  Graph looked_at = graph;
  std::vector<ValueId> ids;
  for (const auto& [id, name] : stored) ids.push_back(id);
  looked_at.set_results(ids);
  const std::vector<Tensor> values = compile(looked_at, {.precision = precision}).run(std::move(arguments), threads);
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < report.values.size(); ++i) known[report.values[i].name] = i;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& name = stored[ids[i]];
    const auto [at, is_new] = known.try_emplace(name, report.values.size());
    if (is_new) report.values.push_back({.name = name});
    note_values(report.values[at->second], values[i]);
  }
}

TensorPrecision total(std::string name, const std::vector<TensorPrecision>& tensors) {
  TensorPrecision result{.name = std::move(name)};
  for (const TensorPrecision& each : tensors) add(result, each);
  return result;
}

std::vector<Diagnostic> judged(const PrecisionReport& report, bool in_bf16) {
  std::vector<Diagnostic> result;
  const auto share = [](const TensorPrecision& each) { return each.vanished_share(); };
  const std::string verb = in_bf16 ? " vanish" : " would vanish if they were kept in bf16";
  const std::vector<TensorPrecision> weights = of_state(report, false), moments = of_state(report, true);
  if (const TensorPrecision all = total("weights", weights); all.vanished_share() >= much)
    result.push_back({.number = 506,
                      .sentence = percent(all.vanished_share()) + " of the updates of weights" + verb + ", most in " +
                                  worst(weights, share) + "."});
  std::vector<TensorPrecision> everything = report.values;
  everything.insert(everything.end(), report.state.begin(), report.state.end());
  const auto outside = [](const TensorPrecision& each) { return each.overflowed + each.not_finite; };
  if (const TensorPrecision all = total("values", everything); outside(all) > 0)
    result.push_back({.number = 507,
                      .sentence = std::to_string(static_cast<std::int64_t>(outside(all))) +
                                  (outside(all) == 1 ? " element is" : " elements are") +
                                  " beyond bf16's range or not finite, most in " + worst(everything, outside) + "."});
  if (const TensorPrecision all = total("moments", moments); all.vanished_share() >= much)
    result.push_back({.number = 508,
                      .sentence = percent(all.vanished_share()) +
                                  " of the updates of moments would vanish if they were kept in bf16, most in " +
                                  worst(moments, share) + "."});
  return Error{std::move(result)}.diagnostics();  // with their rules and cures
}

}  // namespace octet::tpu
