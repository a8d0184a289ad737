module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :buckets;
import :executable;
import :host_values;
import :options;
import :ordered_sums;
import :padding_advice;
import :padding_check;
import :real_part;
import :trace_difference;

namespace octet {

namespace {

std::string number(double x) { return shortest_decimal(static_cast<float>(x)); }

/// Every value of a program, on each replica.
std::vector<std::vector<Tensor>> all_values(const Graph& graph, const std::vector<HostArguments>& calls,
                                            Threads& threads) {
  std::vector<ValueId> defined, now, asked;
  for (const Node& node : graph.nodes()) defined.insert(defined.end(), node.outputs.begin(), node.outputs.end());
  Graph ordered = with_ordered_sums(graph, now);
  for (const ValueId id : defined) asked.push_back(now[static_cast<std::size_t>(id)]);
  ordered.set_results(std::move(asked));
  const Executable executable = Executable::compile(std::move(ordered), {.precision = Precision::f32});
  std::vector<std::vector<Tensor>> arguments;
  for (const HostArguments& call : calls) arguments.push_back(call.tensors);
  std::vector<std::vector<Tensor>> results = executable.run(arguments, threads);
  std::vector<std::vector<Tensor>> values(calls.size(), std::vector<Tensor>(graph.values().size()));
  for (std::size_t r = 0; r < calls.size(); ++r) {
    for (std::size_t i = 0; i < arguments[r].size(); ++i)
      values[r][static_cast<std::size_t>(graph.parameters()[i])] = std::move(arguments[r][i]);
    for (std::size_t i = 0; i < defined.size(); ++i)
      values[r][static_cast<std::size_t>(defined[i])] = std::move(results[r][i]);
  }
  return values;
}

/// The sums that `node` makes of `x`, in f64, in which their order does not show.
Tensor wide_sums(const Node& node, const Tensor& x, const Shape& shape) {
  Tensor result{DType::f64, shape};
  const Tensor wide = x.converted(DType::f64);
  const Dims& reduced = std::get<ReduceAttributes>(node.attributes).dimensions;
  const Dims from = x.shape().strides(), to = shape.strides();
  const auto sums = result.mutable_span<double>();
  const auto elements = wide.span<double>();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    std::int64_t rest = static_cast<std::int64_t>(i), place = 0;
    std::size_t kept = 0;
    for (std::int64_t d = 0; d < x.shape().rank(); ++d) {
      const std::int64_t stride = from[static_cast<std::size_t>(d)];
      if (std::ranges::find(reduced, d) == reduced.end()) place += rest / stride * to[kept++];
      rest %= stride;
    }
    sums[static_cast<std::size_t>(place)] += elements[i];
  }
  return result;
}

bool finite(double number) { return std::isfinite(number); }

/// How many operations, from the first on, are the same in both programs but for extents.
std::size_t common_operations(const Graph& own, const Graph& padded) {
  const std::size_t count = std::min(own.nodes().size(), padded.nodes().size());
  for (std::size_t i = 0; i < count; ++i) {
    const Node &a = own.nodes()[i], &b = padded.nodes()[i];
    if (a.op != b.op || a.inputs != b.inputs || a.outputs != b.outputs) return i;
    for (std::size_t k = 0; k < a.outputs.size(); ++k)
      if (own.type(a.outputs[k]).dtype != padded.type(b.outputs[k]).dtype ||
          own.type(a.outputs[k]).shape.rank() != padded.type(b.outputs[k]).shape.rank())
        return i;
  }
  return count;
}

class TwoRuns {
 public:
  TwoRuns(const Graph& own, const Graph& padded, const std::vector<HostArguments>& arguments,
          const std::vector<HostArguments>& padded_arguments, const std::vector<std::string>& results,
          const PaddingCheckOptions& options)
      : own_{own}, padded_{padded}, names_{results}, options_{options} {
    for (std::size_t i = 0; i < arguments.front().tensors.size(); ++i) {
      const Shape &from = arguments.front().tensors[i].shape(), &to = padded_arguments.front().tensors[i].shape();
      for (std::int64_t d = 0; d < from.rank(); ++d) {
        if (from[d] == to[d]) continue;
        report_.padded.push_back("dimension " + std::to_string(d) + " of " + arguments.front().names[i] + " from " +
                                 std::to_string(from[d]) + " to " + std::to_string(to[d]));
        if (std::ranges::find(pairs_, PaddedExtent{from[d], to[d]}) == pairs_.end()) pairs_.push_back({from[d], to[d]});
      }
    }
    if (pairs_.empty())
      fail({.number = 709,
            .sentence = "Nothing is padded: the arguments of " + options_.name +
                        " fill their buckets, so there is nothing to compare.",
            .fix = {"check with arguments that are shorter than their buckets",
                    "give the rules that pad them in .buckets"}});
    Threads alone;
    Threads& threads = options.threads ? *options.threads : alone;
    own_values_ = all_values(own, arguments, threads);
    padded_values_ = all_values(padded, padded_arguments, threads);
    common_ = common_operations(own, padded);
    differs_.resize(own.values().size());
    same_bits_ = leaks_ = differs_;
  }

