/// The right twin of trace_dimensions.cpp.

import octet.base;
import octet.trace;

using namespace octet;

Array cut(Array x, Array rows) {
  Dims extents;
  extents.push_back(rows.extent(0));
  extents.push_back(-1);
  return reshape(x, extents);
}

Array turned(Array x) { return transpose(x, {1, 0}); }
Array joined(Array x) { return concatenate({x, x}, 0); }
Array stacked(Array x) { return stack({x, x}); }
Array largest(Array x) { return max(x, {-1}, true) + min(x, {0}); }
