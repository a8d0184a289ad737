/// Array: a value inside a traced program. It has an element type and a static shape, never data.
///
/// Functions on arrays make immutable expressions, numbered in the order of their birth. Nothing is recorded elsewhere:
/// a trace is what the results of a function can reach, in that order, so an unused value costs nothing and no global
/// recorder exists.
module;

#include "refused.hpp"
export module octet.trace:array;
import octet.base;
import octet.graph;
import octet.standard;
import :valueless;

export namespace octet {

struct Expression;

/// What a function on arrays takes: an Array, a Tensor, a Key as u32[2], or a number that adapts to the element type of
/// the other operand; and the line it was written at, which each conversion to an operand notes.
class operand : public Deferred {
 public:
  operand(const Tensor& value, std::source_location where = std::source_location::current());
  operand(Key key, std::source_location where = std::source_location::current());
  template <class Number>
    requires std::is_arithmetic_v<Number>
  operand(Number number, std::source_location where = std::source_location::current())
      : kind_{std::is_same_v<Number, bool> ? Kind::truth
              : std::is_integral_v<Number> ? Kind::integer
                                           : Kind::real},
        number_{static_cast<double>(number)},
        integer_{integer_of(number)},
        where_{where} {}
  /// The line of an operand is kept; an Array, which has none, takes the one at which it becomes an operand.
  operand(const operand& other, std::source_location where = std::source_location::current())
      : Deferred{},
        expression_{other.expression_},
        index_{other.index_},
        kind_{other.kind_},
        number_{other.number_},
        integer_{other.integer_},
        where_{other.where_.line() ? other.where_ : where} {}
  operand(operand&& other, std::source_location where = std::source_location::current()) noexcept
      : Deferred{},
        expression_{std::move(other.expression_)},
        index_{other.index_},
        kind_{other.kind_},
        number_{other.number_},
        integer_{other.integer_},
        where_{other.where_.line() ? other.where_ : where} {}

  bool is_number() const { return kind_ != Kind::array; }
  /// As an array; a number becomes a scalar constant of `like`, or of its own natural type (f32, i32, pred) without it.
  /// Throws X402 where the number is of another kind, or an integer that the element type cannot hold.
  Array array(const TensorType* like = nullptr) const;
  const std::source_location& where() const { return where_; }

 protected:
  operand() = default;
  explicit operand(std::shared_ptr<const Expression> expression, int index)
      : expression_{std::move(expression)}, index_{index} {}
  operand& operator=(const operand&) = default;
  operand& operator=(operand&&) = default;

  std::shared_ptr<const Expression> expression_;
  int index_ = 0;

 private:
  enum class Kind : std::uint8_t { array, real, integer, truth };

  /// Exactly, as a double would not hold it; what lies beyond i64 is held as the largest, which no element type takes
  /// for it.
  template <class Number>
  static std::int64_t integer_of(Number number) {
    if constexpr (!std::is_integral_v<Number> || std::is_same_v<Number, bool>)
      return 0;
    else if constexpr (std::is_signed_v<Number>)
      return static_cast<std::int64_t>(number);
    else
      return std::in_range<std::int64_t>(number) ? static_cast<std::int64_t>(number)
                                                 : std::numeric_limits<std::int64_t>::max();
  }

  Kind kind_ = Kind::array;
  double number_ = 0;
  std::int64_t integer_ = 0;
  std::source_location where_{};  ///< line 0: not noted yet
};

/// A number of the host among the indices of an Array, and its line.
struct HostIndex {
  std::int64_t value;
  std::source_location where;
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  HostIndex(Number number, std::source_location line = std::source_location::current())
      : value{static_cast<std::int64_t>(number)}, where{line} {}
};

/// A symbolic tensor. A default-constructed Array is empty: a place in a structure, to be filled by a trace.
/// It is an operand by descent and not by conversion, so that functions on operands are preferred to those on numbers,
/// to which an Array seems convertible: the conversions are there to be refused (valueless.cppm).
class Array : public operand, public Valueless {
 public:
  Array() = default;
  Array(const Array& other) : operand{other, std::source_location{}}, Valueless{} {}
  Array(Array&& other) noexcept : operand{std::move(other), std::source_location{}} {}
  Array& operator=(const Array&) & = default;
  Array& operator=(Array&&) & = default;
  /// `x[0] = y` is refused: it would be lost.
  template <class Value, class Here = decltype([] {})>
  OCTET_REFUSED(OCTET_NO_ELEMENT)
  void operator=(const Value&) && {
    static_assert(never<Value, Here>, OCTET_NO_ELEMENT);
  }
  /// Result `index` of `expression`.
  Array(std::shared_ptr<const Expression> expression, int index) : operand{std::move(expression), index} {}
  /// A scalar constant: f32 of a real number, i32 of an integer, pred of a truth value. `Array total{0.0};`
  template <class Number>
    requires std::is_arithmetic_v<Number>
  explicit Array(Number number, std::source_location where = std::source_location::current())
      : Array{operand{number, where}.array()} {}

  bool empty() const { return !expression_; }
  const TensorType& type() const;
  DType dtype() const { return type().dtype; }
  const Shape& shape() const { return type().shape; }
  std::int64_t rank() const { return shape().rank(); }
  /// Extent of dimension `d`; a negative `d` counts from the end. Throws X403 where there is none.
  std::int64_t extent(std::int64_t d) const;

  const std::shared_ptr<const Expression>& expression() const { return expression_; }
  int index() const { return index_; }

