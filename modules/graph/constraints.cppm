/// What the shape rules check with: the faults of one application are gathered here, each with its sentence and its
/// fixes. Internal to octet.graph.
module octet.graph:constraints;
import octet.base;
import octet.standard;
import :attributes;
import :graph;
import :operation;
import :shape_rules;

namespace octet {

using Types = std::vector<TensorType>;
using Fixes = std::vector<std::string>;

/// More elements than this are refused: strides and byte counts of any element type then stay far from overflow.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 40;

/// Whether no extent is negative and the extents, counting 0 as 1, multiply to at most `most_elements`.
bool is_representable(const Shape& shape);

inline std::string word(std::string_view text) { return std::string{text}; }
inline std::string word(std::integral auto number) { return std::to_string(number); }
inline std::string word(const Dims& dims) { return to_string(dims); }
inline std::string word(const Shape& shape) { return to_string(shape); }
inline std::string word(const TensorType& type) { return to_string(type); }

/// The parts one after another: texts, numbers, lists, shapes and types.
template <class... Part>
std::string say(const Part&... parts) {
  std::string text;
  ((text += word(parts)), ...);
  return text;
}

/// `1 entry`, `2 entries`.
std::string counted(std::size_t count, std::string_view one, std::string_view many);
/// `{8, 64}`, as a list is written in C++.
std::string braced(const Dims& dims);
/// `cast<float>(value)`, in words that need no header.
std::string cast_to(DType dtype, std::string_view value);
/// `reshape(cast<float>(x), {8, 64})`.
std::string cast_and_reshape(const TensorType& to);
/// Where each dimension of `from` may go so that broadcast_in_dim turns it into `to`, rightmost places first.
/// False where it cannot.
bool broadcast_places(const Shape& from, const Shape& to, Dims& places);
/// Calls that would turn `variable` of shape `from` into shape `to`: a broadcast, a transpose, a reshape.
Fixes ways_to(const std::string& variable, const Shape& from, const Shape& to);

/// The constraints of one application, as far as they are broken.
class Constraints {
 public:
  explicit Constraints(const Application& application) : application_{application} {}

  const Application& application() const { return application_; }
  Op op() const { return application_.op; }
  std::size_t inputs() const { return application_.inputs.size(); }
  const TensorType& type(std::size_t input) const { return application_.inputs[input]; }
  const Shape& shape(std::size_t input) const { return type(input).shape; }
  DType dtype(std::size_t input) const { return type(input).dtype; }

  /// What a sentence calls an input: `the left operand f32[8, 64]`.
  std::string noun(std::size_t input) const;
  /// `the operand f32[8] has 1 dimension`.
  std::string has_rank(std::size_t input) const;
  /// What a fix calls an input: `left`.
  std::string variable(std::size_t input) const;

  /// Notes a fault. `constraint` is its number in StableHLO's specification of the operation, 0 where it has none.
  void broken(int number, int constraint, std::string sentence, Fixes fix = {});
  void shapes(int constraint, std::string sentence, Fixes fix = {}) {
    broken(401, constraint, std::move(sentence), std::move(fix));
  }
  void element_types(int constraint, std::string sentence, Fixes fix = {}) {
    broken(402, constraint, std::move(sentence), std::move(fix));
  }
  void attribute(int constraint, std::string sentence, Fixes fix = {}) {
    broken(403, constraint, std::move(sentence), std::move(fix));
  }
  /// Calls `note`, which notes a fault: what is said of one is kept apart from the rules, which run for each operation.
  template <std::invocable Note>
  [[gnu::noinline]] static void fault(Note&& note) {
    note();
  }
  bool hold() const { return faults_.empty(); }
  std::vector<Diagnostic> take() { return std::move(faults_); }

  // Checks that several operations share. Each notes what is broken and returns whether nothing was.

  bool same_element_type(std::size_t one, std::size_t other, int constraint);
  bool same_shape(std::size_t one, std::size_t other, int constraint);
  /// Input `input` is a scalar.
  bool scalar(std::size_t input, int constraint);
  /// Input `input` is of i32, i64 or u32.
  bool integers(std::size_t input, int constraint);
  /// The list `values` has an entry for each dimension of input `input`.
  bool length(std::string_view name, const Dims& values, std::size_t input, int constraint) {
    const auto rank = static_cast<std::size_t>(shape(input).rank());
    return values.size() == rank || wrong_length(name, values, rank, has_rank(input), constraint);
  }
  /// 0 <= value < rank. `of` tells what the rank belongs to: a sentence is made only where there is something to say.
  template <std::invocable Of>
  bool dimension(std::string_view name, std::int64_t value, std::int64_t rank, Of&& of, int constraint) {
    return (0 <= value && value < rank) || no_dimension(name, value, rank, of(), constraint);
  }
  /// 0 <= value < the rank of input `input`.
  bool dimension(std::string_view name, std::int64_t value, std::size_t input, int constraint) {
    return dimension(name, value, shape(input).rank(), [&] { return noun(input); }, constraint);
  }
  /// Every entry is a dimension, and none comes twice.
  template <std::invocable Of>
  bool dimensions(std::string_view name, const Dims& values, std::int64_t rank, Of&& of, int range_constraint,
                  int unique_constraint) {
    return are_dimensions(values, rank) ||
           wrong_dimensions(name, values, rank, of(), range_constraint, unique_constraint);
  }
  bool dimensions(std::string_view name, const Dims& values, std::size_t input, int range_constraint,
                  int unique_constraint) {
    return dimensions(
        name, values, shape(input).rank(), [&] { return noun(input); }, range_constraint, unique_constraint);
  }
  bool increasing(std::string_view name, const Dims& values, int constraint);
  /// No extent is negative and there are not too many elements.
  bool representable(std::string_view what, const Shape& shape) {
    return is_representable(shape) || too_large(what, shape);
  }

 private:
  static bool are_dimensions(const Dims& values, std::int64_t rank);

  // What is broken, noted; each returns false. Kept apart from the checks, which run for each operation.
  bool wrong_length(std::string_view name, const Dims& values, std::size_t expected, const std::string& of,
                    int constraint);
  bool no_dimension(std::string_view name, std::int64_t value, std::int64_t rank, const std::string& of,
                    int constraint);
  bool wrong_dimensions(std::string_view name, const Dims& values, std::int64_t rank, const std::string& of,
                        int range_constraint, int unique_constraint);
  bool too_large(std::string_view what, const Shape& shape);

  const Application& application_;
  std::vector<Diagnostic> faults_;
};

}  // namespace octet
