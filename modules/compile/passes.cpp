/// The order of the passes, and what all of them share.
module;
#include <cstddef>
#include <iterator>
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

constexpr std::size_t most_rounds = 8;

}  // namespace

std::span<const Pass> passes() { return table; }

Graph optimize(Graph graph, const CompileOptions& options) {
  verify(graph);
  // Round and round, until each pass in turn has found nothing to do. What a pass left as it was has been verified before.
  std::size_t idle = 0;
  for (std::size_t i = 0; i < most_rounds * std::size(table) && idle < std::size(table); ++i) {
    const Pass& pass = table[i % std::size(table)];
    Graph next = pass.run(graph);
    const bool changed = !equal(graph, next);
    if (changed) verify(next);
    if (options.on_pass) options.on_pass(pass.name, graph, next);
    idle = changed ? 0 : idle + 1;
    graph = std::move(next);
  }
  return graph;
}

}  // namespace octet
