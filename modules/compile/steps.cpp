/// The steps of fused loops: each elementwise operation as a vector loop over a block.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :isa_dispatch;
import :kernel;

#include "step_operations.hpp"

namespace octet {

namespace {

/// EACH_ALONE: the result may lie in the very place of an operand, never across it: each element is read before it is
/// written, and the loop may run in vectors either way. CHAINS_SIDE_BY_SIDE, the same, for what takes dozens of
/// operations, each of which waits for the one before it: a processor looks ahead little farther than one such chain,
/// and several vectors' chains keep it busy. By trial, two take a seventh less than one for erf on AVX-512, four a
/// tenth less than two; but what is left after whole blocks of vectors is computed number by number on the others.
#if defined(__wasm__)
/// Short loops take several vectors in a turn; long chains, whose constants math::held keeps in memory, gain nothing.
template <class T>
inline constexpr int vectors_together = std::is_same_v<T, float> ? 4 : 1;
#define OCTET_EACH_ALONE _Pragma("clang loop vectorize(assume_safety) interleave_count(vectors_together<T>)")
#define OCTET_CHAINS_SIDE_BY_SIDE _Pragma("clang loop vectorize(assume_safety) interleave_count(1)")
#else
#define OCTET_EACH_ALONE _Pragma("clang loop vectorize(assume_safety)")
#define OCTET_CHAINS_SIDE_BY_SIDE _Pragma("clang loop vectorize(assume_safety) interleave_count(chains)")
#endif

template <class Operation, class T, class R, int chains = 2>
struct Unary {
  [[gnu::always_inline]] static void run(void* out, const void* a, const void*, const void*, std::size_t n) {
    OCTET_CHAINS_SIDE_BY_SIDE
    for (std::size_t i = 0; i < n; ++i)
      static_cast<R*>(out)[i] = static_cast<R>(Operation::of(static_cast<Computing<T>>(static_cast<const T*>(a)[i])));
  }
};

template <class Operation, class T, class R>
struct Binary {
  [[gnu::always_inline]] static void run(void* out, const void* a, const void* b, const void*, std::size_t n) {
    using C = Computing<T>;
    OCTET_EACH_ALONE
    for (std::size_t i = 0; i < n; ++i)
      static_cast<R*>(out)[i] = static_cast<R>(
          Operation::of(static_cast<C>(static_cast<const T*>(a)[i]), static_cast<C>(static_cast<const T*>(b)[i])));
  }
};

template <class Operation, class T>
struct Ternary {
  [[gnu::always_inline]] static void run(void* out, const void* a, const void* b, const void* c, std::size_t n) {
    using C = Computing<T>;
    OCTET_EACH_ALONE
    for (std::size_t i = 0; i < n; ++i)
      static_cast<T*>(out)[i] = static_cast<T>(Operation::of(static_cast<C>(static_cast<const T*>(a)[i]),
                                                             static_cast<C>(static_cast<const T*>(b)[i]),
                                                             static_cast<C>(static_cast<const T*>(c)[i])));
  }
};

template <class T>
struct Select {
  [[gnu::always_inline]] static void run(void* out, const void* a, const void* b, const void* c, std::size_t n) {
    OCTET_EACH_ALONE
    for (std::size_t i = 0; i < n; ++i) {
      // Both are read, whichever is taken: no load hangs on a condition.
      const T yes = static_cast<const T*>(b)[i], no = static_cast<const T*>(c)[i];
      static_cast<T*>(out)[i] = static_cast<const std::uint8_t*>(a)[i] ? yes : no;
    }
  }
};

template <class T, class R>
struct Convert {
  [[gnu::always_inline]] static void run(void* out, const void* a, const void*, const void*, std::size_t n) {
    OCTET_EACH_ALONE
    for (std::size_t i = 0; i < n; ++i) static_cast<R*>(out)[i] = convert_element<R>(static_cast<const T*>(a)[i]);
  }
};

#if defined(__wasm__)
/// Two vectors of f32 become one of bf16 by a single instruction where the compiler takes eight numbers together and
/// rounds them all in 32 bits. Else it shuffles bytes, by masks that V8 makes anew for each vector.
template <>
struct Convert<float, bfloat16> {
  [[gnu::always_inline]] static void run(void* out, const void* a, const void*, const void*, std::size_t n) {
#pragma clang loop vectorize(assume_safety) vectorize_width(8) interleave_count(2)
    for (std::size_t i = 0; i < n; ++i) {
      const float value = static_cast<const float*>(a)[i];
      const auto bits = std::bit_cast<std::uint32_t>(value);
      const std::uint32_t nearest = bits + 0x7fffu + ((bits >> 16) & 1u), quiet = bits | 0x40'0000u;
      const std::uint32_t rounded = value != value ? quiet : nearest;
      static_cast<bfloat16*>(out)[i] = bfloat16::from_bits(static_cast<std::uint16_t>(rounded >> 16));
    }
  }
};
#endif

template <std::size_t size>
struct Copy {
  using T = char;
  [[gnu::always_inline]] static void run(void* out, const void* a, const void*, const void*, std::size_t n) {
    OCTET_EACH_ALONE
    for (std::size_t i = 0; i < n * size; ++i) static_cast<char*>(out)[i] = static_cast<const char*>(a)[i];
  }
};

#if defined(__wasm__)
/// Where nothing puts several vectors' chains side by side, long ones are taken in parts, some vectors at a time: a
/// processor looks ahead to more vectors of a part than of a whole. By trial, an erf takes a third less time, and an
/// exp a sixth.
constexpr std::size_t part_block = 256;

template <class Parts>
struct ByParts {
  [[gnu::always_inline]] static void run(void* out, const void* a, const void*, const void*, std::size_t n) {
    Parts parts;
    for (std::size_t at = 0; at < n; at += part_block)
      parts.run(static_cast<float*>(out) + at, static_cast<const float*>(a) + at, std::min(part_block, n - at));
  }
};

class ExpParts {
 public:
  [[gnu::always_inline]] void run(float* out, const float* x, std::size_t n) {
    OCTET_CHAINS_SIDE_BY_SIDE
    for (std::size_t i = 0; i < n; ++i) {
      const auto [exponent, rest] = math::exponent_and_rest(x[i]);
      exponents_[i] = exponent, rests_[i] = rest;
    }
    OCTET_CHAINS_SIDE_BY_SIDE
    for (std::size_t i = 0; i < n; ++i) out[i] = math::exp_of(x[i], {exponents_[i], rests_[i]});
  }

