/// The right twin of trace_operands.cpp.
import octet.base;
import octet.trace;

using namespace octet;

Array half(Array x) { return take(x, 2); }
Array first(Array x, Array i, Tensor table) { return take(x, true ? 0 : 1) + take(x, cast<int>(i)) + take(table, i); }
Array noisy(Array x) { return x + random_normal(Key{}, x.shape()); }
Array scaled(Array x, Array key) { return random_uniform(fold_in(key, 7), x.shape()) * x; }
Array spread(Array x, Key key) { return x - random_normal(fold_in(key, 1), x.shape()); }
