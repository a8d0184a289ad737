module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :passes;
import :rewrite;

namespace octet {

namespace {

std::uint64_t hash_of(const Node& node) {
  Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(node.op)).add(std::as_bytes(std::span{node.inputs})).add(hash(node.attributes));
  for (const Graph& region : node.regions) hasher.add(hash(region));
  return hasher.value();
}

bool same(const Node& a, const Node& b) {
  return a.op == b.op && a.inputs == b.inputs && a.attributes == b.attributes &&
         std::equal(a.regions.begin(), a.regions.end(), b.regions.begin(), b.regions.end(), equal);
}

}  // namespace

bool eliminate_common_subexpressions(Graph& graph) {
  Rewrite rewrite{graph};
  std::pmr::monotonic_buffer_resource memory;
  std::pmr::unordered_multimap<std::uint64_t, std::size_t> known{&memory};  // hash → node of the new graph
  known.reserve(graph.nodes().size());
  while (Node* const read = rewrite.next()) {
    Node& node = *read;
    if (change_regions(node, eliminate_common_subexpressions)) rewrite.note_change();
    const std::uint64_t key = hash_of(node);
    const auto [first, last] = known.equal_range(key);
    const auto found =
        std::find_if(first, last, [&](const auto& entry) { return same(rewrite.graph().nodes()[entry.second], node); });
    if (found != last) {
      const Node& earlier = rewrite.graph().nodes()[found->second];
      for (std::size_t i = 0; i < node.outputs.size(); ++i) rewrite.became(node.outputs[i], earlier.outputs[i]);
      continue;
    }
    known.emplace(key, rewrite.written());
    rewrite.keep();
  }
  return rewrite.finish();
}

}  // namespace octet
