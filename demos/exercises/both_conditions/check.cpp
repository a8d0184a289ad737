import octet;
import facts;
using namespace octet;

Array inside(Array x, Array low, Array high);

void check() {
  const Tensor low = facts::number(2), high = facts::number(6);
  facts::result("inside({1, 2, 5, 9}, 2, 6)", facts::run(inside, facts::row({1, 2, 5, 9}), low, high),
                facts::row({0, 2, 5, 0}));
  facts::result("inside({7, 3, -1}, -1, 3)",
                facts::run(inside, facts::row({7, 3, -1}), facts::number(-1), facts::number(3)),
                facts::row({0, 3, -1}));
}
