/// The order of updates among the other operations of a program. Internal to octet.compile.
///
/// A `dynamic_update_slice` or `scatter` that is the last to read its operand is written over it. Where others read the
/// operand and need nothing of the update, they go first, whatever the order of the graph: the derivative of a loop
/// takes a row of a tensor and clears it, and would copy the tensor for each row.
module octet.compile:update_order;
import octet.graph;
import :fusion;

namespace octet {

/// Puts the groups in that order.
void delay_updates(const Graph& graph, Fusion& fusion);

}  // namespace octet
