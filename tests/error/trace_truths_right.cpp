/// The right twin of trace_truths.cpp.
#undef NDEBUG
#include <cassert>

import octet.base;
import octet.trace;

using namespace octet;

Array chosen(Array x, Array y) { return select(x > y, x, y); }

Array largest_of_loop(Array x, Array y) {
  return while_loop([&](Array last) { return last < y; }, [](Array last) { return last * 2.0f; }, x);
}

Array until_done(Array done, Array x) {
  return while_loop([&](Array) { return ~done; }, [](Array last) { return last + 1.0f; }, x);
}

Array inside(Array x, Array y) {
  Array both = select((x > 0.0f) & (y > 0.0f), x, y);
  Array either = cond(sum(x) > 3, [&] { return x; }, [&] { return y; });
  bool known = x.rank() > 1;
  if (known) return both;
  return select(known | (x > y), either, y) + cast<float>(~(x == y));
}

Array positive(Array x) {
  assert(x.rank() > 0);
  if (x.empty()) return x;
  return all(x > 0, {0});
}
