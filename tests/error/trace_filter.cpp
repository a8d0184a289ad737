/// Rule 2: shapes that the data would decide. None must compile.
#include <vector>

import octet.base;
import octet.trace;

using namespace octet;

Array filtered(Array loss, Array labels) {
  return mean(loss[labels >= 0]);  // refused: X203: x\[mask\] would have as many elements as the mask has true ones
}

Array classes(Array labels) {
  return unique(labels);  // refused: X201: unique.x. has as many elements as x has different ones
}

std::vector<Array> kept(Array mask) {
  if (mask.rank() == 1) return nonzero(mask);  // refused: X201: nonzero.x. has as many elements as x has nonzero ones
  if (mask.rank() == 2)
    return {argwhere(mask > 0)};  // refused: X201: argwhere.x. has as many rows as x has nonzero elements
  return where(mask);  // refused: X201: where.mask. of one argument has as many elements as the mask has true ones
}

Array copies(Array x, Array counts) {
  return repeat(x, counts);  // refused: X204: repeat.x, counts. has as many rows as the counts add up to
}

Array copies_of_columns(Array x, Array counts) {
  return repeat(x, counts, 1);  // refused: X204: repeat.x, counts. has as many rows as the counts add up to
}

Array cut(Array x, Array n) {
  return reshape(x, {n, 4});  // refused: X202: no extent, size or index can be taken from a traced Array
}
