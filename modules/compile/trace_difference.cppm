/// What a trace consists of, small enough to be remembered, and where two traces of one function part.
export module octet.compile:trace_difference;
import octet.base;
import octet.graph;
import octet.standard;

export namespace octet {

/// The operations of a traced program in their order, without its constants' data.
struct TraceDigest {
  struct Operation {
    Op op = Op::constant;
    std::uint64_t hash = 0;  ///< of inputs, attributes and regions
    std::string value = {};  ///< of a constant of one element
    Place place = {};
  };
  std::vector<Operation> operations;
  std::uint64_t results = 0;  ///< hash of which values are parameters and results
};
TraceDigest digest(const Graph& graph);

/// The first operation in which two traces differ.
struct TraceDifference {
  std::size_t operation = 0;  ///< counted from 0, in the order of the trace
  std::string now = {};       ///< `multiply`, `constant 0.5`; empty where the trace has ended
  std::string before = {};
  Place where = {};  ///< the user's line, of the trace now
  /// `operation 12 is constant 0.5, before constant 0.1`.
  std::string text() const;
  friend bool operator==(const TraceDifference&, const TraceDifference&) = default;
};
std::optional<TraceDifference> first_difference(const TraceDigest& now, const TraceDigest& before);
std::optional<TraceDifference> first_difference(const Graph& now, const Graph& before);

/// X306 for a function called `function`.
Diagnostic unstable_trace(const std::string& function, const TraceDifference& difference);

}  // namespace octet
