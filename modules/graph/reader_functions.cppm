/// Elementary functions that CHLO and StableHLO have and the graph says by others.
module octet.graph:reader_functions;
import octet.base;
import octet.standard;
import :attributes;
import :graph;
import :operation;

namespace octet::syntax {

/// A value of a formula, which writes operations as it is computed with: `x * x + 1.0`. Numbers become constants of its
/// shape. The writer must outlive it.
class Term {
 public:
  /// Writes one operation, and has the types of what it wrote.
  struct Writer {
    std::function<ValueId(Op, std::vector<ValueId>, Attributes)> append;
    std::function<TensorType(ValueId)> type;
  };

  Term(const Writer& writer, ValueId value) : writer_{&writer}, value_{value} {}
  ValueId value() const { return value_; }
  TensorType type() const { return writer_->type(value_); }

  /// `number` wherever this one has an element, of its type.
  Term filled(double number) const;
  Term apply(Op op) const { return write(op, {value_}, {}); }
  Term converted(DType dtype) const;
  Term compared(Comparison direction, Term other) const {
    return write(Op::compare, {value_, other.value_}, CompareAttributes{direction});
  }
  Term compared(Comparison direction, double number) const { return compared(direction, filled(number)); }
  /// Of a predicate: `yes` where it holds, else `no`.
  Term select(Term yes, Term no) const { return write(Op::select, {value_, yes.value_, no.value_}, {}); }
  Term and_also(Term other) const { return write(Op::and_, {value_, other.value_}, {}); }
  Term or_else(Term other) const { return write(Op::or_, {value_, other.value_}, {}); }
  Term power(double exponent) const { return write(Op::power, {value_, filled(exponent).value_}, {}); }

  friend Term operator+(Term a, Term b) { return a.write(Op::add, {a.value_, b.value_}, {}); }
  friend Term operator-(Term a, Term b) { return a.write(Op::subtract, {a.value_, b.value_}, {}); }
  friend Term operator*(Term a, Term b) { return a.write(Op::multiply, {a.value_, b.value_}, {}); }
  friend Term operator/(Term a, Term b) { return a.write(Op::divide, {a.value_, b.value_}, {}); }
  friend Term operator+(Term a, double b) { return a + a.filled(b); }
  friend Term operator-(Term a, double b) { return a - a.filled(b); }
  friend Term operator*(Term a, double b) { return a * a.filled(b); }
  friend Term operator/(double a, Term b) { return b.filled(a) / b; }
  friend Term operator-(double a, Term b) { return b.filled(a) - b; }
  friend Term operator-(Term a) { return a.apply(Op::negate); }

 private:
  Term write(Op op, std::vector<ValueId> inputs, Attributes attributes) const {
    return {*writer_, writer_->append(op, std::move(inputs), std::move(attributes))};
  }

  const Writer* writer_;
  ValueId value_;
};

/// One of these functions: of one floating type, and of results as exact as a few units in the last place.
struct Function {
  std::string_view name;
  Term (*of)(const std::vector<Term>& operands);
  std::size_t operands = 1;
  bool only_f32 = false;  ///< no more exact in f64
};

/// Null where there is none of that name.
const Function* function_named(std::string_view name);

/// In bf16 it is computed in f32, and rounded once.
Term applied(const Function& function, std::vector<Term> operands);

}  // namespace octet::syntax
