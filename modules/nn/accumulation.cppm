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
  std::vector<Array> cut;
  for (const Array& array : octet::arrays_of(batch)) cut.push_back(cut_in_parts(array, parts, where));
  // The loop begins at zeros, so all parts are alike: 0 + g is g.
  std::vector<Array> zeros;
  for (const Array& array : octet::arrays_of(model)) zeros.push_back(zeros_like(array));
  using Loss = decltype(Sums::loss);
  const Array none = full({DType::f32, Shape{}}, 0);
  return fori_loop(
      0, parts,
      [&](const Array& part, const Sums& sum) {
        std::vector<Array> examples;
        for (const Array& array : cut) examples.push_back(index_leading(array, part, where));
        const Sums own = gradient(model, octet::with_arrays(batch, examples));
        std::vector<Array> added;
        const std::vector<Array> before = octet::arrays_of(sum), now = octet::arrays_of(own);
        for (std::size_t i = 0; i < now.size(); ++i) added.push_back(before[i] + now[i]);
        return octet::with_arrays(sum, added);
      },
      Sums{octet::with_arrays(Loss{}, std::vector<Array>(octet::arrays_of(Loss{}).size(), none)),
           octet::with_arrays(model, zeros)},
      where);
}

}  // namespace octet::nn
