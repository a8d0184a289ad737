/// Which part of each value devices have, forward from the parameters and back from what is wanted.
module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :partition;

namespace octet::tpu {

namespace {

class Planner {
 public:
  Planner(const Graph& graph, const Axis& axis, Plans& plans) : graph_{graph}, axis_{axis}, plans_{plans} {
    for (const Node& each : graph.nodes())
      if (const auto border = border_of(each, axis); border && border->kind == Border::Kind::asks)
        if (border->dimension >= 0) asked_for_[each.inputs[0]] = border->dimension;
  }

  /// Results are wanted so where `wanted` says it.
  Plan run(const Shardings& parameters, const Shardings& wanted) {
    do {
      asked_more_ = false;
      plan_.nodes.clear();
      plan_.values.assign(graph_.values().size(), {});
      for (std::size_t i = 0; i < parameters.size(); ++i) value(graph_.parameters()[i]) = parameters[i];
      for (std::size_t n = 0; n < graph_.nodes().size(); ++n) forward(n);
      backward(wanted);
    } while (asked_more_);
    for (const ValueId id : graph_.parameters()) plan_.preferred.push_back(preferred_[static_cast<std::size_t>(id)]);
    return std::move(plan_);
  }

 private:
  Sharding& value(ValueId id) { return plan_.values[static_cast<std::size_t>(id)]; }
  const Node& node(std::size_t n) const { return graph_.nodes()[n]; }
  std::int64_t asked(const Node& node, std::size_t output) const {
    const auto at = plans_.asked.find({&node, output});
    return at == plans_.asked.end() ? uncut : at->second;
  }

  /// The batch decides how an operation is computed: of what else is cut, devices have all where it needs all.
  void forward(std::size_t n) {
    const Node& each = node(n);
    Shardings inputs;
    for (const ValueId id : each.inputs) inputs.push_back(value(id));
    Cut cut;
    Shardings outputs;
    if (const auto border = border_of(each, axis_)) {
      outputs = {across(each, *border, inputs[0])};
      cut.outputs = dimensions(outputs);
      const bool as_it_is = inputs[0].dimension != uncut || border->dimension == unasked;
      cut.inputs = {border->kind == Border::Kind::leaves             ? uncut
                    : border->kind == Border::Kind::asks && as_it_is ? inputs[0].dimension
                                                                     : border->dimension};
    } else if (each.op == Op::if_) {
      outputs = branches(each, {inputs.begin() + 1, inputs.end()});
      inputs[0] = {};  // all take one branch
      cut.inputs = dimensions(inputs);
      cut.outputs = dimensions(outputs);
    } else if (each.op == Op::while_ || each.op == Op::optimization_barrier) {
      outputs = each.op == Op::while_ ? loop(each, inputs) : inputs;
      cut.inputs = cut.outputs = dimensions(outputs);
    } else {
      const bool of_batch = std::ranges::any_of(inputs, &Sharding::of_batch);
      Dimensions given;
      // Rows of what is no batch need not be apart in a call that is not known.
      const bool rows = of_batch || each.op != Op::custom_call;
      for (const Sharding& input : inputs)
        given.push_back(rows && input.of_batch == of_batch ? input.dimension : uncut);
      cut = cut_as_asked(each, given);
      if (cut.meets && each.op == Op::scatter && !inputs[0].of_batch)
        cut.inputs[0] = cut.outputs[0] = inputs[0].dimension;  // added to the part that a device has
      if (cut.meets && cut.outputs[0] == uncut) cut.outputs[0] = asked(each, 0);
      for (const std::int64_t d : cut.outputs) outputs.push_back({d, of_batch && d != uncut && !cut.meets});
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) value(each.outputs[i]) = outputs[i];
    plan_.nodes.push_back(std::move(cut));
  }

  /// Of a product whose operands are cut in two ways, the one that gives what a `Sharding` asks for.
  Cut cut_as_asked(const Node& each, const Dimensions& given) const {
    const auto asked = asked_for_.find(each.outputs.empty() ? -1 : each.outputs[0]);
    for (std::size_t i = 0; each.op == Op::dot_general && asked != asked_for_.end() && i < given.size(); ++i) {
      Dimensions one(given.size(), uncut);
      one[i] = given[i];
      Cut cut = cut_of(graph_, each, one, axis_.count);
      if (given[i] != uncut && !cut.meets && cut.outputs[0] == asked->second) return cut;
    }
    return cut_of(graph_, each, given, axis_.count);
  }

