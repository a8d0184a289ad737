module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :cursor;
import :literal;
import :notation;
import :operation;
import :reader_fields;
import :region_order;
import :syntax;

namespace octet::syntax {

namespace {

/// More groups than a pod has chips.
constexpr std::int64_t most_groups = 1 << 16;

/// Of groups that have each replica once, as `all_reduce` may have them.
bool differ_in_size(const ReplicaGroups& groups) {
  Dims named;
  bool differ = false;
  for (const Dims& group : groups) {
    if (group.empty()) return false;
    differ |= group.size() != groups.front().size();
    named.insert(named.end(), group.begin(), group.end());
  }
  std::ranges::sort(named);
  for (std::size_t i = 0; i < named.size(); ++i)
    if (std::cmp_not_equal(named[i], i)) return false;
  return differ;
}

class FieldReader {
 public:
  FieldReader(const Cursor& text, const Statement& statement, Op op) : text_{text}, statement_{statement} {
    const notation::Structure* structure = notation::structure_of(op);
    if (!structure) return;
    structure_ = std::get_if<Dictionary>(&required(structure->attribute).attribute.value);
    if (!structure_) wrong(structure->attribute, "#stablehlo." + std::string{structure->name} + "<...>");
  }

  void operator()(const char* name, Tensor& value) const {
    const auto* tensor = std::get_if<Tensor>(&required(name).attribute.value);
    if (!tensor) wrong(name, "dense<...> of an element type that Octet has");
    value = *tensor;
  }
  void operator()(const char*, TensorType& type) const { type = result_type(); }
  void operator()(const char*, Shape& shape) const { shape = result_type().shape; }
  void operator()(const char*, std::vector<TensorType>& types) const { types = statement_.result_types; }
  void operator()(const char* name, std::string& value) const {
    const auto* text = std::get_if<std::string>(&required(name).attribute.value);
    if (!text) wrong(name, "a name");
    value = *text;
  }

  void operator()(const char* name, std::int64_t& value) const {
    const bool of_sort = statement_.name == "stablehlo.sort";
    const Entry* entry = of_sort ? find(statement_.attributes, name) : structural(name);
    if (of_sort && !entry) return from_the_back(value = -1);
    if (structure_ && !entry) return;
    const auto* integer = std::get_if<std::int64_t>(&entry->attribute.value);
    if (!integer || *integer > Cursor::largest_integer || *integer < -Cursor::largest_integer)
      wrong(name, "an integer up to " + std::to_string(Cursor::largest_integer));
    value = *integer;
    if (of_sort) from_the_back(value);
  }
  void operator()(const char* name, Dims& value) const {
    const Entry* entry = structural(name);
    if (!entry) return;
    std::optional<Dims> dims = integers(entry->attribute);
    if (!dims) wrong(name, "a list of integers");
    value = std::move(*dims);
  }

  void operator()(const char* name, ReplicaGroups& groups) const {
    const Entry& entry = required(name);
    if (const auto* mesh = std::get_if<std::string>(&entry.attribute.value); mesh && mesh->find("axes") != mesh->npos)
      text_.unknown(entry.position, "groups by the axes of a mesh are something Octet does not have",
                    "lower the program with " + std::string{name} + " as dense<...>");
    const auto* table = std::get_if<Tensor>(&entry.attribute.value);
    if (!table || table->dtype() != DType::i64 || table->shape().rank() != 2 || table->shape()[0] > most_groups)
      wrong(name, "dense<...> of type tensor<...x...xi64>");
    const auto rows = static_cast<std::size_t>(table->shape()[0]),
               columns = static_cast<std::size_t>(table->shape()[1]);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto numbers = table->span<std::int64_t>().subspan(row * columns, columns);
      // Shorter groups are filled up with -1, pairs are not.
      Dims group{numbers.begin(), numbers.end()};
      while (std::string_view{name} == "replica_groups" && !group.empty() && group.back() == -1) group.pop_back();
      groups.push_back(std::move(group));
    }
    if (statement_.name == "stablehlo.all_reduce" && differ_in_size(groups))
      text_.unknown(entry.position, "groups of several sizes are something Octet does not have",
                    "make all groups equally large");
  }

