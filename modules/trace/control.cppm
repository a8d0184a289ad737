/// Control flow inside a program: both sides of a branch, and the body of a loop, are traced once and compiled; of scan
/// twice, since its first turn tells what its outputs are.
module;

#include "refused.hpp"
export module octet.trace:control;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :checkpoint;
import :elementwise;
import :movement;
import :reduction;
import :tree;
import :valueless;

export namespace octet {

// What loops call their functions with: states of their own.
template <class Condition, class Body, class State>
concept goes_on_while = requires(Condition& condition, Body& body) {
  requires std::is_convertible_v<decltype(condition(std::declval<State>())), Array>;
  State{body(std::declval<State>())};
};
template <class OnTrue, class OnFalse>
concept are_branches = requires(OnTrue& on_true, OnFalse& on_false) {
  requires !std::is_void_v<decltype(on_true())>;
  std::remove_cvref_t<decltype(on_true())>{on_false()};
};
template <class First, class... More>
concept are_cases = are_branches<First, First> && (std::same_as<std::remove_cvref_t<std::invoke_result_t<First&>>,
                                                                std::remove_cvref_t<std::invoke_result_t<More&>>> &&
                                                   ...);
template <class... Branches>
inline constexpr bool switches = false;
template <class First, class Second, class... More>
inline constexpr bool switches<First, Second, More...> = are_cases<First, Second, More...>;
template <class Branch>
inline constexpr bool switches<std::vector<Branch>> = are_branches<const Branch, const Branch>;
template <class Body, class State>
concept takes_turns = requires(Body& body, const Array& turn) { State{body(turn, std::declval<State>())}; };
template <class Body, class Carry, class Inputs>
concept scans = !std::is_arithmetic_v<std::remove_cvref_t<Carry>> && requires(Body& body) {
  body(std::declval<Carry>(), std::declval<Inputs>()).first;
  body(std::declval<Carry>(), std::declval<Inputs>()).second;
};

/// `on_true()` where `condition` (a scalar pred) holds, else `on_false()`. The functions take nothing, may capture
/// arrays, and return one structure of the same types, whose members that are no arrays are equal; throws X102
/// otherwise.
template <class OnTrue, class OnFalse>
  requires are_branches<OnTrue, OnFalse>
auto cond(operand condition, OnTrue&& on_true, OnFalse&& on_false);

/// What the branch of number `index` (a scalar integer) gives, of branches as those of cond; below 0 the first, beyond
/// the end the last, as jax.lax.switch: `switch_case(i, [&] { return x; }, [&] { return -x; }, [&] { return x * x; })`.
/// Only that one is computed. Throws X102 where they return different structures or types, X401 and X402 for an index
/// that is no scalar or no integer.
template <class First, class... More>
  requires(sizeof...(More) > 0 && are_cases<First, More...>)
auto switch_case(operand index, First&& first, More&&... more);
/// The same of a list of branches, X405 where it is empty.
template <class Branch>
  requires are_branches<const Branch, const Branch>
auto switch_case(operand index, const std::vector<Branch>& branches);

/// Repeats `state = body(state)` while `condition(state)` (a scalar pred) holds. Types must not change, nor may members
/// of the state that are no arrays: X103.
/// Not differentiable, as the number of repetitions is not known when XLA allocates memory; use fori_loop or scan for
/// that.
template <class Condition, class Body, class State>
  requires goes_on_while<Condition, Body, State>
State while_loop(Condition&& condition, Body&& body, State initial,
                 std::source_location where = std::source_location::current());

/// `state = body(i, state)` for i (a scalar i32) from `lower` to `upper` - 1. Differentiable.
template <class Body, class State>
  requires takes_turns<Body, State>
State fori_loop(std::int64_t lower, std::int64_t upper, Body&& body, State initial,
                std::source_location where = std::source_location::current());

/// Carries a state along the leading axis of `inputs` [n, …]: `{carry, output} = body(carry, input)`. Returns the last
/// carry and the outputs, stacked [n, …]. Differentiable. n must be at least 1. `body` is called twice, for the first
/// turn and for all others: what it counts by itself it counts twice.
template <class Body, class Carry, class Inputs>
  requires scans<Body, Carry, Inputs>
auto scan(Body&& body, Carry initial, const Inputs& inputs,
          std::source_location where = std::source_location::current());

/// What `function` makes of each row of `inputs` [n, …], one after another, stacked [n, …], as jax.lax.map: in the
/// memory of one row, where vmap computes all at once. Differentiable. n must be at least 1.
template <class Function, class Inputs>
  requires(!is_data<Inputs> && gives_structure<Function, Inputs>)
auto map_rows(const Function& function, const Inputs& inputs,
              std::source_location where = std::source_location::current());

/// The forms that the templates above rest on, for lists of arrays.
std::vector<Array> cond_arrays(const Array& condition, const std::function<std::vector<Array>()>& on_true,
                               const std::function<std::vector<Array>()>& on_false, const Place& place);
using Arrays = std::vector<Array>;
Arrays switch_arrays(const Array& index, const std::vector<std::function<Arrays()>>& branches, const Place& place);
Arrays while_arrays(const std::function<Array(const Arrays&)>& condition,
                    const std::function<Arrays(const Arrays&)>& body, const Arrays& initial, const Place& place);
Arrays fori_arrays(std::int64_t lower, std::int64_t upper,
                   const std::function<Arrays(const Array&, const Arrays&)>& body, const Arrays& initial,
                   const Place& place);

/// Throws X403 unless all inputs of `function` have one leading axis of at least 1.
void require_scannable(const Arrays& inputs, const char* function, const Place& place);
/// Throws X103 unless the types are the same.
void require_carried(const Arrays& before, const Arrays& after, const Place& place);
/// Throws X103 unless a scan's body gives as many outputs as at first.
void require_outputs(std::size_t first, std::size_t next, const Place& place);
/// Throws X102 or X103 unless the hashes are equal, which are fixed_hash() of two branches' results, or of a loop's
/// state before and after its body.
void require_fixed(int number, std::uint64_t one, std::uint64_t other, const char* function, const Place& place);
/// Element `index` (a scalar i32) of the leading axis of `x` [n, …]. Throws X401 for an index that is no scalar.
Array index_leading(const Array& x, const Array& index, std::source_location where = std::source_location::current());
/// `x` [n, …] with element `index` of the leading axis replaced by `value` […] or what broadcasts to it (X401 for what
/// does not); an index beyond the ends is clamped. Throws X401 for an index that is no scalar.
Array update_leading(const Array& x, operand value, const Array& index,
                     std::source_location where = std::source_location::current());
/// The same for a number of the host; a negative one counts from the end, as in x[-1]. Throws X403 where there is none.
Array update_leading(const Array& x, operand value, HostIndex index);

// What loops and branches cannot be called with.

template <class OnTrue, class OnFalse, class Here = decltype([] {})>
  requires(!are_branches<OnTrue, OnFalse>)
OCTET_REFUSED(OCTET_NO_BRANCHES)
Array cond(operand, const OnTrue&, const OnFalse&) {
  static_assert(never<Here>, OCTET_NO_BRANCHES);
  return {};
}
template <class OnTrue, class OnFalse, class Operand, class... Operands, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_BRANCHES)
Array cond(operand, const OnTrue&, const OnFalse&, const Operand&, const Operands&...) {
  static_assert(never<Here>, OCTET_NO_BRANCHES);
  return {};
}

