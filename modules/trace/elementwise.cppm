/// Element-by-element functions and operators. Operands of different shapes are broadcast as in NumPy and JAX, by an
/// explicit broadcast_in_dim; element types are never converted silently.
export module octet.trace:elementwise;
import octet.base;
import octet.graph;
import octet.standard;
import :array;

#include "refused.hpp"

export namespace octet {

Array operator+(operand a, operand b);
Array operator-(operand a, operand b);
Array operator*(operand a, operand b);
Array operator/(operand a, operand b);
/// The remainder of the division that truncates, as C's fmod.
Array operator%(operand a, operand b);
Array operator-(operand a);
/// Bitwise on integers, logical on pred. `&&`, `||` and `!` are refused (X101): they would have to branch.
Array operator&(operand a, operand b);
Array operator|(operand a, operand b);
Array operator^(operand a, operand b);
Array operator~(operand a);
Array operator<<(operand a, operand b);
/// Shifts in zeros for u32, copies of the sign for signed integers.
Array operator>>(operand a, operand b);
Array operator==(operand a, operand b);
Array operator!=(operand a, operand b);
Array operator<(operand a, operand b);
Array operator<=(operand a, operand b);
Array operator>(operand a, operand b);
Array operator>=(operand a, operand b);

Array abs(operand a);
Array ceil(operand a);
Array cos(operand a);
Array erf(operand a);
Array exp(operand a);
Array expm1(operand a);
Array floor(operand a);
Array is_finite(operand a);
Array log(operand a);
Array log1p(operand a);
Array logistic(operand a);
/// To the nearest integer, ties to even.
Array round(operand a);
/// 1 / sqrt(a).
Array rsqrt(operand a);
Array sign(operand a);
Array sin(operand a);
Array sqrt(operand a);
Array tanh(operand a);
Array square(operand a);
Array maximum(operand a, operand b);
Array minimum(operand a, operand b);
Array pow(operand a, operand b);
/// `low` where a < low, `high` where a > high, else a: the shape of `a`. The bounds are numbers, or broadcast to `a`
/// (X401 where they do not).
Array clamp(operand low, operand a, operand high);
/// The same, in NumPy's order.
Array clip(operand x, operand low, operand high);
/// Where `condition` holds, the element of `on_true`, else that of `on_false`. Both are computed: rule 1's indicator.
Array select(operand condition, operand on_true, operand on_false);
/// NumPy's name for it.
inline Array where(operand condition, operand on_true, operand on_false) {
  return select(condition, on_true, on_false);
}

/// Each element converted, as StableHLO's convert.
Array cast(operand a, DType dtype);
template <class T>
  requires is_element_type<T>
Array cast(operand a) {
  return cast(a, dtype_of<T>);
}
template <class T, class Here = decltype([] {})>
  requires(!is_element_type<T>)
OCTET_REFUSED(OCTET_NO_ELEMENT_TYPE)
Array cast(operand) {
  static_assert(never<T, Here>, OCTET_NO_ELEMENT_TYPE);
  return {};
}
/// The same bits read as another type of the same width.
Array bitcast(operand a, DType dtype);
/// `a`, with a derivative of zero.
Array stop_gradient(operand a);

/// The shape that NumPy's rules broadcast `a` and `b` to; throws X401 where there is none.
Shape broadcast_shape(const Shape& a, const Shape& b, const Place& place);

/// x Φ(x), with erf (Hendrycks and Gimpel, 2016).
Array gelu(operand x);
/// x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2.
Array gelu_tanh(operand x);
/// x / (1 + exp(-x)).
Array silu(operand x);
/// log(1 + exp(x)), of large x, too.
Array softplus(operand x);
/// log(exp(x) + exp(y)), which does not overflow; of -inf twice, -inf. As numpy.logaddexp.
Array log_add_exp(operand x, operand y);
/// `count` numbers f32 from `first` to `last`, both among them and all equally far apart, as numpy.linspace.
Array linspace(float first, float last, std::int64_t count,
               std::source_location where = std::source_location::current());
/// The larger of x and 0. Its derivative at 0 is 0, as elsewhere, where maximum(x, 0) gives each side a half.
Array relu(operand x);

/// A number beside an operand. By themselves these say nothing new: they are preferred to the operators on two numbers,
/// to which an Array seems convertible.
template <class T>
concept number = std::is_arithmetic_v<T>;
template <number N>
Array operator+(operand a, N b) {
  return a + operand{b, a.where()};
}
template <number N>
Array operator+(N a, operand b) {
  return operand{a, b.where()} + b;
}
template <number N>
Array operator-(operand a, N b) {
  return a - operand{b, a.where()};
}
template <number N>
Array operator-(N a, operand b) {
  return operand{a, b.where()} - b;
}
template <number N>
Array operator*(operand a, N b) {
  return a * operand{b, a.where()};
}
template <number N>
Array operator*(N a, operand b) {
  return operand{a, b.where()} * b;
}
template <number N>
Array operator/(operand a, N b) {
  return a / operand{b, a.where()};
}
template <number N>
Array operator/(N a, operand b) {
  return operand{a, b.where()} / b;
}
template <number N>
Array operator%(operand a, N b) {
  return a % operand{b, a.where()};
}
template <number N>
Array operator%(N a, operand b) {
  return operand{a, b.where()} % b;
}
template <number N>
Array operator&(operand a, N b) {
  return a & operand{b, a.where()};
}
template <number N>
Array operator&(N a, operand b) {
  return operand{a, b.where()} & b;
}
template <number N>
Array operator|(operand a, N b) {
  return a | operand{b, a.where()};
}
template <number N>
Array operator|(N a, operand b) {
  return operand{a, b.where()} | b;
}
template <number N>
Array operator^(operand a, N b) {
  return a ^ operand { b, a.where() };
}
template <number N>
Array operator^(N a, operand b) {
  return operand{a, b.where()} ^ b;
}
template <number N>
Array operator<<(operand a, N b) {
  return a << operand{b, a.where()};
}
template <number N>
Array operator<<(N a, operand b) {
  return operand{a, b.where()} << b;
}
template <number N>
Array operator>>(operand a, N b) {
  return a >> operand{b, a.where()};
}
template <number N>
Array operator>>(N a, operand b) {
  return operand{a, b.where()} >> b;
}
template <number N>
Array operator==(operand a, N b) {
  return a == operand{b, a.where()};
}
template <number N>
Array operator==(N a, operand b) {
  return operand{a, b.where()} == b;
}
template <number N>
Array operator!=(operand a, N b) {
  return a != operand{b, a.where()};
}
template <number N>
Array operator!=(N a, operand b) {
  return operand{a, b.where()} != b;
}
template <number N>
Array operator<(operand a, N b) {
  return a < operand{b, a.where()};
}
template <number N>
Array operator<(N a, operand b) {
  return operand{a, b.where()} < b;
}
template <number N>
Array operator<=(operand a, N b) {
  return a <= operand{b, a.where()};
}
template <number N>
Array operator<=(N a, operand b) {
  return operand{a, b.where()} <= b;
}
template <number N>
Array operator>(operand a, N b) {
  return a > operand{b, a.where()};
}
template <number N>
Array operator>(N a, operand b) {
  return operand{a, b.where()} > b;
}
template <number N>
Array operator>=(operand a, N b) {
  return a >= operand{b, a.where()};
}
template <number N>
Array operator>=(N a, operand b) {
  return operand{a, b.where()} >= b;
}
template <number N>
Array pow(operand a, N b) {
  return pow(a, operand{b, a.where()});
}
template <number N>
Array pow(N a, operand b) {
  return pow(operand{a, b.where()}, b);
}
/// Of two numbers, for who has `using namespace octet`: <cmath>'s. Where that has such a template itself, it is more
/// specialized than one with a pack.
template <number A, number B, class... None>
  requires(sizeof...(None) == 0)
auto pow(A a, B b, None...) {
  return std::pow(a, b);
}

/// `x[0] += y` is refused, as x[0] = y is: it would be lost.
#define OCTET_REFUSED_CHANGE(change)                     \
  template <class Value, class Here = decltype([] {})>   \
  OCTET_REFUSED(OCTET_NO_ELEMENT)                        \
  void operator change(Array&&, const Value&) {          \
    static_assert(never<Value, Here>, OCTET_NO_ELEMENT); \
  }
OCTET_REFUSED_CHANGE(+=)
OCTET_REFUSED_CHANGE(-=)
OCTET_REFUSED_CHANGE(*=)
OCTET_REFUSED_CHANGE(/=)
OCTET_REFUSED_CHANGE(%=)
#undef OCTET_REFUSED_CHANGE

/// A key is an operand for the functions that draw by it, and would be two numbers here.
#define OCTET_REFUSED_KEY(compute)            \
  template <class Here = decltype([] {})>     \
  OCTET_REFUSED(OCTET_NO_KEY)                 \
  Array operator compute(operand, Key) {      \
    static_assert(never<Here>, OCTET_NO_KEY); \
  }                                           \
  template <class Here = decltype([] {})>     \
  OCTET_REFUSED(OCTET_NO_KEY)                 \
  Array operator compute(Key, operand) {      \
    static_assert(never<Here>, OCTET_NO_KEY); \
  }
OCTET_REFUSED_KEY(+)
OCTET_REFUSED_KEY(-)
OCTET_REFUSED_KEY(*)
OCTET_REFUSED_KEY(/)
OCTET_REFUSED_KEY(%)
#undef OCTET_REFUSED_KEY

/// `a` becomes another value; the arrays that were made of it are as they were.
inline Array& operator+=(Array& a, operand b) { return a = operand{a, b.where()} + b; }
inline Array& operator-=(Array& a, operand b) { return a = operand{a, b.where()} - b; }
inline Array& operator*=(Array& a, operand b) { return a = operand{a, b.where()} * b; }
inline Array& operator/=(Array& a, operand b) { return a = operand{a, b.where()} / b; }
inline Array& operator%=(Array& a, operand b) { return a = operand{a, b.where()} % b; }
inline Array& operator&=(Array& a, operand b) { return a = operand{a, b.where()} & b; }
inline Array& operator|=(Array& a, operand b) { return a = operand{a, b.where()} | b; }
inline Array& operator^=(Array& a, operand b) { return a = operand{a, b.where()} ^ b; }

}  // namespace octet
