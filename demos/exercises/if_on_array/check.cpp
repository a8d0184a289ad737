import octet;
import facts;
using namespace octet;

Array clipped(Array x, Array limit);

void check() {
  facts::result("clipped({1, 5, 9}, 4)", facts::run(clipped, facts::row({1, 5, 9}), facts::number(4)),
                facts::row({1, 4, 4}));
}
