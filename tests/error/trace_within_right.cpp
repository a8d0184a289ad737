/// The right twin of trace_within.cpp.
import octet.base;
import octet.standard;
import octet.trace;

using namespace octet;

Array scaled(const Array& x, const Array& scale) { return x * scale; }

Array program(const Array& x) {
  const Array again = checkpoint(scaled)(x, x), copied = checkpoint([](Array y) { return y; })(x);
  const Array each = vmap(scaled)(x, x), same = vmap(scaled, {0, std::nullopt})(x, x);
  return again + copied + each + same + checkpoint([n = 1](const Array& y) { return y * n; })(x);
}
static_assert(std::invocable<decltype(checkpoint(scaled)), Array, Array>);
