/// Money at 5 % a year, until it has doubled; and by how much the end grows with the beginning.
import octet;
using namespace octet;

Array doubled(Array start) {
  return fori_loop(
      0, 20,  // more years than it can take
      [&](Array, Array money) { return select(money < start * 2.0f, money * 1.05f, money); }, start);
}

Array slope(Array start) {
  return grad(doubled)(start);
}
