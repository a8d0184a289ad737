/// Turns the tree of a text into a Graph. Internal to octet.graph: see `read`.
module octet.graph:reader_program;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :graph;
import :operation;
import :reader;
import :reader_scope;
import :syntax;

namespace octet::syntax {

/// Functions that call each other are written out in place, up to this many operations.
inline constexpr std::size_t most_operations = std::size_t{1} << 20;

/// What to do about a program whose devices share more than Octet reads.
inline constexpr std::string_view share_of_one = "lower the program for one device, with its share of the batch";
/// More than any slice has.
inline constexpr std::int64_t most_devices = 1 << 14;

/// What an operation is called where it is a call of code that is not in the text.
std::string target_of(const Statement& statement);

class Reader {
 public:
  /// `halves`: whether f16 is read, as bf16.
  Reader(std::string_view text, std::string file, bool halves) : text_{text, std::move(file)} { text_.halves = halves; }
  /// The program that the text holds.
  ProgramText read();

 private:
  [[noreturn]] void malformed(std::size_t position, std::string sentence, std::string rule = {},
                              std::string fix = {}) const;
  std::string symbol_name(const Statement& statement) const;
  void collect(const std::vector<Statement>& statements, std::string& module_name);
  /// Notes on how many devices it runs. Throws X404 where that is no number of devices.
  void count_devices(const Statement& module);
  /// Refuses groups of more replicas than the module has, as XLA does where it has several.
  void require_replicas(const Statement& statement, const Attributes& attributes) const;
  /// The result whose memory is a parameter's, as the text says.
  std::size_t aliased(const Statement& entry, const ProgramText& program, std::size_t parameter,
                      std::int64_t result) const;
  Graph function(const Statement& statement);
  /// Of what `computation` says of one device, with the names that the arguments of `entry` have.
  Graph of_one_device(const Statement& entry, const Statement& computation);
  /// The graph of a region whose parameters are its arguments and then what it takes from outside. The first `skipped`
  /// statements are names of those. Constants from outside are repeated in the region where `repeat_constants` says so,
  /// so that a loop still shows how far it counts.
  Graph region(const Region& region, const std::string& name, const std::vector<Use>& captured,
               const std::vector<TensorType>& captured_types, const Scope* outer, std::string_view terminator,
               std::size_t skipped = 0, bool repeat_constants = false);
  void bind(Scope& scope, ValueName name, ValueId value, std::size_t position) const;
  ValueId value(const Graph& graph, const Scope& scope, const Use& use, const TensorType* declared) const;
  /// The first `count` operands of `statement`, which must be of the types that it says.
  std::vector<ValueId> inputs(const Graph& graph, const Scope& scope, const Statement& statement,
                              std::size_t count) const;
  Place place(const Statement& statement) const;
  void add(Graph& graph, Scope& scope, const Statement& statement);
  void add_known(Graph& graph, Scope& scope, const Statement& statement);
  /// A collective of several tensors: one for each.
  void collectives(Graph& graph, Scope& scope, const Statement& statement, Op op);
  /// Appends a node and binds its results but for the last ones, which are passed on.
  void append(Graph& graph, Scope& scope, const Statement& statement, Op op, std::vector<ValueId> inputs,
              Attributes attributes, std::vector<Graph> regions, std::size_t passed_on = 0);
  /// Appends a node; a fault of it is said to be in the text.
  std::vector<ValueId> appended(Graph& graph, const Statement& statement, Op op, std::vector<ValueId> inputs,
                                Attributes attributes, std::vector<Graph> regions) const;
  void bind_results(const Graph& graph, Scope& scope, const Statement& statement,
                    const std::vector<ValueId>& outputs) const;

  // ---- what reductions start from: reader_initial.cpp ----

  void find_initial_values(const Region& region, Scope& scope) const;
  /// Keeps in mind what a scalar holds that is a constant by another name.
  static void note_constant(Scope& scope, const Statement& statement);
  /// Refuses a reduction of several tensors.
  void require_one(const Statement& statement) const;
  /// What a reduction of one tensor starts from; nothing where that is the neutral element of its reducer.
  std::optional<ValueId> initial_value(Graph& graph, const Scope& scope, const Statement& statement,
                                       Reducer reducer) const;
  /// Refuses an initial value that is not a constant with the element of `neutral`.
  void require_initial(const Scope& scope, const Statement& statement, std::size_t operand,
                       const Tensor& neutral) const;
  static bool starts_from(const Scope& scope, const Statement& statement, std::size_t operand, const Tensor& neutral);

