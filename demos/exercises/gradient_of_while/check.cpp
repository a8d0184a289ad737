import octet;
import facts;
using namespace octet;

Array doubled(Array start, Array rate);
Array slope(Array start, Array rate);

Array own_slope(Array start, Array rate) {
  return grad(doubled)(start, rate);
}

void check() {
  using facts::number;
  using facts::run;
  facts::result("doubled(100, 0.05)", run(doubled, number(100), number(0.05)), number(207.8928), 1e-2);
  facts::result("doubled(3, 0.05)", run(doubled, number(3), number(0.05)), number(6.23678), 1e-4);
  facts::result("doubled(100, 0.2)", run(doubled, number(100), number(0.2)), number(207.36), 1e-2);
  facts::result("slope(100, 0.05)", run(slope, number(100), number(0.05)), number(2.078928), 1e-4);
  facts::result("slope(100, 0.2)", run(slope, number(100), number(0.2)), number(2.0736), 1e-4);
  facts::result("grad(doubled)(100, 0.2)", run(own_slope, number(100), number(0.2)), number(2.0736), 1e-4);
}