  PaddingReport report() && {
    report_.results = own_.results().size();
    std::vector<std::size_t> differing;
    for (std::size_t i = 0; i < own_.results().size(); ++i) {
      const ValueId a = own_.results()[i], b = padded_.results()[i];
      const Found found = furthest(a, b);
      if (found.agrees && (found.off.largest == 0 || !leaks_below_tolerance(a))) continue;
      const Deviation& off = found.off;
      PaddingDifference difference{.result = names_[i], .replica = found.replica, .own = off.own, .padded = off.padded};
      std::int64_t rest = off.at;
      for (const std::int64_t stride : own_.type(a).shape.strides()) {
        difference.index.push_back(rest / std::max<std::int64_t>(stride, 1));
        rest %= std::max<std::int64_t>(stride, 1);
      }
      report_.differences.push_back(std::move(difference));
      differing.push_back(i);
    }
    if (!differing.empty()) blame(differing);
    return std::move(report_);
  }

 private:
  static std::size_t index(ValueId value) { return static_cast<std::size_t>(value); }

  /// How far a value is from its padded self on the replica where it is furthest off, those first where it is too far.
  struct Found {
    Deviation off;
    std::size_t replica = 0;
    bool agrees = true;
  };
  Found furthest(ValueId own, ValueId padded) const {
    std::optional<Found> worst;
    for (std::size_t r = 0; r < own_values_.size(); ++r) {
      Found found{deviation(own_values_[r][index(own)], padded_values_[r][index(padded)], pairs_), r};
      found.agrees = agrees(found.off, own, r);
      if (!worst || (worst->agrees && !found.agrees) ||
          (worst->agrees == found.agrees && found.off.largest > worst->off.largest))
        worst = found;
    }
    return *worst;
  }

  /// The size that differences of `value` are measured by. What adds up terms is as exact as the terms are, however
  /// small the sum.
  double scale(ValueId value, std::size_t replica) const {
    const std::vector<Tensor>& values = own_values_[replica];
    double size = usual_size(values[index(value)]);
    const Node* node = own_.definition(value);
    if (!node) return size;
    const auto of_input = [&](std::size_t i) { return usual_size(values[index(node->inputs[i])]); };
    if (node->op == Op::add || node->op == Op::subtract || node->op == Op::reduce)
      for (std::size_t i = 0; i < node->inputs.size(); ++i) size = std::max(size, of_input(i));
    if (node->op == Op::dot_general) size = std::max(size, of_input(0) * of_input(1));
    return size;
  }

  bool agrees(const Deviation& off, ValueId value, std::size_t replica) const {
    if (!off.found) return false;
    if (off.largest == 0) return true;
    if (!is_floating(own_.type(value).dtype) || std::isinf(off.largest)) return false;
    return off.largest <= options_.tolerance * std::max(std::abs(off.own), scale(value, replica));
  }

  /// Whether the real part of a value that both programs have differs.
  bool differs(ValueId value) {
    std::optional<bool>& known = differs_[index(value)];
    if (!known) known = !furthest(value, value).agrees || leaks(value);
    return *known;
  }

  /// Whether the real part of a value is the same to the bit, on all replicas.
  bool same_bits(ValueId value) {
    std::optional<bool>& known = same_bits_[index(value)];
    if (!known) {
      const Found found = furthest(value, value);
      known = found.off.found && found.off.largest == 0;
    }
    return *known;
  }

