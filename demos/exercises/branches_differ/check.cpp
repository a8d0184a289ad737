import octet;
import facts;
using namespace octet;

Array change(Array gradient, Array training);

void check() {
  const Tensor gradient = facts::row({10, 20, 30});
  facts::result("change({10, 20, 30}, true)", facts::run(change, gradient, Tensor::scalar(true)), facts::row({1, 2, 3}),
                1e-6);
  facts::result("change({10, 20, 30}, false)", facts::run(change, gradient, Tensor::scalar(false)),
                facts::row({0, 0, 0}));
}
