import octet;
import facts;
using namespace octet;

Array sum_of_picked(Array losses, Array labels);

void check() {
  using facts::row;
  using facts::row_i32;
  const Tensor losses = row({3, 1, 4, 1.5, 9, 2});
  facts::result("sum_of_picked of {3, 1, 4, 1.5, 9, 2}, labels {-1, 7, -1, 7, -1, -1}",
                facts::run(sum_of_picked, losses, row_i32({-1, 7, -1, 7, -1, -1})), facts::number(2.5));
  facts::result("the same with labels {7, -1, -1, -1, -1, 7}",
                facts::run(sum_of_picked, losses, row_i32({7, -1, -1, -1, -1, 7})), facts::number(5));
  facts::result("the same with labels {0, -1, 0, 0, 0, -1}",
                facts::run(sum_of_picked, losses, row_i32({0, -1, 0, 0, 0, -1})), facts::number(17.5));
  facts::result("the same without a label", facts::run(sum_of_picked, losses, facts::filled_i32({6}, -100)),
                facts::number(0));
}
