/// check_padding: whether a function gives the same results when its arguments are padded, and if not, where they part.
///
/// The function is traced twice, at the extents of its arguments and at those of their buckets, and both programs are
/// run in f32 with every value they compute, and with sums whose order does not show. Of a padded value, the real part
/// is what lies before the padding: indexes below the own extent in each dimension, and where dimensions were merged by
/// a reshape, in each of those. A result that keeps a padded dimension is compared over its real part; what it holds
/// beyond is the function's own matter.
///
/// Results differ where an element is further off than the tolerance times the usual size of the elements. Then the
/// fault is looked for backwards from the result: a value whose real part differs, though that of everything it was
/// computed from agrees. A smaller difference is forgiven where it comes of another order of additions alone, and is a
/// fault where it begins in an operation that rounds the same whatever the extents are: of operands equal to the bit,
/// it would have given the same bits. What begins within a loop or a branch is not told from the order of additions.
///
/// Of a function that replicas run together, all replicas are run, and each one's values compared: what leaks on one
/// comes to the others through a collective, and a share whose rows are all full shows no leak at all.
module;

#include "../trace/refused.hpp"
export module octet.compile:padding_check;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;
import :buckets;
import :host_values;
import :signature;

export namespace octet {

struct PaddingCheckOptions {
  std::vector<Bucket> buckets = {};
  std::vector<std::string> argument_names = {};  ///< in order; arguments without one are arg0, arg1, …
  double tolerance = 1e-5;                       ///< relative; exact for integers and truth values
  Threads* threads = nullptr;
  std::string name = "main";  ///< of the function, for messages
};

/// A result that padding changes.
struct PaddingDifference {
  std::string result;          ///< `result.loss`
  std::size_t replica = 0;     ///< where the element lies that is furthest off
  Dims index = {};             ///< of that element, at its own extents
  double own = 0, padded = 0;  ///< its values; NaN where the real part cannot be found
};

/// What a check found.
struct [[nodiscard]] PaddingReport {
  std::vector<std::string> padded = {};             ///< `dimension 1 of batch.ids from 10 to 64`
  std::size_t results = 0;                          ///< arrays compared
  std::vector<PaddingDifference> differences = {};  ///< none where padding changes nothing
  std::vector<Diagnostic> faults = {};              ///< X305 for each place where real parts first part

  bool holds() const { return differences.empty(); }
  /// Throws the faults.
  void require() const;
  /// `Padding changes nothing: 3 results are the same with dimension 1 of batch.ids from 10 to 64`, or the faults.
  std::string text() const;
};

/// Compares the program `own` on `arguments`, one call for each replica, with the program `padded` on the same
/// arguments padded by the rules of `options`. `results` names the results. Throws X709 where the rules pad nothing:
/// arguments shorter than their buckets are needed.
PaddingReport compare_padding(const Graph& own, const Graph& padded, const std::vector<HostArguments>& arguments,
                              const std::vector<HostArguments>& padded_arguments,
                              const std::vector<std::string>& results, const PaddingCheckOptions& options);

/// The check of `function` for `calls`, one for each replica, which differ from `hosts` in data alone.
template <class Function, class... Hosts>
PaddingReport check_padding_of(const Function& function, const PaddingCheckOptions& options,
                               const std::vector<HostArguments>& calls, const Hosts&... hosts) {
  std::vector<HostArguments> padded = calls;
  for (HostArguments& call : padded) pad_to_buckets(call.names, call.tensors, options.buckets);
  std::vector<std::string> results;
  const auto lowered = [&](const HostArguments& call) {
    host::Placeholders placeholders{signature_of(call).types};
    const std::tuple<symbolic_t<Hosts>...> arguments{host::Of<Hosts>::symbolic(hosts, placeholders)...};
    auto traced =
        std::apply([&](const auto&... each) { return trace(function, options.argument_names, each...); }, arguments);
    results = octet::names_of(traced.structure, "result");
    return std::move(traced.graph);
  };
  const Graph own_graph = lowered(calls.front()), padded_graph = lowered(padded.front());
  return compare_padding(own_graph, padded_graph, calls, padded, results, options);
}

/// Whether `function` gives the same for `hosts` as for them padded to their buckets. Throws what tracing throws, and
/// X709 where nothing is padded. It runs on one replica: of a function with collectives, ask the replicated function,
/// tpu::replicate(loss, slice, options).check_padding(model, batch).
///
///     check_padding(loss, {.buckets = {{"batch", 1, multiple_of(64)}}, .argument_names = {"model", "batch"}}, model,
///     batch).require();
template <class Function, class... Hosts>
  requires traceable<Function, Hosts...>
PaddingReport check_padding(const Function& function, const PaddingCheckOptions& options, const Hosts&... hosts) {
  return check_padding_of(function, options, {flatten(options.argument_names, hosts...)}, hosts...);
}
OCTET_REFUSED_FUNCTIONS((class Function, class... Hosts), (Function, Hosts...),
                        PaddingReport check_padding(const Function&, const PaddingCheckOptions&, const Hosts&...))

}  // namespace octet
