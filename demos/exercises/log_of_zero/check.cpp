import octet;
import facts;
using namespace octet;

Array sum_of_logs(Array x);
Array gradient(Array x);

Array own_gradient(Array x) {
  return grad(sum_of_logs)(x);
}

void check() {
  const Tensor x = facts::row({1, 0, 4});
  facts::result("sum_of_logs({1, 0, 4})", facts::run(sum_of_logs, x), facts::number(1.386294), 1e-5);
  facts::result("gradient({1, 0, 4})", facts::run(gradient, x), facts::row({1, 0, 0.25f}), 1e-6);
  facts::result("grad(sum_of_logs)({1, 0, 4})", facts::run(own_gradient, x), facts::row({1, 0, 0.25f}), 1e-6);
  const Tensor below = facts::row({4, 0, -4});
  facts::result("sum_of_logs({4, 0, -4})", facts::run(sum_of_logs, below), facts::number(1.386294), 1e-5);
  facts::result("gradient({4, 0, -4})", facts::run(gradient, below), facts::row({0.25f, 0, 0}), 1e-6);
}
