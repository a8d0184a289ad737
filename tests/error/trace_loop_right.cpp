/// The right twin of trace_loop.cpp.
import octet.base;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) {
  return while_loop([&](Array last) { return last < y; }, [](Array last) { return last * 2.0f; }, x);
}
