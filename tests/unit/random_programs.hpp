/// Programs drawn at random. To be included after compiled.hpp and what that needs.
#pragma once

using namespace octet;

struct Drawn {
  Graph graph;
  std::vector<Tensor> arguments;
};

enum class Kind : std::uint8_t {
  any,              ///< of many shapes, which rarely meet
  late_parameters,  ///< the same, and parameters are declared among the nodes
  tangled,          ///< of one shape: loops that could be one, but for what lies between them
  exact             ///< of many shapes, and nothing whose last bits are an implementation's own
};

class Drawing {
 public:
  Drawing(Dice& dice, Kind kind) : dice_{dice}, kind_{kind} {}

  Drawn draw() {
    for (std::int64_t i = dice_.between(1, 3); i > 0; --i) parameter();
    for (std::int64_t i = dice_.between(3, 60); i > 0; --i)
      if (kind_ == Kind::tangled)
        tangle();
      else
        node();
    std::vector<ValueId> results;
    for (std::int64_t i = dice_.between(1, 4); i > 0; --i) results.push_back(any());
    if (dice_.likely(20)) results.push_back(results.front());
    if (dice_.likely(20)) results.push_back(graph_.parameters().front());
    graph_.set_results(results);
    return {std::move(graph_), std::move(arguments_)};
  }

 private:
  ValueId any() { return static_cast<ValueId>(dice_.between(0, std::ssize(graph_.values()) - 1)); }
  /// Any value but a counter or a condition.
  ValueId floats() {
    for (;;)
      if (const ValueId id = any(); graph_.type(id).dtype == DType::f32) return id;
  }
  const Shape& shape(ValueId id) const { return graph_.type(id).shape; }

  /// A value of the shape of `like`: itself, if no other is found soon.
  ValueId alike(ValueId like) {
    for (int i = 0; i < 8; ++i)
      if (const ValueId other = any(); graph_.type(other) == graph_.type(like)) return other;
    return like;
  }

  void parameter() {
    const TensorType type{DType::f32, kind_ == Kind::tangled ? Shape{4, 4} : dice_.shape(dice_.between(0, 5), 1, 3)};
    graph_.parameter(type);
    arguments_.push_back(dice_.tensor(type.dtype, type.shape));
  }

  ValueId add(Op op, std::vector<ValueId> inputs, Attributes attributes = {}) {
    return graph_.append(op, std::move(inputs), std::move(attributes)).front();
  }

  /// A number, as wide as `like`.
  ValueId number(ValueId like) {
    constexpr float numbers[] = {0.0f, -0.0f, 1.0f, 2.5f};
    const ValueId scalar = graph_.constant(Tensor::scalar(numbers[dice_.between(0, 3)]));
    return add(Op::broadcast_in_dim, {scalar}, BroadcastAttributes{shape(like), {}});
  }

  /// Two operands through one branch or the other, of which a result may be needed by nobody; the condition may be
  /// known to the compiler.
  void branch(ValueId x) {
    const ValueId y = alike(x);
    Dims all;
    for (std::int64_t d = 0; d < shape(x).rank(); ++d) all.push_back(d);
    const ValueId condition = dice_.likely(50) ? graph_.constant(Tensor::scalar(dice_.likely(50)))
                                               : add(Op::compare,
                                                     {add(Op::reduce, {x}, ReduceAttributes{all, Reducer::maximum}),
                                                      graph_.constant(Tensor::scalar(1.0f))},
                                                     CompareAttributes{Comparison::GT});
    std::vector<Graph> branches;
    for (const bool first : {true, false}) {
      Graph& way = branches.emplace_back(first ? "first" : "second");
      const ValueId p = way.parameter(graph_.type(x)), q = way.parameter(graph_.type(y));
      const ValueId twice = way.append(Op::add, {p, p}).front(), again = way.append(Op::add, {p, p}).front();
      way.append(Op::negate, {q});  // for nobody
      way.set_results(first ? std::vector{twice, q} : std::vector{way.append(Op::maximum, {twice, again}).front(), q});
    }
    graph_.append(Op::if_, {condition, x, y}, {}, std::move(branches));
  }

  /// As often as another value says, at most twice, or a number of times that the compiler can read off.
  void loop(ValueId x) {
    const TensorType counter{DType::i32, {}};
    const ValueId zero = graph_.constant(Tensor::scalar(std::int32_t{0}));
    const ValueId idle = alike(x);  // goes round unchanged
    Graph condition{"condition"}, body{"body"};
    const ValueId i = condition.parameter(counter);
    condition.parameter(graph_.type(x));
    condition.parameter(graph_.type(idle));
    const auto times = static_cast<std::int32_t>(dice_.between(0, 2));
    condition.set_results(condition.append(Op::compare, {i, condition.constant(Tensor::scalar(times))},
                                           CompareAttributes{Comparison::LT}));
    const ValueId j = body.parameter(counter), p = body.parameter(graph_.type(x)),
                  q = body.parameter(graph_.type(idle));
    const ValueId next = body.append(Op::add, {j, body.constant(Tensor::scalar(std::int32_t{1}))}).front();
    body.append(Op::negate, {p});  // for nobody
    body.set_results({next, body.append(Op::maximum, {body.append(Op::negate, {p}).front(), p}).front(), q});
    std::vector<Graph> regions;
    regions.push_back(std::move(condition));
    regions.push_back(std::move(body));
    graph_.append(Op::while_, {zero, x, idle}, {}, std::move(regions));
  }

