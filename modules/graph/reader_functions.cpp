module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :graph;
import :operation;
import :reader_functions;

namespace octet::syntax {

Term Term::filled(double number) const {
  const TensorType own = type();
  const Term scalar = write(Op::constant, {}, ConstantAttributes{Tensor::scalar(number).converted(own.dtype)});
  if (own.shape.rank() == 0) return scalar;
  return write(Op::broadcast_in_dim, {scalar.value_}, BroadcastAttributes{own.shape, {}});
}

Term Term::converted(DType dtype) const {
  if (type().dtype == dtype) return *this;
  return write(Op::convert, {value_}, ResultAttributes{{dtype, type().shape}});
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = 3.141592653589793;
constexpr double ln2 = 0.6931471805599453;
/// From here on, 1 is nothing beside the square.
constexpr double large = 1e9;

Term exp(Term x) { return x.apply(Op::exponential); }
Term expm1(Term x) { return x.apply(Op::exponential_minus_one); }
Term log(Term x) { return x.apply(Op::log); }
Term log1p(Term x) { return x.apply(Op::log_plus_one); }
Term sqrt(Term x) { return x.apply(Op::sqrt); }
Term abs(Term x) { return x.apply(Op::abs); }
Term operator<(Term x, double bound) { return x.compared(Comparison::LT, bound); }
Term operator>(Term x, double bound) { return x.compared(Comparison::GT, bound); }
Term operator==(Term x, double number) { return x.compared(Comparison::EQ, number); }

/// By increasing powers of x.
Term polynomial(Term x, std::initializer_list<double> coefficients) {
  auto next = std::rbegin(coefficients);
  Term sum = x.filled(*next);
  while (++next != std::rend(coefficients)) sum = sum * x + *next;
  return sum;
}

/// Whether x begins with a minus; of a NaN it is not asked.
Term is_negative(Term x) { return (x < 0).or_else(1.0 / x < 0); }
/// An odd function of x, by its values for x >= 0.
Term odd(Term x, Term of_magnitude) { return is_negative(x).select(-of_magnitude, of_magnitude); }

/// The arc tangent of x >= 0, in f32: S. L. Moshier, Cephes, atanf.
Term atan_of_positive(Term x) {
  const Term far = x > 2.414213562373095, middle = x > 0.414213562373095;
  const Term reduced = far.select(-1.0 / x, middle.select((x - 1) / (x + 1), x));
  const Term begin = far.select(x.filled(pi / 2), middle.select(x.filled(pi / 4), x.filled(0)));
  const Term z = reduced * reduced;
  const Term series = polynomial(z, {-3.33329491539e-1, 1.99777106478e-1, -1.38776856032e-1, 8.05374449538e-2});
  return begin + (reduced + reduced * (z * series));
}
Term atan(Term x) { return odd(x, atan_of_positive(abs(x))); }

/// With the signs of zeros, as IEEE 754-2019 (section 9.2.1) has it.
Term atan2(Term y, Term x) {
  const Term height = abs(y), width = abs(x);
  const Term both_infinite = (height == infinity).and_also(width == infinity), sum = height + width;
  const Term ratio = (height == 0).select(height, both_infinite.select(x.filled(1), height / width));
  const Term angle = atan_of_positive(ratio);
  const Term signed_angle = odd(y, is_negative(x).select(pi - angle, angle));
  return sum.compared(Comparison::NE, sum).select(sum, signed_angle);  // a NaN of either
}

/// The inverse of the error function, in f32: M. Giles, Approximating the erfinv function (2010).
Term erf_inv(Term x) {
  const Term w = -log((1.0 - x) * (x + 1));
  const Term middle = polynomial(w - 2.5, {1.50140941, 0.246640727, -0.00417768164, -0.00125372503, 0.00021858087,
                                           -4.39150654e-06, -3.5233877e-06, 3.43273939e-07, 2.81022636e-08});
  const Term end = polynomial(sqrt(w) - 3, {2.83297682, 1.00167406, 0.00943887047, -0.0076224613, 0.00573950773,
                                            -0.00367342844, 0.00134934322, 0.000100950558, -0.000200214257});
  return (abs(x) == 1).select(x * infinity, x * (w < 5).select(middle, end));
}

/// exp(x²) erfc(x) from 1 up, in f64: S. L. Moshier, Cephes, erfc.
Term scaled_erfc(Term x) {
  const Term top = polynomial(x, {5.57535335369399327526e2, 1.02755188689515710272e3, 9.34528527171957607540e2,
                                  5.26445194995477358631e2, 1.96520832956077098242e2, 4.86371970985681366614e1,
                                  7.46321056442269912687, 5.64189564831068821977e-1, 2.46196981473530512524e-10});
  const Term bottom = polynomial(
      x, {5.57535340817727675546e2, 1.65666309194161350182e3, 2.24633760818710981792e3, 1.82390916687909736289e3,
          9.75708501743205489753e2, 3.54937778887819891062e2, 8.67072140885989742329e1, 1.32281951154744992508e1, 1});
  const Term far_top = polynomial(x, {2.97886665372100240670, 7.40974269950448939160, 6.16021097993053585195,
                                      5.01905042251180477414, 1.27536670759978104416, 5.64189583547755073984e-1});
  const Term far_bottom = polynomial(x, {3.36907645100081516050, 9.60896809063285878198, 1.70814450747565897222e1,
                                         1.20489539808096656605e1, 9.39603524938001434673, 2.26052863220117276590, 1});
  return (x < 8).select(top / bottom, far_top / far_bottom);
}

/// In f32: S. L. Moshier, Cephes, erfcf.
Term erfc(Term x) {
  const Term near = 1.0 - x.apply(Op::erf);
  const Term size = abs(x), square = size * size;
  if (x.type().dtype == DType::f64) {
    const Term beyond = (size > 30).select(x.filled(0), exp(-square) * scaled_erfc(size));
    return (size < 1).select(near, (x < 0).select(2.0 - beyond, beyond));
  }
  const Term z = 1.0 / square;
  const Term middle = polynomial(z, {5.638259427386472e-1, -2.741127028184656e-1, 3.404879937665872e-1,
                                     -4.944515323274145e-1, 6.210004621745983e-1, -5.824733027278666e-1,
                                     3.687424674597105e-1, -1.387039388740657e-1, 2.326819970068386e-2});
  const Term end = polynomial(z, {5.641895067754075e-1, -2.820767439740514e-1, 4.218463358204948e-1, -1.015265279202700,
                                  2.921019019210786, -7.495518717768503, 1.297719955372516e1, -1.047766399936249e1});
  const Term beyond = exp(-square) / size * (size < 2).select(middle, end);
  return (size < 1).select(near, (x < 0).select(2.0 - beyond, beyond));
}

Term sinh(Term x) {
  const Term size = abs(x), near = expm1(size), root = exp(size * 0.5);
  return odd(x, (size < 1).select((near + near / (near + 1)) * 0.5, root * 0.5 * root - 0.5 / root / root));
}
Term cosh(Term x) {
  const Term root = exp(abs(x) * 0.5);
  return root * 0.5 * root + 0.5 / root / root;
}
Term asinh(Term x) {
  const Term size = abs(x), square = size * size;
  return odd(x, (size > large).select(log(size) + ln2, log1p(size + square / (sqrt(square + 1) + 1))));
}
Term acosh(Term x) {
  const Term above = x - 1, result = log1p(above + sqrt(above * (above + 2)));
  return (x < 1).select(x.filled(infinity) - infinity, (x > large).select(log(x) + ln2, result));
}
Term atanh(Term x) { return (log1p(x) - log1p(-x)) * 0.5; }

/// By the power, and one step of Newton's; of what may be denormal, 2^60 times as large.
Term cbrt(Term x) {
  const Term given = abs(x), small = given < 1e-30;
  const Term size = small.select(given * 0x1p60, given), root = size.power(1.0 / 3);
  const Term next = root - (root - size / (root * root)) * (1.0 / 3);
  const Term as_it_is = (given == 0).or_else(given == infinity);
  return odd(x, as_it_is.select(given, small.select(next * 0x1p-20, next)));
}

/// To the nearest integer; from the middle between two to the one that is farther from zero.
Term round_away(Term x) {
  const Term size = abs(x), below = size.apply(Op::floor);
  return odd(x, (size - below < 0.5).select(below, (size == infinity).select(size, below + 1)));
}

using Terms = const std::vector<Term>&;
Term tan(Terms x) { return x[0].apply(Op::sine) / x[0].apply(Op::cosine); }

constexpr Function table[] = {
    {"chlo.acos", [](Terms x) { return atan_of_positive(sqrt((1.0 - x[0]) / (x[0] + 1))) * 2; }, 1, true},
    {"chlo.acosh", [](Terms x) { return acosh(x[0]); }},
    {"chlo.asin", [](Terms x) { return atan(x[0] / sqrt((1.0 - x[0]) * (x[0] + 1))); }, 1, true},
    {"chlo.asinh", [](Terms x) { return asinh(x[0]); }},
    {"chlo.atan", [](Terms x) { return atan(x[0]); }, 1, true},
    {"chlo.atanh", [](Terms x) { return atanh(x[0]); }},
    {"chlo.cosh", [](Terms x) { return cosh(x[0]); }},
    {"chlo.erf_inv", [](Terms x) { return erf_inv(x[0]); }, 1, true},
    {"chlo.erfc", [](Terms x) { return erfc(x[0]); }},
    {"chlo.is_inf", [](Terms x) { return abs(x[0]) == infinity; }},
    {"chlo.is_neg_inf", [](Terms x) { return x[0] == -infinity; }},
    {"chlo.is_pos_inf", [](Terms x) { return x[0] == infinity; }},
    {"chlo.sinh", [](Terms x) { return sinh(x[0]); }},
    {"chlo.tan", tan},
    {"stablehlo.atan2", [](Terms x) { return atan2(x[0], x[1]); }, 2, true},
    {"stablehlo.cbrt", [](Terms x) { return cbrt(x[0]); }},
    {"stablehlo.round_nearest_afz", [](Terms x) { return round_away(x[0]); }},
    {"stablehlo.tan", tan},
};

}  // namespace

const Function* function_named(std::string_view name) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const Function& f) { return f.name == name; });
  return found == std::end(table) ? nullptr : &*found;
}

Term applied(const Function& function, std::vector<Term> operands) {
  const DType own = operands.front().type().dtype;
  if (own == DType::bf16)
    for (Term& operand : operands) operand = operand.converted(DType::f32);
  const Term result = function.of(operands);
  return is_floating(result.type().dtype) ? result.converted(own) : result;
}

}  // namespace octet::syntax
