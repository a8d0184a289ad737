/// The f64 functions: Taylor series in double-double arithmetic after an argument reduction, rounded once at the end.
/// Where the result is a subnormal number it is rounded twice.
module octet.base;
import octet.standard;
import :double_double;

#pragma clang fp contract(off)

namespace octet::math {

namespace {

constexpr double infinite = __builtin_inf();
constexpr DoubleDouble ln2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

constexpr double magnitude(double x) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~0ull >> 1); }
constexpr double with_sign_of(double magnitude, double sign) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) |
                               (std::bit_cast<std::uint64_t>(sign) & 1ull << 63));
}
/// The nearest integer, ties to even, for |x| < 2^51.
constexpr double nearest(double x) { return (x + to_integer_f64) - to_integer_f64; }

/// x 2^n, for any n that an f64 result may need.
constexpr double scaled(double x, int n) {
  const auto power = [](int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  };
  const int half = n / 2;
  return x * power(half) * power(n - half);
}
constexpr DoubleDouble scaled(DoubleDouble x, int n) { return {scaled(x.high, n), scaled(x.low, n)}; }

/// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t n>
constexpr DoubleDouble polynomial(const std::array<DoubleDouble, n>& c, DoubleDouble x) {
  DoubleDouble sum = c[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

/// 1 / (i * step + offset)!, with the signs alternating where `alternating`.
template <std::size_t n>
constexpr std::array<DoubleDouble, n> inverse_factorials(int offset, int step, bool alternating) {
  std::array<DoubleDouble, n> result;
  DoubleDouble term = 1.0;
  for (std::size_t i = 0, of = 0; i < n; ++i) {
    const std::size_t next = i * static_cast<std::size_t>(step) + static_cast<std::size_t>(offset);
    while (of < next) term = term / static_cast<double>(++of);
    result[i] = alternating && i % 2 ? -term : term;
  }
  return result;
}

constexpr auto expm1_series = inverse_factorials<21>(1, 1, false);  // of (e^r - 1) / r
constexpr auto sin_series = inverse_factorials<13>(1, 2, true);     // of sin(r) / r, in r^2
constexpr auto cos_series = inverse_factorials<13>(0, 2, true);     // of cos(r), in r^2
constexpr auto artanh_series = [] {                                 // of artanh(s) / s, in s^2
  std::array<DoubleDouble, 20> result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = DoubleDouble{1.0} / static_cast<double>(2 * i + 1);
  return result;
}();

struct Power {
  DoubleDouble rest_m1;  ///< e^r - 1
  int n;                 ///< e^x = 2^n e^r
};
/// For |x| < 2^20.
Power power_of_e(DoubleDouble x) {
  const double n = nearest(x.high * 0x1.71547652b82fep+0);
  const DoubleDouble r = x - ln2 * n;
  return {r * polynomial(expm1_series, r), static_cast<int>(n)};
}

/// log x for a normal, positive x. x may be a sum whose low part matters.
DoubleDouble logarithm(DoubleDouble x, int exponent = 0) {
  constexpr std::uint64_t sqrt_half_f64 = 0x3fe6'a09e'667f'3bcd;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x.high) - sqrt_half_f64;
  const int k = static_cast<int>(static_cast<std::int64_t>(bits) >> 52);
  const DoubleDouble fraction = scaled(x, -k);
  const DoubleDouble s = (fraction - 1.0) / (fraction + 1.0);
  return ln2 * static_cast<double>(k + exponent) + s * polynomial(artanh_series, s * s) * 2.0;
}
DoubleDouble logarithm_of_any(double x) { return x < 0x1p-1022 ? logarithm(x * 0x1p54, -54) : logarithm(x); }

/// e^x for -700 < x < 700.
DoubleDouble exp_sum(DoubleDouble x) {
  const auto [rest_m1, n] = power_of_e(x);
  return scaled(rest_m1 + 1.0, n);
}
/// e^x - 1, likewise.
DoubleDouble expm1_sum(double x) {
  const auto [rest_m1, n] = power_of_e(x);
  return n == 0 ? rest_m1 : scaled(rest_m1 + 1.0, n) - 1.0;
}

/// e^x rounded once; 0 and infinity where f64 ends.
double rounded_exp(DoubleDouble x) {
  if (x.high > 710) return infinite;
  if (x.high < -746) return 0;
  const auto [rest_m1, n] = power_of_e(x);
  return scaled(static_cast<double>(rest_m1 + 1.0), n);
}

/// The first 1280 bits of 1 / (2 pi), after 64 zeros.
constexpr std::uint64_t inverse_of_turn[] = {0,
                                             0x28be60db9391054a,
                                             0x7f09d5f47d4d3770,
                                             0x36d8a5664f10e410,
                                             0x7f9458eaf7aef158,
                                             0x6dc91b8e909374b8,
                                             0x01924bba82746487,
                                             0x3f877ac72c4a69cf,
                                             0xba208d7d4baed121,
                                             0x3a671c09ad17df90,
                                             0x4e64758e60d4ce7d,
                                             0x272117e2ef7e4a0e,
                                             0xc7fe25fff7816603,
                                             0xfbcbc462d6829b47,
                                             0xdb4d9fb3c9f2c26d,
                                             0xd3d18fd9a797fa8b,
                                             0x5d49eeb1faf97c5e,
                                             0xcf41ce7de294a4ba,
                                             0x9afed7ec47e35742,
                                             0x1580cc11bf1edaea,
                                             0xfc33ef0826bd0d87};

struct ReducedAngle {
  unsigned quadrant;  ///< modulo 4
  DoubleDouble r;     ///< |r| <= pi/4
};
/// x = m 2^e with an integer m: of 1 / (2 pi) only the 192 bits from bit e matter for the fraction of a turn, the
/// earlier ones giving whole turns. Payne and Hanek, "Radian reduction for trigonometric functions", SIGNUM 18 (1983).
ReducedAngle reduced(double x) {
  if (magnitude(x) < 0.78) return {0, x};
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const int first_bit = static_cast<int>(bits >> 52 & 0x7ff) - 1075 + 64;
  const std::uint64_t m = (bits & 0xf'ffff'ffff'ffff) | 1ull << 52;

  // The six 32-bit words of m times those 192 bits, most significant first; the carry out of the first is whole turns.
  const auto word = [&](int i) {
    const int at = first_bit + 32 * i, offset = at % 64;
    const std::uint64_t high = inverse_of_turn[at / 64] << offset;
    return (offset ? high | inverse_of_turn[at / 64 + 1] >> (64 - offset) : high) >> 32;
  };
  std::uint64_t turn[6];
  std::uint64_t carry = 0;
  for (int i = 5; i >= 0; --i) {
    const std::uint64_t low = word(i) * (m & 0xffff'ffff) + (carry & 0xffff'ffff);
    turn[i] = low & 0xffff'ffff;
    carry = word(i) * (m >> 32) + (low >> 32) + (carry >> 32);
  }
  const auto quadrant = static_cast<unsigned>((turn[0] + 0x2000'0000) >> 30);
  const auto first = static_cast<std::int32_t>(static_cast<std::uint32_t>(turn[0] - (std::uint64_t{quadrant} << 30)));
  DoubleDouble sum = 0.0;
  for (int i = 5; i > 0; --i) sum = sum + scaled(static_cast<double>(turn[i]), -32 * (i + 1));
  const DoubleDouble r = (sum + scaled(first, -32)) * DoubleDouble{0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52};
  return std::bit_cast<std::int64_t>(bits) < 0 ? ReducedAngle{0u - quadrant, -r} : ReducedAngle{quadrant, r};
}
double sine(ReducedAngle angle) {
  const DoubleDouble z = angle.r * angle.r;
  const double value =
      static_cast<double>(angle.quadrant & 1 ? polynomial(cos_series, z) : angle.r * polynomial(sin_series, z));
  return angle.quadrant & 2 ? -value : value;
}

}  // namespace

double exp(double x) { return x != x ? x : rounded_exp(x); }

double expm1(double x) {
  if (x != x || magnitude(x) < 0x1p-54) return x;
  if (x > 700) return exp(x);
  return x < -40 ? -1 : static_cast<double>(expm1_sum(x));
}

double log(double x) {
  if (x > 0 && x < infinite) return static_cast<double>(logarithm_of_any(x));
  return x == 0 ? -infinite : x < 0 ? __builtin_nan("") : x;
}

double log1p(double x) {
  if (x > -1 && x < infinite && magnitude(x) >= 0x1p-54) return static_cast<double>(logarithm(exact_sum(1.0, x)));
  return x == -1 ? -infinite : x < -1 ? __builtin_nan("") : x;
}

double tanh(double x) {
  if (x != x || magnitude(x) < 0x1p-28) return x;
  if (magnitude(x) > 20) return with_sign_of(1, x);
  const DoubleDouble e = expm1_sum(2 * magnitude(x));
  return with_sign_of(static_cast<double>(e / (e + 2.0)), x);
}

double logistic(double x) {
  if (x != x) return x;
  if (x < -40) return rounded_exp(x);  // 1 + e^x rounds to 1
  if (x > 40) return 1;
  const DoubleDouble e = exp_sum(-magnitude(x));
  return static_cast<double>((x < 0 ? e : DoubleDouble{1.0}) / (e + 1.0));
}

/// 2/sqrt(pi) e^(-x^2) times the sum of 2^n x^(2n+1) / (1 3 5 ... (2n+1)), whose terms are all positive.
double erf(double x) {
  const double size = magnitude(x);
  if (x != x) return x;
  if (size > 6) return with_sign_of(1, x);
  const DoubleDouble square = exact_product(size, size);
  DoubleDouble term = size, sum = size;
  for (double n = 3; term.high > sum.high * 0x1p-64; n += 2) {
    term = term * (square * 2.0) / n;
    sum = sum + term;
  }
  return with_sign_of(
      static_cast<double>(sum * exp_sum(-square) * DoubleDouble{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed8p-56}), x);
}

double sin(double x) {
  if (magnitude(x) < 0x1p-27) return x;
  if (!(magnitude(x) < infinite)) return x - x;
  return sine(reduced(x));
}

double cos(double x) {
  if (!(magnitude(x) < infinite)) return x - x;
  const ReducedAngle angle = reduced(x);
  return sine({angle.quadrant + 1, angle.r});
}

double pow(double x, double y) {
  if (x == 1 || y == 0) return 1;
  if (x != x || y != y) return x + y;
  const double size = magnitude(x), y_size = magnitude(y);
  const bool integer = y_size >= 0x1p52 || (y_size + 0x1p52) - 0x1p52 == y_size;
  const bool odd = integer && y_size < 0x1p53 &&
                   (y_size >= 0x1p52 ? (std::bit_cast<std::uint64_t>(y) & 1) != 0
                                     : (y_size * 0.5 + 0x1p52) - 0x1p52 != y_size * 0.5);
  const double sign = odd ? x : 1.0;
  if (size == 1) return integer ? with_sign_of(1, sign) : __builtin_nan("");
  if (size == 0 || size == infinite || y_size == infinite)
    return with_sign_of((size > 1) == (y > 0) ? infinite : 0, sign);
  if (x < 0 && !integer) return __builtin_nan("");
  if (y_size > 0x1p66) return with_sign_of((size > 1) == (y > 0) ? infinite : 0, sign);
  if (y_size < 0x1p-66) return 1;
  return with_sign_of(rounded_exp(logarithm_of_any(size) * y), sign);
}

}  // namespace octet::math
