/// Money at 5 % a year, until it has doubled; and by how much the end grows with the beginning.
import octet;
using namespace octet;

Array doubled(Array start) {
  return while_loop([&](Array money) { return money < start * 2.0f; }, [](Array money) { return money * 1.05f; },
                    start);
}

Array slope(Array start) {
  return grad(doubled)(start);
}
