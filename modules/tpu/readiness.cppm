/// The report of a readiness check: one line for each question of the checklist, with a verdict and what it rests on.
export module octet.tpu:readiness;
import octet.base;
import octet.standard;

export namespace octet {

enum class Verdict : std::uint8_t {
  pass,
  warn,        ///< it runs, and something is lost: time, memory or precision
  fail,        ///< on hardware it would not run, or not train
  not_judged,  ///< what it takes to judge is not known; the finding says what
};
/// `pass`, `warn`, `fail`, `not judged`.
std::string_view name(Verdict verdict);

/// A number that a verdict rests on.
struct Figure {
  std::string name;  ///< `programs`
  double value = 0;
  std::string unit = {};  ///< `bytes`, `seconds`; empty for counts and shares
};

/// One question of the checklist, answered.
struct CheckLine {
  std::string_view id = {};        ///< `rule_3`; see checklist()
  std::string_view question = {};  ///< as a sentence that holds where the verdict is pass
  Verdict verdict = Verdict::not_judged;
  std::string finding = {};  ///< in one sentence, with this program's own names and numbers
  std::vector<std::string> evidence = {};
  std::vector<std::string> cure = {};  ///< best first; empty where there is nothing to mend
  std::size_t cures_here = 0;          ///< of memory: how many of the first need no other chips and no smaller model
  std::vector<Figure> figures = {};
  std::vector<Diagnostic> faults = {};  ///< the numbered messages behind it

  /// Of the first fault; 0 where there is none.
  int number() const { return faults.empty() ? 0 : faults.front().number; }
};

/// The whole report.
struct Readiness {
  std::string program;  ///< its name
  std::string slice;
  std::vector<CheckLine> lines;  ///< in the order of the checklist

  /// Whether no line failed and the program holds nothing that Octet does not know. Lines that were not judged for want
  /// of options do not count against it: see judged().
  bool ready() const { return count(Verdict::fail) == 0 && known(); }
  /// Whether no line says that a TPU may well run what Octet does not know (X410).
  bool known() const;
  /// Whether every line has a verdict.
  bool judged() const { return count(Verdict::not_judged) == 0; }
  std::size_t count(Verdict verdict) const;
  /// The line called `id`; throws X709 where there is none.
  const CheckLine& line(std::string_view id) const;
  /// `v3-8: not ready. 8 pass, 2 warn, 1 fail, 4 not judged.`
  std::string summary() const;
};

/// For a person: the summary, then each line with its evidence and its cure. Without a final newline.
std::string to_string(const Readiness& readiness);

}  // namespace octet
