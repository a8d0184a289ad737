module;
#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>
module octet.compile;
import octet.base;
import octet.graph;
import :buckets;
import :cache;
import :executable;
import :host_values;
import :jit;
import :options;

namespace octet {

namespace {

/// Where the arrays at or below `arguments` are among `names`, with those in `positions`. `what` is to be done with them.
std::vector<std::size_t> positions_below(const std::vector<std::string>& names, const std::vector<std::string>& arguments,
                                         std::vector<std::size_t> positions, const char* what) {
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

CacheOptions cache_options(const JitOptions& options, std::size_t replicas) {
  return {.max_programs = options.max_programs,
          .max_bytes = options.max_bytes,
          .replicas = replicas,
          .function = options.name,
          .on_compile = options.on_compile,
          .on_evict = options.on_evict};
}

}  // namespace

Specializations::Specializations(JitOptions options, std::size_t replicas)
    : options_{std::move(options)}, cache_{cache_options(options_, replicas)} {}

PaddedElements Specializations::pad(HostArguments& call) const {
  return pad_to_buckets(call.names, call.tensors, options_.buckets);
}

std::shared_ptr<const CachedProgram> Specializations::program(const Signature& signature,
                                                              const std::function<Lowered()>& lower) {
  return cache_.get(signature, [&] {
    CompileOptions options = options_.compile;
    options.donated = positions_below(signature.names, options_.donated, std::move(options.donated), "donated");
    options.replicated = positions_below(signature.names, signature.replicated, std::move(options.replicated), "shared by replicas");
    Lowered lowered = lower();
    lowered.graph.rename(options_.name);
    return CachedProgram{Executable::compile(lowered.graph, options), std::move(lowered.structure)};
  });
}

}  // namespace octet
