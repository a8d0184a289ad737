import octet;
import facts;
using namespace octet;

Array labelled_total(Array losses, Array labels);

void check() {
  facts::result("labelled_total({1, 2, 4}, {7, -100, 9})",
                facts::run(labelled_total, facts::row({1, 2, 4}), facts::row_i32({7, -100, 9})), facts::number(5));
  facts::result("labelled_total({1, 2}, {-100, -100})",
                facts::run(labelled_total, facts::row({1, 2}), facts::row_i32({-100, -100})), facts::number(0));
}
