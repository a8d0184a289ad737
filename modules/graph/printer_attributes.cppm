/// The attributes of one operation as text, from their fields.
module octet.graph:printer_attributes;
import octet.base;
import octet.standard;
import :attributes;
import :graph;
import :literal;
import :notation;
import :operation;

namespace octet {

/// Groups as a table of integers with at least so many columns; shorter groups are filled up with -1.
inline std::string groups_text(const ReplicaGroups& groups, std::size_t columns) {
  std::size_t longest = columns;
  for (const Dims& group : groups) longest = std::max(longest, group.size());
  const std::string type = "tensor<" + std::to_string(groups.size()) + "x" + std::to_string(longest) + "xi64>";
  if (groups.empty() || longest == 0) return "dense<> : " + type;
  return "dense<[" +
         literal::joined(groups,
                         [&](Dims group) {
                           group.resize(longest, -1);
                           return to_string(group);
                         }) +
         "]> : " + type;
}

/// Visits the fields of `node`'s attributes and keeps them as `name = value`. Reducers and directions of sorting are
/// regions.
struct AttributeText {
  const Graph& graph;
  const Node& node;
  std::size_t constant_elements;
  std::vector<std::string> items = {}, structure = {};

  void add(const std::string& name, const std::string& value) { items.push_back(name + " = " + value); }
  bool in_structure(const char* name) const { return notation::structure_of(node.op) && notation::in_structure(name); }

  void operator()(const char* name, const Tensor& value) {
    add(name, literal::dense(value, constant_elements) + " : " + literal::type(value.type()));
  }
  void operator()(const char*, const TensorType&) {}  // the type of the result
  void operator()(const char*, const std::vector<TensorType>&) {}
  void operator()(const char*, const Shape&) {}
  void operator()(const char* name, const std::string& value) { add(name, literal::quoted(value)); }
  void operator()(const char*, Reducer) {}
  void operator()(const char*, SortDirection) {}
  void operator()(const char* name, std::int64_t value) {
    if (!in_structure(name))
      add(name, std::to_string(value) + " : i64");
    else if (value)
      structure.push_back(std::string{name} + " = " + std::to_string(value));
  }
  void operator()(const char* name, bool value) { add(name, value ? "true" : "false"); }
  void operator()(const char* name, const Dims& dims) {
    const std::string numbers = to_string(dims);
    if (!in_structure(name))
      add(name, dims.empty() ? "array<i64>" : "array<i64: " + numbers.substr(1, numbers.size() - 2) + ">");
    else if (!dims.empty())
      structure.push_back(name + (" = " + numbers));
  }
  void operator()(const char* name, const ReplicaGroups& groups) {
    add(name, groups_text(groups, node.op == Op::collective_permute ? 2 : 0));
  }
  void operator()(const char* name, Comparison direction) {
    add(name, comparison(direction));
    if (!node.inputs.empty()) add("compare_type", comparison_type(graph.type(node.inputs[0]).dtype, false));
  }
  void operator()(const char*, DotPrecision precision) {
    const std::string one =
        "#stablehlo<precision " + std::string{notation::precisions[static_cast<std::size_t>(precision)]} + ">";
    add("precision_config", "[" + one + ", " + one + "]");
  }

  static std::string comparison(Comparison direction) {
    return "#stablehlo<comparison_direction " +
           std::string{notation::comparisons[static_cast<std::size_t>(direction)]} + ">";
  }
  static std::string comparison_type(DType dtype, bool total_order) {
    return "#stablehlo<comparison_type " + std::string{notation::comparison_type(dtype, total_order)} + ">";
  }

  /// ` {a = 1 : i64, b = 2 : i64}`; empty where there are none.
  std::string text() {
    if (const notation::Structure* kept = notation::structure_of(node.op))
      add(std::string{kept->attribute}, "#stablehlo." + std::string{kept->name} + "<" +
                                            literal::joined(structure, [](const std::string& item) { return item; }) +
                                            ">");
    return items.empty() ? "" : " {" + literal::joined(items, [](const std::string& item) { return item; }) + "}";
  }
};

}  // namespace octet
