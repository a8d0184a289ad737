/// One element of each elementwise operation, and the types that it takes: what the loops of steps.cpp compute, which
/// includes this behind its imports.
#pragma once

namespace octet {

namespace {

template <class T>
using Computing = std::conditional_t<std::is_same_v<T, bfloat16>, float, T>;
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template <class T>
inline constexpr bool is_truth = std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_number = std::is_integral_v<T> && !is_truth<T>;
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T>;

/// An integer operation on the unsigned number of the same bits: it wraps around.
template <class T>
[[gnu::always_inline]] inline BitsOf<T> bits(T x) {
  return static_cast<BitsOf<T>>(x);
}

template <class T>
[[gnu::always_inline]] inline T sign_combined(T a, T b, bool maximum) {
  const auto x = std::bit_cast<BitsOf<T>>(a), y = std::bit_cast<BitsOf<T>>(b);
  return std::bit_cast<T>(maximum ? x & y : x | y);
}

template <class T>
[[gnu::always_inline]] inline T larger(T a, T b) {
  if constexpr (is_real<T>)
    return a != a ? a : b != b ? b : a == b ? sign_combined(a, b, true) : a > b ? a : b;
  else
    return a < b ? b : a;
}

template <class T>
[[gnu::always_inline]] inline T smaller(T a, T b) {
  if constexpr (is_real<T>)
    return a != a ? a : b != b ? b : a == b ? sign_combined(a, b, false) : a < b ? a : b;
  else
    return b < a ? b : a;
}

template <class T>
T integer_power(T base, T exponent) {
  if (exponent < 0)
    return base == T{1} ? T{1} : base == static_cast<T>(-1) ? static_cast<T>(exponent & 1 ? -1 : 1) : T{0};
  BitsOf<T> result = 1, factor = bits(base);
  for (auto rest = bits(exponent); rest != 0; rest >>= 1, factor *= factor)
    if (rest & 1) result *= factor;
  return static_cast<T>(result);
}

/// To the nearest integer, ties to even, by the addition that leaves no room for a fraction.
template <class T>
[[gnu::always_inline]] inline T nearest_even(T x) {
  constexpr T shift = sizeof(T) == 8 ? T(4503599627370496.0) : T(8388608.0);
  const T magnitude = std::fabs(x);
  const T rounded = (magnitude + shift) - shift;
  return magnitude < shift ? std::copysign(rounded, x) : x;
}

// Each operation: which types it takes, and one element of it. Types are those in which it computes.
#define OPERATION(NAME, TAKES, ...)      \
  struct NAME {                          \
    template <class T>                   \
    static constexpr bool takes = TAKES; \
    template <class T>                   \
    [[gnu::always_inline]] static auto of(__VA_ARGS__)

OPERATION(Abs, !is_truth<T>, T x) {
  if constexpr (is_real<T>)
    return std::fabs(x);
  else
    return x < 0 ? static_cast<T>(-bits(x)) : x;
}
};
OPERATION(Ceil, is_real<T>, T x) {
  const T nearest = nearest_even(x);
  return std::copysign(nearest < x ? nearest + T{1} : nearest, x);  // between -1 and 0: -0
}
};
OPERATION(Floor, is_real<T>, T x) {
  const T nearest = nearest_even(x);
  return nearest > x ? nearest - T{1} : nearest;
}
}
;
OPERATION(Cosine, is_real<T>, T x) { return math::cos(x); }
}
;
OPERATION(Erf, is_real<T>, T x) { return math::erf(x); }
}
;
OPERATION(Exponential, is_real<T>, T x) { return math::exp(x); }
}
;
OPERATION(ExponentialMinusOne, is_real<T>, T x) { return math::expm1(x); }
}
;
OPERATION(IsFinite, is_real<T>, T x) { return (x - x) == T{0}; }
}
;
OPERATION(Log, is_real<T>, T x) { return math::log(x); }
}
;
OPERATION(LogPlusOne, is_real<T>, T x) { return math::log1p(x); }
}
;
OPERATION(Logistic, is_real<T>, T x) { return math::logistic(x); }
}
;
OPERATION(Negate, !is_truth<T>, T x) {
  if constexpr (is_real<T>)
    return -x;
  else
    return static_cast<T>(-bits(x));
}
}
;
OPERATION(Not, std::is_integral_v<T>, T x) {
  if constexpr (is_truth<T>)
    return !x;
  else
    return static_cast<T>(~x);
}
}
;
OPERATION(RoundNearestEven, is_real<T>, T x) { return nearest_even(x); }
}
;
OPERATION(Rsqrt, is_real<T>, T x) { return math::rsqrt(x); }
}
;
OPERATION(Sign, !is_truth<T>, T x) {
  if constexpr (is_real<T>)
    return x > 0 ? T{1} : x < 0 ? T{-1} : x;
  else
    return static_cast<T>((x > 0) - (x < 0));
}
}
;
OPERATION(Sine, is_real<T>, T x) { return math::sin(x); }
}
;
OPERATION(Sqrt, is_real<T>, T x) { return math::sqrt(x); }
}
;
OPERATION(Tanh, is_real<T>, T x) { return math::tanh(x); }
}
;