 private:
  alignas(64) std::int32_t exponents_[part_block];
  alignas(64) float rests_[part_block];
};

class ErfParts {
 public:
  [[gnu::always_inline]] void run(float* out, const float* x, std::size_t n) {
    OCTET_CHAINS_SIDE_BY_SIDE
    for (std::size_t i = 0; i < n; ++i) far_[i] = math::log_erfc(x[i]);
    OCTET_CHAINS_SIDE_BY_SIDE
    for (std::size_t i = 0; i < n; ++i) far_[i] = math::one_minus_exp(far_[i]);
    OCTET_CHAINS_SIDE_BY_SIDE
    for (std::size_t i = 0; i < n; ++i) out[i] = math::erf_of(x[i], far_[i]);
  }

 private:
  alignas(64) float far_[part_block];
};

template <int chains>
struct Unary<Exponential, float, float, chains> : ByParts<ExpParts> {};
template <int chains>
struct Unary<Erf, float, float, chains> : ByParts<ErfParts> {};
#endif

#undef OCTET_CHAINS_SIDE_BY_SIDE
#undef OCTET_EACH_ALONE

template <class Body>
StepFunction step(Isa isa) {
  return dispatched<Body, void*, const void*, const void*, const void*, std::size_t>(isa);
}

template <class Operation>
StepFunction unary(DType dtype, Isa isa) {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) -> StepFunction {
    if constexpr (Operation::template takes<Computing<T>>)
      return dispatched_wide<Unary<Operation, T, T>, Unary<Operation, T, T, 4>, void*, const void*, const void*,
                             const void*, std::size_t>(isa);
    else
      return nullptr;
  });
}

template <class Operation>
StepFunction binary(DType dtype, Isa isa) {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) -> StepFunction {
    if constexpr (Operation::template takes<Computing<T>>)
      return step<Binary<Operation, T, T>>(isa);
    else
      return nullptr;
  });
}

/// Operations whose result is a truth value.
template <class Operation>
StepFunction comparison_of(DType dtype, Isa isa) {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) { return step<Binary<Operation, T, bool>>(isa); });
}

