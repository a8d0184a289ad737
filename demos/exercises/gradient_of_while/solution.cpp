/// Money at `rate` a year, 5 % or more, until it has doubled; and by how much the end grows with the beginning.
import octet;
using namespace octet;

Array doubled(Array start, Array rate) {
  return fori_loop(
      0, 20,  // more years than it can take
      [&](Array, Array money) { return select(money < start * 2.0f, money * (1.0f + rate), money); }, start);
}

Array slope(Array start, Array rate) {
  return grad(doubled)(start, rate);
}
