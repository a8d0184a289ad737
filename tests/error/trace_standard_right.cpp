/// The right twin of trace_standard.cpp.
import octet.base;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) {
  Array z = maximum(x, y);
  z = minimum(x, z);
  return clamp(y, x, z);
}
