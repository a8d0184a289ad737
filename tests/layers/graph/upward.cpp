// Seen by the test "an upward import is noticed": octet.graph is below octet.trace.
module octet.graph;
import octet.base;
import octet.trace;