  /// Within a program of one device nothing is cut: each has its own.
  Sharding across(const Node& node, const Border& border, const Sharding& input) {
    const auto extent = [&](ValueId id) { return graph_.type(id).shape[border.dimension]; };
    if (border.dimension == unasked) return input;
    if (border.dimension == uncut) return {};
    if (border.kind == Border::Kind::enters) {
      if (input.of_batch) plans_.entering_batch.insert(extent(node.inputs[0]));
      return {};
    }
    const bool leaves = border.kind == Border::Kind::leaves;
    return {border.dimension, leaves ? plans_.entering_batch.contains(extent(node.outputs[0])) : input.of_batch};
  }

  /// What one branch leaves in parts, both do.
  Shardings branches(const Node& node, const Shardings& given) {
    Branches& branches = plans_.branches[&node];
    Shardings results(node.outputs.size(), {unasked});
    for (std::size_t i = 0; i < results.size(); ++i)
      if (const std::int64_t d = asked(node, i); d != uncut) results[i] = {d};
    if (!branches.plans.empty() && branches.given == given && branches.asked == results) return branches.results;
    branches.given = given;
    branches.asked = results;
    // Once more with what both are to leave, which asks for parts of what is whole in one.
    for (int round = 0; round < 2; ++round) {
      branches.plans.clear();
      for (const Graph& region : node.regions)
        branches.plans.push_back(Planner{region, axis_, plans_}.run(given, results));
      for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i].dimension == unasked) results[i] = {};
        for (std::size_t r = 0; r < node.regions.size(); ++r) {
          const Sharding own = branches.plans[r].values[static_cast<std::size_t>(node.regions[r].results()[i])];
          if (own.dimension == uncut) continue;
          if (results[i].dimension != uncut && own.dimension != results[i].dimension)
            not_judged("What the branches of a conditional give is cut along different dimensions.", node.place);
          results[i] = {own.dimension, results[i].of_batch || own.of_batch};
        }
      }
    }
    return branches.results = std::move(results);
  }

  /// What a turn leaves in parts is in parts in each turn. A body is planned anew where it is given other parts, and no
  /// more than so often, however deep it lies.
  Shardings loop(const Node& node, Shardings given) {
    constexpr int most_rounds = 64;
    for (std::size_t i = 0; i < given.size(); ++i)
      if (given[i].dimension == uncut) given[i].dimension = asked(node, i);
    Loop& loop = plans_.loops[&node];
    if (loop.rounds > 0 && loop.given == given) return loop.state;
    loop.given = loop.state = std::move(given);
    for (bool same = false; !same;) {
      if (++loop.rounds > most_rounds)
        not_judged("Which parts of a loop's state each device has, within other loops, is not found.", node.place);
      same = true;
      loop.body = Planner{node.regions[1], axis_, plans_}.run(loop.state, loop.state);
      for (std::size_t i = 0; i < loop.state.size(); ++i) {
        const Sharding next = loop.body.values[static_cast<std::size_t>(node.regions[1].results()[i])];
        Sharding& state = loop.state[i];
        if (next == state || (!state.of_batch && next.dimension == uncut)) continue;
        if (state.dimension != uncut && next.dimension != state.dimension)
          not_judged("The state of a loop is cut over devices in one turn, and not so in the next.", node.place);
        if (state.of_batch) continue;
        state = next;
        same = false;
      }
    }
    loop.condition = Planner{node.regions[0], axis_, plans_}.run(loop.state, {{}});
    return loop.state;
  }

  /// What follows from no parameter that is cut, and is wanted in parts wherever it is used, is made in parts. Of a sum
  /// over devices that is wanted in parts somewhere each takes its part alone.
  void backward(const Shardings& wanted) {
    wishes_.assign(graph_.values().size(), unasked);
    preferred_.assign(graph_.values().size(), uncut);
    for (std::size_t i = 0; i < graph_.results().size(); ++i) {
      const ValueId id = graph_.results()[i];
      const Sharding part = i < wanted.size() && wanted[i].dimension != unasked ? wanted[i] : value(id);
      want(id, part.dimension);
      if (!part.of_batch) prefer(id, part.dimension);
    }
    for (std::size_t n = graph_.nodes().size(); n-- > 0;) {
      remake(n);
      for (std::size_t o = 0; o < node(n).outputs.size(); ++o) hand_out(n, o);
      const Node& each = node(n);
      const Cut& cut = plan_.nodes[n];
      const auto of_batch = [&](ValueId id) { return value(id).of_batch; };
      const bool each_its_own = each.op == Op::while_ || each.op == Op::optimization_barrier;
      for (std::size_t i = 0; i < each.inputs.size(); ++i) {
        want(each.inputs[i], cut.inputs[i]);
        const bool batch =
            each_its_own ? of_batch(each.outputs[i]) : std::ranges::any_of(each.outputs, of_batch) || cut.meets;
        if (!batch) prefer(each.inputs[i], cut.inputs[i]);
        if (each.op == Op::if_ && i > 0)
          for (const Plan& branch : plans_.branches[&each].plans) prefer(each.inputs[i], branch.preferred[i - 1]);
      }
    }
  }

  void want(ValueId id, std::int64_t dimension) {
    std::int64_t& own = wishes_[static_cast<std::size_t>(id)];
    own = own == unasked || own == dimension ? dimension : uncut;
  }
  void prefer(ValueId id, std::int64_t dimension) {
    std::int64_t& own = preferred_[static_cast<std::size_t>(id)];
    if (own == uncut) own = dimension;
  }

  /// In parts where it was whole; and what only spreads something is spread as it is wanted: less is gathered so.
  void remake(std::size_t n) {
    const Node& each = node(n);
    if (each.outputs.empty() || (each.outputs.size() > 1 && each.op != Op::custom_call) || plan_.nodes[n].meets) return;
    Sharding& own = value(each.outputs.back());
    const std::int64_t wish = wishes_[static_cast<std::size_t>(each.outputs.back())];
    const bool spread = each.op == Op::broadcast_in_dim && !own.of_batch;
    if (wish == unasked || wish == own.dimension || (own.dimension != uncut && !spread)) return;
    const std::optional<Cut> cut = cut_for(graph_, each, wish, axis_.count);
    if (!cut) return;
    for (std::size_t i = 0; i < each.inputs.size(); ++i)
      if (const Sharding input = value(each.inputs[i]);
          input.dimension != uncut && input.dimension != cut->inputs[i] && (input.of_batch || cut->inputs[i] != uncut))
        return;
    own = {wish, false};
    plan_.nodes[n] = *cut;
  }

  /// Asks for parts of what is whole, or of what that follows from.
  void hand_out(std::size_t n, std::size_t output) {
    const Node& each = node(n);
    const ValueId id = each.outputs[output];
    const std::int64_t d = preferred_[static_cast<std::size_t>(id)];
    if (d == uncut || value(id).dimension != uncut || graph_.type(id).shape[d] % axis_.count != 0) return;
    if (each.op == Op::while_ || each.op == Op::if_ || plan_.nodes[n].meets == Reducer::add)
      asked_more_ |= plans_.asked.emplace(std::pair{&each, output}, d).second;
    else if (each.op == Op::optimization_barrier)
      prefer(each.inputs[output], d);
    else if (const auto cut = cut_for(graph_, each, d, axis_.count); cut && each.outputs.size() == 1)
      for (std::size_t i = 0; i < each.inputs.size(); ++i) prefer(each.inputs[i], cut->inputs[i]);
  }

  const Graph& graph_;
  Axis axis_;
  Plans& plans_;
  Plan plan_;
  std::map<ValueId, std::int64_t> asked_for_;  ///< along which dimension a `Sharding` wants a value
  Dimensions wishes_;                          ///< along which dimension all that uses a value wants it
  Dimensions preferred_;                       ///< along which something does that is no batch
  bool asked_more_ = false;
};

}  // namespace

Plan plan(const Graph& whole, const Shardings& parameters, const Shardings& wanted, const Axis& axis, Plans& plans) {
  return Planner{whole, axis, plans}.run(parameters, wanted);
}

}  // namespace octet::tpu
