/// Calls of checkpoint and vmap that their function does not fit. Must not compile, each at its own line.
import octet.base;
import octet.standard;
import octet.trace;

using namespace octet;

Array scaled(const Array& x, const Array& scale) { return x * scale; }

Array program(const Array& x) {
  checkpoint(scaled)(x);                          // refused: X405: the function that checkpoint or vmap was given does
  checkpoint([](Array& y) { return y; })(x);      // refused: X405: the function that checkpoint or vmap was given does
  checkpoint([](const Array& y) { sum(y); })(x);  // refused: X405: the function that checkpoint or vmap was given does
  checkpoint([n = 0](const Array& y) mutable { return y * ++n; })(x);  // refused: X405: the function that checkpoint or
  vmap(scaled)(x);                          // refused: X405: the function that checkpoint or vmap was given does
  vmap(scaled, {0, 0})(x, x, x);            // refused: X405: the function that checkpoint or vmap was given does
  vmap([](const Array& y) { sum(y); })(x);  // refused: X405: the function that checkpoint or vmap was given does
  return x;
}
static_assert(!std::invocable<decltype(checkpoint(scaled)), Array>);
