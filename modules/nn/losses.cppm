/// Losses.
module;
#include <source_location>
export module octet.nn:losses;
import octet.base;
import octet.trace;

export namespace octet::nn {

/// A sum of losses and how many there are.
struct SummedLoss {
  Array sum;
  Array count;
};

/// The cross-entropy of each row: logits [rows, classes], labels i32 [rows] → [rows]. A label outside the classes is clamped.
Array cross_entropy(operand logits, const Array& labels);

/// The sum of the cross-entropies of the rows whose label is not below 0, and their number (f32): weighed, not filtered.
SummedLoss summed_cross_entropy(operand logits, const Array& labels);

}  // namespace octet::nn
