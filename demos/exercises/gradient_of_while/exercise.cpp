/// Money at `rate` a year, 5 % or more, until it has doubled; and by how much the end grows with the beginning.
import octet;
using namespace octet;

Array doubled(Array start, Array rate) {
  return while_loop([&](Array money) { return money < start * 2.0f; },
                    [&](Array money) { return money * (1.0f + rate); }, start);
}

Array slope(Array start, Array rate) {
  return grad(doubled)(start, rate);
}
