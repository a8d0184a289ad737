/// The order of the passes, and what all of them share.
module;
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>
module octet.compile;
import octet.base;
import octet.graph;
import :options;
import :passes;

namespace octet {

namespace {

constexpr Pass table[] = {
    {"simplify", simplify},
    {"fold_constants", fold_constants},
    {"eliminate_common_subexpressions", eliminate_common_subexpressions},
    {"eliminate_dead_code", eliminate_dead_code},
};

constexpr int most_rounds = 8;

}  // namespace

std::span<const Pass> passes() { return table; }

Graph optimize(Graph graph, const CompileOptions& options) {
  for (int round = 0; round < most_rounds; ++round) {
    bool changed = false;
    for (const Pass& pass : table) {
      Graph next = pass.run(graph);
      verify(next);
      if (options.on_pass) options.on_pass(pass.name, graph, next);
      changed |= !equal(graph, next);
      graph = std::move(next);
    }
    if (!changed) break;
  }
  return graph;
}

}  // namespace octet