StepFunction compare_step(Comparison comparison, DType dtype, Isa isa) {
  switch (comparison) {
    case Comparison::EQ:
      return comparison_of<Equal>(dtype, isa);
    case Comparison::NE:
      return comparison_of<NotEqual>(dtype, isa);
    case Comparison::GE:
      return comparison_of<GreaterEqual>(dtype, isa);
    case Comparison::GT:
      return comparison_of<Greater>(dtype, isa);
    case Comparison::LE:
      return comparison_of<LessEqual>(dtype, isa);
    case Comparison::LT:
      return comparison_of<Less>(dtype, isa);
  }
  return nullptr;
}

}  // namespace

StepFunction step_function(Op op, DType operand, DType result, Comparison comparison, Isa isa) {
  switch (op) {
    case Op::abs:
      return unary<Abs>(operand, isa);
    case Op::ceil:
      return unary<Ceil>(operand, isa);
    case Op::cosine:
      return unary<Cosine>(operand, isa);
    case Op::erf:
      return unary<Erf>(operand, isa);
    case Op::exponential:
      return unary<Exponential>(operand, isa);
    case Op::exponential_minus_one:
      return unary<ExponentialMinusOne>(operand, isa);
    case Op::floor:
      return unary<Floor>(operand, isa);
    case Op::log:
      return unary<Log>(operand, isa);
    case Op::log_plus_one:
      return unary<LogPlusOne>(operand, isa);
    case Op::logistic:
      return unary<Logistic>(operand, isa);
    case Op::negate:
      return unary<Negate>(operand, isa);
    case Op::not_:
      return unary<Not>(operand, isa);
    case Op::round_nearest_even:
      return unary<RoundNearestEven>(operand, isa);
    case Op::rsqrt:
      return unary<Rsqrt>(operand, isa);
    case Op::sign:
      return unary<Sign>(operand, isa);
    case Op::sine:
      return unary<Sine>(operand, isa);
    case Op::sqrt:
      return unary<Sqrt>(operand, isa);
    case Op::tanh:
      return unary<Tanh>(operand, isa);
    case Op::is_finite:
      return visit_dtype(operand, [&]<class T>(std::type_identity<T>) -> StepFunction {
        if constexpr (is_real<Computing<T>>)
          return step<Unary<IsFinite, T, bool>>(isa);
        else
          return nullptr;
      });
    case Op::convert:
      return visit_dtype(operand, [&]<class T>(std::type_identity<T>) {
        return visit_dtype(result, [&]<class R>(std::type_identity<R>) { return step<Convert<T, R>>(isa); });
      });
    case Op::bitcast_convert:
      switch (size_of(operand)) {
        case 1:
          return step<Copy<1>>(isa);
        case 2:
          return step<Copy<2>>(isa);
        case 4:
          return step<Copy<4>>(isa);
        default:
          return step<Copy<8>>(isa);
      }
    case Op::add:
      return binary<Add>(operand, isa);
    case Op::and_:
      return binary<And>(operand, isa);
    case Op::compare:
      return compare_step(comparison, operand, isa);
    case Op::divide:
      return binary<Divide>(operand, isa);
    case Op::maximum:
      return binary<Maximum>(operand, isa);
    case Op::minimum:
      return binary<Minimum>(operand, isa);
    case Op::multiply:
      return binary<Multiply>(operand, isa);
    case Op::or_:
      return binary<Or>(operand, isa);
    case Op::power:
      return binary<Power>(operand, isa);
    case Op::remainder:
      return binary<Remainder>(operand, isa);
    case Op::shift_left:
      return binary<ShiftLeft>(operand, isa);
    case Op::shift_right_arithmetic:
      return binary<ShiftRightArithmetic>(operand, isa);
    case Op::shift_right_logical:
      return binary<ShiftRightLogical>(operand, isa);
    case Op::subtract:
      return binary<Subtract>(operand, isa);
    case Op::xor_:
      return binary<Xor>(operand, isa);
    case Op::clamp:
      return visit_dtype(operand, [&]<class T>(std::type_identity<T>) { return step<Ternary<Clamp, T>>(isa); });
    case Op::select:
      return visit_dtype(operand, [&]<class T>(std::type_identity<T>) { return step<Select<T>>(isa); });
    default:
      return nullptr;
  }
}

}  // namespace octet