  // ---- what Octet does not have: reader_unknown.cpp ----

  /// Whether it computes on one device alone, whatever it computes: no collective, and none that goes over from what
  /// all devices have to the part of one (SPMDFullToShardShape).
  static bool is_of_one_device(const Statement& statement);
  /// Appends a `custom_call` that takes and gives what `statement` does, and keeps in mind why.
  void add_unknown(Graph& graph, Scope& scope, const Statement& statement, Diagnostic why);
  /// Keeps the first of each name.
  void note_unknown(const std::string& name, Diagnostic why);

  // ---- programs that devices share: reader_sharding.cpp, and reader_cuts.cpp for how ----

  /// How `of` is cut, as `sharding` says: see `ProgramText::parts`. No cut where it says nothing. Throws X410 where it
  /// cannot be read.
  Dims cuts_of(const std::string& sharding, std::int64_t rank, const std::string& of, std::size_t position) const;
  /// `@mesh, [{"batch"}, {}]`, or the same with a mesh of its own.
  std::optional<Dims> cuts_of_axes(std::string_view sharding, std::size_t rank) const;
  /// The program of one device, where nothing else is computed by `entry`, on its arguments in their order.
  const Statement* manual(const Statement& entry) const;
  /// Whether it takes the arguments in the parts that devices have, and makes the results so: nothing is gathered or
  /// cut around it.
  bool is_all_of(const Statement& entry, const Statement& computation) const;
  /// A program of one device within the program of all.
  void manual_computation(Graph& graph, Scope& scope, const Statement& statement);
  /// Refuses one that leaves some axes of a mesh to the compiler.
  void require_all_axes(const Statement& computation) const;
  /// From a tensor to each device's part of it, or back, as GSPMD has it.
  void cross_into_parts(Graph& graph, Scope& scope, const Statement& statement);
  static bool asks_for_sharding(const Statement& statement);
  /// Appends a `Sharding`, where it says how a value is to be cut: those who read the program whole take it away.
  void add_sharding(Graph& graph, Scope& scope, const Statement& statement);
  /// Of each argument: what is said of it, or what the program of one device takes.
  std::vector<std::string> shardings_of(const Statement& entry, const Statement* computation) const;
  std::vector<std::string> shardings_in(const Statement& computation, std::string_view attribute,
                                        std::size_t count) const;
  /// Refuses what is not one of the parts that `sharding` says.
  void require_part(const TensorType& part, const TensorType& whole, const std::string& sharding, const std::string& of,
                    std::size_t position) const;

  // ---- what runs regions and functions: reader_control.cpp ----

  const Region& require_region(const Statement& statement, std::size_t r, std::size_t arguments) const;
  /// The statements at the head of a branch that name its parameters.
  static std::vector<Use> named_parameters(const Region& region);
  void branches(Graph& graph, Scope& scope, const Statement& statement);
  void loop(Graph& graph, Scope& scope, const Statement& statement);
  /// `index`, or the last of `count` where it is not among them.
  ValueId within(Graph& graph, const Statement& statement, ValueId index, std::int32_t count) const;
  /// Branch number so many of several, or the last where there is none of that number: halves of them, by one `if`
  /// within another.
  void cases(Graph& graph, Scope& scope, const Statement& statement);
  /// Of a function whose name is in that attribute.
  void call(Graph& graph, Scope& scope, const Statement& statement, std::string_view attribute);
  [[noreturn]] void too_many(const Statement& statement) const;

  Cursor text_;
  Document document_;
  std::map<std::string, const Statement*> functions_;
  std::set<const Statement*> open_;
  std::map<const Statement*, std::pair<Graph, std::size_t>> called_;
  std::size_t budget_ = most_operations;
  std::vector<std::pair<std::string, Diagnostic>> unknown_;  ///< X410, by what is unknown
  std::map<std::string, std::string> meshes_;
  std::int64_t replicas_ = 1, partitions_ = 1;  ///< that the module says it runs on
  bool of_one_device_ = false;                  ///< whether what is read is the program of one of these
};

}  // namespace octet::syntax
