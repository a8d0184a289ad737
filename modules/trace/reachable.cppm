/// The expressions that arrays are made of, in the order in which they were made, and what those who walk them share.
/// Internal to octet.trace.
module octet.trace:reachable;
import octet.graph;
import octet.standard;
import :array;

namespace octet {

using Expressions = std::vector<std::shared_ptr<const Expression>>;

/// What `roots` reach, by increasing birth. `met` says which expression is met where an array is read; there may be
/// none. `is_end` says of which the inputs are not followed.
Expressions reachable(const std::vector<Array>& roots,
                      const std::function<std::shared_ptr<const Expression>(const Array&)>& met,
                      const std::function<bool(const Expression&)>& is_end);

/// Parameters of the types of `arrays`, without names: what a region is traced with.
std::vector<Array> parameters_like(const std::vector<Array>& arrays);
/// Whether it is a constant that is repeated where it is used, rather than handed over.
bool is_small_constant(const Expression& expression);

}  // namespace octet
