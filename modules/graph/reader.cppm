/// Reads StableHLO text in MLIR's generic form, as `to_string` and MLIR's own tools write it.
export module octet.graph:reader;
import octet.base;
import octet.standard;
import :graph;

export namespace octet {

/// The program that `text` holds: its only function, or the one called main, with those it calls written out in place.
/// `file` names the text in messages, and is the place of operations that the text gives no location. Throws X407 with
/// line, column and what was expected, X404 where values and types do not agree, or the X4xx of the operation that does
/// not fit.
///
/// Values that a region uses from outside become operands: of `if`, in the order of their first use; of `while`, as
/// state that the body passes on. Hints (`indices_are_sorted`, `unique_indices`, channels, layouts) are passed over.
Graph read(std::string_view text, std::string file = "text");

}  // namespace octet
