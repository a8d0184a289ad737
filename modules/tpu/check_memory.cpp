/// Memory: what a replica needs, what fits, and what to give up.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :check_need;
import :chip;
import :memory;
import :readiness;
import :slice;

namespace octet {

namespace {

/// Parameters below what is donated.
std::vector<std::string> donated(const Checked& checked) { return checked.options.jit.donated; }

/// The need on a core of the slice.
Need need_of(const Checked& checked, const Graph& graph, const std::vector<std::string>& donate, DType activations) {
  return need_of(checked, graph, donate, activations, tpu::core_of(checked.slice));
}

/// Whether each chip is one device of all its cores.
bool is_joined(const tpu::Slice& slice) { return slice.chip.megacore && slice.replicas == slice.chips; }

/// Of the slices with at least as many replicas as `now` on chips where a program may use `bytes`, the one on the
/// chips with the least memory, the cores of a chip joined where that is needed or so now; nothing where no chip has so
/// much.
std::optional<tpu::Slice> slice_that_holds(double bytes, const tpu::Slice& now) {
  std::optional<tpu::Slice> found;
  for (const bool joined : {false, true})
    for (const tpu::Chip& chip : tpu::chips()) {
      if (joined ? !chip.megacore : chip.megacore && is_joined(now)) continue;
      const tpu::Core core = tpu::core_of(chip, joined);
      if (core.usable_bytes < bytes || (found && core.hbm_bytes >= tpu::core_of(*found).hbm_bytes)) continue;
      for (const std::string& name : tpu::slice_names(chip)) {
        tpu::Slice slice = tpu::slice(name);
        if (joined) slice = tpu::megacore(std::move(slice));
        if (slice.replicas < now.replicas) continue;
        found = std::move(slice);
        break;
      }
    }
  return found;
}

}  // namespace

std::vector<std::size_t> written_over(const Checked& checked, const std::vector<std::string>& donate) {
  std::vector<std::size_t> result;
  for (const auto& update : checked.updates)
    if (update && lies_below_any(checked.names[*update], donate)) result.push_back(*update);
  return result;
}

double recompute_seconds(const Checked& checked, DType activations) {
  if (!checked.graph) return 0;
  try {
    const Graph graph = priced(checked.optimized, checked.options.jit.compile.precision);
    return need_of(checked, graph, donated(checked), activations)
        .recompute_seconds(tpu::core_of(checked.slice).usable_bytes);
  } catch (const Error&) {
    return 0;  // which the line on memory tells
  }
}

namespace {

/// The line on memory: what is needed, what is the most that fits, and what to give up, best first.
class MemoryLine {
 public:
  explicit MemoryLine(const Checked& checked)
      : checked_{checked},
        capacity_{tpu::core_of(checked.slice).usable_bytes},
        graph_{priced(checked.optimized, checked.options.jit.compile.precision)},
        activations_{checked.options.activations},
        need_{need_of(checked, graph_, donated(checked), activations_)},
        needs_{checked, tpu::core_of(checked.slice)},
        examples_{examples_of(checked)},
        recomputes_{computes_again(graph_)} {
    if (tight()) asked_ = need_asking();
  }

  CheckLine run() {
    tell_need();
    const auto limits = largest_batches(checked_, needs_, examples_, capacity_);
    if (limits) {
      tell_limits(*limits);
      if (tight() && checked_.options.look_for_batches) propose_smaller_batch(*limits);
    }
    if (tight() && need_.least() < need_.peak && !has_asked() && (!limits || limits->recomputing > 0))
      propose_recomputing();
    propose_storing_less();
    if (!need_.fits(capacity_)) propose_joined_cores();
    line_.cures_here = line_.cure.size();
    if (need_.must_ask(capacity_) && (has_asked() || asking_suffices()))
      fail(beyond_what_is_seen());
    else if (!need_.fits(capacity_) && asking_suffices())
      fail(enough_asked());
    else if (!holds(need_))
      fail(too_much());
    else
      tell_fit();
    return std::move(line_);
  }

 private:
  bool tight() const { return need_.peak > capacity_; }
  /// Whether the program asks for all the recomputing that it has an option for.
  bool has_asked() const { return recomputes_ && !checked_.options.recompute_option.empty(); }
  std::string more() const { return recomputes_ ? "more " : ""; }
  std::string asking(std::string_view option, const std::string& value = {}) const {
    return option.empty() ? "" : " (" + std::string{option} + value + ")";
  }

  bool holds(const Need& need) const { return need.fits(capacity_) && !need.must_ask(capacity_); }
  /// What the same batch needs where the program asks for all the recomputing that it can; nothing where it is not
  /// known how it is written then.
  std::optional<Need> need_asking() {
    if (has_asked()) return need_;
    if (!checked_.candidate.trace_otherwise || examples_ == 0) return std::nullopt;
    try {
      return needs_.of(examples_, {true, checked_.candidate.parts});
    } catch (const Error&) {
      return std::nullopt;  // it cannot be traced so
    }
  }
  /// Whether the batch fits where the program asks for it; where that is not known, whether it may.
  bool asking_suffices() const { return asked_ ? holds(*asked_) : need_.fits(capacity_); }

