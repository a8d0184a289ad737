/// Gradient accumulation: a batch that does not fit at once, in parts one after the other.
export module octet.nn:accumulation;
import octet.base;
import octet.standard;
import octet.trace;
import :losses;

export namespace octet::nn {

/// Sums of losses, how many there are, and the derivative of what is made small. `Loss` is a SummedLoss or a structure
/// of them.
template <class Model, class Loss = SummedLoss>
struct SummedGradient {
  Loss loss;
  Model gradient;
};

/// A function that returns the sums of `loss(model, examples)`, a SummedLoss, and the gradient of its sum.
template <class Loss>
auto summed_gradient(Loss loss, std::source_location where = std::source_location::current());

/// What `Gradient` returns for a model and a batch: a SummedGradient.
template <class Gradient, class Model, class Batch>
using GradientOf = std::invoke_result_t<const Gradient&, const Model&, const Batch&>;

/// `gradient(model, batch)`, as `summed_gradient` makes it, over `batch` in `parts` equal parts along its leading axis,
/// one after the other: activations of one part at a time are in memory. Sums, weights and gradients of the parts are
/// added up from the first on, and as sums they are those of the whole batch whatever each part weighs: divide by the
/// count of all, not by that of a part. Throws X601 where the parts would not be equal.
template <class Gradient, class Model, class Batch>
GradientOf<Gradient, Model, Batch> in_parts(const Gradient& gradient, const Model& model, const Batch& batch,
                                            std::int64_t parts,
                                            std::source_location where = std::source_location::current());

/// `array` [n, …] as [parts, n / parts, …]; throws X601.
Array cut_in_parts(const Array& array, std::int64_t parts,
                   std::source_location where = std::source_location::current());

/// What is left of `sums`, which begin at `nothing`, when each of `parts` equal parts of `batch` has been added:
/// `add(examples, sums)` returns them with one more in. The loop begins at zeros, so all parts are alike: 0 + g is g.
/// Throws X601 where the parts would not be equal.
std::vector<Array> added_over_parts(
    const std::vector<Array>& batch, std::int64_t parts, const std::vector<Array>& nothing,
    const std::function<std::vector<Array>(const std::vector<Array>& examples, const std::vector<Array>& sums)>& add,
    std::source_location where = std::source_location::current());

}  // namespace octet::nn

namespace octet::nn {

template <class Loss>
auto summed_gradient(Loss loss, std::source_location where) {
  return [loss = std::move(loss), where]<class Model, class Batch>(const Model& model, const Batch& batch) {
    auto result = value_and_grad(
        [&](const Model& variables, const Batch& examples) {
          const SummedLoss summed = loss(variables, examples);
          return std::pair{summed.sum, summed.count};
        },
        where)(model, batch);
    return SummedGradient<Model>{{cast<float>(result.first.first), cast<float>(result.first.second)},
                                 std::move(result.second)};
  };
}

template <class Gradient, class Model, class Batch>
GradientOf<Gradient, Model, Batch> in_parts(const Gradient& gradient, const Model& model, const Batch& batch,
                                            std::int64_t parts, std::source_location where) {
  using Sums = GradientOf<Gradient, Model, Batch>;
  if (parts == 1) return gradient(model, batch);
  using Loss = decltype(Sums::loss);
  std::vector<Array> nothing(octet::arrays_of(Loss{}).size(), full({DType::f32, Shape{}}, 0));
  for (const Array& array : octet::arrays_of(model)) nothing.push_back(zeros_like(array));
  const auto add = [&](const std::vector<Array>& examples, const std::vector<Array>& before) {
    std::vector<Array> added = octet::arrays_of(gradient(model, octet::with_arrays(batch, examples)));
    for (std::size_t i = 0; i < added.size(); ++i) added[i] = before[i] + added[i];
    return added;
  };
  return octet::with_arrays(Sums{Loss{}, model}, added_over_parts(octet::arrays_of(batch), parts, nothing, add, where));
}

}  // namespace octet::nn
