/// The order of the passes, and what all of them share.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :options;
import :passes;

namespace octet {

namespace {

constexpr Pass table[] = {
    {"simplify", simplify},
    {"fold_constants", fold_constants},
    {"eliminate_common_subexpressions", eliminate_common_subexpressions},
    {"concatenate_pads", concatenate_pads},
    {"eliminate_dead_code", eliminate_dead_code},
};

constexpr std::size_t most_rounds = 8;

}  // namespace

std::span<const Pass> passes() { return table; }

Graph optimize(Graph graph, const CompileOptions& options) {
  verify(graph);
  // Round and round, until each pass in turn has found nothing to do.
  std::size_t idle = 0;
  for (std::size_t i = 0; i < most_rounds * std::size(table) && idle < std::size(table); ++i) {
    const Pass& pass = table[i % std::size(table)];
    const Graph before = options.on_pass ? graph : Graph{};
    idle = pass.run(graph) ? 0 : idle + 1;
    if (!options.on_pass) continue;
    verify(graph);
    options.on_pass(pass.name, before, graph);
  }
  // A program is kept for long, and has fewer nodes than were traced.
  graph.parts().nodes.shrink_to_fit();
  graph.parts().values.shrink_to_fit();
  return graph;
}

}  // namespace octet
