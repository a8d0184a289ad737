/// MLIR's text as a tree, in generic form or in the short form of StableHLO's operations: operations with operands,
/// attributes, regions and types, whatever they mean. The reader turns the tree into a Graph.
module octet.graph:syntax;
import octet.base;
import octet.standard;
import :cursor;

namespace octet::syntax {

/// A value: a name and which result of that name, `%3#1`.
using ValueName = std::pair<std::string_view, std::int64_t>;

struct Use {
  ValueName name;
  std::size_t position = 0;
};

struct Entry;
struct Attribute;
using Dictionary = std::vector<Entry>;

/// What an attribute says; of an alias its name, `#perm`. Nothing: it is a mere name, or of a kind that no operation of
/// Octet has.
struct Attribute {
  std::variant<std::monostate, bool, std::int64_t, std::string, Dims, Tensor, TensorType, std::vector<Attribute>,
               Dictionary>
      value;
};

struct Entry {
  std::string name;
  Attribute attribute;
  std::size_t position = 0;
};

/// The attribute called `name`, or nullptr.
const Entry* find(const Dictionary& dictionary, std::string_view name);

/// Where the user wrote an operation, or the name of an alias (`#loc3`) that says so.
struct Location {
  Place place;
  std::string alias;
};

struct Statement;

struct Argument {
  std::string_view name;
  TensorType type;
  std::string label;  ///< what the user calls it
  std::size_t position = 0;
  bool donated = false, sharded = false, narrow = false;
  std::optional<std::int64_t> result = {};  ///< the number of the one that takes its memory
  std::string sharding = {};                ///< `{devices=[8,1]<=[8]}` or `@mesh, [{"batch"}, {}]`; empty: not said
};

/// A region of one block.
struct Region {
  std::vector<Argument> arguments;
  std::vector<Statement> statements;
  std::size_t position = 0;
};

struct Result {
  std::string_view name;
  std::int64_t count = 1;
};

struct Statement {
  std::string name;  ///< with its dialect: `stablehlo.add`
  std::vector<Result> results;
  std::vector<Use> operands;
  Dictionary attributes;  ///< properties among them
  std::vector<Region> regions;
  std::vector<TensorType> operand_types, result_types;
  std::vector<std::string> shardings;  ///< of a function's results
  Location location;
  std::size_t position = 0;
  bool unsigned64 = false;  ///< whether i64 stands for ui64 in its types, or in those of its regions' arguments
  bool narrow = false;      ///< whether a wider type stands there for one that Octet does not have
};

struct Document {
  std::vector<Statement> statements;
  std::map<std::string, Location> locations;
};

/// The whole text. Throws X407.
Document parse(Cursor& text);

/// Parts of the grammar.
Attribute read_attribute(Cursor& text);
Dictionary read_dictionary(Cursor& text);
/// `<lhs_precision_type = bf16, lhs_component_count = 1>`, each value as it is written.
Dictionary read_words(Cursor& text);
TensorType read_type(Cursor& text);
/// `(tensor<f32>, tensor<f32>)` or `()`, each type perhaps with attributes, of which `shardings` takes what they say.
std::vector<TensorType> read_types(Cursor& text, std::vector<std::string>* shardings = nullptr);
/// The same, or a single type without brackets.
std::vector<TensorType> read_result_types(Cursor& text);
Location read_location(Cursor& text);
/// `%0` or `%0#1`.
Use read_use(Cursor& text);
/// `(%arg0: tensor<f32> {...}, ...)`. Those of a function that is only declared have no names.
std::vector<Argument> read_arguments(Cursor& text);
/// `{ ... }`, with the block's arguments at its head or given by what stands before.
Region read_region(Cursor& text, std::vector<Argument> arguments);
/// Operands and attributes of an operation that Octet does not have, up to its types.
void read_any_form(Cursor& text, Statement& statement);
/// `@mesh = <["batch"=8]>`, which says what axes the devices are laid out along.
void read_mesh(Cursor& text, Statement& statement);
/// What stands in the brackets that come next, as it is written.
std::string in_brackets(Cursor& text);
/// `(%0) in_shardings=[<@mesh, [{"batch"}, {}]>] ... (%arg0: tensor<8x4xf32>) {...} : (...) -> ...`: the program of one
/// device.
void read_manual_computation(Cursor& text, Statement& statement);
/// `: (tensor<2xf32>) -> tensor<2xi1>`, or what else says the types of operands and results.
void read_signature(Cursor& text, Statement& statement);
/// What follows the name of an operation that is written without quotes.
void read_short_form(Cursor& text, std::string_view name, Statement& statement);

}  // namespace octet::syntax
