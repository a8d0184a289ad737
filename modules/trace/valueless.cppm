/// Rule 1, refused by the C++ compiler: while a program is traced, a value is what XLA will compute, and not there yet.
///
/// Whatever asks for it is declared here, and refused with a sentence of ours at the line that asked (refused.hpp). The
/// conversions are declared without conditions, as overload resolution must choose them to say so: `v[x]`, `switch (x)`
/// and `reshape(x, {n, 4})` would otherwise fail with sentences about candidates. Each of them loses against a function
/// that takes an `operand`, which an Array is. They are constexpr because the compiler looks at the body of such a
/// function at once, from within the template that called it, and so can tell by which line of the user's it came
/// there: std::sort(arrays.begin(), arrays.end()).
module;

#include "refused.hpp"
export module octet.trace:valueless;
import octet.base;
import octet.standard;

export namespace octet {

class Array;

template <class...>
inline constexpr bool never = false;

/// The base of `operand`, which is the base of Array. What is refused by a name that a function of ours has too takes
/// this: it is chosen before any conversion to a number, and after ours.
class Deferred {};

/// The conversion that `switch` finds: it looks for one that is no template, of which a class template may have one
/// that is compiled at its first use.
template <class Self>
class Switched {
  enum Case : int {};  // an int would be what others ask for, too

 public:
  constexpr operator Case() const {
    static_assert(never<Self>, OCTET_NO_INDEX);
    return {};
  }
};

/// The base of what has no value yet. `Here` is another type at each use: a compiler tells each line and not the first
/// alone, as it would where one function stands behind all.
class Valueless : public Switched<Array> {
 public:
  template <class Value, class Here = decltype([] {})>
    requires std::same_as<Value, bool>
  OCTET_REFUSED(OCTET_NO_BRANCH)
  constexpr operator Value() const {
    static_assert(never<Value, Here>, OCTET_NO_BRANCH);
    return {};
  }
  /// Without a Here: between push_back(const float&) and push_back(float&&) the compiler chooses only where both
  /// convert alike.
  template <class Value>
    requires std::same_as<Value, Tensor>
  OCTET_REFUSED(OCTET_NO_TENSOR)
  constexpr operator Value() const {
    static_assert(never<Value>, OCTET_NO_TENSOR);
    return {};
  }
  template <class Value>
    requires(std::is_arithmetic_v<Value> && !std::same_as<Value, bool>)
  constexpr operator Value() const {
    if constexpr (std::is_floating_point_v<Value> || std::is_same_v<Value, int>)
      static_assert(never<Value>, OCTET_NO_NUMBER);
    else if constexpr (std::is_same_v<Value, std::int64_t>)
      static_assert(never<Value>, OCTET_NO_EXTENT);
    else
      static_assert(never<Value>, OCTET_NO_INDEX);
    return {};
  }

  template <class Value = double, class Here = decltype([] {})>
  OCTET_REFUSED(OCTET_NO_ITEM)
  Value item() const {
    static_assert(never<Value, Here>, OCTET_NO_ITEM);
    return {};
  }

  /// What a host loop over rows would need. Not an iterator, so that an Array is no range to anyone who asks.
  struct Row {
    Row& operator++();
    Array operator*() const;
    bool operator!=(Row) const;
  };
  template <class Here = decltype([] {})>
  OCTET_REFUSED(OCTET_NO_ITERATION)
  Row begin() const {
    static_assert(never<Here>, OCTET_NO_ITERATION);
    return {};
  }
  template <class = void>
  Row end() const {
    return {};
  }

  /// Rule 2: as many elements as the mask has true ones.
  template <class Mask, class Result = Array, class Here = decltype([] {})>
    requires(!std::integral<Mask>)
  OCTET_REFUSED(OCTET_NO_MASKING)
  Result operator[](const Mask&) const {
    static_assert(never<Mask, Here>, OCTET_NO_MASKING);
    return {};
  }
};

template <class T>
concept has_no_value = std::derived_from<T, Valueless>;

template <has_no_value A, class Here = decltype([] {})>
OCTET_REFUSED(OCTET_NO_NOT)
A operator!(const A&) {
  static_assert(never<A, Here>, OCTET_NO_NOT);
  return {};
}
template <class A, class B, class Here = decltype([] {})>
  requires(has_no_value<A> || has_no_value<B>)
OCTET_REFUSED(OCTET_NO_AND)
std::conditional_t<has_no_value<A>, A, B> operator&&(const A&, const B&) {
  static_assert(never<A, Here>, OCTET_NO_AND);
  return {};
}
template <class A, class B, class Here = decltype([] {})>
  requires(has_no_value<A> || has_no_value<B>)
OCTET_REFUSED(OCTET_NO_OR)
std::conditional_t<has_no_value<A>, A, B> operator||(const A&, const B&) {
  static_assert(never<A, Here>, OCTET_NO_OR);
  return {};
}

template <class Stream, has_no_value A, class Here = decltype([] {})>
  requires requires(Stream& stream) { stream.rdbuf(); }
OCTET_REFUSED(OCTET_NO_PRINTING)
Stream& operator<<(Stream& stream, const A&) {
  static_assert(never<A, Here>, OCTET_NO_PRINTING);
  return stream;
}

/// `float total = 0; total += loss;`
template <class Number, has_no_value A, class Here = decltype([] {})>
  requires std::is_arithmetic_v<Number>
OCTET_REFUSED(OCTET_NO_TOTAL)
Number& operator+=(Number& total, const A&) {
  static_assert(never<A, Here>, OCTET_NO_TOTAL);
  return total;
}
template <class Number, has_no_value A, class Here = decltype([] {})>
  requires std::is_arithmetic_v<Number>
OCTET_REFUSED(OCTET_NO_TOTAL)
Number& operator-=(Number& total, const A&) {
  static_assert(never<A, Here>, OCTET_NO_TOTAL);
  return total;
}
template <class Number, has_no_value A, class Here = decltype([] {})>
  requires std::is_arithmetic_v<Number>
OCTET_REFUSED(OCTET_NO_TOTAL)
Number& operator*=(Number& total, const A&) {
  static_assert(never<A, Here>, OCTET_NO_TOTAL);
  return total;
}
template <class Number, has_no_value A, class Here = decltype([] {})>
  requires std::is_arithmetic_v<Number>
OCTET_REFUSED(OCTET_NO_TOTAL)
Number& operator/=(Number& total, const A&) {
  static_assert(never<A, Here>, OCTET_NO_TOTAL);
  return total;
}

/// `bool all = true; all &= x > 0;`
template <class Number, has_no_value A, class Here = decltype([] {})>
  requires std::is_arithmetic_v<Number>
OCTET_REFUSED(OCTET_NO_GATHERING)
Number& operator&=(Number& gathered, const A&) {
  static_assert(never<A, Here>, OCTET_NO_GATHERING);
  return gathered;
}
template <class Number, has_no_value A, class Here = decltype([] {})>
  requires std::is_arithmetic_v<Number>
OCTET_REFUSED(OCTET_NO_GATHERING)
Number& operator|=(Number& gathered, const A&) {
  static_assert(never<A, Here>, OCTET_NO_GATHERING);
  return gathered;
}
template <class Number, has_no_value A, class Here = decltype([] {})>
  requires std::is_arithmetic_v<Number>
OCTET_REFUSED(OCTET_NO_GATHERING)
Number& operator^=(Number& gathered, const A&) {
  static_assert(never<A, Here>, OCTET_NO_GATHERING);
  return gathered;
}

}  // namespace octet
