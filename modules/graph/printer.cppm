/// Programs as StableHLO text, in MLIR's generic form, which XLA and every MLIR tool read.
export module octet.graph:printer;
import octet.base;
import octet.standard;
import :graph;

export namespace octet {

struct PrintOptions {
  bool places = false;  ///< `loc("function"("file":line:0))` after each operation: where the user wrote it
  std::size_t constant_elements =
      0;                     ///< longest constant written out element by element; longer ones as hexadecimal bytes,
                             ///< 0: no limit. Elided constants are never written: the text is always complete.
  std::size_t replicas = 1;  ///< the module's mhlo.num_replicas, unless the program's collectives name more
  std::map<std::size_t, std::size_t> written_over = {};  ///< of parameters, by position, whose buffers the caller gives
                                                         ///< up: the result of the same type that may lie there
  std::set<std::size_t> sharded = {};  ///< parameters, by position, of which each replica keeps a part of its own
};

/// A module named as the graph with one function, @main, which is what XLA runs. `read` of the text gives an `equal`
/// graph, provided that values are numbered parameters first and then in the order of the nodes, and that branches and
/// loops lie less than a hundred deep in each other.
///
/// What StableHLO says otherwise than the graph:
/// - `reduce` has its reducer's neutral element as an operand, written as a constant before it;
/// - the branches of `if` use values from outside instead of having parameters.
std::string to_string(const Graph& graph, const PrintOptions& options = {});

}  // namespace octet