OPERATION(Add, !is_truth<T>, T a, T b) {
  if constexpr (is_real<T>)
    return a + b;
  else
    return static_cast<T>(bits(a) + bits(b));
}
}
;
OPERATION(Subtract, !is_truth<T>, T a, T b) {
  if constexpr (is_real<T>)
    return a - b;
  else
    return static_cast<T>(bits(a) - bits(b));
}
}
;
OPERATION(Multiply, !is_truth<T>, T a, T b) {
  if constexpr (is_real<T>)
    return a * b;
  else
    return static_cast<T>(bits(a) * bits(b));
}
}
;
OPERATION(Divide, !is_truth<T>, T a, T b) {
  if constexpr (is_real<T>)
    return a / b;
  else if (b == 0)
    return static_cast<T>(~T{0});
  else if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return static_cast<T>(-bits(a));
  else
    return static_cast<T>(a / b);
}
}
;
OPERATION(Remainder, !is_truth<T>, T a, T b) {
  if constexpr (is_real<T>)
    return std::fmod(a, b);
  else if (b == 0)
    return a;
  else if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return T{0};
  else
    return static_cast<T>(a % b);
}
}
;
OPERATION(Maximum, true, T a, T b) { return larger(a, b); }
}
;
OPERATION(Minimum, true, T a, T b) { return smaller(a, b); }
}
;
OPERATION(And, std::is_integral_v<T>, T a, T b) { return static_cast<T>(a & b); }
}
;
OPERATION(Or, std::is_integral_v<T>, T a, T b) { return static_cast<T>(a | b); }
}
;
OPERATION(Xor, std::is_integral_v<T>, T a, T b) { return static_cast<T>(a ^ b); }
}
;
OPERATION(Power, !is_truth<T>, T a, T b) {
  if constexpr (is_real<T>)
    return math::pow(a, b);
  else
    return integer_power(a, b);
}
}
;
OPERATION(ShiftLeft, is_number<T>, T a, T b) {
  return bits(b) < sizeof(T) * 8 ? static_cast<T>(bits(a) << (bits(b) % (sizeof(T) * 8))) : T{0};
}
}
;
OPERATION(ShiftRightLogical, is_number<T>, T a, T b) {
  return bits(b) < sizeof(T) * 8 ? static_cast<T>(bits(a) >> (bits(b) % (sizeof(T) * 8))) : T{0};
}
}
;
OPERATION(ShiftRightArithmetic, is_number<T>, T a, T b) {
  const auto distance = bits(b) < sizeof(T) * 8 ? bits(b) : static_cast<BitsOf<T>>(sizeof(T) * 8 - 1);
  return static_cast<T>(static_cast<std::make_signed_t<T>>(a) >> distance);
}
}
;
OPERATION(Equal, true, T a, T b) { return a == b; }
}
;
OPERATION(NotEqual, true, T a, T b) { return a != b; }
}
;
OPERATION(GreaterEqual, true, T a, T b) { return a >= b; }
}
;
OPERATION(Greater, true, T a, T b) { return a > b; }
}
;
OPERATION(LessEqual, true, T a, T b) { return a <= b; }
}
;
OPERATION(Less, true, T a, T b) { return a < b; }
}
;
/// Low, value, high.
OPERATION(Clamp, true, T low, T x, T high) { return smaller(larger(low, x), high); }
}
;
#undef OPERATION

}  // namespace

}  // namespace octet
