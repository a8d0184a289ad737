/// Rule 2: extents gathered one by one. Must not compile.

import octet.base;
import octet.trace;

using namespace octet;

Array cut(Array x, Array rows) {
  Dims extents;
  extents.push_back(rows);  // refused: X202: no extent, size or index can be taken from a traced Array
  return reshape(x, extents);
}
