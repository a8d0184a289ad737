/// The right twin of trace_filter.cpp.
#include <cstdint>
#include <vector>

import octet.base;
import octet.trace;

using namespace octet;

Array filtered(Array loss, Array labels) {
  const Array keep = labels >= 0;
  return sum(select(keep, loss, 0)) / sum(cast<float>(keep));
}

Array classes(Array labels) { return unique(labels, {.size = 10, .fill = -1}); }

std::vector<Array> kept(Array mask) {
  if (mask.rank() == 2) return {argwhere(mask > 0, {.size = 8, .fill = 0})};
  return nonzero(mask, {.size = 8, .fill = 0});
}

Array copies(Array x, Array counts) { return repeat(repeat(x, 2), counts, {.total = 16}); }

Array copies_of_columns(Array x, Array counts) {
  return repeat(x, counts, {.total = 16, .dimension = 1}) + repeat(x, counts, {16});
}

Array cut(Array x, Array n) {
  const Array rows = reshape(x, {-1, 4});
  return select(iota({DType::i32, rows.shape()}, 0) < n, where(rows > 0, rows, zeros(rows.type())), 0);
}