  /// Whether `value` differs in any bit, though its operation had the same bits to compute with and does not round by
  /// the extents it works on.
  bool leaks(ValueId value) {
    std::optional<bool>& known = leaks_[index(value)];
    if (known) return *known;
    known = false;
    const Node* node = own_.definition(value);
    if (!node || node->inputs.empty() || !node->regions.empty() || same_bits(value)) return false;
    for (const ValueId input : node->inputs)
      if (!same_bits(input)) return false;
    if (node->op == Op::reduce) {
      if (std::get<ReduceAttributes>(node->attributes).reducer != Reducer::add) return false;
      known = padding_is_added(*node);
    } else {
      // Chains of bf16 products begin elsewhere where padding lies between them.
      known = node->op != Op::dot_general || own_.type(node->inputs.front()).dtype != DType::bf16;
    }
    return *known;
  }

  /// Whether sums of the same real elements differ by more than their order explains.
  bool padding_is_added(const Node& node) const {
    constexpr double rounding = 1e-13;
    const ValueId x = node.inputs.front(), sum = node.outputs.front();
    if (!is_floating(own_.type(x).dtype)) return true;
    for (std::size_t r = 0; r < own_values_.size(); ++r) {
      const Tensor &own = own_values_[r][index(x)], &padded = padded_values_[r][index(x)];
      const Deviation off = deviation(wide_sums(node, own, own_.type(sum).shape),
                                      wide_sums(node, padded, padded_.type(sum).shape), pairs_);
      double size = 0;
      const Tensor wide = own.converted(DType::f64);
      for (const double element : wide.span<double>()) size += std::abs(element);
      if (!off.found || !(off.largest <= rounding * size)) return true;
    }
    return false;
  }

  /// Whether a difference that the tolerance would forgive begins in a leak. Of one and the same program alone.
  bool leaks_below_tolerance(ValueId result) {
    if (!one_program()) return false;
    bool found = false;
    std::vector<ValueId> pending{result};
    std::set<ValueId> seen{result};
    while (!pending.empty()) {
      const ValueId value = pending.back();
      pending.pop_back();
      const Node* node = own_.definition(value);
      if (!node) continue;
      if (leaks(value)) {
        found = true;
        if (!small_leak_ || node < small_leak_) small_leak_ = node;
      }
      for (const ValueId input : node->inputs)
        if (!same_bits(input) && seen.insert(input).second) pending.push_back(input);
    }
    return found;
  }

  /// Whether the padded program is the same but for extents.
  bool one_program() const { return common_ == own_.nodes().size() && common_ == padded_.nodes().size(); }

  /// The inputs of `node` to follow: those that differ, data before the integers that only say where it lies.
  std::vector<ValueId> differing_inputs(const Node& node) {
    std::vector<ValueId> data, places;
    for (const ValueId input : node.inputs)
      if (differs(input)) (is_floating(own_.type(input).dtype) ? data : places).push_back(input);
    return data.empty() ? places : data;
  }

  /// The earliest operation on the way to `results` whose inputs agree and which differs itself.
  const Node* culprit(const std::vector<std::size_t>& results) {
    std::vector<ValueId> pending;
    for (const std::size_t i : results)
      if (own_.results()[i] == padded_.results()[i] && differs(own_.results()[i])) pending.push_back(own_.results()[i]);
    std::set<ValueId> seen{pending.begin(), pending.end()};
    const Node *first = nullptr, *first_constant = nullptr;
    while (!pending.empty()) {
      const ValueId value = pending.back();
      pending.pop_back();
      const Node* node = own_.definition(value);
      if (!node) continue;
      const std::vector<ValueId> inputs = differing_inputs(*node);
      if (inputs.empty()) {
        const Node*& best = node->op == Op::constant ? first_constant : first;
        if (!best || node < best) best = node;
      }
      for (const ValueId input : inputs)
        if (seen.insert(input).second) pending.push_back(input);
    }
    return first ? first : first_constant;
  }

  std::string results_text() const {
    const PaddingDifference& first = report_.differences.front();
    std::string text = "Padding changes '" + first.result + "'";
    if (!first.index.empty()) text += " at " + to_string(first.index);
    if (own_values_.size() > 1) text += " of replica " + std::to_string(first.replica);
    if (!std::isnan(first.padded)) text += ", from " + number(first.own) + " to " + number(first.padded);
    if (report_.differences.size() > 1)
      text += " (and " + std::to_string(report_.differences.size() - 1) + " more results)";
    return text;
  }

