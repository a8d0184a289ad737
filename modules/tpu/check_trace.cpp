/// Taking a candidate to the slice: which arguments are split, which programs the calls need, and tracing them.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;
import octet.trace;
import :check;
import :check_lines;
import :readiness;
import :slice;

namespace octet {

namespace {

constexpr std::size_t most_traced = 8;     // programs of one candidate
constexpr std::size_t most_alike = 3;      // faults of calls that differ in length alone
constexpr std::size_t most_arguments = 6;  // among which those that should have been replicated are looked for

/// `state`, of `state.model.weight`.
std::string argument_of(const std::string& name) { return name.substr(0, name.find('.')); }

bool same_program(const Signature& a, const Signature& b) {
  return a.types == b.types && a.statics == b.statics && a.names == b.names && a.lengths == b.lengths;
}

double bytes_of(const Signature& signature) {
  double bytes = 0;
  for (const TensorType& type : signature.types) bytes += static_cast<double>(type.bytes());
  return bytes;
}

/// What is thrown, as faults.
template <class Function>
bool collected(std::vector<Diagnostic>& faults, Function&& function) {
  try {
    function();
    return true;
  } catch (const Error& error) {
    for (const Diagnostic& fault : error.diagnostics()) {
      const auto same = [&](const Diagnostic& known) {
        return known.number == fault.number && known.where == fault.where &&
               (fault.where.known() || known.sentence == fault.sentence);
      };
      if (std::none_of(faults.begin(), faults.end(), same)) faults.push_back(fault);
    }
    return false;
  }
}

std::uint64_t runs_of(const CacheStatistics& statistics) { return statistics.hits + statistics.misses; }

class Taking {
 public:
  Taking(const Candidate& candidate, const tpu::Slice& slice, const CheckOptions& options)
      : checked_{candidate, slice, options} {}

  Checked run() {
    find_whole();
    find_programs();
    trace_programs();
    if (checked_.graph) look_at_parameters();
    return std::move(checked_);
  }

 private:
  const Candidate& candidate() const { return checked_.candidate; }
  std::int64_t replicas() const { return candidate().of_one_replica ? 1 : checked_.slice.replicas; }

  /// Whether the first call can be split and traced with these arguments whole.
  bool works(const std::vector<std::string>& whole) const {
    std::vector<Diagnostic> faults;
    PaddedElements elements;
    std::vector<TooLong> too_long;
    const Signature share = share_of(candidate().calls.front(), whole, replicas(), faults);
    const Signature padded = in_buckets(share, checked_.options.jit.buckets, elements, faults, too_long);
    return faults.empty() && too_long.empty() && collected(faults, [&] { candidate().trace(padded); });
  }

  void out_of_scope(const std::string& argument, const std::string& why, std::vector<std::string> more = {}) {
    more.insert(more.begin(), "make it for all replicas: tpu::replicated(" + argument + ", " +
                                  std::to_string(checked_.slice.replicas) + ")");
    checked_.scope_faults.push_back({.number = 608, .sentence = "'" + argument + "' " + why, .fix = std::move(more)});
    told_.insert(argument);
  }

  void find_whole() {
    checked_.whole = candidate().calls.front().replicated;
    if (candidate().of_one_replica) return;
    const std::string each = std::to_string(replicas());
    for (const auto& [argument, copies] : candidate().copies)
      if (copies != replicas())
        out_of_scope(argument, "was made for " + counted(static_cast<double>(copies), "replica") + ", and " +
                                   checked_.slice.name + " has " + each + ".");
    if (replicas() == 1) return;
    for (const std::string& argument : candidate().returned)
      if (!lies_below_any(argument, checked_.whole) && !lies_below_any(argument, checked_.options.sharded)) {
        out_of_scope(
            argument,
            "is what the program updates, and it was not made for all replicas: it would be cut along its leading axis "
            "into " +
                each + " parts, as a batch is.");
        checked_.whole.push_back(argument);
      }
    for (const std::string& argument : candidate().unmarked)
      if (!told_.contains(argument))
        out_of_scope(argument,
                     "is a structure of tensors of which it is not said whether each replica has all of it or a share: "
                     "tpu::replicate does not take it.",
                     {"or, if it is a batch, let each have its share: tpu::sharded(" + argument + ")"});
    if (works(checked_.whole)) return;
    // Some other argument may have been meant for all replicas: the fewest that make it work, where a batch is left to
    // split.
    std::vector<std::string> arguments;
    for (const std::string& name : candidate().calls.front().names)
      if (const std::string argument = argument_of(name);
          !lies_below_any(argument, checked_.whole) &&
          std::find(arguments.begin(), arguments.end(), argument) == arguments.end())
        arguments.push_back(argument);
    if (arguments.size() < 2 || arguments.size() > most_arguments) return;
    std::vector<std::string> all = checked_.whole;
    all.insert(all.end(), arguments.begin(), arguments.end());
    if (!works(all)) return;
    for (std::size_t count = 1; count < arguments.size(); ++count)
      for (std::size_t set = 1; set < (std::size_t{1} << arguments.size()); ++set) {
        std::vector<std::string> whole = checked_.whole, added;
        for (std::size_t i = 0; i < arguments.size(); ++i)
          if (set >> i & 1) added.push_back(arguments[i]);
        if (added.size() != count) continue;
        whole.insert(whole.end(), added.begin(), added.end());
        if (!works(whole)) continue;
        for (const std::string& argument : added)
          if (!told_.contains(argument))
            out_of_scope(argument, "was not made for all replicas, and the program does not run on an " + each +
                                       "th of it; it does where each replica has it whole.");
        checked_.whole = std::move(whole);
        return;
      }
  }

