/// What is said of a training job that does not fit.
export module octet.nn:memory_refusal;
import octet.base;
import octet.standard;
import :training_cost;

namespace octet::nn {

/// `the same batch in 4 accumulation steps`.
std::string accumulation_text(std::int64_t parts);

}  // namespace octet::nn

export namespace octet::nn {

/// X501 for `job`, of which `estimate` is the estimate, with what makes it fit: of `choices` those that do, after the
/// largest batch a replica takes, where there is one; and the accumulation steps it takes, where twice as many as now,
/// which are among the choices, are too few. Where none of these keeps the batch, the fewest other changes together
/// that do, and where nothing helps, chips on which one sequence fits.
Diagnostic does_not_fit(const TrainingJob& job, const TrainingEstimate& estimate, std::int64_t largest_batch,
                        std::span<const MemoryChoice> choices);

}  // namespace octet::nn
