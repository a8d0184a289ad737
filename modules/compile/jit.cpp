module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :buckets;
import :cache;
import :executable;
import :host_values;
import :jit;
import :options;
import :seen_shapes;
import :signature;
import :trace_difference;

namespace octet {

namespace {

/// Where the arrays at or below `arguments` are among `names`, with those in `positions`. `what` is to be done with
/// them.
std::vector<std::size_t> positions_below(const std::vector<std::string>& names,
                                         const std::vector<std::string>& arguments, std::vector<std::size_t> positions,
                                         const char* what) {
  for (const std::string& argument : arguments) {
    bool found = false;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (lies_below(names[i], argument)) {
        positions.push_back(i);
        found = true;
      }
    if (!found)
      fail({.number = 709,
            .sentence = "'" + argument + "' is to be " + what + ", and no argument is called that.",
            .fix = {"name the arguments, in order, in argument_names"}});
  }
  std::ranges::sort(positions);
  positions.erase(std::ranges::unique(positions).begin(), positions.end());
  return positions;
}

/// Whether `text` names that number.
bool has_number(std::string_view text, std::int64_t number) {
  const std::string digits = std::to_string(number);
  const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  for (std::size_t at = text.find(digits); at != text.npos; at = text.find(digits, at + 1))
    if (!(at > 0 && is_digit(at - 1)) && !is_digit(at + digits.size())) return true;
  return false;
}

/// A trace whose shapes do not fit each other is told which of the extents that it names are padded.
Lowered traced_in_buckets(const Signature& signature, std::span<const Bucket> buckets,
                          const std::function<Lowered()>& lower) {
  try {
    return lower();
  } catch (const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.number != 401) continue;
      std::vector<Link> padded;
      for (std::size_t i = 0; i < signature.names.size(); ++i)
        for (const Bucket& bucket : buckets) {
          const Shape& shape = signature.types[i].shape;
          const std::int64_t d = bucket.dimension < 0 ? bucket.dimension + shape.rank() : bucket.dimension;
          if (d >= 0 && d < shape.rank() && lies_below(signature.names[i], bucket.argument) && padded.size() < 2 &&
              has_number(diagnostic.sentence, shape[d]))
            padded.push_back({"dimension " + std::to_string(d) + " of " + signature.names[i] + " is " +
                                  std::to_string(shape[d]) + " by its bucket, " + to_string(bucket.policy),
                              {}});
        }
      if (padded.empty()) continue;
      diagnostic.because.insert(diagnostic.because.begin(), padded.begin(), padded.end());
      if (diagnostic.because.size() > 5) diagnostic.because.resize(5);
      diagnostic.fix.insert(diagnostic.fix.begin(),
                            "give each argument that has this dimension the same bucket, a mask too");
      if (diagnostic.fix.size() > 3) diagnostic.fix.resize(3);
    }
    throw Error{std::move(diagnostics)};
  }
}

/// Rules and donations go by names: two arguments of one name would be one to them.
JitOptions with_different_names(JitOptions options) {
  const std::vector<std::string>& names = options.argument_names;
  for (auto name = names.begin(); name != names.end(); ++name)
    if (std::find(names.begin(), name, *name) != name)
      fail([&] {
        return Diagnostic{.number = 709,
                          .sentence = "JitOptions::argument_names has '" + *name + "' twice.",
                          .fix = {"give each argument a name of its own"}};
      });
  return options;
}

}  // namespace

Specializations::Specializations(JitOptions options, std::size_t replicas)
    : options_{with_different_names(std::move(options))},
      cache_{{.max_programs = options_.max_programs,
              .when_full = options_.when_full,
              .max_bytes = options_.max_bytes,
              .replicas = replicas,
              .function = options_.name,
              .on_compile = [this](const CompileEvent& event) { compiled(event); },
              .on_evict = options_.on_evict,
              .cures = [this](const CompileEvent& event) { return cures_for(event); }}} {}

PaddedElements Specializations::pad(HostArguments& call) const {
  return pad_to_buckets(call.names, call.tensors, options_.buckets);
}

std::optional<CallOutcome> Specializations::admit(HostArguments& call, bool remember) {
  for (const Tensor& tensor : call.tensors)
    if (!tensor.data()) tensor.bytes();  // throws: it was moved from
  std::optional<SeenShapes::Place> seen;
  if (remember) {
    const std::lock_guard lock{mutex_};
    seen = seen_.add(call.names, call.tensors);
  }
  const auto shapes = [&] {
    std::vector<Shape> result;
    if (seen && !options_.buckets.empty())
      for (const Tensor& tensor : call.tensors) result.push_back(tensor.shape());
    return result;
  };
  const std::vector<Shape> before = shapes();
  const PaddedElements elements = pad(call);
  cache_.count(elements);
  if (!seen || before != shapes()) return std::nullopt;
  return CallOutcome{.program = {}, .elements = elements, .seen = std::move(*seen)};
}

std::shared_ptr<const CachedProgram> Specializations::repeated(const CallOutcome& outcome) {
  std::shared_ptr<const CachedProgram> program = outcome.program.lock();
  if (!program) return nullptr;
  const std::lock_guard lock{mutex_};
  if (!seen_.holds(outcome.seen) || !cache_.hit(*program, outcome.elements)) return nullptr;
  seen_.add(outcome.seen);
  return program;
}

std::shared_ptr<const CachedProgram> Specializations::program(const Signature& signature,
                                                              const std::function<Lowered()>& lower) {
  return cache_.get(signature, [&] {
    CompileOptions options = options_.compile;
    options.donated = positions_below(signature.names, options_.donated, std::move(options.donated), "donated");
    options.replicated =
        positions_below(signature.names, signature.replicated, std::move(options.replicated), "shared by replicas");
    Lowered lowered = traced_in_buckets(signature, options_.buckets, lower);
    lowered.graph.rename(options_.name);
    TraceDigest trace = digest(lowered.graph);
    return CachedProgram{Executable::compile(std::move(lowered.graph), options), std::move(lowered.structure),
                         std::move(trace)};
  });
}

}  // namespace octet
