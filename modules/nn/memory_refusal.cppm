/// What is said of a training job that does not fit.
export module octet.nn:memory_refusal;
import octet.base;
import octet.standard;
import :training_cost;

export namespace octet::nn {

/// X501 for `job`, of which `estimate` is the estimate, with what makes it fit: of `choices` those that do, after the
/// largest batch a replica takes, where there is one.
Diagnostic does_not_fit(const TrainingJob& job, const TrainingEstimate& estimate, std::int64_t largest_batch,
                        std::span<const MemoryChoice> choices);

}  // namespace octet::nn