  void operator()(const char* name, bool& value) const {
    const Entry* entry = find(statement_.attributes, name);
    value = false;
    if (!entry) return;
    const auto* truth = std::get_if<bool>(&entry->attribute.value);
    if (!truth) wrong(name, "true or false");
    value = *truth;
  }

  void operator()(const char* name, Comparison& direction) const {
    direction = static_cast<Comparison>(choice(required(name).attribute, name, notation::comparisons));
    const Entry* type = find(statement_.attributes, "compare_type");
    if (!type || statement_.operand_types.empty()) return;
    const DType dtype = statement_.operand_types.front().dtype;
    const std::string_view kinds[] = {statement_.unsigned64 ? "UNSIGNED" : notation::comparison_type(dtype, false),
                                      "NOTYPE", is_floating(dtype) ? "TOTALORDER" : "UNSIGNED"};
    choice(type->attribute, "compare_type", std::span{kinds}.first(is_floating(dtype) || statement_.narrow ? 3 : 2));
  }

  void operator()(const char*, DotPrecision& precision) const {
    if (const std::optional<ProductAlgorithm> algorithm = read_algorithm(text_, statement_))
      precision = algorithm->precision;
    const Entry* entry = find(statement_.attributes, "precision_config");
    if (!entry) return;
    const auto* each = std::get_if<std::vector<Attribute>>(&entry->attribute.value);
    if (!each) wrong("precision_config", "a list");
    for (const Attribute& one : *each)
      precision = std::max(precision, static_cast<DotPrecision>(choice(one, "precision_config", notation::precisions)));
  }

  void operator()(const char*, Reducer& reducer) const {
    const std::size_t tensors = statement_.result_types.size();
    if (tensors > 1 && statement_.regions.size() == 1 && statement_.regions.front().arguments.size() == 2 * tensors)
      text_.unknown(statement_.position,
                    statement_.name + " of several tensors at once is something Octet does not have",
                    "say it of each tensor by itself");
    const Region& region = this->region(2);
    const std::string_view left = region.arguments[0].name, right = region.arguments[1].name;
    const std::vector<Statement>& statements = region.statements;
    if (!statement_.operand_types.empty())
      require_elements(region, std::vector<DType>(2, statement_.operand_types.front().dtype));
    if (statements.size() == 1 && returns(statements[0], right)) {
      reducer = Reducer::replace;
      return;
    }
    if (statements.size() == 2 && statements[0].results.size() == 1 &&
        returns(statements[1], statements[0].results[0].name))
      for (const auto& [kind, op] : notation::reducers)
        if (operation(op).name == statements[0].name &&
            (applied(statements[0], left, right) || applied(statements[0], right, left))) {
          require_elementwise(region, region.arguments[0].type);
          reducer = notation::of_elements(kind, region.arguments[0].type.dtype);
          return;
        }
    if (subtracts(statement_)) {
      reducer = Reducer::add;
      return;
    }
    text_.unknown(region.position, "the region of " + statement_.name +
                                       " is not one of add, multiply, maximum, minimum, and, or of its two arguments");
  }

  void operator()(const char*, SortDirection& direction) const {
    const Region& region = this->region(2 * statement_.operands.size());
    const std::vector<Statement>& statements = region.statements;
    std::vector<DType> pairs;
    for (const TensorType& type : statement_.operand_types) pairs.insert(pairs.end(), 2, type.dtype);
    require_elements(region, pairs);
    if (statements.size() == 2 && !region.arguments.empty()) require_elementwise(region, {DType::pred, {}});
    const std::optional<Ordering> ordering = ordering_of(region);
    if (!ordering)
      text_.unknown(region.position,
                    "the region of stablehlo.sort does not order by its first operand, or by that and then the second, "
                    "floating-point numbers in the total order or as JAX orders them",
                    "compare_type = #stablehlo<comparison_type TOTALORDER>");
    direction = ordering->directions.front();
  }

