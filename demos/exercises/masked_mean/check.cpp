import octet;
import facts;
using namespace octet;

Array masked_mean(Array loss, Array keep);

void check() {
  using facts::row;
  facts::result("masked_mean({1, 3, 9, 9}, {1, 1, 0, 0})",
                facts::run(masked_mean, row({1, 3, 9, 9}), row({1, 1, 0, 0})), facts::number(2), 1e-5);
  facts::result("masked_mean({1, 3}, {1, 1})", facts::run(masked_mean, row({1, 3}), row({1, 1})), facts::number(2),
                1e-5);
  facts::result("masked_mean({7, 5, 9}, {0, 1, 0})", facts::run(masked_mean, row({7, 5, 9}), row({0, 1, 0})),
                facts::number(5), 1e-5);
}
