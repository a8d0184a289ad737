module;
#include <cstdint>
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :fusion;
import :group_loop;
import :loop;
import :moved_products;
import :view;

namespace octet {

namespace {

class Builder {
 public:
  Builder(const Graph& graph, const Fusion& fusion, const FusionGroup& group, Isa isa)
      : graph_{graph}, fusion_{fusion}, isa_{isa} {
    program().space = group.space;
    program().reduce = group.reduce;
    program().reduced = group.reduced;
    program().columns = group.columns;
  }

  GroupLoop run(const FusionGroup& group, const std::vector<bool>& needed, const std::vector<bool>& narrow) {
    for (std::size_t n : group.nodes) {
      const Node& node = graph_.nodes()[n];
      const ValueId out = node.outputs.front();
      const bool is_needed = needed[static_cast<std::size_t>(out)];
      made_.place = node.place;
      if (node.op == Op::reduce) {
        reduce(node, is_needed);
        continue;
      }
      registers_[out] = compute(node);
      if (is_needed) store(out, narrow[static_cast<std::size_t>(out)]);
    }
    return std::move(made_);
  }

 private:
  LoopProgram& program() { return made_.program; }
  const Shape& shape(ValueId id) const { return graph_.type(id).shape; }
  DType dtype(ValueId id) const { return graph_.type(id).dtype; }
  const View& view(ValueId id) const { return fusion_.views[static_cast<std::size_t>(id)]; }

  std::size_t input(ValueId root) {
    const auto found = std::find(made_.inputs.begin(), made_.inputs.end(), root);
    if (found != made_.inputs.end()) return static_cast<std::size_t>(found - made_.inputs.begin());
    made_.inputs.push_back(root);
    return made_.inputs.size() - 1;
  }
  std::size_t output(ValueId id) {
    made_.outputs.push_back(id);
    return made_.outputs.size() - 1;
  }

  /// The register of what `through` reads.
  int load(const View& through, DType of) {
    const auto [at, is_new] = loaded_.try_emplace({through.root, through.offset, through.strides}, program().registers);
    if (is_new) {
      const std::size_t from = input(through.root);
      program().loads.push_back(
          {program().registers++, from, of, through.offset, through.strides, known_word(through.root)});
    }
    return at->second;
  }

  int operand(ValueId id) {
    const View& through = view(id);
    if (const auto found = registers_.find(through.root); found != registers_.end()) return found->second;
    View spread = through;
    // A scalar operand (of select, clamp) serves every element.
    if (shape(id).rank() == 0) spread.strides.assign(static_cast<std::size_t>(program().space.rank()), 0);
    return load(spread, dtype(id));
  }

  std::optional<std::uint32_t> known_word(ValueId id) const {
    const Node* const node = graph_.definition(id);
    if (!node || node->op != Op::constant) return {};
    const Tensor& value = std::get<ConstantAttributes>(node->attributes).value;
    if (value.dtype() != DType::u32 || value.elements() != 1) return {};
    return value.span<std::uint32_t>()[0];
  }

  void reduce(const Node& node, bool is_needed) {
    const auto& a = std::get<ReduceAttributes>(node.attributes);
    const ValueId out = node.outputs.front();
    const bool runs_alone = reduce_kind(shape(node.inputs[0]), a.dimensions) == LoopProgram::Reduce::none;
    const int source = runs_alone ? load(permuted(node, a.dimensions), dtype(out)) : operand(node.inputs[0]);
    program().results = shape(out).elements();
    if (is_needed) program().reductions.push_back({source, output(out), dtype(out), a.reducer});
  }

  /// The operand of a reduction with the reduced dimensions moved innermost; its shape becomes the loop's space.
  View permuted(const Node& node, const Dims& dimensions) {
    const View& through = view(node.inputs[0]);
    const Shape& of = shape(node.inputs[0]);
    View result{through.root, through.offset, {}};
    Dims extents;
    for (const bool reduced : {false, true})
      for (std::int64_t d = 0; d < of.rank(); ++d)
        if ((std::ranges::count(dimensions, d) != 0) == reduced) {
          extents.push_back(of[d]);
          result.strides.push_back(through.strides[static_cast<std::size_t>(d)]);
        }
    program().space = Shape{extents};
    return result;
  }

  /// The register of what a node that does not reduce makes.
  int compute(const Node& node) {
    const DType of_result = dtype(node.outputs.front());
    // A move that is no view here: its operand read in the order of the result.
    if (node.op != Op::iota && !is_elementwise(node.op)) return load(moved(graph_, fusion_, node), of_result);
    if (node.op == Op::iota) {
      program().counters.push_back(
          {program().registers, of_result, std::get<IotaAttributes>(node.attributes).iota_dimension});
      return program().registers++;
    }
    LoopProgram::Step step{0, of_result, nullptr, {-1, -1, -1}, node.op};
    for (std::size_t i = 0; i < node.inputs.size(); ++i) step.operands[i] = operand(node.inputs[i]);
    const auto* const compare = std::get_if<CompareAttributes>(&node.attributes);
    step.function = step_function(node.op, dtype(node.inputs[node.op == Op::select ? 1 : 0]), of_result,
                                  compare ? compare->comparison_direction : Comparison::EQ, isa_);
    step.target = program().registers++;
    program().steps.push_back(step);
    return step.target;
  }

  void store(ValueId out, bool rounded) {
    int source = registers_[out];
    if (rounded) {
      const StepFunction round = step_function(Op::convert, DType::f32, DType::bf16, Comparison::EQ, isa_);
      program().steps.push_back({program().registers, DType::bf16, round, {source, -1, -1}, Op::convert});
      source = program().registers++;
    }
    program().stores.push_back({source, output(out)});
  }

  const Graph& graph_;
  const Fusion& fusion_;
  Isa isa_;
  GroupLoop made_;
  std::map<ValueId, int> registers_;
  std::map<std::tuple<ValueId, std::int64_t, Dims>, int> loaded_;
};

}  // namespace

GroupLoop group_loop(const Graph& graph, const Fusion& fusion, const FusionGroup& group,
                     const std::vector<bool>& needed, const std::vector<bool>& narrow, Isa isa) {
  return Builder{graph, fusion, group, isa}.run(group, needed, narrow);
}

}  // namespace octet
