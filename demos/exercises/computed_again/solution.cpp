/// The gradient of eight layers, each of which computes in four times the width of what it hands on.
import octet;
using namespace octet;

Array layer(Array x, Array up, Array down) {
  return x + matmul(gelu(matmul(x, up)), down);
}

Array gradient(Array x, Array up, Array down) {
  return grad([=](Array input) {
    Array y = input;
    for (int i = 0; i < 8; ++i)
      y = checkpoint(layer)(y, up, down);
    return sum(y * y);
  })(x);
}
