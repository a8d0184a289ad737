/// Memory: what a replica needs, what fits, and what to give up.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import :check;
import :check_lines;
import :chip;
import :cost;
import :fused;
import :memory;
import :readiness;
import :slice;

namespace octet {

namespace {

/// Parameters below what is donated.
std::vector<std::string> donated(const Checked& checked) { return checked.options.jit.donated; }

/// Of 25 batches that published runs trained with, as tests/unit/nn_published.cpp has them, the one that needs most
/// with nothing recomputed: so many times what a program may use. XLA alone was not seen to make room for more.
constexpr double most_seen = 3.4;

struct Need {
  double peak = 0;               ///< with nothing recomputed
  double least = 0;              ///< with all recomputed that can be
  double recompute_seconds = 0;  ///< of as much as makes it fit, or of all where nothing does
  double step_seconds = 0;       ///< without recomputing
  bool fits = false;
  tpu::MemoryNeed at_peak;

  /// Whether it fits only if the program asks for recomputing: XLA alone was not seen to do as much.
  bool must_ask(double capacity) const { return least <= capacity && peak > most_seen * capacity; }
};

/// The memory that one replica needs for `graph`, whose results take the buffers of the parameters in `donate` that
/// they are the next values of, and what of it fits into `capacity` bytes on `core`.
Need need_of(const Checked& checked, const Graph& graph, const std::vector<std::string>& donate, DType activations,
             const tpu::Core& core, double capacity) {
  tpu::FusedProgram program = tpu::fused(graph, {.donated = written_over(checked, donate)});
  const tpu::Costing costing{.activations = activations, .joins_collectives = true};
  const std::vector<TensorType> types = tpu::stored_types(program, activations);
  const std::vector<tpu::OperationCost> costs = tpu::costs(program, checked.slice, core, costing);
  const auto& updates = checked.updates;
  std::vector<ValueId> results;
  for (std::size_t r = 0; r < program.results.size(); ++r) {
    const bool in_place = r < updates.size() && updates[r] && lies_below_any(checked.names[*updates[r]], donate);
    if (!in_place) results.push_back(program.results[r]);
  }
  program.results = std::move(results);
  Need need;
  need.at_peak = tpu::memory_need(program, types);
  need.peak = need.least = need.at_peak.peak;
  need.fits = need.peak <= capacity;
  for (std::size_t i = 0; i < costs.size(); ++i)
    need.step_seconds += program.operations[i].repeats * costs[i].seconds();
  for (const tpu::MemoryNeed& less : tpu::recomputed_needs(program, types, costs)) {
    if (less.peak >= need.least) continue;
    need.least = less.peak;
    if (!need.fits) need.recompute_seconds = less.recompute_seconds;
    need.fits |= need.least <= capacity;
  }
  return need;
}

/// The same on a replica of the slice.
Need need_of(const Checked& checked, const Graph& graph, const std::vector<std::string>& donate, DType activations) {
  const tpu::Core core = tpu::core_of(checked.slice);
  return need_of(checked, graph, donate, activations, core, core.program_bytes());
}

/// The need with so many examples a replica. Throws what tracing throws.
Need need_with(const Checked& checked, std::int64_t examples, const tpu::Core& core, double capacity) {
  Signature signature = checked.signature;
  for (std::size_t i = 0; i < signature.names.size(); ++i)
    if (checked.fed[i]) signature.types[i].shape[0] = examples;
  const Graph graph = priced(optimize(checked.candidate.trace(signature)), checked.options.jit.compile.precision);
  return need_of(checked, graph, donated(checked), checked.options.activations, core, capacity);
}

/// The most examples that a replica can take at once, however many it was given.
struct Limits {
  std::int64_t kept = 0, recomputing = 0;  ///< with nothing recomputed, and with what can be; 0: not one fits
  bool must_ask = false;                   ///< of the larger
  double recompute_seconds = 0;            ///< of a step of the larger
  double step_seconds = 0;                 ///< of that step without them
};

/// The most of them that are tried.
std::int64_t most_examples(std::int64_t examples) { return std::max(std::int64_t{1} << 20, examples); }

/// Nothing where that cannot be found out: the program cannot be traced for other batches.
std::optional<Limits> largest_batches(const Checked& checked, std::int64_t examples, double capacity) {
  if (checked.candidate.of_one_replica || examples == 0) return std::nullopt;
  const std::int64_t parts = checked.candidate.parts;
  std::map<std::int64_t, Need> known;
  const auto need = [&](std::int64_t count) -> const Need& {
    const auto at = known.find(count);
    if (at != known.end()) return at->second;
    return known.emplace(count, need_with(checked, count * parts, tpu::core_of(checked.slice), capacity)).first->second;
  };
  const auto most = [&](const auto& fit) {
    return tpu::most_that_fit(capacity, most_examples(examples) / parts,
                              [&](std::int64_t count) { return fit(need(count)); });
  };
  try {
    Limits limits;
    limits.kept = most([&](const Need& each) { return tpu::Fit{each.peak, each.peak <= capacity}; });
    limits.recomputing = most([](const Need& each) { return tpu::Fit{each.least, each.fits}; });
    if (limits.recomputing > limits.kept) {
      limits.recompute_seconds = need(limits.recomputing).recompute_seconds;
      limits.step_seconds = need(limits.recomputing).step_seconds;
      limits.must_ask = need(limits.recomputing).must_ask(capacity);
    }
    limits.kept *= parts;
    limits.recomputing *= parts;
    return limits;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The fewest equal parts of so many examples of which none has more than `most`; 0 where that takes parts of a few
/// examples, as of a prime number of them.
std::int64_t parts_of(std::int64_t examples, std::int64_t most) {
  const std::int64_t fewest = (examples + most - 1) / most;
  std::int64_t parts = fewest;
  while (examples % parts != 0) ++parts;
  return parts <= 4 * fewest ? parts : 0;
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
      const double room = tpu::core_of(chip, joined).program_bytes();
      if (room < bytes || (found && room >= tpu::core_of(*found).program_bytes())) continue;
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

/// Whether `graph` makes random bits by the tensor, as dropout does.
bool makes_bits(const Graph& graph) {
  constexpr std::int64_t many = 1024;
  bool found = false;
  for (const Node& node : graph.nodes()) {
    for (const ValueId id : node.outputs)
      found |= graph.type(id).dtype == DType::u32 && graph.type(id).shape.elements() >= many;
    for (const Graph& region : node.regions) found |= makes_bits(region);
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
    return need_of(checked, graph, donated(checked), activations).recompute_seconds;
  } catch (const Error&) {
    return 0;  // which the line on memory tells
  }
}

CheckLine judge_memory(const Checked& checked) {
  if (!checked.graph) return not_traced(checked);
  const double capacity = tpu::core_of(checked.slice).program_bytes();
  const Graph graph = priced(checked.optimized, checked.options.jit.compile.precision);
  const DType activations = checked.options.activations;
  const Need need = need_of(checked, graph, donated(checked), activations);
  const bool tight = need.peak > capacity;
  const std::int64_t examples = examples_of(checked);
  CheckLine line;
  line.figures = {{"needed_bytes", need.peak, "bytes"},
                  {"least_bytes", need.least, "bytes"},
                  {"capacity_bytes", capacity, "bytes"},
                  {"most_without_asking_bytes", most_seen * capacity, "bytes"},
                  {"parameter_bytes", need.at_peak.parameters, "bytes"},
                  {"temporary_bytes", need.at_peak.temporaries, "bytes"}};
  line.evidence.push_back("arguments " + bytes_text(need.at_peak.parameters) + ", and at the peak " +
                          bytes_text(need.at_peak.temporaries) + " that lie between operations");
  if (!need.at_peak.largest.empty()) {
    const tpu::LiveTensor& largest = need.at_peak.largest.front();
    line.evidence.push_back("the largest of these: " + to_string(largest.type) + " of " + largest.description + ", " +
                            bytes_text(largest.bytes));
  }
  if (checked.candidate.parts > 1)
    line.evidence.push_back("a replica takes its share of the batch in " + std::to_string(checked.candidate.parts) +
                            " equal parts, one after another");
  const bool recomputes = computes_again(graph);
  if (recomputes)
    line.evidence.emplace_back("what the program computes again, behind an optimization_barrier, is counted as it is");
  if (makes_bits(graph))
    line.evidence.emplace_back(
        "random bits are taken to follow from a counter or a key: those of dropout are made again, not kept");
  if (const auto limits = largest_batches(checked, examples, capacity)) {
    line.figures.push_back({"largest_batch_per_replica", static_cast<double>(limits->recomputing)});
    line.figures.push_back({"largest_batch_without_recomputing_per_replica", static_cast<double>(limits->kept)});
    line.figures.push_back({"recompute_seconds_of_largest_batch", limits->recompute_seconds, "seconds"});
    const auto told = [&](std::int64_t each) {
      const std::string bound = each < most_examples(examples) ? "" : "at least ";
      return bound + counted(static_cast<double>(each), "example") + " a replica, " + bound +
             number_text(static_cast<double>(each * checked.slice.replicas)) +
             (checked.candidate.parts > 1 ? " in a step" : " at once");
    };
    const std::string nothing = recomputes ? "nothing more recomputed" : "nothing recomputed";
    line.evidence.push_back(limits->recomputing == 0 ? "not one example fits"
                            : limits->kept == 0      ? "not one example fits with " + nothing
                                                : "the most that fits with " + nothing + ": " + told(limits->kept));
    if (limits->recomputing > limits->kept)
      line.evidence.push_back(std::string{"if "} + (recomputes ? "more " : "") +
                              "activations are dropped and computed again, "
                              "which adds " +
                              seconds_text(limits->recompute_seconds) + " to a step of " +
                              seconds_text(limits->step_seconds) + ": " + told(limits->recomputing));
    if (tight) {
      // The sums of their gradients stay while the parts are computed.
      const std::int64_t now = checked.candidate.parts;
      const auto in_parts = now > 1 ? limits : largest_batches(checked, examples, capacity - gradient_bytes(checked));
      const auto most = [&](const std::optional<Limits>& each) {
        return !each ? 0 : (need.fits ? each->kept : each->recomputing) / now;
      };
      if (const std::int64_t each = most(in_parts) > 0 ? most(in_parts) : most(limits); each > 0) {
        const std::int64_t parts = parts_of(examples, each);
        const std::string& asked = checked.options.accumulate_option;
        const bool must_ask = !need.fits && (most(in_parts) > 0 ? in_parts : limits)->must_ask;
        line.cure.push_back("take at most " + counted(static_cast<double>(each), "example") + " a replica" +
                            (must_ask ? ", with recomputing asked for" : "") +
                            (most(in_parts) == 0 || parts == 0
                                 ? ""
                                 : ", and add up the gradients of " +
                                       counted(static_cast<double>(parts), "equal part") +
                                       (asked.empty() ? "" : " (" + asked + " " + std::to_string(parts) + ")")));
      }
    }
  }
  const std::string& option = checked.options.recompute_option;
  const std::string recompute = std::string{"ask for "} + (recomputes ? "more " : "") + "recomputing in the program" +
                                (option.empty() ? "" : " (" + option + ")") +
                                ": checkpoint in Octet, jax.checkpoint in JAX, tf.recompute_grad in "
                                "TensorFlow; XLA alone may not do it";
  if (tight && need.least < need.peak && !(recomputes && !option.empty())) {
    if (need.least <= capacity)
      line.cure.insert(line.cure.begin(), recompute);
    else
      line.evidence.push_back(recompute);
  }
  const auto fitting = [](const Need& other, double room) {
    return ", which fits" +
           (other.peak <= room ? "" : " with " + seconds_text(other.recompute_seconds) + " of recomputing");
  };
  const auto too_much = [](double bytes, double room) {
    return bytes_text_beside(room, bytes) + ", still too much" +
           (bytes_text(bytes) == bytes_text(room) ? " for " + bytes_text_beside(bytes, room) : "");
  };
  std::vector<std::string> partial;  // cures that do not suffice
  std::vector<std::string> carried;
  for (const auto& update : checked.updates)
    if (update && !lies_below_any(checked.names[*update], donated(checked))) carried.push_back(checked.names[*update]);
  const auto alternative = [&](const std::vector<std::string>& donate, DType stored, const std::string& what) {
    const Need other = need_of(checked, graph, donate, stored);
    if (other.peak < 0.98 * need.peak && !other.must_ask(capacity))
      (other.fits ? line.cure : partial)
          .push_back(
              what + ": " +
              (other.fits ? bytes_text(other.peak) + fitting(other, capacity) : too_much(other.least, capacity)));
  };
  if (tight || (!carried.empty() && need.peak > capacity / 2)) {
    if (!carried.empty()) {
      std::vector<std::string> all = donated(checked);
      all.insert(all.end(), carried.begin(), carried.end());
      const std::string argument = carried.front().substr(0, carried.front().find('.'));
      alternative(all, activations, "donate '" + argument + "', so that its next value takes its place");
    }
    if (tight && activations == DType::f32) alternative(donated(checked), DType::bf16, "store activations in bf16");
  }
  if (!need.fits && checked.slice.chip.megacore && checked.slice.replicas != checked.slice.chips && examples > 0 &&
      !checked.candidate.of_one_replica) {
    const tpu::Core chip = tpu::core_of(checked.slice.chip, true);
    const std::int64_t each = examples * checked.slice.replicas / checked.slice.chips;
    try {
      const Need other = need_with(checked, each, chip, chip.program_bytes());
      if (other.fits && !other.must_ask(chip.program_bytes()))
        line.cure.push_back("run one replica on each chip, whose cores are then one device (octet check --megacore)" +
                            fitting(other, chip.program_bytes()));
    } catch (const Error&) {  // the program cannot be traced for so many
    }
  }
  line.cures_here = line.cure.size();
  if (need.must_ask(capacity)) {
    line.verdict = Verdict::fail;
    line.faults = {{.number = 501,
                    .sentence = "A replica needs " + bytes_text_beside(capacity, need.peak) + " of the " +
                                bytes_text(capacity) + " that a program may use on " + checked.slice.name +
                                ": recomputing would make it fit, and XLA alone was not seen to make room for more "
                                "than " +
                                shortest_decimal(most_seen) + " times its memory.",
                    .fix = line.cure}};
    line.finding = line.faults.front().sentence;
    return line;
  }
  if (!need.fits) {
    line.verdict = Verdict::fail;
    line.faults = {{.number = 501,
                    .sentence = "A replica needs " + bytes_text_beside(capacity, need.peak) +
                                (need.least < need.peak ? ", " + bytes_text_beside(capacity, need.least) +
                                                              " with all recomputed that can be"
                                                        : "") +
                                ", and a program on " + checked.slice.name + " may use " +
                                bytes_text_beside(need.least, capacity) + "."}};
    line.finding = line.faults.front().sentence;
    const std::string smaller = "give each replica a smaller part of the model";
    if (const auto larger = slice_that_holds(need.least, checked.slice))
      line.cure.push_back("rent " + larger->name +
                          (is_joined(*larger) ? " with one replica on each chip (octet check --megacore)" : "") +
                          ", where a program may use " + bytes_text(tpu::core_of(*larger).program_bytes()) + ", or " +
                          smaller);
    else
      line.cure.push_back(smaller + ": no chip that is known holds it");
    line.cure.insert(line.cure.end(), partial.begin(), partial.end());
    line.faults.front().fix = line.cure;
    return line;
  }
  line.verdict = need.peak > capacity ? Verdict::warn : Verdict::pass;
  line.finding = "A replica needs " + bytes_text_beside(capacity, need.peak) + " of the " +
                 bytes_text_beside(need.peak, capacity) + " that a program may use on " + checked.slice.name +
                 (need.peak > capacity ? std::string{": it fits if "} + (recomputes ? "more " : "") +
                                             "activations are dropped and computed again, which adds " +
                                             seconds_text(need.recompute_seconds) + " to a step of " +
                                             seconds_text(need.step_seconds) + "."
                                       : ".");
  return line;
}

}  // namespace octet
