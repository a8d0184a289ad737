/// What bf16 does to the numbers of a program: updates that vanish, values beyond its range. Measured on real numbers.
export module octet.tpu:precision_report;
import octet.base;
import octet.graph;
import octet.standard;

export namespace octet::tpu {

/// One tensor, over everything that was seen of it. Counts are of elements, each as often as it was looked at.
struct TensorPrecision {
  std::string name;
  double seen = 0;
  double changed = 0;   ///< that a step changed, in f32
  double vanished = 0;  ///< of those, the ones that bf16 would have left where they were: w + dw rounds to w
  double largest = 0;   ///< magnitude of a finite element
  double smallest = 0;  ///< the same, of elements that are not 0; 0 where all are
  double not_finite = 0;
  double overflowed = 0;                             ///< finite, and infinite once rounded to bf16
  double underflowed = 0;                            ///< not 0, and 0 in bf16: subnormal numbers are flushed
  double half_overflowed = 0, half_underflowed = 0;  ///< the same for fp16, whose largest number is 65504

  double vanished_share() const { return changed > 0 ? vanished / changed : 0; }
  bool fits() const { return not_finite == 0 && overflowed == 0; }
};

struct PrecisionReport {
  std::int64_t updates = 0;             ///< that were looked at
  std::vector<TensorPrecision> state;   ///< what is kept from step to step: weights and moments
  std::vector<TensorPrecision> values;  ///< what passes through memory within a step
};

/// Adds the elements of `tensor` to `to`. Integers and predicates have no place in it.
void note_values(TensorPrecision& to, const Tensor& tensor);
/// Adds what became of a tensor in a step, both of f32 or bf16 and of one type: the update is what changed, and it
/// vanishes where bf16 holds the same number after it as before.
void note_update(TensorPrecision& to, const Tensor& before, const Tensor& after);
/// Adds one step of all tensors of a state, by name. Throws X405 where names and tensors are not as many.
void note_step(PrecisionReport& report, const std::vector<std::string>& names, const std::vector<Tensor>& before,
               const std::vector<Tensor>& after);

/// Runs `graph`, a program of one replica without collectives, on `arguments` in `precision`, and adds every
/// floating-point tensor that passes through memory between its operations, and its floating-point results, to
/// `report.values`, by operation and line.
void note_program(PrecisionReport& report, const Graph& graph, std::vector<Tensor> arguments, Precision precision,
                  Threads& threads);

/// Tensors of one kind together, under `name`.
TensorPrecision total(std::string name, const std::vector<TensorPrecision>& tensors);

/// What to say of it: X506 for weights of which a tenth of the updates vanishes or would, X507 for values beyond bf16's
/// range, X508 for moments that stand still. `in_bf16` says whether the state is kept in bf16; in f32 nothing is lost
/// yet, and X506 and X508 say what would be.
std::vector<Diagnostic> judged(const PrecisionReport& report, bool in_bf16);

}  // namespace octet::tpu