  std::string with_recomputing(const std::string& then = {}) const {
    return ", with recomputing asked for" + (has_asked() ? "" : asking(checked_.options.recompute_option, then));
  }

  void tell_need() {
    line_.figures = {{"needed_bytes", need_.peak, "bytes"},
                     {"least_bytes", need_.least(), "bytes"},
                     {"capacity_bytes", capacity_, "bytes"},
                     {"most_without_asking_bytes", most_unasked * capacity_, "bytes"},
                     {"parameter_bytes", need_.at_peak.parameters, "bytes"},
                     {"temporary_bytes", need_.at_peak.temporaries, "bytes"}};
    line_.evidence.push_back("arguments " + bytes_text(need_.at_peak.parameters) + ", and at the peak " +
                             bytes_text(need_.at_peak.temporaries) + " that lie between operations");
    if (!need_.at_peak.largest.empty()) {
      const tpu::LiveTensor& largest = need_.at_peak.largest.front();
      line_.evidence.push_back("the largest of these: " + to_string(largest.type) + " of " + largest.description +
                               ", " + bytes_text(largest.bytes));
    }
    if (checked_.candidate.parts > 1)
      line_.evidence.push_back("a replica takes its share of the batch in " + std::to_string(checked_.candidate.parts) +
                               " equal parts, one after another");
    if (recomputes_)
      line_.evidence.emplace_back(
          "what the program computes again, behind an optimization_barrier, is counted as it is");
    if (makes_bits(graph_))
      line_.evidence.emplace_back(
          "random bits are taken to follow from a counter or a key: those of dropout are made again, not kept");
  }

  void tell_limits(const Limits& limits) {
    line_.figures.push_back({"largest_batch_per_replica", static_cast<double>(limits.recomputing)});
    line_.figures.push_back({"largest_batch_without_recomputing_per_replica", static_cast<double>(limits.kept)});
    line_.figures.push_back({"recompute_seconds_of_largest_batch", limits.recompute_seconds, "seconds"});
    const auto told = [&](std::int64_t each) {
      const std::string bound = each < most_examples(examples_) ? "" : "at least ";
      return bound + counted(static_cast<double>(each), "example") + " a replica, " + bound +
             number_text(static_cast<double>(each * checked_.slice.replicas / checked_.candidate.alike)) +
             (checked_.candidate.parts > 1 ? " in a step" : " at once");
    };
    const std::string nothing = "nothing " + more() + "recomputed";
    line_.evidence.push_back(limits.recomputing == 0 ? "not one example fits"
                             : limits.kept == 0      ? "not one example fits with " + nothing
                                                     : "the most that fits with " + nothing + ": " + told(limits.kept));
    if (limits.recomputing > limits.kept)
      line_.evidence.push_back("if " + more() + "activations are dropped and computed again, which adds " +
                               seconds_text(limits.recompute_seconds) + " to a step of " +
                               seconds_text(limits.step_seconds) + ": " + told(limits.recomputing));
  }

  void propose_smaller_batch(const Limits& limits) {
    const auto smaller = checked_.candidate.trace_otherwise
                             ? smaller_batch(checked_, needs_, examples_, capacity_, !asking_suffices(), holds(need_))
                             : guessed_batch(checked_, needs_, examples_, capacity_, limits, need_.fits(capacity_));
    if (!smaller) return;
    line_.cure.push_back("take at most " + counted(static_cast<double>(smaller->each), "example") +
                         (checked_.candidate.parts > 1 ? " a replica in each part" : " a replica") +
                         (smaller->asks ? with_recomputing(smaller->traced ? "" : "; then check again") : "") +
                         (smaller->parts == 0
                              ? ""
                              : ", and add up the gradients of " +
                                    counted(static_cast<double>(smaller->parts), "equal part") +
                                    asking(checked_.options.accumulate_option, " " + std::to_string(smaller->parts))));
  }

  void propose_recomputing() {
    const std::string recompute = "ask for " + more() + "recomputing in the program" +
                                  asking(checked_.options.recompute_option) +
                                  ": checkpoint in Octet, jax.checkpoint in JAX, tf.recompute_grad in "
                                  "TensorFlow; XLA alone may not do it";
    if (asking_suffices())
      line_.cure.insert(line_.cure.begin(), recompute);
    else
      line_.evidence.push_back(recompute);
  }

  void propose_storing_less() {
    std::vector<std::string> carried;
    for (const auto& update : checked_.updates)
      if (update && !lies_below_any(checked_.names[*update], donated(checked_)))
        carried.push_back(checked_.names[*update]);
    if (!carried.empty() && need_.peak > capacity_ / 2) {
      std::vector<std::string> all = donated(checked_);
      all.insert(all.end(), carried.begin(), carried.end());
      const std::string argument = carried.front().substr(0, carried.front().find('.'));
      propose("donate '" + argument + "', so that its next value takes its place", all, activations_);
    }
    if (tight() && activations_ == DType::f32) propose("store activations in bf16", donated(checked_), DType::bf16);
  }