  void find_programs() {
    std::vector<TooLong> too_long;
    for (const Signature& call : candidate().calls) {
      std::vector<Diagnostic> split, buckets;
      checked_.shares.push_back(share_of(call, checked_.whole, replicas(), split));
      checked_.padded.push_back(
          in_buckets(checked_.shares.back(), checked_.options.jit.buckets, checked_.elements, buckets, too_long));
      for (auto [faults, all] : {std::pair{&split, &checked_.split_faults}, {&buckets, &checked_.bucket_faults}})
        if (!faults->empty() && all->size() < most_alike) collected(*all, [&] { throw Error{std::move(*faults)}; });
      const Signature& padded = checked_.padded.back();
      if (std::none_of(checked_.programs.begin(), checked_.programs.end(),
                       [&](const Signature& known) { return same_program(known, padded); }))
        checked_.programs.push_back(padded);
    }
    for (const TooLong& each : too_long) checked_.bucket_faults.push_back(no_bucket(each));
  }

  void trace_programs() {
    std::vector<const Signature*> order;
    for (const Signature& program : checked_.programs) order.push_back(&program);
    std::sort(order.begin(), order.end(), [](const Signature* a, const Signature* b) {
      const double bytes_a = bytes_of(*a), bytes_b = bytes_of(*b);
      return bytes_a != bytes_b ? bytes_a > bytes_b : a < b;  // of one vector: the first call's first
    });
    std::vector<std::uint64_t> before;
    std::vector<std::string> called;  // by the names of their programs, where the options name none that ran
    for (const auto& [name, statistics] : checked_.options.compiled) before.push_back(runs_of(statistics()));
    for (std::size_t i = 0; i < std::min(order.size(), most_traced); ++i)
      collected(checked_.trace_faults, [&] {
        const auto start = std::chrono::steady_clock::now();
        const HostRuns runs;
        Graph graph = candidate().trace(*order[i]);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        verify(graph);
        if (checked_.graph) return;
        checked_.trace_seconds = taken.count();
        checked_.signature = *order[i];
        checked_.graph = std::move(graph);
        called = runs.functions;
        checked_.called_results = runs.results;
      });
    for (std::size_t i = 0; i < before.size(); ++i)
      if (runs_of(checked_.options.compiled[i].second()) > before[i])
        checked_.called.push_back(checked_.options.compiled[i].first);
    if (checked_.called.empty())
      std::ranges::copy_if(called, std::back_inserter(checked_.called),
                           [](const std::string& name) { return name != JitOptions{}.name; });
    if (!checked_.graph) return;
    checked_.optimized = optimize(*checked_.graph);
    collected(checked_.trace_faults, [&] { compare(candidate().trace(checked_.signature)); });
  }

  void compare(const Graph& again) {
    checked_.repeats = equal(*checked_.graph, again);
    if (checked_.repeats) return;
    const auto &nodes = checked_.graph->nodes(), &others = again.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (i >= others.size() || nodes[i].op != others[i].op || nodes[i].inputs != others[i].inputs ||
          !(nodes[i].attributes == others[i].attributes)) {
        checked_.first_difference = nodes[i].place;
        return;
      }
  }

