/// What the arithmetic operations mean on single elements. bf16 is not known here: its arithmetic is float's, rounded.
/// Internal to octet.graph.
module octet.graph:reference_scalar;
import octet.base;
import octet.standard;
import :attributes;

namespace octet::reference::scalar {

template <class T>
concept Truth = std::same_as<T, bool>;
template <class T>
concept Integer = std::integral<T> && !Truth<T>;
template <class T>
concept Floating = std::floating_point<T>;

/// The type in which arithmetic on elements of type T is done.
template <class T>
using Computing = std::conditional_t<std::is_same_v<T, bfloat16>, float, T>;

/// An integer's bits as an unsigned number, on which arithmetic wraps around.
template <Integer T>
constexpr auto unsigned_bits(T x) {
  return static_cast<std::make_unsigned_t<T>>(x);
}

template <Integer T>
inline constexpr auto width = unsigned_bits(static_cast<T>(sizeof(T) * 8));

inline constexpr struct Add {
  auto operator()(Integer auto a, Integer auto b) const {
    return static_cast<decltype(a)>(unsigned_bits(a) + unsigned_bits(b));
  }
  auto operator()(Floating auto a, Floating auto b) const { return a + b; }
} add;

inline constexpr struct Subtract {
  auto operator()(Integer auto a, Integer auto b) const {
    return static_cast<decltype(a)>(unsigned_bits(a) - unsigned_bits(b));
  }
  auto operator()(Floating auto a, Floating auto b) const { return a - b; }
} subtract;

inline constexpr struct Multiply {
  auto operator()(Integer auto a, Integer auto b) const {
    return static_cast<decltype(a)>(unsigned_bits(a) * unsigned_bits(b));
  }
  auto operator()(Floating auto a, Floating auto b) const { return a * b; }
} multiply;

inline constexpr struct Negate {
  auto operator()(Integer auto x) const { return static_cast<decltype(x)>(-unsigned_bits(x)); }
  auto operator()(Floating auto x) const { return -x; }
} negate;

/// Towards zero. x / 0 has all bits set; the least number divided by -1 is itself.
inline constexpr struct Divide {
  template <Integer T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~T{0});
    if (std::is_signed_v<T> && unsigned_bits(b) == ~unsigned_bits(T{0})) return negate(a);
    return a / b;
  }
  auto operator()(Floating auto a, Floating auto b) const { return a / b; }
} divide;

/// Has the sign of the dividend, as C's % and fmod. x % 0 is x.
inline constexpr struct Remainder {
  template <Integer T>
  T operator()(T a, T b) const {
    if (b == 0) return a;
    if (std::is_signed_v<T> && unsigned_bits(b) == ~unsigned_bits(T{0})) return 0;
    return a % b;
  }
  auto operator()(Floating auto a, Floating auto b) const { return std::fmod(a, b); }
} remainder;

inline constexpr struct Maximum {
  auto operator()(Integer auto a, Integer auto b) const { return a < b ? b : a; }
  template <Floating T>
  T operator()(T a, T b) const {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
    if (a == b) return std::signbit(a) ? b : a;
    return a < b ? b : a;
  }
} maximum;

inline constexpr struct Minimum {
  auto operator()(Integer auto a, Integer auto b) const { return b < a ? b : a; }
  template <Floating T>
  T operator()(T a, T b) const {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
    if (a == b) return std::signbit(a) ? a : b;
    return b < a ? b : a;
  }
} minimum;

inline constexpr struct And {
  bool operator()(Truth auto a, Truth auto b) const { return a && b; }
  auto operator()(Integer auto a, Integer auto b) const { return a & b; }
} and_;

inline constexpr struct Or {
  bool operator()(Truth auto a, Truth auto b) const { return a || b; }
  auto operator()(Integer auto a, Integer auto b) const { return a | b; }
} or_;

inline constexpr struct Xor {
  bool operator()(Truth auto a, Truth auto b) const { return a != b; }
  auto operator()(Integer auto a, Integer auto b) const { return a ^ b; }
} xor_;

inline constexpr struct Not {
  bool operator()(Truth auto x) const { return !x; }
  auto operator()(Integer auto x) const { return ~x; }
} not_;

/// The amount counts as unsigned: a negative one is beyond the width.
inline constexpr struct ShiftLeft {
  auto operator()(Integer auto x, Integer auto amount) const {
    return unsigned_bits(amount) < width<decltype(x)>
               ? static_cast<decltype(x)>(unsigned_bits(x) << unsigned_bits(amount))
               : decltype(x){0};
  }
} shift_left;

