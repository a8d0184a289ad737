/// The right twin of trace_element.cpp.
#include <utility>

import octet.base;
import octet.standard;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) {
  x = concatenate({expand_dims(y, 0), slice_in_dim(x, 1, x.extent(0), 0)}, 0);
  x = update_leading(x, y, 1);
  Array first = x[0];
  first = std::move(y);
  first += x[1];
  return first;
}
static_assert(std::is_copy_assignable_v<Array> && std::is_move_assignable_v<Array>);