 private:
  static bool says(const Attribute& attribute, std::string_view word) {
    const auto* text = std::get_if<std::string>(&attribute.value);
    return text && *text == word;
  }
  friend bool octet::syntax::subtracts(const Statement& statement);
  static bool uses(const Use& use, std::string_view name) { return use.name == ValueName{name, 0}; }
  static bool returns(const Statement& statement, std::string_view name) {
    return statement.name == "stablehlo.return" && statement.operands.size() == 1 && uses(statement.operands[0], name);
  }
  static bool applied(const Statement& statement, std::string_view a, std::string_view b) {
    return statement.operands.size() == 2 && uses(statement.operands[0], a) && uses(statement.operands[1], b);
  }

  /// Counts the dimension of a sort from the front.
  void from_the_back(std::int64_t& dimension) const {
    const std::int64_t rank = statement_.operand_types.empty() ? 0 : statement_.operand_types.front().shape.rank();
    if (dimension < 0 && dimension >= -rank) dimension += rank;
  }

  /// The arguments of `region` are single elements of these types.
  void require_elements(const Region& region, const std::vector<DType>& types) const {
    for (std::size_t i = 0; i < std::min(types.size(), region.arguments.size()); ++i)
      require_element(region, region.arguments[i].type, {types[i], {}});
  }
  /// The only operation of `region` is on elements as its arguments are, and makes one of this type.
  void require_elementwise(const Region& region, const TensorType& made) const {
    const Statement& operation = region.statements.front();
    for (std::size_t i = 0; i < operation.operand_types.size(); ++i) {
      const auto named = std::ranges::find_if(region.arguments, [&](const Argument& argument) {
        return i < operation.operands.size() && uses(operation.operands[i], argument.name);
      });
      const Argument& argument = named == region.arguments.end() ? region.arguments.front() : *named;
      require_element(region, operation.operand_types[i], argument.type);
    }
    for (const TensorType& type : operation.result_types) require_element(region, type, made);
  }
  void require_element(const Region& region, const TensorType& type, const TensorType& expected) const {
    if (type == expected) return;
    text_.refuse(region.position, "the region of " + statement_.name + " is of " + literal::type(type) +
                                      " where it takes one element, " + literal::type(expected));
  }

  [[noreturn]] void wrong(std::string_view name, const std::string& kind) const {
    const Entry* entry = find(statement_.attributes, name);
    const auto* alias = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
    if (alias && alias->starts_with('#'))
      text_.unknown(entry->position, "what " + *alias + " stands for is something Octet does not look up",
                    "write it where its name stands");
    text_.refuse(entry ? entry->position : statement_.position,
                 std::string{name} + " of " + statement_.name + " is not " + kind);
  }
  const Entry& required(std::string_view name) const {
    const Entry* entry = find(statement_.attributes, name);
    if (!entry) text_.refuse(statement_.position, statement_.name + " lacks its attribute " + std::string{name});
    return *entry;
  }
  /// The entry of a field that may stand in the structure; nullptr where the structure leaves it out, empty or 0.
  const Entry* structural(std::string_view name) const {
    return structure_ && notation::in_structure(name) ? find(*structure_, name) : &required(name);
  }
  std::size_t choice(const Attribute& attribute, std::string_view name, std::span<const std::string_view> words) const {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (says(attribute, words[i])) return i;
    std::string listed;
    for (std::string_view word : words) listed += (listed.empty() ? "" : " or ") + std::string{word};
    wrong(name, listed);
  }
  const TensorType& result_type() const {
    if (statement_.result_types.size() != 1)
      text_.refuse(statement_.position,
                   statement_.name + " has one result, this one has " + std::to_string(statement_.result_types.size()));
    return statement_.result_types.front();
  }
  const Region& region(std::size_t arguments) const {
    if (statement_.regions.size() != 1)
      text_.refuse(statement_.position,
                   statement_.name + " has one region, this one has " + std::to_string(statement_.regions.size()));
    const Region& region = statement_.regions.front();
    if (region.arguments.size() != arguments)
      text_.refuse(region.position, "the region of " + statement_.name + " has " +
                                        std::to_string(region.arguments.size()) + " arguments and needs " +
                                        std::to_string(arguments));
    return region;
  }

  const Cursor& text_;
  const Statement& statement_;
  const Dictionary* structure_ = nullptr;
};

}  // namespace

