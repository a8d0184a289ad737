/// Elementary functions that give the same bits on every IEEE-754 machine: they use + - * / and square root,
/// comparisons, selects and operations on representations, never a machine's own library, and contraction is off.
///
/// The f32 functions are straight lines without branches or tables, so that a compiler vectorizes a loop over them at
/// any width; being always inlined, they take on the instruction set of the function that calls them. The f64 functions
/// are slow and nearly correctly rounded: they serve reference arithmetic. An error is the largest one found, in units
/// in the last place (ulp) of the result, among every 17th of all f32 numbers (for `pow`, among 20 million pairs).
export module octet.base:math;
import octet.standard;

#pragma clang fp contract(off)

export namespace octet::math {

// f64: evaluated in double-double arithmetic and rounded once. At most 1 ulp; see math.cpp.
double exp(double x);
double expm1(double x);
double log(double x);
double log1p(double x);
double tanh(double x);
double logistic(double x);
double erf(double x);
double sin(double x);
double cos(double x);
double pow(double x, double y);
inline double sqrt(double x) { return __builtin_elementwise_sqrt(x); }
inline double rsqrt(double x) { return 1.0 / __builtin_elementwise_sqrt(x); }

}  // namespace octet::math

namespace octet::math {

inline constexpr float infinity = __builtin_inff();
inline constexpr float not_a_number = __builtin_nanf("");

/// ln 2 in two parts; the first has 16 bits, so that its product with an exponent is exact.
inline constexpr float ln2_high = 0x1.62e4p-1f;
inline constexpr float ln2_low = 0x1.7f7d1cp-20f;

/// Adding this to a number below 2^22 leaves its nearest integer in the low bits of the sum. A conversion to an integer
/// would be undefined for NaN.
inline constexpr float to_integer = 0x1.8p23f;
inline constexpr double to_integer_f64 = 0x1.8p52;

/// A constant of a vector loop. WebAssembly's V8 makes it anew for each vector, by three instructions, where it is
/// written into the code. So there it is a variable, which is never written to: the compiler reads it before the loop.
/// That is for exp and erf, of which a training step computes millions: it makes the program larger.
#if defined(__wasm__)
template <float value>
inline float held = value;
#else
template <float value>
inline constexpr float held = value;
#endif

[[gnu::always_inline]] inline std::int32_t representation(float x) { return std::bit_cast<std::int32_t>(x); }
[[gnu::always_inline]] inline std::int64_t representation(double x) { return std::bit_cast<std::int64_t>(x); }

[[gnu::always_inline]] inline float magnitude(float x) { return __builtin_fabsf(x); }
[[gnu::always_inline]] inline float with_sign_of(float magnitude, float sign) {
  return std::bit_cast<float>(representation(magnitude) | (representation(sign) & representation(held<-0.0f>)));
}
/// `x` between the bounds; a NaN stays.
[[gnu::always_inline]] inline float clamped(float x, float low, float high) {
  return x < low ? low : x > high ? high : x;
}

/// 2^n for -126 <= n <= 127.
[[gnu::always_inline]] inline float power_of_two(std::int32_t n) {
  return std::bit_cast<float>((static_cast<std::uint32_t>(n) << 23) + std::bit_cast<std::uint32_t>(held<1.0f>));
}

/// x = n ln 2 + r with |r| <= ln 2 / 2, for |x| < 2^20. For a NaN, r is a NaN and n anything.
struct ExponentAndRest {
  std::int32_t n;
  float r;
};
[[gnu::always_inline]] inline ExponentAndRest divide_by_ln2(float x) {
  const float shifted = x * held<0x1.715476p+0f> + held<to_integer>;
  const float n = shifted - held<to_integer>;
  return {representation(shifted) - representation(held<to_integer>), x - n * held<ln2_high> - n * held<ln2_low>};
}

/// e^r for |r| <= ln 2 / 2.
[[gnu::always_inline]] inline float exp_of_rest(float r) {
  const float p =
      held<0x1.fffffap-2f> +
      r * (held<0x1.555492p-3f> + r * (held<0x1.555a26p-5f> + r * (held<0x1.12397cp-7f> + r * held<0x1.694c82p-10f>)));
  return held<1.0f> + (r + r * r * p);
}

/// From there down e^x rounds to 0: -103.97.
inline constexpr float exp_is_zero_at = -0x1.9fe36ap+6f;
/// |x|, up to 3.93, from where on erf rounds to 1.
[[gnu::always_inline]] inline float size_for_erf(float x) { return clamped(magnitude(x), 0.0f, held<3.93f>); }

/// log(1 + f) + k ln 2, for 1 + f in [sqrt 1/2, sqrt 2]: with s = f / (2 + f) it is the series of 2 artanh(s).
[[gnu::always_inline]] inline float log_of_parts(float f, float k) {
  const float s = f / (2.0f + f);
  const float z = s * s;
  const float series = z * (0x1.55557ap-1f + z * (0x1.995ed6p-2f + z * 0x1.31e096p-2f));
  const float half_square = 0.5f * f * f;
  return k * ln2_high - ((half_square - (s * (half_square + series) + k * ln2_low)) - f);
}
/// The representation of sqrt(1/2): where the fraction of a logarithm's argument begins.
inline constexpr std::uint32_t sqrt_half = 0x3f35'04f3;

/// The angle x as quadrant * pi/2 + r with |r| <= pi/4, in f64, for any f32 x.
struct Quadrant {
  std::int64_t number;  ///< modulo 4
  double r;
};
/// Works in turns. x = h 2^j, where j is 0 or h is an integer below 2^50, so that only the fraction of 2^j / (2 pi)
/// counts; it is known to 116 bits as four parts, whose products with h are exact.
[[gnu::always_inline]] inline Quadrant quadrant_of(float x) {
  const float size = magnitude(x);
  double h = x;
  double c1 = 0x1.45f306ep-3, c2 = -0x1.b1bbeadp-34, c3 = -0x1.80f62a1p-64, c4 = 0x1.1f534dep-94;
  const auto from = [&](float bound, double scale, double next1, double next2, double next3, double next4)
                        __attribute__((always_inline)) {
                          const bool here = size >= bound;
                          h = here ? x * scale : h;
                          c1 = here ? next1 : c1;
                          c2 = here ? next2 : c2;
                          c3 = here ? next3 : c3;
                          c4 = here ? next4 : c4;
                        };
  from(0x1p26f, 0x1p-2, -0x1.7419f24p-2, -0x1.b1bbeadp-32, -0x1.80f62a1p-62, 0x1.1f534dep-92);
  from(0x1p52f, 0x1p-28, -0x1.1b1bbebp-2, 0x1.4fe13acp-33, -0x1.7056591p-65, -0x1.f924eb5p-97);
  from(0x1p78f, 0x1p-54, 0x1.4a7f09dp-2, 0x1.7d1f535p-32, -0x1.11f924fp-63, 0x1.2b32788p-93);
  from(0x1p104f, 0x1p-80, -0x1.505c159p-3, -0x1.911f925p-33, 0x1.4acc9e2p-65, 0x1.c820ff3p-97);
  const double first = h * c1 - ((h * c1 + to_integer_f64) - to_integer_f64);
  const double second = h * c2 - ((h * c2 + to_integer_f64) - to_integer_f64);
  const double shifted = 4.0 * (first + second) + to_integer_f64;
  const double quarters = shifted - to_integer_f64;
  const double turns = (((first - 0.25 * quarters) + second) + h * c3) + h * c4;
  return {representation(shifted), turns * 0x1.921fb54442d18p+2};
}
/// The sine of an angle so divided, by Taylor's series. The error is that of rounding the result to f32.
[[gnu::always_inline]] inline float sine(Quadrant angle) {
  const double r = angle.r;
  const double z = r * r;
  const double sin =
      r * (1.0 + z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 - z / 39916800)))));
  const double cos = 1.0 + z * (-0.5 + z * (1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40320 - z / 3628800))));
  const double value = angle.number & 1 ? cos : sin;
  return static_cast<float>(std::bit_cast<double>(representation(value) ^ (angle.number & 2) << 62));
}

}  // namespace octet::math