inline constexpr struct ShiftRightLogical {
  auto operator()(Integer auto x, Integer auto amount) const {
    return unsigned_bits(amount) < width<decltype(x)>
               ? static_cast<decltype(x)>(unsigned_bits(x) >> unsigned_bits(amount))
               : decltype(x){0};
  }
} shift_right_logical;

/// Fills with the sign bit, of an unsigned number's bits too.
inline constexpr struct ShiftRightArithmetic {
  template <Integer T>
  T operator()(T x, T amount) const {
    const auto within = unsigned_bits(amount) < width<T> ? unsigned_bits(amount) : width<T> - 1;
    return static_cast<T>(static_cast<std::make_signed_t<T>>(x) >> within);
  }
} shift_right_arithmetic;

/// Integers: x to a negative power is 0, but for the powers of 1 and -1.
inline constexpr struct Power {
  template <Integer T>
  T operator()(T base, T exponent) const {
    if (exponent < 0) {
      const bool odd = (exponent & 1) != 0;
      return base == T{1} ? T{1} : unsigned_bits(base) == ~unsigned_bits(T{0}) ? static_cast<T>(odd ? -1 : 1) : T{0};
    }
    T result = 1;
    for (auto rest = unsigned_bits(exponent); rest != 0; rest >>= 1) {
      if (rest & 1) result = multiply(result, base);
      base = multiply(base, base);
    }
    return result;
  }
  auto operator()(Floating auto base, Floating auto exponent) const { return math::pow(base, exponent); }
} power;

inline constexpr struct Abs {
  auto operator()(Integer auto x) const { return x < 0 ? negate(x) : x; }
  auto operator()(Floating auto x) const { return std::fabs(x); }
} abs;

/// -1, 0 or 1. A zero keeps its sign, NaN stays NaN.
inline constexpr struct Sign {
  auto operator()(Integer auto x) const { return static_cast<decltype(x)>((x > 0) - (x < 0)); }
  auto operator()(Floating auto x) const { return x > 0 ? decltype(x){1} : x < 0 ? decltype(x){-1} : x; }
} sign;

/// IEEE's: NaN is unordered, and differs from everything. `false` is less than `true`.
inline constexpr struct Compare {
  template <class T>
  bool operator()(Comparison direction, T a, T b) const {
    switch (direction) {
      case Comparison::EQ:
        return a == b;
      case Comparison::NE:
        return a != b;
      case Comparison::GE:
        return a >= b;
      case Comparison::GT:
        return a > b;
      case Comparison::LE:
        return a <= b;
      case Comparison::LT:
        return a < b;
    }
    return false;
  }
} compare;

/// A reducer that has no meaning on T, which the shape rules refuse, gives b.
inline constexpr struct Combine {
  template <class T>
  T operator()(Reducer reducer, T a, T b) const {
    const auto by = [&](const auto& function) -> T {
      if constexpr (requires { function(a, b); }) return function(a, b);
      return b;
    };
    switch (reducer) {
      case Reducer::add:
        return by(add);
      case Reducer::multiply:
        return by(multiply);
      case Reducer::maximum:
        return by(maximum);
      case Reducer::minimum:
        return by(minimum);
      case Reducer::and_:
        return by(and_);
      case Reducer::or_:
        return by(or_);
      case Reducer::replace:
        return b;
    }
    return b;
  }
} combine;

template <class T>
T neutral(Reducer reducer) {
  using Limits = std::numeric_limits<T>;
  switch (reducer) {
    case Reducer::multiply:
      return T{1};
    case Reducer::maximum:
      return Floating<T> ? -Limits::infinity() : Limits::lowest();
    case Reducer::minimum:
      return Floating<T> ? Limits::infinity() : Limits::max();
    case Reducer::and_:
      if constexpr (Truth<T>)
        return true;
      else if constexpr (Integer<T>)
        return not_(T{0});
      break;
    default:
      break;
  }
  return T{0};
}

/// A number that is ordered as sort orders: -NaN < -inf < ... < -0 < +0 < ... < +inf < NaN.
template <class T>
std::int64_t total_order(T x) {
  if constexpr (std::is_same_v<T, bfloat16>)
    return total_order(static_cast<float>(x));
  else if constexpr (Floating<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    const auto bits = std::bit_cast<Bits>(x);
    return bits < 0 ? bits ^ std::numeric_limits<Bits>::max() : bits;
  } else
    return static_cast<std::int64_t>(x);
}

}  // namespace octet::reference::scalar
