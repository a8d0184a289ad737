/// MLIR's generic form as a tree: operations with operands, attributes, regions and types, whatever they mean. The
/// reader turns the tree into a Graph.
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

/// What an attribute says. Nothing: it is a mere name, or of a kind that no operation of Octet has.
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
  Location location;
  std::size_t position = 0;
};

struct Document {
  std::vector<Statement> statements;
  std::map<std::string, Location> locations;
};

/// The whole text. Throws X407.
Document parse(Cursor& text);

/// Parts of the grammar that stand in files of their own.
Attribute read_attribute(Cursor& text);
Dictionary read_dictionary(Cursor& text);
TensorType read_type(Cursor& text);
Location read_location(Cursor& text);

}  // namespace octet::syntax