  /// A cure, where it suffices; else what may help beside another.
  void propose(const std::string& what, const std::vector<std::string>& donate, DType stored) {
    const Need other = need_of(checked_, graph_, donate, stored);
    if (other.peak >= 0.98 * need_.peak || other.must_ask(capacity_)) return;
    const double least = other.least();
    if (other.fits(capacity_))
      line_.cure.push_back(what + ": " + bytes_text(other.peak) + fitting(other, capacity_));
    else
      partial_.push_back(
          what + ": " + bytes_text_beside(capacity_, least) + ", still too much" +
          (bytes_text(least) == bytes_text(capacity_) ? " for " + bytes_text_beside(least, capacity_) : ""));
  }
  static std::string fitting(const Need& other, double room) {
    return ", which fits" +
           (other.peak <= room ? "" : " with " + seconds_text(other.recompute_seconds(room)) + " of recomputing");
  }

  void propose_joined_cores() {
    const tpu::Slice& slice = checked_.slice;
    if (!slice.chip.megacore || slice.replicas == slice.chips || examples_ == 0 || checked_.candidate.of_one_replica)
      return;
    const tpu::Core chip = tpu::core_of(slice.chip, true);
    try {
      const Need other = BatchNeeds{checked_, chip}.of(examples_ * slice.replicas / slice.chips);
      if (other.fits(chip.usable_bytes) && !other.must_ask(chip.usable_bytes))
        line_.cure.push_back("run one replica on each chip, whose cores are then one device (octet check --megacore)" +
                             fitting(other, chip.usable_bytes));
    } catch (const Error&) {  // the program cannot be traced for so many
    }
  }

  void fail(const std::string& sentence) {
    line_.verdict = Verdict::fail;
    line_.finding = sentence;
    line_.faults = {{.number = 501, .sentence = sentence, .fix = line_.cure}};
  }

  std::string beyond_what_is_seen() const {
    return "A replica needs " + bytes_text_beside(capacity_, need_.peak) + " of the " + bytes_text(capacity_) +
           " that a program may use on " + checked_.slice.name +
           ": recomputing would make it fit, and XLA alone was not seen to make room for more than " +
           shortest_decimal(most_unasked) + " times its memory.";
  }

  /// No way of running it here is left: other chips, or another model.
  std::string too_much() {
    const std::string smaller = "give each replica a smaller part of the model";
    const double bytes = asked_ ? std::min(need_.unasked(), asked_->unasked()) : need_.least();
    if (const auto larger = slice_that_holds(bytes, checked_.slice)) {
      const double room = tpu::core_of(*larger).usable_bytes;
      line_.cure.push_back("rent " + larger->name +
                           (is_joined(*larger) ? " with one replica on each chip (octet check --megacore)" : "") +
                           ", where a program may use " + bytes_text(room) +
                           (need_.unasked() > room ? with_recomputing() : "") + ", or " + smaller);
    } else {
      line_.cure.push_back(smaller + ": no chip that is known holds it");
    }
    line_.cure.insert(line_.cure.end(), partial_.begin(), partial_.end());
    // Of what could be recomputed, a program can ask for a part only.
    const bool asked = need_.fits(capacity_) && asked_ && !has_asked();
    const double less = !asked ? need_.least() : asked_->fits(capacity_) ? asked_->peak : asked_->least();
    return "A replica needs " + bytes_text_beside(capacity_, need_.peak) +
           (less < need_.peak ? ", " + bytes_text_beside(capacity_, less) +
                                    (asked ? " with recomputing asked for" : " with all recomputed that can be")
                              : "") +
           ", and a program on " + checked_.slice.name + " may use " + bytes_text_beside(less, capacity_) + ".";
  }

  std::string enough_asked() const {
    return "A replica needs " + bytes_text_beside(capacity_, need_.peak) + " of the " + bytes_text(capacity_) +
           " that a program may use on " + checked_.slice.name + ": it fits if recomputing is asked for.";
  }

  void tell_fit() {
    line_.verdict = tight() ? Verdict::warn : Verdict::pass;
    line_.finding = "A replica needs " + bytes_text_beside(capacity_, need_.peak) + " of the " +
                    bytes_text_beside(need_.peak, capacity_) + " that a program may use on " + checked_.slice.name +
                    (tight() ? ": it fits if " + more() + "activations are dropped and computed again, which adds " +
                                   seconds_text(need_.recompute_seconds(capacity_)) + " to a step of " +
                                   seconds_text(need_.step_seconds) + "."
                             : ".");
  }

  const Checked& checked_;
  double capacity_;
  Graph graph_;
  DType activations_;
  Need need_;
  BatchNeeds needs_;
  std::optional<Need> asked_;
  std::int64_t examples_;
  bool recomputes_;
  std::vector<std::string> partial_;  ///< cures that do not suffice
  CheckLine line_;
};

}  // namespace

CheckLine judge_memory(const Checked& checked) {
  return checked.graph ? MemoryLine{checked}.run() : not_traced(checked);
}

}  // namespace octet
