/// Rule 2: a Shape built of the value of an array. Must not compile.

import octet.base;
import octet.trace;

using namespace octet;

Array room(Array count) {
  return zeros(
      {DType::f32, Shape{count, 4}});  // refused: X202: no extent, size or index can be taken from a traced Array
}
