/// A layer that was tried out on the host first, and then built into a model.
import octet;
using namespace octet;

Array layer(Array x) {
  return tanh(x * 2.0f);
}

const auto compiled_layer = jit(layer);

Array model(Array x) {
  return compiled_layer(compiled_layer(x));
}
