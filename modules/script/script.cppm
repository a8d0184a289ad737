/// octet.script: programs of a few lines that come as text, as the page's visitors write them, traced with the
/// library's own functions. They do not come through the C++ compiler, so the three rules are refused here at trace
/// time: with the same numbers and sentences. Not part of `import octet;`.
///
///     x = input(f32, [4, 8])
///     y = where(x > 0, x, 0)        # a rewrite that rule 1 asks for: both sides, no branch
///     sum(y)
///
/// A line is an assignment, an expression, `if (…) … else …`, `while (…) …`, `for (name : …) …` or `return …`;
/// expressions are those of Python or C++. Arrays are symbolic; extents and plain numbers belong to the host, which may
/// branch on them.
export module octet.script;
import octet.base;
import octet.graph;
import octet.standard;

export namespace octet {

/// A line that gave an array.
struct ScriptLine {
  unsigned line = 0;  ///< counted from 1
  std::string name;   ///< of the variable; empty for an expression
  TensorType type;
};

struct ScriptReport {
  /// All that is wrong, by line; empty where it is a program. X730 to X734 for what is no program, and the library's
  /// own numbers.
  std::vector<Diagnostic> faults;
  /// The program with each fault rewritten for which a rewrite is known; empty where there is none.
  std::string mended;
  std::vector<ScriptLine> lines;
  Graph graph = Graph{};          ///< the program: what its last line or `return` gives
  Graph every_line = Graph{};     ///< the same parameters, the arrays of all `lines` as results
  std::vector<Tensor> arguments;  ///< small values for the parameters, always the same
};

/// The most that a script may have; beyond it X734 is raised.
struct ScriptLimits {
  std::size_t lines = 100, characters_of_line = 400, depth = 48, repetitions = 64;
  std::int64_t elements = 65536;  ///< of an array
};

/// Traces `text`. Throws nothing but std::bad_alloc: what is wrong is in the report.
ScriptReport trace_script(std::string_view text, const ScriptLimits& limits = {});

}  // namespace octet
