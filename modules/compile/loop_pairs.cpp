module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :isa_dispatch;
import :kernel;
import :loop;
import :loop_pairs;

namespace octet {

namespace {

// One operation of a pair; of a second one, x is what the first computed. Sums and products have no order.
struct Sum {
  [[gnu::always_inline]] static float of(float x, float y) { return x + y; }
};
struct Product {
  [[gnu::always_inline]] static float of(float x, float y) { return x * y; }
};
struct Difference {
  [[gnu::always_inline]] static float of(float x, float y) { return x - y; }
};
struct DifferenceFrom {
  [[gnu::always_inline]] static float of(float x, float y) { return y - x; }
};
struct Quotient {
  [[gnu::always_inline]] static float of(float x, float y) { return x / y; }
};
struct QuotientOf {
  [[gnu::always_inline]] static float of(float x, float y) { return y / x; }
};

template <class First, class Second>
struct Pair {
  [[gnu::always_inline]] static void run(void* out, const void* a, const void* b, const void* c, std::size_t n) {
    // The result may lie in the place of an operand: each element is read before it is written.
    _Pragma("clang loop vectorize(assume_safety)") for (std::size_t i = 0; i < n; ++i) static_cast<float*>(out)[i] =
        Second::of(First::of(static_cast<const float*>(a)[i], static_cast<const float*>(b)[i]),
                   static_cast<const float*>(c)[i]);
  }
};

/// (a first b) second c, or c second (a first b); null where there is no such pair.
template <class First>
StepFunction with_second(Op second, bool swapped, Isa isa) {
  const auto pair = [isa]<class Second>(Second) {
    return dispatched<Pair<First, Second>, void*, const void*, const void*, const void*, std::size_t>(isa);
  };
  switch (second) {
    case Op::add:
      return pair(Sum{});
    case Op::multiply:
      return pair(Product{});
    case Op::subtract:
      return swapped ? pair(DifferenceFrom{}) : pair(Difference{});
    case Op::divide:
      return swapped ? pair(QuotientOf{}) : pair(Quotient{});
    default:
      return nullptr;
  }
}

StepFunction pair_function(Op first, Op second, bool swapped, Isa isa) {
  switch (first) {
    case Op::add:
      return with_second<Sum>(second, swapped, isa);
    case Op::multiply:
      return with_second<Product>(second, swapped, isa);
    case Op::subtract:
      return with_second<Difference>(second, swapped, isa);
    default:
      return nullptr;
  }
}

/// y rotated left by the first of `distances`, ^ x.
struct RotatedXor {
  [[gnu::always_inline]] static void run(void* out, const void* y, const void* distances, const void* x,
                                         std::size_t n) {
    const std::uint32_t left = *static_cast<const std::uint32_t*>(distances), right = 32 - left;
    _Pragma("clang loop vectorize(assume_safety)") for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t bits = static_cast<const std::uint32_t*>(y)[i];
      static_cast<std::uint32_t*>(out)[i] = (bits << left | bits >> right) ^ static_cast<const std::uint32_t*>(x)[i];
    }
  }
};

/// How often each register is read.
std::vector<int> count_readers(const LoopProgram& program) {
  std::vector<int> readers(static_cast<std::size_t>(program.registers), 0);
  const auto read = [&](int r) { ++readers[static_cast<std::size_t>(r)]; };
  for (const auto& step : program.steps)
    for (int r : step.operands)
      if (r >= 0) read(r);
  for (const auto& store : program.stores) read(store.source);
  for (const auto& reduction : program.reductions) read(reduction.source);
  return readers;
}

/// A step that is no longer needed loses its function.
void join_rotations(LoopProgram& program, const std::vector<int>& readers, Isa isa) {
  using Step = LoopProgram::Step;
  std::vector<std::uint32_t> words(readers.size(), 0);
  for (const auto& load : program.loads) words[static_cast<std::size_t>(load.target)] = load.word.value_or(0);
  std::vector<Step*> writer(readers.size(), nullptr);
  // What wrote a register that nothing else reads.
  const auto only = [&](int r, Op op) -> Step* {
    if (r < 0 || readers[static_cast<std::size_t>(r)] != 1) return nullptr;
    Step* const step = writer[static_cast<std::size_t>(r)];
    return step && step->op == op && step->dtype == DType::u32 ? step : nullptr;
  };
  const auto word = [&](const Step* shift) { return words[static_cast<std::size_t>(shift->operands[1])]; };
  for (Step& step : program.steps) {
    writer[static_cast<std::size_t>(step.target)] = &step;
    if (step.op != Op::xor_) continue;
    for (const std::size_t choice : {0, 1, 2, 3}) {
      const std::size_t side = choice / 2, turn = choice % 2;
      Step* const both = only(step.operands[side], Op::or_);
      Step* const left = both ? only(both->operands[turn], Op::shift_left) : nullptr;
      Step* const right = both ? only(both->operands[1 - turn], Op::shift_right_logical) : nullptr;
      if (!left || !right || left->operands[0] != right->operands[0]) continue;
      if (word(left) - 1 >= 31 || word(left) + word(right) != 32) continue;
      const int other = step.operands[1 - side];
      step.function = dispatched<RotatedXor, void*, const void*, const void*, const void*, std::size_t>(isa);
      std::copy_n(left->operands, 2, step.operands);
      step.operands[2] = other;
      for (Step* each : {both, left, right}) each->function = nullptr;
      break;
    }
  }
  std::erase_if(program.steps, [](const Step& step) { return !step.function; });
}

}  // namespace

void pair_steps(LoopProgram& program, Isa isa) {
  const std::vector<int> readers = count_readers(program);
  join_rotations(program, readers, isa);
  std::vector<LoopProgram::Step> joined;
  std::vector<std::ptrdiff_t> writer(readers.size(), -1);  // of a register, among the joined steps
  std::vector<bool> is_pair, gone;
  for (LoopProgram::Step step : program.steps) {
    bool joins = false;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const int operand = step.operands[side], other = step.operands[1 - side];
      if (step.dtype != DType::f32 || operand < 0 || other < 0 || readers[static_cast<std::size_t>(operand)] != 1)
        continue;
      const std::ptrdiff_t at = writer[static_cast<std::size_t>(operand)];
      if (at < 0) continue;
      const LoopProgram::Step& before = joined[static_cast<std::size_t>(at)];
      if (is_pair[static_cast<std::size_t>(at)] || before.dtype != DType::f32) continue;
      const StepFunction function = pair_function(before.op, step.op, side == 1, isa);
      if (!function) continue;
      step.function = function;
      step.operands[0] = before.operands[0], step.operands[1] = before.operands[1], step.operands[2] = other;
      gone[static_cast<std::size_t>(at)] = joins = true;
      break;
    }
    writer[static_cast<std::size_t>(step.target)] = static_cast<std::ptrdiff_t>(joined.size());
    joined.push_back(step);
    is_pair.push_back(joins);
    gone.push_back(false);
  }
  program.steps.clear();
  for (std::size_t s = 0; s < joined.size(); ++s)
    if (!gone[s]) program.steps.push_back(joined[s]);
}

}  // namespace octet