  void blame(const std::vector<std::size_t>& results) {
    Diagnostic diagnostic{.number = 305, .sentence = results_text()};
    const std::size_t shown = std::min<std::size_t>(report_.padded.size(), 3);
    for (std::size_t i = 0; i < shown; ++i) diagnostic.because.push_back({report_.padded[i], {}});
    if (report_.padded.size() > shown)
      diagnostic.because.back().what += " (and " + std::to_string(report_.padded.size() - shown) + " more)";
    const Node* node = one_program() ? culprit(results) : nullptr;
    if (!node) node = small_leak_;
    if (!one_program()) {
      const Graph& longer = common_ < padded_.nodes().size() ? padded_ : own_;
      const Node& parting = longer.nodes()[common_];
      diagnostic.sentence += "; padded, another program is traced, from operation " + std::to_string(common_) +
                             " on, " + std::string{name(parting.op)} + ".";
      diagnostic.where = parting.place;
      diagnostic.fix = {
          "let the function's operations not depend on an extent that is padded: no C++ loop or branch over it"};
    } else if (!node) {
      diagnostic.sentence += ".";
    } else {
      const auto differing = std::ranges::find_if(node->outputs, [&](ValueId each) { return differs(each); });
      const ValueId value = differing == node->outputs.end() ? node->outputs.front() : *differing;
      diagnostic.sentence += "; the real parts first differ in operation " +
                             std::to_string(node - own_.nodes().data()) + ", " + std::string{name(node->op)} + " " +
                             to_string(own_.type(value)) + ".";
      diagnostic.where = node->place;
      const Deviation off = furthest(value, value).off;
      diagnostic.because.push_back({std::string{name(node->op)} + " gives " + number(off.own) +
                                        " at its own extents and " +
                                        (std::isnan(off.padded) ? "something else" : number(off.padded)) + " padded" +
                                        (node->inputs.empty() ? "" : ", of operands that agree"),
                                    node->place});
      diagnostic.fix = padding_fixes(own_, *node, std::ranges::all_of(options_.buckets, finite, &Bucket::fill));
    }
    report_.faults = Error{{std::move(diagnostic)}}.diagnostics();
  }

  const Graph &own_, &padded_;
  const std::vector<std::string>& names_;
  const PaddingCheckOptions& options_;
  std::vector<PaddedExtent> pairs_;
  std::vector<std::vector<Tensor>> own_values_, padded_values_;  ///< of each replica
  std::size_t common_ = 0;
  std::vector<std::optional<bool>> differs_, same_bits_, leaks_;
  const Node* small_leak_ = nullptr;  ///< the earliest behind a difference below the tolerance
  PaddingReport report_;
};

}  // namespace

void PaddingReport::require() const {
  if (!faults.empty()) throw Error{faults};
}

std::string PaddingReport::text() const {
  std::string text;
  if (holds()) {
    text = "Padding changes nothing: " + std::to_string(results) + (results == 1 ? " result is" : " results are") +
           " the same with ";
    const std::size_t shown = std::min<std::size_t>(padded.size(), 3);
    for (std::size_t i = 0; i < shown; ++i) text += (i ? ", " : "") + padded[i];
    if (padded.size() > shown) text += " (and " + std::to_string(padded.size() - shown) + " more)";
    return text;
  }
  for (const Diagnostic& fault : faults) text += (text.empty() ? "" : "\n\n") + fault.text();
  return text;
}

PaddingReport compare_padding(const Graph& own, const Graph& padded, const std::vector<HostArguments>& arguments,
                              const std::vector<HostArguments>& padded_arguments,
                              const std::vector<std::string>& results, const PaddingCheckOptions& options) {
  if (own.results().size() != padded.results().size()) {
    PaddingReport report{.results = own.results().size()};
    report.differences.push_back({.result = "result",
                                  .own = std::numeric_limits<double>::quiet_NaN(),
                                  .padded = std::numeric_limits<double>::quiet_NaN()});
    report.faults =
        Error{{{.number = 305,
                .sentence = "Padded, " + options.name + " returns " + std::to_string(padded.results().size()) +
                            " arrays, and " + std::to_string(own.results().size()) + " at its arguments' own extents.",
                .fix = {"return the same arrays whatever the extents are"}}}}
            .diagnostics();
    return report;
  }
  return TwoRuns{own, padded, arguments, padded_arguments, results, options}.report();
}

}  // namespace octet