  /// Element `i` of the leading axis, `[n, …]` → `[…]`, for a number of the host; a negative one counts from the end.
  /// Throws X403 where there is none. A traced index: `take(x, i)`. A mask is refused: rule 2.
  Array operator[](HostIndex i) const;
  using Valueless::operator[];
};

/// An operation applied to arrays, or a parameter of the function being traced.
struct Expression {
  enum class Kind : std::uint8_t { operation, parameter, alias };

  Kind kind = Kind::operation;
  std::uint64_t birth = 0;  ///< larger than that of everything it depends on
  Op op = Op::constant;
  std::vector<Array> inputs;  ///< of an alias: what each result stands for, and then what a checkpoint keeps
  Attributes attributes;
  std::vector<Graph> regions;
  std::vector<TensorType> types;  ///< of the results
  Place place;
  std::string name;  ///< of a parameter

  Expression() = default;
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  ~Expression();  ///< iterative: a long chain must not use up the stack
};

/// The number that the next expression will be born with.
std::uint64_t next_birth();

/// The only way to make an operation: infers the result types, and throws with the line and the chain that led there.
std::vector<Array> apply(Op op, std::vector<Array> inputs, Attributes attributes, const Place& place,
                         std::vector<Graph> regions = {});
/// The same for operations with one result.
Array apply_one(Op op, std::vector<Array> inputs, Attributes attributes, const Place& place);

/// While it lives, every operation made on this thread is placed at `place`: a function composed of primitives gives
/// them the line of its caller, and a derivative rule that of the operation it differentiates. The outermost scope
/// wins, unless an inner one is made for operations that have a line of their own: the nodes of a graph, or what is
/// being differentiated.
class ComposedAt {
 public:
  explicit ComposedAt(const std::source_location& where) : ComposedAt{Place::of(where)} {}
  explicit ComposedAt(Place place, bool own_line = false);
  ~ComposedAt();
  ComposedAt(const ComposedAt&) = delete;
  ComposedAt& operator=(const ComposedAt&) = delete;

 private:
  Place place_;
  const Place* around_;
};

/// Where an operation written at `written_at` is placed: there, or where the scope in force says.
const Place& placed(const Place& written_at);

/// A parameter of the function being traced.
Array parameter(TensorType type, std::string name, Place place = {});
/// Stands for `array`, and is not it: what `grad` differentiates with respect to.
Array alias(const Array& array);
/// Stands for each of `arrays`; of `kept`, if there are any, a derivative computes them a second time.
std::vector<Array> aliases(const std::vector<Array>& arrays, const std::vector<Array>& kept);

/// A constant.
Array constant(Tensor value, std::source_location where = std::source_location::current());
Array zeros(const TensorType& type, std::source_location where = std::source_location::current());
Array ones(const TensorType& type, std::source_location where = std::source_location::current());
/// `value` in every element.
Array full(const TensorType& type, operand value);
template <class T>
concept shape_or_dims = std::same_as<T, Shape> || std::same_as<T, Dims>;
/// The same of a shape alone, in f32 or as said: `zeros({2, 3})`, `ones(x.shape(), DType::i32)`.
Array zeros(std::initializer_list<std::int64_t> shape, DType dtype = DType::f32,
            std::source_location where = std::source_location::current());
Array zeros(const shape_or_dims auto& shape, DType dtype = DType::f32,
            std::source_location where = std::source_location::current()) {
  return zeros(TensorType{dtype, Shape{shape}}, where);
}
Array ones(std::initializer_list<std::int64_t> shape, DType dtype = DType::f32,
           std::source_location where = std::source_location::current());
Array ones(const shape_or_dims auto& shape, DType dtype = DType::f32,
           std::source_location where = std::source_location::current()) {
  return ones(TensorType{dtype, Shape{shape}}, where);
}
Array full(std::initializer_list<std::int64_t> shape, operand value, DType dtype = DType::f32);
Array full(const shape_or_dims auto& shape, operand value, DType dtype = DType::f32) {
  return full(TensorType{dtype, Shape{shape}}, std::move(value));
}
/// 0, 1, 2, … along `dimension`.
Array iota(const TensorType& type, std::int64_t dimension,
           std::source_location where = std::source_location::current());
/// 0, 1, … n - 1.
Array arange(std::int64_t n, DType dtype = DType::i32, std::source_location where = std::source_location::current());
/// As `x`, of zeros, of ones, or of `value`.
Array zeros_like(operand x);
Array ones_like(operand x);
Array full_like(operand x, operand value);

/// The chain from the arguments to `array`, at most five links, for messages.
std::vector<Link> because(const Array& array);

}  // namespace octet

namespace octet {

/// Throws `error` again, with the longest chain that led to one of `inputs` in each diagnostic that has none.
[[noreturn]] void fail_because(const Error& error, const std::vector<Array>& inputs);
/// What `expression` is, of other inputs of the same types.
std::shared_ptr<const Expression> repeated(const Expression& expression, std::vector<Array> inputs);
/// Of the arrays for a structure the one at `i`; throws X405 where there are no more.
const Array& array_at(const std::vector<Array>& arrays, std::size_t i);
/// Throws X403 where `x` has fewer dimensions than `function` works on.
void require_rank(const Array& x, std::int64_t least, const std::string& function, const Place& written_at);
/// `dimension` of `x` counted from the start, for `function`; throws X403 where there is none.
std::int64_t dimension_of(const operand& x, std::int64_t dimension, const std::string& function);
/// dimension_of, and X403 where the places along it are more than i32 counts.
std::int64_t counted_dimension_of(const operand& x, std::int64_t dimension, const std::string& function);

}  // namespace octet
