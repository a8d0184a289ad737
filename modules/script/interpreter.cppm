/// What a script's expressions stand for while they are traced. Internal to octet.script.
module octet.script:interpreter;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :syntax;

namespace octet::script {

/// A value of the host, or a traced array.
struct Value {
  struct Unknown {};  ///< of a line that was refused; what depends on it is passed over
  struct Nothing {};  ///< what print gives
  std::variant<Unknown, Nothing, Array, double, std::int64_t, bool, DType, std::vector<Value>> is;

  Value() = default;
  template <class T>
  Value(T value) : is{std::in_place_type<T>, std::move(value)} {}

  const Array* array() const { return std::get_if<Array>(&is); }
  const std::vector<Value>* list() const { return std::get_if<std::vector<Value>>(&is); }
  bool unknown() const { return std::holds_alternative<Unknown>(is); }
  /// Whether it is a number or a truth value of the host.
  bool is_number() const { return number().has_value(); }
  std::optional<double> number() const;
};

/// A rewrite of a part of the program.
struct Mending {
  Span span;
  std::string text;
  std::string beside = {};  ///< what a reader is told behind it
};

/// What a line is refused with.
struct Refusal {
  Diagnostic diagnostic;
  std::optional<Mending> mending;
};
/// Thrown where an operand is Unknown.
struct PassedOver {};

/// Of any array of a script.
constexpr std::size_t most_dimensions = 8;
/// What a script's arrays have at most, as messages say it.
std::string bounds_of_arrays(std::int64_t most_elements);

/// A function called with evaluated arguments.
struct Call {
  const Expression& at;
  std::string_view program;        ///< the whole text
  std::vector<Value> values = {};  ///< by position
  std::map<std::string, Value, std::less<>> named = {};
  std::vector<Span> spans = {};  ///< of `values` in the text
  std::string target = {};       ///< the name that the line assigns to
  std::vector<Array>* parameters = nullptr;
  std::vector<Tensor>* arguments = nullptr;
  std::int64_t most_elements = 0;

  std::string text(std::size_t argument) const { return std::string{text_of(spans[argument])}; }
  std::string_view text_of(Span span) const { return program.substr(span.begin, span.end - span.begin); }
  const Value* find(std::string_view name) const {
    const auto found = named.find(name);
    return found == named.end() ? nullptr : &found->second;
  }
};

/// The functions of a script.
struct Function {
  std::string_view name;
  std::size_t least, most;    ///< arguments by position
  std::string_view keywords;  ///< "size fill"
  Value (*call)(const Call& call);
};
std::vector<Function> functions();

/// Throws the refusal that the C++ compiler would give: `sentence` is one of refused.hpp, "X101: … . Write …".
[[noreturn]] void refuse(std::string_view sentence, const Array& of, std::optional<Mending> mending = {});
/// `text`, whose value is `of`, where a truth value is wanted: compared with 0 if it is none.
std::string as_condition(std::string text, const Array& of);
/// "write …", at most two: of the names that are known those of which `name` is likely a misspelling.
std::vector<std::string> nearest_first(const std::string& name, const std::vector<std::string>& known);
/// The same for a function, which may have another name elsewhere.
std::vector<std::string> instead_of(const std::string& name, const std::vector<std::string>& known);
/// A fix in the words of scripts, `cast(x, f32)` for `cast<float>(x)`; and what they can write where C++ has more.
std::string as_script(std::string fix);
/// Throws X733.
[[noreturn]] void refuse_argument(std::string sentence, std::vector<std::string> fix = {});

/// As an array; a list of numbers is a constant.
Array as_array(const Value& value, const std::string& what);
/// As what operators take: an array, or a number that adapts.
operand as_operand(const Value& value, const std::string& what);
/// A whole number of the host; X202 for an array.
std::int64_t as_extent(const Value& value, const std::string& what);
Dims as_dims(const Value& value, const std::string& what);
/// The tensor that nested lists of numbers write out.
Tensor as_tensor(const std::vector<Value>& list);

/// The result of an operator on these, both of the host or not.
Value binary(std::string_view sign, const Value& left, const Value& right, const Call& call);
Value unary(std::string_view sign, const Value& of, const Call& call);

}  // namespace octet::script
