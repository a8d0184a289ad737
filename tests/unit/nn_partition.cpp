// Whole training steps of transformers on a mesh: batch over one axis, weights by columns and rows, heads and
// vocabulary over the other. Each device's part learns what the whole step learns.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.nn;
import octet.tpu;
import octet.trace;
#include "device_parts.hpp"

using namespace octet;

namespace {

constexpr std::int64_t devices = 4;

/// A step of one replica: what it would add up over replicas is its own.
Graph step_of(nn::TransformerKind kind) {
  Graph step = nn::training_step({.kind = kind,
                                  .layers = 2,
                                  .hidden = 16,
                                  .heads = 2,
                                  .intermediate = 32,
                                  .vocabulary = 48,
                                  .embedding = 16,
                                  .positions = 8},
                                 {4, 8, 2}, {{0}}, {.dropout = 0});
  for (Node& node : step.parts().nodes)
    if (node.op == Op::all_reduce) {
      node.op = Op::optimization_barrier;
      node.attributes = NoAttributes{};
    }
  return step;
}

/// As Megatron-LM cuts them. BERT picks its masked positions out of all examples of a batch, which is whole then.
tpu::MeshSharding sharding_of(const std::string& name, nn::TransformerKind kind) {
  const tpu::MeshCut outer{0, 2, 2}, rows{0, 2, 1}, columns{1, 2, 1};
  const auto ends = [&](const std::string& end) { return name.ends_with(end); };
  if (name.starts_with("batch."))
    return kind == nn::TransformerKind::bert ? tpu::MeshSharding{} : tpu::MeshSharding{{outer}, true};
  if (ends("word.table") || ends("head.0.bias")) return {{rows}};  // by the words
  if (name.find(".layers.") == name.npos) return {};
  for (const char* by_columns : {"query", "key", "value", "intermediate"}) {
    if (ends(std::string{"."} + by_columns + ".weight")) return {{columns}};
    if (ends(std::string{"."} + by_columns + ".bias")) return {{rows}};
  }
  return ends(".output.weight") ? tpu::MeshSharding{{rows}} : tpu::MeshSharding{};
}

}  // namespace

TEST_CASE("a transformer that is cut by batch, heads, columns, rows and vocabulary learns as it does whole") {
  for (const auto kind : {nn::TransformerKind::bert, nn::TransformerKind::gpt2}) {
    const Graph step = step_of(kind);
    std::map<std::size_t, tpu::MeshSharding> given;
    std::map<std::size_t, tpu::MeshCuts> results{{0, {}}};
    std::vector<Tensor> arguments;
    std::vector<std::vector<Tensor>> each(devices);
    const Key key = Key::of_seed(3);
    std::uint64_t drawn = 0;
    for (std::size_t i = 0; i < step.parameters().size(); ++i) {
      const ValueId id = step.parameters()[i];
      const std::string& name = step.values()[static_cast<std::size_t>(id)].name;
      Tensor value{step.type(id)};
      if (value.dtype() == DType::i32)
        for (std::int32_t& number : value.mutable_span<std::int32_t>())
          number = name == "state.step" ? 3 : static_cast<std::int32_t>(uniform(key, drawn++) * 8);
      else
        for (float& number : value.mutable_span<float>()) number = static_cast<float>(uniform(key, drawn++)) / 4;
      given[i] = sharding_of(name, kind);
      if (name.starts_with("state.")) results[results.size()] = given[i].cuts;
      for (std::int64_t d = 0; d < devices; ++d)
        each[static_cast<std::size_t>(d)].push_back(part_of(value, d, given[i].cuts));
      arguments.push_back(std::move(value));
    }
    const Graph part = tpu::one_part(step, given, devices, results);
    verify(part);
    CHECK(std::ranges::count(part.nodes(), Op::all_gather, &Node::op) == 0);
    const std::vector<Tensor> whole = evaluate(step, arguments);
    const auto own = evaluate(part, each);
    for (std::int64_t d = 0; d < devices; ++d)
      for (std::size_t r = 0; r < whole.size(); ++r) {
        if (whole[r].dtype() != DType::f32) continue;
        const Tensor expected = part_of(whole[r], d, results.at(r));
        const auto a = expected.span<float>(), b = own[static_cast<std::size_t>(d)][r].span<float>();
        REQUIRE(a.size() == b.size());
        for (std::size_t k = 0; k < a.size(); ++k) CHECK(std::abs(double{a[k]} - double{b[k]}) < 1e-5);  // not of NaN
      }
  }
}
