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
/// dimensions of `gather` and `scatter`, products of bf16 that are of f32. Constraints of sharding are passed over.
/// ui64 is read as i64 by operations that give the same bits of both.
///
/// Throws X410 for what is left: an operation or a type that Octet does not have, and a program whose tensors are
/// parted among devices.
Graph read(std::string_view text, std::string file = "text");

/// A program, and what its text says of it that is no part of what it computes.
struct ProgramText {
  Graph graph;
  std::vector<std::size_t> donated;  ///< numbers of parameters whose memory results may take, as JAX says it
  std::vector<std::size_t> sharded;  ///< and of which each replica keeps a part of its own, as `to_string` says it
  std::map<std::size_t, std::size_t> written_over;  ///< of those donated, which result is said to take the memory
  /// X410 for each operation that Octet does not have, by place: each is a `custom_call` in the graph.
  std::vector<Diagnostic> unknown = {};
  bool widened = false;  ///< whether tensors take more memory here than they do: types that Octet does not have
  std::set<std::size_t> narrow = {};  ///< parameters of such types
  std::int64_t replicas = 1;          ///< that the module says it runs on
  std::int64_t partitions = 1;        ///< devices that share one program, whose tensors the text has whole
  /// Of parameters that are parted among these, how: by three numbers for each cut, which are the dimension, into how
  /// many parts it is cut, and how far apart in number devices are that have parts next to each other. Of cuts along
  /// one dimension, the coarser is before the finer.
  std::map<std::size_t, Dims> parts = {};
  /// The same of results, of which the text may say that they are whole: no cut. A cut along dimension -1 says that
  /// along what else they are cut is left to the compiler.
  std::map<std::size_t, Dims> result_parts = {};
  bool of_one_device = false;  ///< whether the graph has one device's part of them, as `shard_map` says it
};

/// The same with what else there is, for a program that is only to be judged: what Octet does not have is told, and the
/// rest is read; f16 is read as bf16, which is as wide. Throws X410 where a type is what it does not have, and where
/// devices share the program in ways that it does not read.
ProgramText read_program(std::string_view text, std::string file = "text");

}  // namespace octet