export namespace octet::math {

// The parts of exp and erf, for loops that take them one after the other: each is a chain of operations half as long.

/// n and r of e^x = 2^n e^r; of 0 where e^x rounds to 0.
[[gnu::always_inline]] inline ExponentAndRest exponent_and_rest(float x) {
  return divide_by_ln2(x <= held<exp_is_zero_at> ? 0.0f : x > held<89.0f> ? held<89.0f> : x);
}
/// e^x. Where it is 0 that is selected, since multiplying down to it passes denormal numbers, which are slow.
[[gnu::always_inline]] inline float exp_of(float x, ExponentAndRest parts) {
  // Two factors, since 2^n itself need not be a normal number.
  const std::int32_t half = parts.n >> 1;
  const float result = exp_of_rest(parts.r) * power_of_two(half) * power_of_two(parts.n - half);
  return x <= held<exp_is_zero_at> ? 0.0f : result;
}

/// The logarithm of erfc(|x|), for |x| > 0.9 and up to 3.93, beyond which it stays.
[[gnu::always_inline]] inline float log_erfc(float x) {
  const float size = size_for_erf(x);
  return held<-0x1.743c94p-13f> +
         size * (held<-0x1.20b432p+0f> +
                 size * (held<-0x1.462cb2p-1f> +
                         size * (held<-0x1.aa231p-4f> +
                                 size * (held<0x1.6cfcdap-6f> +
                                         size * (held<-0x1.90812p-9f> + size * held<0x1.9d850ap-13f>)))));
}
/// 1 - e^x for -87 < x <= 0.
[[gnu::always_inline]] inline float one_minus_exp(float x) {
  const auto [n, r] = divide_by_ln2(x);
  return held<1.0f> - exp_of_rest(r) * power_of_two(n);
}
/// The error function, given its magnitude where that is far from 0.
[[gnu::always_inline]] inline float erf_of(float x, float far) {
  const float size = size_for_erf(x);
  const float z = size * size;
  const float series = held<0x1.06eba6p-3f> +
                       z * (held<-0x1.8126f4p-2f> +
                            z * (held<0x1.ce1d3ep-4f> +
                                 z * (held<-0x1.b6b838p-6f> + z * (held<0x1.48558cp-8f> - z * held<0x1.3ed77ap-11f>))));
  return with_sign_of(size < held<0.9f> ? size + size * series : far, x);
}

/// e^x. The argument is divided by ln 2 with rest; a polynomial of degree 6 for the rest. Error 0.99 ulp.
[[gnu::always_inline]] inline float exp(float x) { return exp_of(x, exponent_and_rest(x)); }

/// e^x - 1, accurate near 0. As exp, the 1 subtracted from 2^n. Error 1.65 ulp.
[[gnu::always_inline]] inline float expm1(float x) {
  const auto [n, r] = divide_by_ln2(clamped(x, -18.0f, 89.0f));
  const float p =
      0x1.fffffep-2f + r * (0x1.5554bp-3f + r * (0x1.555716p-5f + r * (0x1.12278ep-7f + r * 0x1.6b7334p-10f)));
  const float half = power_of_two(n - 1);
  const float result = 2.0f * (half * (r + r * r * p) + (half - 0.5f));
  return magnitude(x) < 0x1p-25f ? x : result;
}

/// Natural logarithm. -infinity at 0, NaN below. Error 0.85 ulp.
[[gnu::always_inline]] inline float log(float x) {
  const bool subnormal = x < 0x1p-126f;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(subnormal ? x * 0x1p23f : x) - sqrt_half;
  const float k = static_cast<float>(static_cast<std::int32_t>(bits) >> 23) - (subnormal ? 23.0f : 0.0f);
  const float fraction = std::bit_cast<float>((bits & 0x7f'ffffu) + sqrt_half);
  const float result = log_of_parts(fraction - 1.0f, k);
  const float outside = x == 0.0f ? -infinity : x < 0.0f ? not_a_number : x;
  const bool inside = (x > 0.0f) & (x < infinity);
  return inside ? result : outside;
}

/// log(1 + x), accurate near 0. As log, with the rounding error of 1 + x carried along. Error 1.39 ulp.
[[gnu::always_inline]] inline float log1p(float x) {
  const float sum = 1.0f + x;
  const float rounded = sum - 1.0f;
  const float error = (1.0f - (sum - rounded)) + (x - rounded);
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(sum) - sqrt_half;
  const std::int32_t k = static_cast<std::int32_t>(bits) >> 23;
  const float fraction = std::bit_cast<float>((bits & 0x7f'ffffu) + sqrt_half);
  const float error_of_fraction = error * power_of_two(k < 64 ? -k : -64);  // beyond, it is of no account
  const float result = log_of_parts((fraction - 1.0f) + error_of_fraction, static_cast<float>(k));
  const float outside = x == -1.0f ? -infinity : x < -1.0f ? not_a_number : x;
  const bool inside = (x > -1.0f) & (x < infinity) & (magnitude(x) >= 0x1p-25f);
  return inside ? result : outside;
}

/// Hyperbolic tangent: an odd polynomial where it is below 1/2, else 1 - 2 / (e^2|x| + 1). Error 1.43 ulp.
[[gnu::always_inline]] inline float tanh(float x) {
  const float size = clamped(magnitude(x), 0.0f, 10.0f);
  const float z = size * size;
  const float series =
      -0x1.55554ap-2f + z * (0x1.110d02p-3f + z * (-0x1.b923e8p-5f + z * (0x1.591ed2p-6f - z * 0x1.9aa42p-8f)));
  const auto [n, r] = divide_by_ln2(2.0f * size);
  const float far = 1.0f - 2.0f / (exp_of_rest(r) * power_of_two(n) + 1.0f);
  return with_sign_of(size < 0.5493f ? size + size * (z * series) : far, x);
}

/// 1 / (1 + e^-x), the logistic function. Error 2.41 ulp.
[[gnu::always_inline]] inline float logistic(float x) {
  const float e = exp(-magnitude(x));
  return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

/// The error function: an odd polynomial below 0.9, else 1 - e^p(|x|) where the polynomial p is fitted to log(erfc).
/// From 3.93 on the result rounds to 1. Error 1.35 ulp.
[[gnu::always_inline]] inline float erf(float x) { return erf_of(x, one_minus_exp(log_erfc(x))); }

/// Sine, for arguments of any size: in f64, the angle reduced exactly. Error 0.51 ulp.
[[gnu::always_inline]] inline float sin(float x) {
  const float result = sine(quadrant_of(x));
  return magnitude(x) < 0x1p-13f ? x : result;
}

/// Cosine, likewise. Error 0.51 ulp.
[[gnu::always_inline]] inline float cos(float x) {
  const Quadrant angle = quadrant_of(x);
  return sine({angle.number + 1, angle.r});
}

/// x^y with the special cases of IEEE 754-2019, section 9.2.1: 2^(y log2 |x|) in f64. Error 0.51 ulp.
[[gnu::always_inline]] inline float pow(float x, float y) {
  const double size = magnitude(x);
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(size) - 0x3fe6'a09e'667f'3bcd;
  // The arithmetic shift of a 64-bit number is missing from older vector instructions; the upper half will do.
  const std::int32_t exponent = static_cast<std::int32_t>(bits >> 32) >> 20;
  const double fraction = std::bit_cast<double>((bits & 0xf'ffff'ffff'ffff) + 0x3fe6'a09e'667f'3bcd);
  const double s = (fraction - 1.0) / (fraction + 1.0);
  const double z = s * s;
  const double artanh =
      s *
      (1.0 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13 + z / 15)))))));
  double log2 = exponent + artanh * (2.0 * 0x1.71547652b82fep+0);
  log2 = size == 0.0 ? static_cast<double>(-infinity) : size == static_cast<double>(infinity) ? size : log2;
  const double product = size == 1.0 ? 0.0 : y * log2;

  const double within = product < -160.0 ? -160.0 : product > 130.0 ? 130.0 : product;
  const double shifted = within + to_integer_f64;
  const double r = (within - (shifted - to_integer_f64)) * 0x1.62e42fefa39efp-1;
  const double power =
      1.0 +
      r * (1.0 +
           r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 +
                                          r * (1.0 / 120 +
                                               r * (1.0 / 720 + r * (1.0 / 5040 + r * (1.0 / 40320 + r / 362880))))))));
  const std::uint64_t scale = (static_cast<std::uint64_t>(representation(shifted)) + 1023) << 52;
  float result = static_cast<float>(power * std::bit_cast<double>(scale));

  // Above 2^23 there are only integers, above 2^24 only even ones.
  const float y_size = magnitude(y);
  const bool integer = (y_size >= 0x1p23f) | ((y_size + 0x1p23f) - 0x1p23f == y_size);
  const bool even = (y_size >= 0x1p24f) | ((0.5f * y_size + 0x1p23f) - 0x1p23f == 0.5f * y_size);
  result = (integer & !even) ? with_sign_of(result, x) : result;
  result = ((x < 0.0f) & (x > -infinity) & !integer) ? not_a_number : result;
  result = ((x != x) | (y != y)) ? x + y : result;
  return ((x == 1.0f) | (y == 0.0f)) ? 1.0f : result;
}

/// Correctly rounded.
[[gnu::always_inline]] inline float sqrt(float x) { return __builtin_elementwise_sqrt(x); }

/// 1 / sqrt(x): two correctly rounded steps. Error 1.5 ulp.
[[gnu::always_inline]] inline float rsqrt(float x) { return 1.0f / __builtin_elementwise_sqrt(x); }

}  // namespace octet::math