template <class... Branches, class Here = decltype([] {})>
  requires(!switches<Branches...>)
OCTET_REFUSED(OCTET_NO_CASES)
Array switch_case(operand, const Branches&...) {
  static_assert(never<Here>, OCTET_NO_CASES);
  return {};
}

template <class Function, class Inputs, class Here = decltype([] {})>
  requires(is_data<Inputs> || !gives_structure<Function, Inputs>)
OCTET_REFUSED(OCTET_NO_ROWS)
Inputs map_rows(const Function&, const Inputs& inputs) {
  static_assert(never<Here>, OCTET_NO_ROWS);
  return inputs;
}
template <class Function, class Inputs, class Another, class... More, class Here = decltype([] {})>
  requires(!std::same_as<Another, std::source_location>)
OCTET_REFUSED(OCTET_NO_ROWS)
Inputs map_rows(const Function&, const Inputs& inputs, const Another&, const More&...) {
  static_assert(never<Here>, OCTET_NO_ROWS);
  return inputs;
}

template <class Condition, class Body, class State, class Here = decltype([] {})>
  requires(!goes_on_while<Condition, Body, State>)
OCTET_REFUSED(OCTET_NO_WHILE)
State while_loop(const Condition&, const Body&, const State& initial) {
  static_assert(never<Here>, OCTET_NO_WHILE);
  return initial;
}