  void look_at_parameters() {
    const Graph& graph = checked_.optimized;
    const std::vector<std::string>& given = checked_.signature.names;
    std::vector<bool> passed_over;
    for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
      const std::string& own_name = graph.values()[static_cast<std::size_t>(graph.parameters()[i])].name;
      checked_.names.push_back(i < given.size() ? given[i] : own_name.empty() ? argument_name({}, i) : own_name);
      const bool sharded = lies_below_any(checked_.names[i], checked_.options.sharded);
      checked_.fed.push_back(i < given.size() && !sharded && !lies_below_any(given[i], checked_.whole));
      checked_.own.push_back(checked_.fed[i] || sharded);
      // Where it is known which arguments the program returns, no other is looked for among the results.
      passed_over.push_back(checked_.fed[i] || (!candidate().returned.empty() &&
                                                !lies_below_any(checked_.names[i], candidate().returned)));
    }
    // Along the axes of a mesh the compiler itself makes parts of one program.
    if (candidate().of_one_program && meets_in_groups(graph))
      checked_.differ.assign(graph.results().size(), false);
    else
      checked_.differ = differing_results(graph, checked_.own, checked_.disagreements);
    std::map<std::size_t, std::size_t> over = candidate().written_over;
    const std::vector<std::pair<std::size_t, std::size_t>> returned = returned_places();
    for (const auto& [parameter, result] : returned)
      if (lies_below_any(checked_.names[parameter], checked_.options.jit.donated)) over.emplace(parameter, result);
    checked_.updates = updates_of(graph, passed_over, checked_.differ, over);
    checked_.by_place.assign(checked_.updates.size(), false);
    for (const auto& [parameter, result] : returned) {
      if (checked_.fed[parameter] || checked_.updates[result] ||
          graph.type(graph.results()[result]) != graph.type(graph.parameters()[parameter]) ||
          std::ranges::find(checked_.updates, std::optional{parameter}) != checked_.updates.end())
        continue;
      checked_.updates[result] = parameter;
      checked_.by_place[result] = true;
    }
  }

  /// The parameters of structures that are returned, and the results that stand at their places.
  std::vector<std::pair<std::size_t, std::size_t>> returned_places() const {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    const auto results = std::ssize(checked_.optimized.results());
    for (const auto& [argument, place] : candidate().returned_at) {
      std::vector<std::size_t> of_it;
      for (std::size_t i = 0; i < checked_.names.size(); ++i)
        if (lies_below(checked_.names[i], argument)) of_it.push_back(i);
      const std::int64_t first = place >= 0 ? place : results + place + 1 - std::ssize(of_it);
      if (first < 0 || first + std::ssize(of_it) > results) continue;
      for (std::size_t i = 0; i < of_it.size(); ++i) places.emplace_back(of_it[i], static_cast<std::size_t>(first) + i);
    }
    return places;
  }

  Checked checked_;
  std::set<std::string> told_;  ///< arguments that are told to be out of scope
};

}  // namespace

Checked checked(const Candidate& candidate, const tpu::Slice& slice, const CheckOptions& options) {
  return Taking{candidate, slice, options}.run();
}

bool lies_below_any(const std::string& name, const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const std::string& argument) { return lies_below(name, argument); });
}

Signature share_of(const Signature& call, const std::vector<std::string>& whole, std::int64_t replicas,
                   std::vector<Diagnostic>& faults) {
  Signature share = call;
  share.replicated = whole;
  if (replicas == 1) return share;
  for (std::size_t i = 0; i < call.names.size(); ++i) {
    if (lies_below_any(call.names[i], whole)) continue;
    const std::string what = "'" + call.names[i] + "' is " + to_string(call.types[i]);
    if (call.types[i].shape.rank() == 0) {
      faults.push_back({.number = 601,
                        .sentence = what + ", which cannot be split into " + std::to_string(replicas) +
                                    " equal shares along its leading axis.",
                        .fix = {"give each replica the value, with tpu::replicated(" + argument_of(call.names[i]) +
                                ", " + std::to_string(replicas) + ")"}});
      continue;
    }
    std::int64_t& extent = share.types[i].shape[0];
    const std::int64_t parts = (extent + replicas - 1) / replicas;
    if (extent % replicas != 0 || extent == 0)
      faults.push_back(
          {.number = 601,
           .sentence = what + ", which cannot be split into " + std::to_string(replicas) +
                       " equal shares along its leading axis" + (extent == 0 ? ": there is nothing in it." : "."),
           .fix = extent == 0
                      ? std::vector<std::string>{"give a batch of " + std::to_string(replicas) + " or a multiple of it"}
                      : std::vector<std::string>{"make the batch " + std::to_string(parts * replicas) +
                                                 ", filled up with examples of weight zero"}});
    extent = std::max<std::int64_t>(parts, 1);
  }
  return share;
}

