/// Losses.
export module octet.nn:losses;
import octet.base;
import octet.standard;
import octet.trace;

export namespace octet::nn {

/// log(1 / (1 + exp(-x))), of large negative x, too.
Array log_sigmoid(operand x);
/// The cross-entropy of two classes, of each element: logits `x` […] and labels between 0 and 1 of their type, or one
/// number → […], finite for large logits, too. Throws X401 for labels of another shape, X402 of another element type.
Array binary_cross_entropy(operand x, operand labels);

/// A sum of losses and how many there are.
struct SummedLoss {
  Array sum;
  Array count;
};

struct CrossEntropyOptions {
  double label_smoothing = 0;  ///< the share of a label that goes to all classes alike (Szegedy et al. 2015), 0 to 1
};

/// The cross-entropy of each row: logits [rows…, classes], labels [rows…] of integers → [rows…], such as [batch, seq].
/// A label outside the classes is clamped. Throws X401 for labels of another shape, X402 for labels that are no
/// integers, X403 for a share that is none.
Array cross_entropy(operand logits, operand labels, const CrossEntropyOptions& options = {});

/// The sum of the cross-entropies of the rows whose label is not below 0 (of bf16 logits in f32), and their number
/// (f32): weighed, not filtered. Throws as cross_entropy does.
SummedLoss summed_cross_entropy(operand logits, operand labels, const CrossEntropyOptions& options = {});

/// The mean of `values` where `mask` (pred, of their shape) holds: rule 2's way to filter. Values are
/// added one after another in their order, and so to the last bit as the filtered values are that are added so; that
/// rounds more than `mean`, which adds partial sums: of equal values in f32 by 6e-5 of them where there are 8,192, and
/// by a hundredth where there are a million. The sum is divided by the number of true elements:
/// dividing by that of all positions is the usual mistake, and makes a loss that shrinks with the padding. What is
/// masked out has no part in it, be it NaN, though in a gradient what made it NaN has: select before that. 0 where the
/// mask holds nowhere. Throws X401 for a mask of another shape, X402 for one that is not of truth values, or values
/// that are no numbers.
Array masked_mean(operand values, operand mask);

}  // namespace octet::nn
