/// The right twin of trace_length.cpp.

import octet.base;
import octet.trace;

using namespace octet;

Array cut(Array x, Array length) { return select(iota({DType::i32, x.shape()}, 0) < length, x, 0); }
