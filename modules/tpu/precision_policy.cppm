/// Precision policies: what is rounded to bf16 where, as rewritten programs that compute what the policy would.
///
/// Products of f32 round their operands to bf16 and add up in f32 by default, as on a TPU. Beside that there are
///   - `in_passes(graph, 3)` and `(graph, 6)`: more passes of the matrix unit for products that come near f32, or to
///   it;
///   - `rounded_between_operations(graph)`: activations stored in bf16;
///   - `held_in(structure, DType::bf16)`: parameters stored in bf16.
export module octet.tpu:precision_policy;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

export namespace octet::tpu {

/// `graph` with each product of f32 operands and DEFAULT precision as a sum of products of bf16 parts, as XLA's HIGH (3
/// passes) and HIGHEST (6 passes) do on a TPU. An operand is hi + lo, or a + b + c, where each is what is left rounded
/// to bf16; an operand beyond bf16's range makes NaN. Products of parts are added up each for itself as
/// products of bf16 are (octet.graph:reference), and their sums from the smallest on: lo·hi, hi·lo, hi·hi; a·c, b·b,
/// c·a, a·b, b·a, a·a. So the bits are the same everywhere, as with one pass. 1 pass: the graph as it is. Throws X403
/// for any other number.
Graph in_passes(const Graph& graph, int passes);

/// `graph` with every tensor of f32, of two dimensions or more, that passes through memory between its fused operations
/// rounded to bf16 there: what Costing::activations = bf16 prices, but for the gradients that replicas add up, which
/// are rounded as well. Parameters, results and what is within loops and branches stay.
Graph rounded_between_operations(const Graph& graph);

/// `array` rounded to `dtype` and back to its own type: the number that storage of `dtype` would hold.
Array held_in(const Array& array, DType dtype, std::source_location where = std::source_location::current());

/// The same for every floating-point array of a structure.
template <class Structure>
  requires(!std::same_as<Structure, Array>)
Structure held_in(const Structure& structure, DType dtype,
                  std::source_location where = std::source_location::current()) {
  std::vector<Array> held;
  for (const Array& array : octet::arrays_of(structure)) held.push_back(held_in(array, dtype, where));
  return octet::with_arrays(Structure{structure}, held);
}

}  // namespace octet::tpu
