/// Rule 2: extents gathered one by one; and dimensions and arrays that stand in braces. Must not compile.

import octet.base;
import octet.trace;

using namespace octet;

Array cut(Array x, Array rows) {
  Dims extents;
  extents.push_back(rows);  // refused: X202: no extent, size or index can be taken from a traced Array
  return reshape(x, extents);
}

Array turned(Array x) { return transpose(x, 1, 0); }             // refused: X403: transpose takes the dimensions in
Array joined(Array x) { return concatenate(x, x, 0); }           // refused: X405: concatenate takes the arrays toget
Array stacked(Array x) { return stack(x, x); }                   // refused: X405: stack takes the arrays together
Array largest(Array x) { return max(x, -1, true) + min(x, 0); }  // refused: X403: max and min look along dimensions
