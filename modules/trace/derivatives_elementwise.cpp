module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :derivatives;

namespace octet::derivatives {

namespace {

const Array& x(const Derivation& d) { return d.inputs[0]; }
const Array& y(const Derivation& d) { return d.inputs[1]; }
const Array& result(const Derivation& d) { return d.outputs[0]; }
const Array& g(const Derivation& d) { return d.cotangents[0]; }

/// max and min share a rule: where both operands are equal, each takes half.
Cotangents extremum(const Derivation& d) {
  const Array half = g(d) * 0.5, none = zeros(g(d).type());
  const Array first = result(d) == x(d), second = result(d) == y(d), both = first & second;
  return {select(both, half, select(first, g(d), none)), select(both, half, select(second, g(d), none))};
}

}  // namespace

Cotangents abs(const Derivation& d) { return {g(d) * sign(x(d))}; }
Cotangents convert(const Derivation& d) {
  if (!is_floating(x(d).dtype())) return {Array{}};
  return {cast(g(d), x(d).dtype())};
}
Cotangents cosine(const Derivation& d) { return {-(g(d) * sin(x(d)))}; }
// 2/√π exp(-x²)
Cotangents erf(const Derivation& d) { return {g(d) * (octet::exp(-square(x(d))) * 1.1283791670955126)}; }
Cotangents exponential(const Derivation& d) { return {g(d) * result(d)}; }
Cotangents exponential_minus_one(const Derivation& d) { return {g(d) * (result(d) + 1)}; }
Cotangents log(const Derivation& d) { return {g(d) / x(d)}; }
Cotangents log_plus_one(const Derivation& d) { return {g(d) / (x(d) + 1)}; }
Cotangents logistic(const Derivation& d) { return {g(d) * result(d) * (1 - result(d))}; }
Cotangents negate(const Derivation& d) { return {-g(d)}; }
Cotangents rsqrt(const Derivation& d) { return {g(d) * result(d) * result(d) * result(d) * -0.5}; }
Cotangents sine(const Derivation& d) { return {g(d) * cos(x(d))}; }
Cotangents sqrt(const Derivation& d) { return {g(d) * 0.5 / result(d)}; }
Cotangents tanh(const Derivation& d) { return {g(d) * (1 - square(result(d)))}; }
Cotangents add(const Derivation& d) { return {g(d), g(d)}; }
Cotangents divide(const Derivation& d) {
  const Array first = g(d) / y(d);
  return {first, -(first * result(d))};
}
Cotangents maximum(const Derivation& d) { return extremum(d); }
Cotangents minimum(const Derivation& d) { return extremum(d); }
Cotangents multiply(const Derivation& d) { return {g(d) * y(d), g(d) * x(d)}; }
Cotangents power(const Derivation& d) {
  // x^(y-1) y, and x^y log x; each is zero where its factor is, which the formulas alone would make NaN of.
  const Array first = select(y(d) == 0, 0.0, y(d) * pow(x(d), select(y(d) == 0, full(y(d).type(), 1), y(d) - 1)));
  const Array safe = select(x(d) == 0, full(x(d).type(), 1), x(d));
  return {g(d) * first, g(d) * octet::log(safe) * result(d)};
}
Cotangents remainder(const Derivation& d) {
  const Array quotient = x(d) / y(d);
  return {g(d), -(g(d) * sign(quotient) * floor(octet::abs(quotient)))};
}
Cotangents subtract(const Derivation& d) { return {g(d), -g(d)}; }

Cotangents clamp(const Derivation& d) {
  const Array& low = d.inputs[0];
  const Array& value = d.inputs[1];
  const Array& high = d.inputs[2];
  const Array none = zeros(g(d).type());
  const auto bound = [&](const Array& limit, const Array& cotangent) {
    return limit.rank() == 0 ? sum(cotangent) : cotangent;
  };
  // As in JAX: at a bound itself nothing goes to the value. Where the bounds meet or cross, it is the upper one.
  const Array over = (value > high) | (low >= high), under = (value < low) & ~over;
  return {bound(low, select(under, g(d), none)), select((value > low) & (value < high), g(d), none),
          bound(high, select(over, g(d), none))};
}

Cotangents select(const Derivation& d) {
  const Array none = zeros(g(d).type());
  return {Array{}, octet::select(d.inputs[0], g(d), none), octet::select(d.inputs[0], none, g(d))};
}

}  // namespace octet::derivatives
