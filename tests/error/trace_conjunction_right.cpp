/// The right twin of trace_conjunction.cpp.
import octet.base;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) { return select((x > 0) & (y > 0), x, y); }
