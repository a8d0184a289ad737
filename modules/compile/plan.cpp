module;
#include <cstdint>
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :fusion;
import :group_loop;
import :kernel;
import :loop;
import :moved_products;
import :narrow_values;
import :options;
import :passes;
import :placement;
import :plan;
import :uniform;
import :update_order;
import :view;

namespace octet {

namespace {

bool contains(const Dims& dims, std::int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

/// Turns the groups of a fused graph into instructions. Buffers are numbered as the values they hold; copies that no
/// value of the graph stands for come after those.
///
/// How each kind of group is lowered is kept apart from the loop over all groups: a browser compiles a loop that runs
/// often once more, with all that is within it.
class Planner {
 public:
  /// `state`: of the body of a loop, the parameter that each result is the next value of.
  Planner(const Graph& graph, const CompileOptions& options, bool is_region, std::vector<std::size_t> state = {})
      : graph_{graph},
        options_{options},
        state_{std::move(state)},
        uniform_{is_region ? std::vector<bool>(graph.values().size(), false)
                           : uniform_values(graph, options.replicated)},
        fusion_{fuse(graph, uniform_)},
        plan_{std::make_unique<Plan>()} {
    plan_->is_region = is_region;
    delay_updates(graph_, fusion_);
  }

  std::unique_ptr<Plan> run() {
    for (const Value& value : graph_.values()) add_buffer(value.type);
    for (std::size_t i = 0; i < graph_.parameters().size(); ++i) {
      place(graph_.parameters()[i], Placement::Where::argument, i);
      plan_->arguments.push_back(graph_.type(graph_.parameters()[i]));
      plan_->shared[static_cast<std::size_t>(graph_.parameters()[i])] = is_uniform(graph_.parameters()[i]);
      plan_->argument_shared.push_back(is_uniform(graph_.parameters()[i]));
    }
    choose_results();
    find_needed();
    moved_products_ = find_moved_products(graph_, fusion_, uniform_);
    for (const auto& [value, product] : moved_products_) movers_.insert(product.mover);
    narrow_ = find_narrow_values(graph_, fusion_, movers_, options_.precision);
    for (std::size_t v = 0; v < narrow_.size(); ++v)
      if (narrow_[v]) plan_->bytes[v] = addressable(graph_.values()[v].type.bytes() / 2);
    for (const FusionGroup& group : fusion_.groups) {
      if (group.is_loop && movers_.contains(group.nodes.front())) continue;
      if (group.is_loop)
        lower_loop(group);
      else
        lower(graph_.nodes()[group.nodes.front()]);
    }
    copy_results();
    for (const Instruction& instruction : plan_->instructions) plan_->meets |= instruction.meets();
    plan_->result_shared.assign(plan_->results.size(), false);
    for (std::size_t b = 0; b < plan_->buffers.size(); ++b)
      if (plan_->buffers[b].where == Placement::Where::result)
        plan_->result_shared[plan_->buffers[b].index] = plan_->shared[b];
    assign_places(*plan_, plan_->is_region ? Donated{state_, true} : Donated{options_.donated});
    return std::move(plan_);
  }

 private:
  const Shape& shape(ValueId id) const { return graph_.type(id).shape; }
  bool is_uniform(ValueId id) const { return uniform_[static_cast<std::size_t>(id)]; }
  bool is_uniform(const Node& node) const { return !node.outputs.empty() && is_uniform(node.outputs.front()); }
  const View& view(ValueId id) const { return fusion_.views[static_cast<std::size_t>(id)]; }

  /// The most there are in place of more, which no arena takes.
  static std::size_t addressable(std::int64_t bytes) {
    return static_cast<std::size_t>(std::min<std::int64_t>(bytes, PTRDIFF_MAX));
  }

  [[gnu::noinline]] std::size_t add_buffer(std::size_t bytes, bool shared = false) {
    plan_->buffers.push_back({});
    plan_->bytes.push_back(bytes);
    plan_->shared.push_back(shared);
    return plan_->buffers.size() - 1;
  }
  std::size_t add_buffer(const TensorType& type) { return add_buffer(addressable(type.bytes())); }
  void place(ValueId id, Placement::Where where, std::size_t index) {
    plan_->buffers[static_cast<std::size_t>(id)] = {where, index};
  }

  /// A result is computed where the caller wants it, if a kernel computes it and no other result is the same value.
  [[gnu::noinline]] void choose_results() {
    for (std::size_t r = 0; r < graph_.results().size(); ++r) {
      const ValueId id = graph_.results()[r];
      plan_->results.push_back(graph_.type(id));
      const Node* node = graph_.definition(view(id).root);
      Placement& placement = plan_->buffers[static_cast<std::size_t>(id)];
      if (view(id).root == id && node && node->op != Op::constant && placement.where == Placement::Where::arena &&
          !placed_[id]) {
        placement = {Placement::Where::result, r};
        placed_[id] = true;
      } else {
        copied_results_.push_back(r);
      }
    }
  }

  /// The values whose buffers someone reads: those that only their own loop reads need none.
  [[gnu::noinline]] void find_needed() {
    needed_.assign(graph_.values().size(), false);
    std::vector<std::size_t> group_of(graph_.nodes().size(), SIZE_MAX);
    for (std::size_t g = 0; g < fusion_.groups.size(); ++g)
      for (std::size_t n : fusion_.groups[g].nodes) group_of[n] = g;
    for (ValueId id : graph_.results()) needed_[static_cast<std::size_t>(view(id).root)] = true;
    for (std::size_t n = 0; n < graph_.nodes().size(); ++n) {
      if (group_of[n] == SIZE_MAX) continue;  // a view reads nothing
      for (ValueId id : graph_.nodes()[n].inputs) {
        const ValueId root = view(id).root;
        const std::int32_t d = graph_.values()[static_cast<std::size_t>(root)].node;
        if (d < 0 || group_of[static_cast<std::size_t>(d)] != group_of[n])
          needed_[static_cast<std::size_t>(root)] = true;
      }
    }
  }

  Instruction& emit(std::unique_ptr<Kernel> kernel, std::vector<std::size_t> inputs, std::vector<std::size_t> outputs,
                    const Place& place, bool uniform) {
    Instruction instruction;
    instruction.kernel = std::move(kernel);
    instruction.inputs = std::move(inputs);
    instruction.outputs = std::move(outputs);
    instruction.place = place;
    instruction.uniform = uniform;
    for (std::size_t b : instruction.outputs) plan_->shared[b] = uniform;
    plan_->instructions.push_back(std::move(instruction));
    return plan_->instructions.back();
  }

  /// The buffer of the root of `id`; a constant gets its place when it is first read.
  std::size_t buffer(ValueId root) {
    const Node* node = graph_.definition(root);
    Placement& placement = plan_->buffers[static_cast<std::size_t>(root)];
    if (node && node->op == Op::constant && placement.where != Placement::Where::constant) {
      placement = {Placement::Where::constant, plan_->constants.size()};
      plan_->constants.push_back(std::get<ConstantAttributes>(node->attributes).value);
    }
    return static_cast<std::size_t>(root);
  }

  /// Copies what `through` reads over `space` into `target`, densely.
  void copy(const View& through, const Shape& space, DType dtype, std::size_t target, const Place& place) {
    LoopProgram program;
    program.space = space;
    program.loads.push_back({0, 0, dtype, through.offset, through.strides});
    program.stores.push_back({0, 0});
    program.registers = 1;
    emit(loop_kernel(std::move(program), options_.isa), {buffer(through.root)}, {target}, place,
         plan_->shared[static_cast<std::size_t>(through.root)]);
  }

  [[gnu::noinline]] void lower_loop(const FusionGroup& group) {
    GroupLoop loop = group_loop(graph_, fusion_, group, needed_, narrow_, options_.isa);
    if (loop.outputs.empty()) return;
    std::vector<std::size_t> inputs, outputs{loop.outputs.begin(), loop.outputs.end()};
    for (ValueId root : loop.inputs) inputs.push_back(buffer(root));
    emit(loop_kernel(std::move(loop.program), options_.isa), std::move(inputs), std::move(outputs), loop.place,
         is_uniform(graph_.nodes()[group.nodes.front()].outputs.front()));
  }

  [[gnu::noinline]] void lower(const Node& node) {
    if (node.op == Op::constant) return;
    if (node.op == Op::dot_general) return lower_dot(node);
    std::vector<std::size_t> inputs, outputs;
    for (ValueId id : node.inputs) inputs.push_back(buffer(view(id).root));
    for (ValueId id : node.outputs) outputs.push_back(static_cast<std::size_t>(id));
    const bool uniform = is_uniform(node);
    if (is_collective(node.op)) {
      emit(nullptr, std::move(inputs), std::move(outputs), node.place, uniform).collective =
          collective_kernel(graph_, node);
    } else if (node.op == Op::if_ || node.op == Op::while_) {
      lower_control(node, std::move(inputs), std::move(outputs));
    } else if (const auto* call = std::get_if<CustomCallAttributes>(&node.attributes)) {
      fail({.number = 410, .sentence = "Octet has no operation " + call->call_target_name + ".", .where = node.place});
    } else {
      emit(movement_kernel(graph_, node), std::move(inputs), std::move(outputs), node.place, uniform);
    }
  }

  [[gnu::noinline]] void lower_control(const Node& node, std::vector<std::size_t> inputs,
                                       std::vector<std::size_t> outputs) {
    CompileOptions inner = options_;
    inner.donated.clear();
    Instruction& instruction = emit(nullptr, std::move(inputs), std::move(outputs), node.place, is_uniform(node));
    instruction.is_while = node.op == Op::while_;
    std::vector<Graph> regions = node.regions;
    if (instruction.is_while) {
      // What the body leaves as it is needs no copy at each repetition.
      Graph& body = regions[1];
      std::vector<ValueId> changed;
      for (std::size_t i = 0; i < body.results().size(); ++i)
        if (body.results()[i] != body.parameters()[i]) {
          instruction.varying.push_back(i);
          changed.push_back(body.results()[i]);
        }
      body.set_results(std::move(changed));
    }
    for (std::size_t r = 0; r < regions.size(); ++r)
      instruction.regions.push_back(
          Planner{regions[r], inner, true, r == 1 ? instruction.varying : std::vector<std::size_t>{}}.run());
    const Plan &first = *instruction.regions[0], &second = *instruction.regions[1];
    instruction.region_arena = {add_buffer(std::max(first.arena_bytes, second.arena_bytes), instruction.uniform)};
    for (std::size_t k = 0; k < instruction.varying.size(); ++k)
      if (second.result_from[k] < 0)
        instruction.second_places.push_back(
            add_buffer(plan_->bytes[instruction.outputs[instruction.varying[k]]], instruction.uniform));
  }

  [[gnu::noinline]] void lower_dot(const Node& node) {
    const auto& a = std::get<DotAttributes>(node.attributes);
    const DType dtype = graph_.type(node.inputs[0]).dtype;
    DotShape dot;
    for (std::int64_t d : a.lhs_batching_dimensions) dot.batch.push_back(shape(node.inputs[0])[d]);
    std::vector<std::size_t> inputs;
    const auto read = [&](std::size_t which, const Dims& batching, const Dims& contracting, std::int64_t& free_extent) {
      const ValueId id = node.inputs[which];
      const Shape& of = shape(id);
      Dims free;
      for (std::int64_t d = 0; d < of.rank(); ++d)
        if (!contains(batching, d) && !contains(contracting, d)) free.push_back(d);
      dot.k = 1;
      for (std::int64_t d : free) free_extent *= of[d];
      for (std::int64_t d : contracting) dot.k *= of[d];
      View through = view(id);
      DotOperand operand;
      const auto free_stride = joint_stride(through, of, free),
                 contracted_stride = joint_stride(through, of, contracting);
      if (free_stride && contracted_stride) {
        operand.offset = through.offset;
        for (std::int64_t d : batching) operand.batch_strides.push_back(through.strides[static_cast<std::size_t>(d)]);
        operand.free_stride = *free_stride;
        operand.contracted_stride = *contracted_stride;
        operand.stored_as_bfloat16 = narrow_[static_cast<std::size_t>(through.root)];
        inputs.push_back(buffer(through.root));
        return operand;
      }
      // Its dimensions do not join evenly: a copy in the order batching, free, contracted.
      View ordered{through.root, through.offset, {}};
      Dims extents;
      for (const Dims* dims : {&batching, static_cast<const Dims*>(&free), &contracting})
        for (std::int64_t d : *dims) {
          extents.push_back(of[d]);
          ordered.strides.push_back(through.strides[static_cast<std::size_t>(d)]);
        }
      const DType stored = narrow_[static_cast<std::size_t>(through.root)] ? DType::bf16 : dtype;
      const std::size_t target = add_buffer({stored, Shape{extents}});
      copy(ordered, Shape{extents}, stored, target, node.place);
      operand.stored_as_bfloat16 = stored != dtype;
      inputs.push_back(target);
      operand.contracted_stride = 1;
      operand.free_stride = dot.k;
      std::int64_t stride = dot.k * free_extent;
      for (auto d = batching.rbegin(); d != batching.rend(); ++d) {
        operand.batch_strides.insert(operand.batch_strides.begin(), stride);
        stride *= of[*d];
      }
      return operand;
    };
    DotOperand lhs = read(0, a.lhs_batching_dimensions, a.lhs_contracting_dimensions, dot.m);
    DotOperand rhs = read(1, a.rhs_batching_dimensions, a.rhs_contracting_dimensions, dot.n);
    const auto moved = moved_products_.find(node.outputs.front());
    const bool is_moved = moved != moved_products_.end();
    if (is_moved && moved->second.transposed) {
      std::swap(lhs, rhs);
      std::swap(dot.m, dot.n);
      std::swap(inputs[0], inputs[1]);
    }
    const DotResult result = is_moved ? moved->second.places : dense_result(dot);
    emit(dot_kernel(dtype, dot, lhs, rhs, result, rounds_operands(a, options_.precision), options_.isa),
         std::move(inputs), {static_cast<std::size_t>(is_moved ? moved->second.value : node.outputs.front())},
         node.place, is_uniform(node));
  }

  [[gnu::noinline]] void copy_results() {
    for (std::size_t r : copied_results_) {
      const ValueId id = graph_.results()[r];
      const std::size_t target = add_buffer(graph_.type(id));
      plan_->buffers[target] = {Placement::Where::result, r};
      copy(view(id), shape(id), graph_.type(id).dtype, target, {});
    }
  }

  const Graph& graph_;
  const CompileOptions& options_;
  std::vector<std::size_t> state_;
  std::vector<bool> uniform_;
  Fusion fusion_;
  std::unique_ptr<Plan> plan_;
  std::map<ValueId, bool> placed_;
  std::vector<std::size_t> copied_results_;
  std::vector<bool> needed_;
  std::vector<bool> narrow_;  ///< of each value, whether its buffer holds bf16 though its type is f32
  std::map<ValueId, MovedProduct> moved_products_;
  std::set<std::size_t> movers_;  ///< nodes whose loops need not run, since products write their results
};

}  // namespace

bool Instruction::meets() const {
  return uniform || collective ||
         std::any_of(regions.begin(), regions.end(), [](const auto& region) { return region->meets; });
}

std::unique_ptr<Plan> make_plan(const Graph& graph, const CompileOptions& options) {
  return Planner{graph, options, false}.run();
}

}  // namespace octet
