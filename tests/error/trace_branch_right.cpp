/// The right twin of trace_branch.cpp.
import octet.base;
import octet.trace;

using namespace octet;

Array program(Array x, Array y) { return select(x > y, x, y); }
