/// The expressions of a script: what they come to, given the names that the lines before have given. Internal to
/// octet.script.
module octet.script:evaluator;
import octet.base;
import octet.standard;
import octet.trace;
import :interpreter;
import :syntax;

namespace octet::script {

class Evaluator {
 public:
  /// Arrays have at most `most_elements` elements.
  Evaluator(std::string_view text, std::int64_t most_elements);

  /// Throws Refusal for what is refused, PassedOver where it depends on a line that was.
  Value evaluate(const Expression& expression);
  /// `target` is the name that the expression's value is assigned to.
  Value evaluate_for(const std::string& target, const Expression& expression);
  /// From where to where a part of an index goes along a dimension of `extent`: negative ends count from its end.
  std::pair<std::int64_t, std::int64_t> ends_of(const Expression& part, std::int64_t extent);
  /// `value`, unless it is an array too large for a page: X734, before another is made of it.
  Value checked(Value value) const;

  std::string slice(Span span) const { return std::string{text_.substr(span.begin, span.end - span.begin)}; }
  /// Without the parentheses around it.
  std::string inner(Span span) const;
  std::string_view text() const { return text_; }

  std::map<std::string, Value> names;
  std::vector<Array> parameters;
  std::vector<Tensor> arguments;
  bool unread = false;  ///< a line could not be read, which may have been the one that gives a name its value

 private:
  Value named(const std::string& name) const;
  Value choice(const Expression& expression);
  Value indexed(const Expression& expression);
  Value element_of(const std::vector<Value>& list, const Expression& at);
  Value member(const Expression& expression);
  Value called(const Expression& expression);
  void require_no_module(const Expression& call) const;
  Call call_of(const Expression& expression);

  std::string_view text_;
  std::int64_t most_elements_;
  std::map<std::string_view, Function> functions_;
  std::string target_;  ///< the name that the line assigns to, until its expression is evaluated
  std::string around_;  ///< the function whose only argument is the part of an array that is evaluated
  Span around_span_;
};

}  // namespace octet::script
