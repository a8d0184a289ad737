module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :all_values;
import :buckets;
import :executable;
import :host_values;
import :options;
import :padding_advice;
import :padding_check;
import :real_part;
import :trace_difference;

namespace octet {

namespace {

std::string number(double x) { return shortest_decimal(static_cast<float>(x)); }

Tensors tensors_of(const std::vector<HostArguments>& calls) {
  Tensors tensors;
  for (const HostArguments& call : calls) tensors.push_back(call.tensors);
  return tensors;
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
    run(AllValues{own}, AllValues{padded}, tensors_of(arguments), tensors_of(padded_arguments));
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
  /// One run of a region of what `around` looks at.
  TwoRuns(const TwoRuns& around, const AllValues& own, const AllValues& padded, const Tensors& arguments,
          const Tensors& padded_arguments)
      : own_{own.graph()},
        padded_{padded.graph()},
        names_{around.names_},
        options_{around.options_},
        pairs_{around.pairs_} {
    run(own, padded, arguments, padded_arguments);
  }

  void run(const AllValues& own, const AllValues& padded, const Tensors& arguments, const Tensors& padded_arguments) {
    Threads alone;
    Threads& threads = options_.threads ? *options_.threads : alone;
    own_values_ = own(arguments, threads);
    padded_values_ = padded(padded_arguments, threads);
    common_ = common_operations(own_, padded_);
    differs_.resize(own_.values().size());
    same_bits_ = leaks_ = differs_;
  }

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

  /// Whether the real part is the same to the bit.
  bool are_same_bits(const Tensor& own, const Tensor& padded) const {
    const Deviation off = deviation(own, padded, pairs_);
    return off.found && off.largest == 0;
  }

  /// The same of a value, on all replicas.
  bool same_bits(ValueId value) {
    std::optional<bool>& known = same_bits_[index(value)];
    if (!known) {
      known = true;
      for (std::size_t r = 0; *known && r < own_values_.size(); ++r)
        known = are_same_bits(own_values_[r][index(value)], padded_values_[r][index(value)]);
    }
    return *known;
  }

  /// Whether `value` differs in any bit, though its operation had the same bits to compute with and does not round by
  /// the extents it works on; of a loop or a branch, whether that holds of something within it.
  bool leaks(ValueId value) {
    std::optional<bool>& known = leaks_[index(value)];
    if (known) return *known;
    known = false;
    const Node* node = own_.definition(value);
    if (!node || node->inputs.empty() || same_bits(value)) return false;
    if (!node->regions.empty()) {
      known = one_program() && leaks_within(*node, value);
      return *known;
    }
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

  /// Whether something within `node`, a loop or a branch, leaks into `value`, which is one of its results.
  bool leaks_within(const Node& node, ValueId value) {
    const Node& padded = padded_.nodes()[static_cast<std::size_t>(&node - own_.nodes().data())];
    const auto k = static_cast<std::size_t>(std::ranges::find(node.outputs, value) - node.outputs.begin());
    return node.op == Op::while_ ? leaks_within_loop(node, padded, k) : leaks_within_branch(node, padded, k);
  }

  /// The values of `inputs` from `first` on, of a replica.
  static std::vector<Tensor> operands(const std::vector<Tensor>& values, const std::vector<ValueId>& inputs,
                                      std::size_t first) {
    std::vector<Tensor> result;
    for (std::size_t i = first; i < inputs.size(); ++i) result.push_back(values[index(inputs[i])]);
    return result;
  }

  bool leaks_within_branch(const Node& node, const Node& padded, std::size_t k) {
    const std::size_t condition = index(node.inputs.front());
    for (const std::size_t branch : {std::size_t{0}, std::size_t{1}}) {
      Tensors arguments, padded_arguments;  // of the replicas that take it
      for (std::size_t r = 0; r < own_values_.size(); ++r) {
        const double taken = branch == 0 ? 1 : 0;
        if (own_values_[r][condition].item() != taken || padded_values_[r][condition].item() != taken) continue;
        arguments.push_back(operands(own_values_[r], node.inputs, 1));
        padded_arguments.push_back(operands(padded_values_[r], padded.inputs, 1));
      }
      if (arguments.empty()) continue;
      TwoRuns within{*this, AllValues{node.regions[branch]}, AllValues{padded.regions[branch]}, arguments,
                     padded_arguments};
      if (within.leaks_into(k)) return true;
    }
    return false;
  }

  /// Round by round, as long as neither run is at its end; what further rounds of one of them do to what had the same
  /// bits is a leak, too.
  bool leaks_within_loop(const Node& node, const Node& padded, std::size_t k) {
    const AllValues condition{node.regions[0]}, padded_condition{padded.regions[0]}, body{node.regions[1]},
        padded_body{padded.regions[1]};
    const std::vector<bool> wanted = parts_behind(node.regions[1], k);
    std::vector<std::size_t> replicas;  // that go on
    Tensors state, padded_state;        // theirs
    for (std::size_t r = 0; r < own_values_.size(); ++r) {
      replicas.push_back(r);
      state.push_back(operands(own_values_[r], node.inputs, 0));
      padded_state.push_back(operands(padded_values_[r], padded.inputs, 0));
    }
    for (;;) {
      const TwoRuns asked{*this, condition, padded_condition, state, padded_state};
      const std::size_t own_answer = index(asked.own_.results().front()),
                        padded_answer = index(asked.padded_.results().front());
      std::vector<std::size_t> going_on;
      Tensors going, padded_going;
      for (std::size_t r = 0; r < state.size(); ++r) {
        const bool goes_on = asked.own_values_[r][own_answer].item() != 0,
                   padded_goes_on = asked.padded_values_[r][padded_answer].item() != 0;
        if (goes_on && padded_goes_on) {
          going_on.push_back(replicas[r]);
          going.push_back(std::move(state[r]));
          padded_going.push_back(std::move(padded_state[r]));
        } else if (goes_on != padded_goes_on && are_same_bits(state[r][k], padded_state[r][k]) &&
                   !are_same_bits(own_values_[replicas[r]][index(node.outputs[k])],
                                  padded_values_[replicas[r]][index(padded.outputs[k])])) {
          return true;
        }
      }
      if (going.empty()) return false;
      TwoRuns round{*this, body, padded_body, going, padded_going};
      for (std::size_t part = 0; part < wanted.size(); ++part)
        if (wanted[part] && round.leaks_into(part)) return true;
      replicas = std::move(going_on);
      state.clear();
      padded_state.clear();
      for (std::size_t r = 0; r < going.size(); ++r) {
        state.push_back(operands(round.own_values_[r], round.own_.results(), 0));
        padded_state.push_back(operands(round.padded_values_[r], round.padded_.results(), 0));
      }
    }
  }

  /// The same of result `k`, where it differs in any bit.
  bool leaks_into(std::size_t k) {
    const ValueId result = own_.results()[k];
    return result == padded_.results()[k] && !same_bits(result) && leaks_below_tolerance(result);
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
      const ValueId value = node->outputs.front();
      diagnostic.sentence += "; the real parts first differ in operation " +
                             std::to_string(node - own_.nodes().data()) + ", " + std::string{name(node->op)} + " " +
                             to_string(own_.type(value)) + ".";
      diagnostic.where = node->place;
      const Deviation off = furthest(value, value).off;
      diagnostic.because.push_back(
          {std::string{name(node->op)} + " gives " + number(off.own) + " at its own extents and " +
               (std::isnan(off.padded) ? "something else" : number(off.padded)) + " padded, of operands that agree",
           node->place});
      diagnostic.fix = padding_fixes(own_, *node);
    }
    report_.faults = Error{{std::move(diagnostic)}}.diagnostics();
  }

  const Graph &own_, &padded_;
  const std::vector<std::string>& names_;
  const PaddingCheckOptions& options_;
  std::vector<PaddedExtent> pairs_;
  Tensors own_values_, padded_values_;
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
