/// Checkpoints: what a gradient computes a second time instead of keeping it.
export module octet.trace:checkpoint;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :tree;

export namespace octet {

/// A function that gives what `function` gives, and whose gradient takes less memory: of what it computes, nothing is
/// kept for the way back but its arguments and the arrays that `function` captures. From those the way back computes
/// it a second time, with the same bits. As `jax.checkpoint` does it; `function` takes and returns any structures.
///
///     for (const Layer& layer : model.layers) x = checkpoint(layer)(x);
///
/// A loop keeps nothing but its state by itself.
template <class Function>
auto checkpoint(Function function);

/// The arrays of `operands`, none of which is read before all of them are there: what comes after is neither computed
/// with what comes before, nor taken for the same.
template <class Structure>
Structure optimization_barrier(const Structure& operands, std::source_location where = std::source_location::current());

}  // namespace octet

namespace octet {

/// Stand for `results`, which were computed since `mark`, and which derivatives compute a second time. Throws X406
/// where one is empty.
std::vector<Array> computed_again(const std::vector<Array>& results, std::uint64_t mark);

template <class Function>
auto checkpoint(Function function) {
  return [function = std::move(function)]<class... Arguments>(const Arguments&... arguments)
    requires std::invocable<const Function&, const Arguments&...>
  {
    const std::uint64_t mark = next_birth();
    auto result = std::invoke(function, arguments...);
    const std::vector<Array> again = computed_again(arrays_of(result), mark);
    return with_arrays(std::move(result), again);
  };
}

template <class Structure>
Structure optimization_barrier(const Structure& operands, std::source_location where) {
  return with_arrays(operands, apply(Op::optimization_barrier, arrays_of(operands), NoAttributes{}, Place::of(where)));
}

}  // namespace octet