namespace {

void note_too_long(std::vector<TooLong>& too_long, const BucketPolicy& policy, std::int64_t dimension,
                   const std::string& name, std::int64_t extent) {
  for (TooLong& known : too_long) {
    if (known.policy != policy || known.dimension != dimension) continue;
    known.longest = std::max(known.longest, extent);
    known.names.insert(name);
    return;
  }
  too_long.push_back({policy, dimension, {name}, extent});
}

}  // namespace

Diagnostic no_bucket(const TooLong& too_long) {
  const std::string extent = std::to_string(too_long.longest);
  std::string names;
  for (const std::string& name : too_long.names) names += (names.empty() ? "'" : ", '") + name + "'";
  return {.number = 301,
          .sentence = "Dimension " + std::to_string(too_long.dimension) + " of " + names + " is up to " + extent +
                      ", and no bucket of " + to_string(too_long.policy) + " is that large.",
          .fix = {"add a bucket of " + extent + " or more", "truncate the input"}};
}

Signature in_buckets(const Signature& signature, const std::vector<Bucket>& buckets, PaddedElements& elements,
                     std::vector<Diagnostic>& faults, std::vector<TooLong>& too_long) {
  Signature padded = signature;
  std::vector<bool> found(buckets.size(), false);
  for (std::size_t i = 0; i < padded.names.size(); ++i) {
    Shape& shape = padded.types[i].shape;
    std::vector<bool> decided(static_cast<std::size_t>(shape.rank()), false);
    bool named = false;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      const Bucket& bucket = buckets[b];
      if (!lies_below(padded.names[i], bucket.argument)) continue;
      const std::int64_t d = bucket.dimension < 0 ? bucket.dimension + shape.rank() : bucket.dimension;
      if (d < 0 || d >= shape.rank()) continue;
      found[b] = named = true;
      if (decided[static_cast<std::size_t>(d)]) continue;
      decided[static_cast<std::size_t>(d)] = true;
      if (bucket.policy.holds(shape[d]))
        shape[d] = bucket.policy.bucket(shape[d]);
      else
        note_too_long(too_long, bucket.policy, d, padded.names[i], shape[d]);
    }
    if (!named) continue;
    const std::int64_t real = signature.types[i].shape.elements();
    elements += {real, shape.elements() - real};
  }
  for (std::size_t b = 0; b < buckets.size(); ++b)
    if (!found[b])
      faults.push_back({.number = 709,
                        .sentence = "A bucket is for dimension " + std::to_string(buckets[b].dimension) + " of '" +
                                    buckets[b].argument + "', and no argument is called that and has such a dimension.",
                        .fix = {"name the arguments, in order, in argument_names"}});
  return padded;
}

}  // namespace octet

namespace octet::candidates {

void Noting::array(const reflection::Path& path, Array& array) {
  if (array.empty())
    fail({.number = 405,
          .sentence = "'" + path.name() + "' is an array without a type.",
          .fix = {"give the data, as a Tensor or Values, or a structure whose arrays have types"}});
  to_.names.push_back(path.name());
  to_.types.push_back(array.type());
}
void Noting::holds(std::size_t count) { to_.lengths.push_back(count); }
void Noting::fixed(const reflection::Path& path, const reflection::Fixed& value) {
  to_.statics.push_back({path.name(), static_text(value)});
}

void note_largest(std::map<std::string, double>& largest, const HostArguments& call) {
  constexpr std::int64_t most_looked_at = 1 << 20;
  for (std::size_t i = 0; i < call.tensors.size(); ++i) {
    const Tensor& tensor = call.tensors[i];
    if (tensor.elements() > most_looked_at || !(is_integer(tensor.dtype()) || tensor.dtype() == DType::bf16)) continue;
    double& most = largest[call.names[i]];
    for (std::int64_t e = 0; e < tensor.elements(); ++e) {
      const double value = tensor.at(e), magnitude = value < 0 ? -value : value;
      if (magnitude > most) most = magnitude;  // false for NaN
    }
  }
}

}  // namespace octet::candidates
