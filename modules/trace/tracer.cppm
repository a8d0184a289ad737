/// Tracing: from arrays to a graph, and from a graph back to arrays.
export module octet.trace:tracer;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :tree;

export namespace octet {

/// The program that computes `results` from `parameters`, in the order in which the user's function made its parts.
/// Throws X406 where a result depends on a parameter that is not listed, or is an empty Array.
Graph linearize(std::string name, const std::vector<Array>& parameters, const std::vector<Array>& results);

/// Arrays that were born before `mark` and that `results` reach: what a region traced since then captures. Small
/// constants are not captured but repeated.
std::vector<Array> captures(const std::vector<Array>& results, std::uint64_t mark);

/// A closed region: its parameters are `parameters` and then `captured`, which stand for arrays of the enclosing trace.
Graph region(std::string name, std::vector<Array> parameters, const std::vector<Array>& captured,
             const std::vector<Array>& results);

/// `argument`, called `name`, with a parameter of its type and name in the place of each array: they are added to
/// `parameters`. Throws X406 where an array is empty.
template <class Structure>
Structure parameterized(Structure argument, const std::string& name, std::vector<Array>& parameters);

/// The results of `graph` applied to `arguments`, as arrays of the current trace.
std::vector<Array> inlined(const Graph& graph, const std::vector<Array>& arguments);
/// The same with `made(i, result)` in place of result `i`: made as soon as the result is there, before what comes later
/// in the graph.
std::vector<Array> inlined(const Graph& graph, const std::vector<Array>& arguments,
                           const std::function<Array(std::size_t i, const Array& result)>& made);

/// A traced function: its graph, and the structure into which the graph's results go.
template <class Result>
struct Traced {
  Graph graph;
  Result structure;
};

/// Traces `function` on structures whose arrays are given by their types: `arguments` are structures with filled
/// arrays, of which only the types matter. Parameters are named by field: `model.hidden.weight` where `names` gives
/// `model`.
template <class Function, class... Arguments>
auto trace(Function&& function, const std::vector<std::string>& names, const Arguments&... arguments);

/// The same with types alone: for functions of plain arrays.
Graph trace(const std::function<std::vector<Array>(const std::vector<Array>&)>& function,
            const std::vector<TensorType>& types, std::string name = "main");

}  // namespace octet

namespace octet {

/// Throws X406: `what`, `argument 'x.bias'`, is an empty Array.
[[noreturn]] void fail_empty(const std::string& what);
/// Puts a parameter of its type and name in the place of each array of `argument`, called `name`, and among
/// `parameters`. Throws X406 where one is empty.
void parameterize(reflection::Tree argument, const std::string& name, std::vector<Array>& parameters);

template <class Structure>
Structure parameterized(Structure argument, const std::string& name, std::vector<Array>& parameters) {
  parameterize(reflection::tree(argument), name, parameters);
  return argument;
}

template <class Function, class... Arguments>
auto trace(Function&& function, const std::vector<std::string>& names, const Arguments&... arguments) {
  std::vector<Array> parameters;
  std::size_t position = 0;
  const auto filled = [&](const auto& argument) {
    const std::string name = position < names.size() ? names[position] : "arg" + std::to_string(position);
    ++position;
    return parameterized(argument, name, parameters);
  };
  // Braces: arguments are filled from left to right.
  std::tuple<Arguments...> inputs{filled(arguments)...};
  auto result = std::apply(std::forward<Function>(function), std::move(inputs));
  std::vector<Array> results = octet::arrays_of(result);
  Traced<decltype(result)> traced{linearize("main", parameters, results), std::move(result)};
  return traced;
}

}  // namespace octet
