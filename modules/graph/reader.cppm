/// Reads StableHLO text: in MLIR's generic form, as `to_string` writes it, or in the short form in which JAX and MLIR's
/// own tools print it.
export module octet.graph:reader;
import octet.base;
import octet.standard;
import :graph;

export namespace octet {

/// The program that `text` holds: its only function, or the one called main, with those it calls written out in place.
/// `file` names the text in messages, and is the place of operations that the text gives no location. Throws X407 with
/// line, column and what was expected, X404 where values and types do not agree, or the X102 or X4xx of the operation
/// that does not fit.
///
/// Values that a region uses from outside become operands: of `if`, in the order of their first use; of `while`, as
/// state that the body passes on. Hints (`indices_are_sorted`, `unique_indices`, channels, layouts) are passed over.
///
/// What the graph does not have is said by what it has: `case`, `composite`, `chlo.square`, `chlo.erfc`, `chlo.top_k`,
/// the reduction to the greatest value and its place, windows that accumulate, sorts as JAX compares, batching
/// dimensions of `gather` and `scatter`, products of bf16 that are of f32. Constraints of sharding are passed over; a
/// program that is partitioned over devices is refused. ui64 is read as i64 by operations that give the same bits of
/// both.
Graph read(std::string_view text, std::string file = "text");

/// A program, and what its text says of it that is no part of what it computes.
struct ProgramText {
  Graph graph;
  std::vector<std::size_t> donated;  ///< numbers of parameters whose memory results may take, as JAX says it
  std::vector<std::size_t> sharded;  ///< and of which each replica keeps a part of its own, as `to_string` says it
  std::map<std::size_t, std::size_t> written_over;  ///< of those donated, which result is said to take the memory
};

/// The same with what else there is.
ProgramText read_program(std::string_view text, std::string file = "text");

}  // namespace octet
