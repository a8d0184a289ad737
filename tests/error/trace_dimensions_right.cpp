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
