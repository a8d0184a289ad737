/// What the type system promises of traced arrays. Compiled, never run.
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

namespace octet {

// A regular value.
static_assert(std::is_default_constructible_v<Array> && std::is_copy_constructible_v<Array>);
static_assert(std::is_nothrow_move_constructible_v<Array> && std::is_nothrow_move_assignable_v<Array>);
// It is declared to convert to numbers and tensors, so that the compiler finds the conversion that refuses it
// (tests/error); but to no more than that, and what can be asked of types says no range, no iterator, no string.
static_assert(std::is_convertible_v<Array, int> && std::is_convertible_v<Array, bool> &&
              std::is_convertible_v<Array, double> && std::is_convertible_v<Array, Tensor>);
static_assert(!std::is_convertible_v<Array, std::string> && !std::is_convertible_v<Array, const char*>);
static_assert(!std::is_convertible_v<Array, DType> && !std::is_convertible_v<Array, Shape>);
static_assert(!std::ranges::range<Array> && !std::input_or_output_iterator<Array>);
static_assert(!std::is_arithmetic_v<Array> && !std::integral<Array>);
// Nothing is made of a number or a tensor unasked: a function of arrays that is given a number would hold it as a
// constant, and vector<Array>{n} one array. Array{0.0} asks.
static_assert(!std::is_convertible_v<Tensor, Array> && !std::is_convertible_v<int, Array> &&
              !std::is_convertible_v<float, Array> && !std::is_convertible_v<bool, Array>);
static_assert(std::is_constructible_v<Array, int> && std::is_constructible_v<Array, double>);
static_assert(!std::is_constructible_v<Array, const char*> && !std::is_constructible_v<Array, std::string>);
// max(x, 0) would be read as the larger of two, which maximum gives.
template <class... Given>
concept reduces_to_the_largest = requires(Given... given) { max(given...); };
static_assert(reduces_to_the_largest<Array, Dims> && !reduces_to_the_largest<Array, int>);

// An operand is made of an array, a tensor or a number, and of nothing else.
static_assert(std::is_convertible_v<Array, operand> && std::is_convertible_v<Tensor, operand>);
static_assert(std::is_convertible_v<int, operand> && std::is_convertible_v<double, operand> &&
              std::is_convertible_v<bool, operand>);
static_assert(!std::is_convertible_v<const char*, operand> && !std::is_convertible_v<std::string, operand>);
static_assert(!std::is_convertible_v<std::vector<Array>, operand>);

// Operators give arrays, comparisons too.
static_assert(std::same_as<decltype(std::declval<Array>() + 1), Array>);
static_assert(std::same_as<decltype(2.0f * std::declval<Array>()), Array>);
static_assert(std::same_as<decltype(std::declval<Array>() * std::declval<Tensor>()), Array>);
static_assert(std::same_as<decltype(std::declval<Array>() == std::declval<Array>()), Array>);
static_assert(std::same_as<decltype(0 < std::declval<Array>()), Array>);
static_assert(std::same_as<decltype(~std::declval<Array>()), Array>);
static_assert(std::same_as<decltype(std::declval<const Array&>()[-1]), Array>);
static_assert(std::same_as<decltype(std::declval<Array&>() += 1), Array&>);

// Functions on operands are preferred to C's functions of the same name, which <cmath> puts beside them.
static_assert(std::same_as<decltype(exp(std::declval<Array>())), Array>);
static_assert(std::same_as<decltype(pow(std::declval<Array>(), 2)), Array>);
static_assert(std::same_as<decltype(pow(2.0, std::declval<Array>())), Array>);
static_assert(std::same_as<decltype(abs(std::declval<Array>())), Array>);
static_assert(std::same_as<decltype(round(std::declval<Array>())), Array>);

// And so are a user's functions on arrays to the same on numbers.
int chosen(double);
Array chosen(Array);
static_assert(std::same_as<decltype(chosen(std::declval<Array>())), Array>);
static_assert(std::same_as<decltype(chosen(2.0f)), int>);

// An expression is shared, never copied.
static_assert(!std::is_copy_constructible_v<Expression> && !std::is_copy_assignable_v<Expression>);

// The parts of a structure are counted whatever they are.
struct Mixed {
  Array one;
  std::vector<Array> many;
  std::optional<Array> perhaps;
  std::array<Array, 2> two;
  std::pair<Array, int> both;
  std::string text;
  float number;
};
template <class T>
concept traversable = requires(const T& tree) { arrays_of(tree); };
static_assert(traversable<Mixed> && traversable<std::pair<Mixed, Array>> && traversable<Array>);

// grad keeps the structure of what is differentiated.
struct Loss {
  Array operator()(const Mixed&) const;
};
static_assert(std::same_as<decltype(grad(Loss{})(std::declval<const Mixed&>())), Mixed>);
static_assert(std::same_as<decltype(value_and_grad(Loss{})(std::declval<const Mixed&>())), std::pair<Array, Mixed>>);
static_assert(std::same_as<decltype(grad(std::declval<const Graph&>())), Graph>);

}  // namespace octet
