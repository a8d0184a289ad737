import octet;
import facts;
using namespace octet;

Array clipped(Array x, Array limit);

void check() {
  facts::result("clipped({1, 5, 9}, 4)", facts::run(clipped, facts::row({1, 5, 9}), facts::number(4)),
                facts::row({1, 4, 4}));
  facts::result("clipped({-2, 0, 3, 8, 2}, 2)", facts::run(clipped, facts::row({-2, 0, 3, 8, 2}), facts::number(2)),
                facts::row({-2, 0, 2, 2, 2}));
}