template <class Body, class State, class Here = decltype([] {})>
  requires(!takes_turns<Body, State>)
OCTET_REFUSED(OCTET_NO_FORI)
State fori_loop(std::int64_t, std::int64_t, const Body&, const State& initial) {
  static_assert(never<Here>, OCTET_NO_FORI);
  return initial;
}

template <class Body, class Carry, class Inputs, class Here = decltype([] {})>
  requires(!scans<Body, Carry, Inputs>)
OCTET_REFUSED(OCTET_NO_SCAN)
std::pair<Carry, Inputs> scan(const Body&, const Carry& initial, const Inputs& inputs) {
  static_assert(never<Here>, OCTET_NO_SCAN);
  return {initial, inputs};
}

}  // namespace octet

namespace octet {

template <class OnTrue, class OnFalse>
  requires are_branches<OnTrue, OnFalse>
auto cond(operand condition, OnTrue&& on_true, OnFalse&& on_false) {
  using Result = std::remove_cvref_t<decltype(on_true())>;
  Result structure;
  std::uint64_t one = 0, other = 0;
  const Place place = Place::of(condition.where());
  auto results = cond_arrays(
      condition.array(),
      [&] {
        structure = on_true();
        one = octet::fixed_hash(structure);
        return octet::arrays_of(structure);
      },
      [&] {
        const Result otherwise{on_false()};
        other = octet::fixed_hash(otherwise);
        return octet::arrays_of(otherwise);
      },
      place);
  require_fixed(102, one, other, "cond", place);
  return octet::with_arrays(std::move(structure), results);
}

template <class Branch>
  requires are_branches<const Branch, const Branch>
auto switch_case(operand index, const std::vector<Branch>& branches) {
  using Result = std::remove_cvref_t<decltype(branches.front()())>;
  Result structure;
  std::vector<std::uint64_t> hashes;
  std::vector<std::function<Arrays()>> lists;
  for (const Branch& branch : branches)
    lists.emplace_back([&] {
      structure = branch();
      hashes.push_back(octet::fixed_hash(structure));
      return octet::arrays_of(structure);
    });
  const Place place = Place::of(index.where());
  const Arrays results = switch_arrays(index.array(), lists, place);
  for (const std::uint64_t hash : hashes) require_fixed(102, hashes.front(), hash, "switch_case", place);
  return octet::with_arrays(std::move(structure), results);
}

template <class First, class... More>
  requires(sizeof...(More) > 0 && are_cases<First, More...>)
auto switch_case(operand index, First&& first, More&&... more) {
  using Branch = std::function<std::remove_cvref_t<decltype(first())>()>;
  return octet::switch_case(std::move(index), std::vector<Branch>{std::ref(first), std::ref(more)...});
}

template <class Function, class Inputs>
  requires(!is_data<Inputs> && gives_structure<Function, Inputs>)
auto map_rows(const Function& function, const Inputs& inputs, std::source_location where) {
  require_scannable(octet::arrays_of(inputs), "map_rows", Place::of(where));
  const auto body = [&](const std::tuple<>& nothing, const Inputs& row) { return std::pair{nothing, function(row)}; };
  return octet::scan(body, std::tuple<>{}, inputs, where).second;
}

template <class Condition, class Body, class State>
  requires goes_on_while<Condition, Body, State>
State while_loop(Condition&& condition, Body&& body, State initial, std::source_location where) {
  const auto as_state = [&](const Arrays& arrays) { return octet::with_arrays(initial, arrays); };
  std::uint64_t after = 0;
  const Arrays last = while_arrays([&](const Arrays& state) { return condition(as_state(state)); },
                                   [&](const Arrays& state) {
                                     const State next{body(as_state(state))};
                                     after = octet::fixed_hash(next);
                                     return octet::arrays_of(next);
                                   },
                                   octet::arrays_of(initial), Place::of(where));
  require_fixed(103, octet::fixed_hash(initial), after, "while_loop", Place::of(where));
  return as_state(last);
}

template <class Body, class State>
  requires takes_turns<Body, State>
State fori_loop(std::int64_t lower, std::int64_t upper, Body&& body, State initial, std::source_location where) {
  const auto as_state = [&](const Arrays& arrays) { return octet::with_arrays(initial, arrays); };
  std::uint64_t after = 0;
  const Arrays last = fori_arrays(
      lower, upper,
      [&](const Array& i, const Arrays& state) {
        const State next{body(i, as_state(state))};
        after = octet::fixed_hash(next);
        return octet::arrays_of(next);
      },
      octet::arrays_of(initial), Place::of(where));
  require_fixed(103, octet::fixed_hash(initial), after, "fori_loop", Place::of(where));
  return as_state(last);
}

template <class Body, class Carry, class Inputs>
  requires scans<Body, Carry, Inputs>
auto scan(Body&& body, Carry initial, const Inputs& inputs, std::source_location where) {
  const Arrays stacked = octet::arrays_of(inputs);
  require_scannable(stacked, "scan", Place::of(where));
  const std::int64_t n = stacked.front().extent(0);
  const auto at = [&](const Array& i) {
    const ComposedAt scope{where};
    Arrays elements;
    for (const Array& array : stacked) elements.push_back(index_leading(array, i));
    return octet::with_arrays(inputs, elements);
  };
  // The first step outside the loop tells the structure and the types of the outputs.
  auto first = body(Carry{initial}, at(constant(Tensor::scalar<std::int32_t>(0), where)));
  const std::size_t carried = octet::arrays_of(first.first).size();
  Arrays state = octet::arrays_of(first.first);
  require_carried(octet::arrays_of(initial), state, Place::of(where));
  if constexpr (std::is_same_v<Carry, std::decay_t<decltype(first.first)>>)
    require_fixed(103, octet::fixed_hash(initial), octet::fixed_hash(first.first), "scan", Place::of(where));
  for (const Array& output : octet::arrays_of(first.second)) {
    const ComposedAt scope{where};
    Dims shape = output.shape().extents();
    shape.insert(shape.begin(), n);
    state.push_back(update_leading(zeros({output.dtype(), Shape{shape}}, where), output,
                                   constant(Tensor::scalar<std::int32_t>(0), where)));
  }
  const auto split = [&](const Arrays& arrays) {
    return std::pair{Arrays{arrays.begin(), arrays.begin() + static_cast<std::ptrdiff_t>(carried)},
                     Arrays{arrays.begin() + static_cast<std::ptrdiff_t>(carried), arrays.end()}};
  };
  const Arrays last = fori_arrays(
      1, n,
      [&](const Array& i, const Arrays& arrays) {
        auto [carry, outputs] = split(arrays);
        auto next = body(octet::with_arrays(first.first, carry), at(i));
        Arrays result = octet::arrays_of(next.first);
        const Arrays produced = octet::arrays_of(next.second);
        require_outputs(outputs.size(), produced.size(), Place::of(where));
        require_fixed(103, octet::fixed_hash(first), octet::fixed_hash(next), "scan", Place::of(where));
        const ComposedAt scope{where};
        for (std::size_t k = 0; k < produced.size(); ++k) result.push_back(update_leading(outputs[k], produced[k], i));
        return result;
      },
      state, Place::of(where));
  auto [carry, outputs] = split(last);
  return std::pair{octet::with_arrays(first.first, carry), octet::with_arrays(first.second, outputs)};
}

}  // namespace octet