std::optional<Dims> integers(const Attribute& attribute) {
  if (const auto* dims = std::get_if<Dims>(&attribute.value)) return *dims;
  Dims result;
  if (const auto* items = std::get_if<std::vector<Attribute>>(&attribute.value)) {
    for (const Attribute& item : *items) {
      const auto* value = std::get_if<std::int64_t>(&item.value);
      if (!value) return std::nullopt;
      result.push_back(*value);
    }
  } else if (const auto* tensor = std::get_if<Tensor>(&attribute.value); tensor && tensor->dtype() == DType::i64) {
    const auto values = tensor->span<std::int64_t>();
    result.assign(values.begin(), values.end());
  } else {
    return std::nullopt;
  }
  const auto small = [](std::int64_t v) { return v <= Cursor::largest_integer && v >= -Cursor::largest_integer; };
  return std::all_of(result.begin(), result.end(), small) ? std::optional{std::move(result)} : std::nullopt;
}

Attributes read_attributes(const Cursor& text, const Statement& statement, Op op) {
  Attributes attributes = notation::blank_attributes(op);
  const FieldReader reader{text, statement, op};
  std::visit([&](auto& fields) { fields.fields(fields, reader); }, attributes);
  return attributes;
}

std::optional<ProductAlgorithm> read_algorithm(const Cursor& text, const Statement& statement) {
  const Entry* algorithm = find(statement.attributes, "algorithm");
  if (!algorithm) return std::nullopt;
  const auto* fields = std::get_if<Dictionary>(&algorithm->attribute.value);
  const auto said = [&](std::string_view name) -> std::string_view {
    const Entry* entry = fields ? find(*fields, name) : nullptr;
    const auto* word = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
    return word ? std::string_view{*word} : std::string_view{};
  };
  const auto all_of = [&](DType a, DType b) {
    return std::ranges::all_of(statement.operand_types,
                               [&](const TensorType& type) { return type.dtype == a || type.dtype == b; });
  };
  const std::string_view type = said("lhs_precision_type"), products = said("num_primitive_operations"),
                         sums = said("accumulation_type");
  if (said("rhs_precision_type") == type && said("lhs_component_count") == "1" && said("rhs_component_count") == "1") {
    if (type == "bf16" && sums == "f32" && all_of(DType::f32, DType::bf16)) {
      if (products == "1") return ProductAlgorithm{DotPrecision::DEFAULT, true};
      if (products == "3") return ProductAlgorithm{DotPrecision::HIGH, false};
      if (products == "6" || products == "9") return ProductAlgorithm{DotPrecision::HIGHEST, false};
    }
    if (type == "f32" && sums == "f32" && products == "1" && all_of(DType::f32, DType::bf16))
      return ProductAlgorithm{DotPrecision::HIGHEST, false};
    if (type == "f64" && sums == "f64" && products == "1" && all_of(DType::f64, DType::f64))
      return ProductAlgorithm{DotPrecision::HIGHEST, false};
  }
  text.unknown(algorithm->position,
               "algorithm of " + statement.name + " is none that a matrix unit of bf16 products runs on such operands",
               "ask for a precision instead: DEFAULT, HIGH or HIGHEST");
}

DotPrecision read_precision(const Cursor& text, const Statement& statement) {
  DotPrecision precision{};
  FieldReader{text, statement, Op::negate}("precision", precision);
  return precision;
}

bool subtracts(const Statement& statement) {
  if (statement.name != "stablehlo.scatter" || statement.regions.size() != 1) return false;
  const auto& [arguments, statements, position] = statement.regions.front();
  return arguments.size() == 2 && statements.size() == 2 && statements[0].name == "stablehlo.subtract" &&
         statements[0].results.size() == 1 &&
         FieldReader::applied(statements[0], arguments[0].name, arguments[1].name) &&
         FieldReader::returns(statements[1], statements[0].results[0].name);
}

Reducer read_reducer(const Cursor& text, const Statement& statement) {
  Reducer reducer{};
  FieldReader{text, statement, Op::reduce}("reducer", reducer);
  return reducer;
}

}  // namespace octet::syntax
