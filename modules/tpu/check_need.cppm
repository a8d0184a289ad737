/// The memory that a replica of a checked program needs, and how many examples fit. Internal to octet.tpu.
module octet.tpu:check_need;
import octet.base;
import octet.graph;
import octet.standard;
import :check_lines;
import :cost;
import :memory;

namespace octet {

/// With nothing recomputed, and with ever more.
struct Need {
  struct Less {
    double peak = 0, recompute_seconds = 0;
  };
  double peak = 0;          ///< with nothing recomputed
  double step_seconds = 0;  ///< without recomputing
  std::vector<Less> less;   ///< ever smaller peaks
  tpu::MemoryNeed at_peak;

  /// With all recomputed that can be.
  double least() const { return less.empty() ? peak : less.back().peak; }
  bool fits(double capacity) const { return least() <= capacity; }
  /// Of as much as makes it fit, or of all where nothing does.
  double recompute_seconds(double capacity) const;
  /// Whether it fits only if the program asks for recomputing: XLA alone was not seen to do as much.
  bool must_ask(double capacity) const { return fits(capacity) && peak > most_unasked * capacity; }
  /// The memory in which it fits without that.
  double unasked() const { return std::max(least(), peak / most_unasked); }
};

/// The memory that one replica needs for `graph`, whose results take the buffers of the parameters in `donate` that
/// they are the next values of, on `core`. Where `peak_alone`, what recomputing saves is not looked for.
Need need_of(const Checked& checked, const Graph& graph, const std::vector<std::string>& donate, DType activations,
             const tpu::Core& core, bool peak_alone = false);

/// The step in one of the ways in which it can be written.
struct Written {
  bool asks = false;       ///< for all the recomputing that it can ask for, not only for what it does
  std::int64_t parts = 1;  ///< equal ones in which a replica takes its examples
};

/// The needs of a step of ever other batches, each of which is traced once.
class BatchNeeds {
 public:
  BatchNeeds(const Checked& checked, const tpu::Core& core) : checked_{checked}, core_{core} {}

  /// As the candidate writes it. Throws what tracing throws.
  const Need& of(std::int64_t examples) { return of(examples, {false, checked_.candidate.parts}); }
  /// Written otherwise, which takes a candidate that can be; see need_of for `peak_alone`.
  const Need& of(std::int64_t examples, const Written& written, bool peak_alone = false);

  /// The most examples in each part, up to `most`, whose need fits as `fit` has it.
  std::int64_t most(std::int64_t most, const Written& written, double capacity, tpu::Fit (*fit)(const Need&, double),
                    bool peak_alone = false);

 private:
  const Checked& checked_;
  tpu::Core core_;
  std::map<std::tuple<std::int64_t, bool, std::int64_t, bool>, Need> known_;
};

/// The most examples that a replica can take at once, however many it was given.
struct Limits {
  std::int64_t kept = 0, recomputing = 0;  ///< with nothing recomputed, and with what can be; 0: not one fits
  bool must_ask = false;                   ///< of the larger
  double recompute_seconds = 0;            ///< of a step of the larger
  double step_seconds = 0;                 ///< of that step without them
};
/// The most of them that are tried.
std::int64_t most_examples(std::int64_t examples);
/// Nothing where that cannot be found out: the program cannot be traced for other batches.
std::optional<Limits> largest_batches(const Checked& checked, BatchNeeds& needs, std::int64_t examples,
                                      double capacity);

/// Fewer examples at once than a replica was given.
struct Smaller {
  std::int64_t each = 0;   ///< at the most, of a replica or of a part of its share
  std::int64_t parts = 0;  ///< equal ones in which all examples are taken; 0: there are to be fewer
  bool asks = false;       ///< for recomputing
  bool traced = true;      ///< whether the program was seen as it is written then
};
/// Those that fit, of a candidate that can be written otherwise: into parts, if that can be, else into a step; with
/// nothing recomputed beyond what the program does, or where it `asks`, with what it can ask for. Where that is not one
/// example, unless `only_kept`, with as much more as XLA may do by itself. Nothing where none fits.
std::optional<Smaller> smaller_batch(const Checked& checked, BatchNeeds& needs, std::int64_t examples, double capacity,
                                     bool asks, bool only_kept);
/// The same of another candidate: what it computes again when it asks for that may be less than what can be. `limits`
/// are those of the batch taken at once.
std::optional<Smaller> guessed_batch(const Checked& checked, BatchNeeds& needs, std::int64_t examples, double capacity,
                                     const Limits& limits, bool fits);

}  // namespace octet
