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

/// Where the arrays at or below `donated` are among `names`, with those in `positions`.
std::vector<std::size_t> donated_positions(const std::vector<std::string>& names,
                                           const std::vector<std::string>& donated,
                                           std::vector<std::size_t> positions) {
  for (const std::string& argument : donated) {
    bool found = false;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (lies_below(names[i], argument)) {
        positions.push_back(i);
        found = true;
      }
    if (!found)
      fail({.number = 709,
            .sentence = "'" + argument + "' is to be donated, and no argument is called that.",
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
    options.donated = donated_positions(signature.names, options_.donated, std::move(options.donated));
    Lowered lowered = lower();
    lowered.graph.rename(options_.name);
    return CachedProgram{Executable::compile(lowered.graph, options), std::move(lowered.structure)};
  });
}

}  // namespace octet
