/// Rule 1: the functions of <cmath>, which take numbers. Refused with the function on arrays to write instead.
///
/// They stand in `std` because the user wrote std::exp(x), and nothing else is looked at then: beside functions on
/// float, double and long double, to all of which an Array seems convertible, the compiler would say that the call is
/// ambiguous. No call that compiles without them changes its meaning: a number is no `Deferred`, and an `operand` is
/// closer to an Array than `Deferred` is (valueless.cppm), so that ours are chosen where a file uses both namespaces.
/// Those that have no namesake on arrays are found in `octet` too, for calls without std::.
module;

#include "refused.hpp"
export module octet.trace:host_functions;
import octet.standard;
import :array;
import :valueless;

#define OCTET_REFUSED_OF(parameters, Result, name, refusal, ...)                           \
  template <__VA_ARGS__ __VA_OPT__(, ) class Given = Result, class Here = decltype([] {})> \
  OCTET_REFUSED(refusal)                                                                   \
  Given name parameters {                                                                  \
    static_assert(never<Given, Here>, refusal);                                            \
    return {};                                                                             \
  }
#define OCTET_REFUSED_OF_ONE(Result, name, rewrite) \
  OCTET_REFUSED_OF((const Deferred&), Result, name, OCTET_NO_HOST_FUNCTION(#name, rewrite))
#define OCTET_REFUSED_OF_TWO(name, rewrite)                                                                 \
  OCTET_REFUSED_OF((const Deferred&, const Deferred&), Array, name, OCTET_NO_HOST_FUNCTION(#name, rewrite)) \
  OCTET_REFUSED_OF((const Deferred&, B), Array, name, OCTET_NO_HOST_FUNCTION(#name, rewrite), Number B)     \
  OCTET_REFUSED_OF((A, const Deferred&), Array, name, OCTET_NO_HOST_FUNCTION(#name, rewrite), Number A)
#define OCTET_REFUSED_OF_THREE(name, rewrite)                                                                     \
  OCTET_REFUSED_OF((const Deferred&, const B&, const C&), Array, name, OCTET_NO_HOST_FUNCTION(#name, rewrite),    \
                   class B, class C)                                                                              \
  OCTET_REFUSED_OF((A, const Deferred&, const C&), Array, name, OCTET_NO_HOST_FUNCTION(#name, rewrite), Number A, \
                   class C)                                                                                       \
  OCTET_REFUSED_OF((A, B, const Deferred&), Array, name, OCTET_NO_HOST_FUNCTION(#name, rewrite), Number A, Number B)

export namespace octet::host_functions {

template <class T>
concept Number = std::is_arithmetic_v<T>;
OCTET_REFUSED_OF_ONE(Array, abs, "octet::abs(x)")
OCTET_REFUSED_OF_ONE(Array, ceil, "octet::ceil(x)")
OCTET_REFUSED_OF_ONE(Array, cos, "octet::cos(x)")
OCTET_REFUSED_OF_ONE(Array, erf, "octet::erf(x)")
OCTET_REFUSED_OF_ONE(Array, exp, "octet::exp(x)")
OCTET_REFUSED_OF_ONE(Array, expm1, "octet::expm1(x)")
OCTET_REFUSED_OF_ONE(Array, floor, "octet::floor(x)")
OCTET_REFUSED_OF_ONE(Array, log, "octet::log(x)")
OCTET_REFUSED_OF_ONE(Array, log1p, "octet::log1p(x)")
OCTET_REFUSED_OF_ONE(Array, sin, "octet::sin(x)")
OCTET_REFUSED_OF_ONE(Array, sqrt, "octet::sqrt(x)")
OCTET_REFUSED_OF_ONE(Array, tanh, "octet::tanh(x)")
OCTET_REFUSED_OF_ONE(Array, round, "octet::round(x), which takes ties to the even number")
OCTET_REFUSED_OF_TWO(pow, "octet::pow(x, y)")

OCTET_REFUSED_OF_ONE(Array, cbrt, "sign(x) * pow(abs(x), 1.0f / 3)")
OCTET_REFUSED_OF_ONE(Array, cosh, "(exp(x) + exp(-x)) / 2")
OCTET_REFUSED_OF_ONE(Array, erfc, "1 - erf(x)")
OCTET_REFUSED_OF_ONE(Array, exp2, "pow(2, x)")
OCTET_REFUSED_OF_ONE(Array, fabs, "abs(x)")
OCTET_REFUSED_OF_ONE(Array, log10, "log(x) * 0.4342945f")
OCTET_REFUSED_OF_ONE(Array, log2, "log(x) * 1.442695f")
OCTET_REFUSED_OF_ONE(Array, nearbyint, "octet::round(x)")
OCTET_REFUSED_OF_ONE(Array, rint, "octet::round(x)")
OCTET_REFUSED_OF_ONE(Array, sinh, "(exp(x) - exp(-x)) / 2")
OCTET_REFUSED_OF_ONE(Array, tan, "sin(x) / cos(x)")
OCTET_REFUSED_OF_ONE(Array, trunc, "sign(x) * floor(abs(x))")
OCTET_REFUSED_OF_ONE(bool, isfinite, "is_finite(x), an Array of truth values")
OCTET_REFUSED_OF_ONE(bool, isinf, "~is_finite(x) & (x == x), an Array of truth values")
OCTET_REFUSED_OF_ONE(bool, isnan, "x != x, an Array of truth values")
OCTET_REFUSED_OF_ONE(bool, signbit, "x < 0, an Array of truth values")
OCTET_REFUSED_OF_TWO(copysign, "select(y < 0, -abs(x), abs(x))")
OCTET_REFUSED_OF_TWO(fdim, "maximum(x - y, 0)")
OCTET_REFUSED_OF_TWO(fmax, "maximum(x, y)")
OCTET_REFUSED_OF_TWO(fmin, "minimum(x, y)")
OCTET_REFUSED_OF_TWO(fmod, "x % y")
OCTET_REFUSED_OF_TWO(hypot, "sqrt(x * x + y * y)")
OCTET_REFUSED_OF_THREE(fma, "x * y + z")
OCTET_REFUSED_OF_THREE(lerp, "x + z * (y - x)")
OCTET_REFUSED_OF_TWO(max, "maximum(x, y)")
OCTET_REFUSED_OF_TWO(min, "minimum(x, y)")
OCTET_REFUSED_OF_THREE(clamp, "octet::clamp(low, x, high), with x between its bounds")

OCTET_REFUSED_OF((const Deferred&), std::string, to_string, OCTET_NO_PRINTING)
/// Otherwise the compiler speaks of passing an object that is not trivial.
template <class Here = decltype([] {}), class... Values>
  requires(std::derived_from<Values, Deferred> || ...)
OCTET_REFUSED(OCTET_NO_PRINTING)
int printf(const char*, const Values&...) {
  static_assert(never<Here>, OCTET_NO_PRINTING);
  return {};
}

}  // namespace octet::host_functions

export namespace std {

using octet::host_functions::abs;
using octet::host_functions::cbrt;
using octet::host_functions::ceil;
using octet::host_functions::clamp;
using octet::host_functions::copysign;
using octet::host_functions::cos;
using octet::host_functions::cosh;
using octet::host_functions::erf;
using octet::host_functions::erfc;
using octet::host_functions::exp;
using octet::host_functions::exp2;
using octet::host_functions::expm1;
using octet::host_functions::fabs;
using octet::host_functions::fdim;
using octet::host_functions::floor;
using octet::host_functions::fma;
using octet::host_functions::fmax;
using octet::host_functions::fmin;
using octet::host_functions::fmod;
using octet::host_functions::hypot;
using octet::host_functions::isfinite;
using octet::host_functions::isinf;
using octet::host_functions::isnan;
using octet::host_functions::lerp;
using octet::host_functions::log;
using octet::host_functions::log10;
using octet::host_functions::log1p;
using octet::host_functions::log2;
using octet::host_functions::max;
using octet::host_functions::min;
using octet::host_functions::nearbyint;
using octet::host_functions::pow;
using octet::host_functions::printf;
using octet::host_functions::rint;
using octet::host_functions::round;
using octet::host_functions::signbit;
using octet::host_functions::sin;
using octet::host_functions::sinh;
using octet::host_functions::sqrt;
using octet::host_functions::tan;
using octet::host_functions::tanh;
using octet::host_functions::to_string;
using octet::host_functions::trunc;

}  // namespace std

export namespace octet {

using host_functions::cbrt;
using host_functions::copysign;
using host_functions::cosh;
using host_functions::erfc;
using host_functions::exp2;
using host_functions::fabs;
using host_functions::fdim;
using host_functions::fma;
using host_functions::fmax;
using host_functions::fmin;
using host_functions::fmod;
using host_functions::hypot;
using host_functions::isfinite;
using host_functions::isinf;
using host_functions::isnan;
using host_functions::lerp;
using host_functions::log10;
using host_functions::log2;
using host_functions::nearbyint;
using host_functions::printf;
using host_functions::rint;
using host_functions::signbit;
using host_functions::sinh;
using host_functions::tan;
using host_functions::trunc;

}  // namespace octet
