/// Sums whose order does not show. Internal to octet.compile.
///
/// A reduction adds up strided partial sums, and which terms meet in one follows from its extents: padded with zeros,
/// it may round otherwise. Sums in f64, rounded once, do not, but where a sum lies within 1e-13 of the middle between
/// two numbers. Products of f32 are added in the order of the contracted index as they are; those of bf16, in chains
/// that begin at every sixteenth, become products of f32, which hold them.
export module octet.compile:ordered_sums;
import octet.graph;
import octet.standard;

namespace octet {

/// `graph` with such sums, in its regions, too. Sets `now` to what each of its values has become.
Graph with_ordered_sums(const Graph& graph, std::vector<ValueId>& now);

}  // namespace octet