  void node() {
    const ValueId x = floats();
    switch (dice_.between(0, kind_ == Kind::late_parameters ? 13 : 12)) {
      case 0:
        add(Op::negate, {x});
        break;
      case 1:
      case 2: {
        constexpr Op binary[] = {Op::add, Op::multiply, Op::subtract, Op::maximum};
        add(binary[dice_.between(0, 3)], {x, dice_.likely(40) ? number(x) : alike(x)});
        break;
      }
      case 3:
        add(kind_ == Kind::exact ? Op::floor : Op::exponential, {x});
        break;
      case 4: {
        Dims permutation;
        for (std::int64_t d : dice_.some(shape(x).rank(), shape(x).rank())) permutation.push_back(d);
        add(Op::transpose, {x}, TransposeAttributes{permutation});
        break;
      }
      case 5:
        add(Op::reshape, {x}, ResultAttributes{{DType::f32, Shape{shape(x).elements(), 1}}});
        break;
      case 6: {
        if (shape(x).rank() == 0 || shape(x).rank() > 5) break;
        Dims places;
        for (std::int64_t d = 0; d < shape(x).rank(); ++d) places.push_back(d + 1);
        Dims extents = shape(x).extents();
        extents.insert(extents.begin(), dice_.between(1, 2));
        add(Op::broadcast_in_dim, {x}, BroadcastAttributes{Shape{extents}, places});
        break;
      }
      case 7: {
        const std::int64_t rank = shape(x).rank();
        add(Op::reduce, {x}, ReduceAttributes{dice_.increasing(dice_.between(0, rank), rank), Reducer::maximum});
        break;
      }
      case 8: {
        // Of what was given: the sign of a NaN that arithmetic makes is no machine's promise, and sorting looks at it.
        const ValueId given =
            graph_.parameters()[static_cast<std::size_t>(dice_.between(0, std::ssize(graph_.parameters()) - 1))];
        if (shape(given).rank() > 0) graph_.append(Op::sort, {given, alike(given)}, SortAttributes{.dimension = 0});
        break;
      }
      case 9:
        number(x);
        break;
      case 10:
        branch(x);
        break;
      case 11:
        loop(x);
        break;
      case 12:
        barrier({x, floats()});
        break;
      default:
        parameter();
    }
  }

  std::vector<ValueId> barrier(std::vector<ValueId> operands) {
    return graph_.append(Op::optimization_barrier, std::move(operands));
  }

  /// The upper half below the lower one: a kernel of its own.
  void roll(ValueId x) {
    const ValueId upper = add(Op::slice, {x}, SliceAttributes{{0, 0}, {2, 4}, {1, 1}});
    const ValueId lower = add(Op::slice, {x}, SliceAttributes{{2, 0}, {4, 4}, {1, 1}});
    whole_.push_back(add(Op::concatenate, {lower, upper}, DimensionAttributes{0}));
  }

  /// A value of the one shape, mostly of the latest.
  ValueId recent() {
    const auto count = std::ssize(whole_);
    const std::int64_t back = dice_.likely(70) ? std::min<std::int64_t>(count, 6) : count;
    return whole_[static_cast<std::size_t>(count - dice_.between(1, back))];
  }

  void tangle() {
    if (whole_.empty()) whole_ = graph_.parameters();
    const ValueId x = recent();
    switch (dice_.between(0, 6)) {
      case 0:
        return roll(x);
      case 1: {
        const Dims reduced{dice_.between(0, 1)}, kept{1 - reduced[0]};
        const ValueId most = add(Op::reduce, {x}, ReduceAttributes{reduced, Reducer::maximum});
        return whole_.push_back(add(Op::broadcast_in_dim, {most}, BroadcastAttributes{Shape{4, 4}, kept}));
      }
      case 2:
        return whole_.push_back(add(Op::negate, {x}));
      case 3:
        return whole_.push_back(add(Op::transpose, {x}, TransposeAttributes{{1, 0}}));
      case 4:
        for (const ValueId id : barrier({x, recent()})) whole_.push_back(id);
        return;
      default:
        return whole_.push_back(add(dice_.likely(50) ? Op::add : Op::maximum, {x, recent()}));
    }
  }

  Dice& dice_;
  const Kind kind_;
  Graph graph_;
  std::vector<Tensor> arguments_;
  std::vector<ValueId> whole_;  ///< of tangled programs: what has the one shape
};
