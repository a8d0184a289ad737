module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :graph;
import :literal;
import :notation;
import :operation;
import :printer;
import :printer_attributes;
import :reference;

namespace octet {

namespace {

using literal::joined;
using Names = std::vector<std::string>;

std::string types_text(const std::vector<TensorType>& types) { return "(" + joined(types, literal::type) + ")"; }

std::string result_types_text(const std::vector<TensorType>& types) {
  return types.size() == 1 ? literal::type(types.front()) : types_text(types);
}

/// `@main`, in quotes where the name is no word.
std::string symbol(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const bool plain = !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '$' || c == '.';
  });
  return "@" + (plain ? name : literal::quoted(name));
}

/// The largest replica number that the collectives of `graph` name.
std::int64_t largest_replica(const Graph& graph) {
  std::int64_t largest = 0;
  for (const Node& node : graph.nodes()) {
    const auto look = [&]<class Field>(const char*, const Field& field) {
      if constexpr (std::is_same_v<Field, ReplicaGroups>)
        for (const Dims& group : field)
          for (std::int64_t replica : group) largest = std::max(largest, replica);
    };
    std::visit([&](const auto& attributes) { attributes.fields(attributes, look); }, node.attributes);
    for (const Graph& region : node.regions) largest = std::max(largest, largest_replica(region));
  }
  return largest;
}

/// Whether reading the branches of an `if` finds its operands again, in their order: each is another value, and their
/// first uses come in that order.
bool operands_show(const Node& node) {
  for (std::size_t i = 1; i < node.inputs.size(); ++i)
    if (std::count(node.inputs.begin() + 1, node.inputs.end(), node.inputs[i]) > 1) return false;
  std::size_t found = 0;
  bool in_order = true;
  for (const Graph& region : node.regions) {
    const auto use = [&](const std::vector<ValueId>& values) {
      for (ValueId value : values) {
        const auto& parameters = region.parameters();
        const auto at =
            static_cast<std::size_t>(std::find(parameters.begin(), parameters.end(), value) - parameters.begin());
        if (at == parameters.size() || at < found) continue;
        in_order = in_order && at == found;
        ++found;
      }
    };
    for (const Node& inner : region.nodes()) use(inner.inputs);
    use(region.results());
  }
  return in_order && found + 1 >= node.inputs.size();
}

class Printer {
 public:
  Printer(const Graph& graph, const PrintOptions& options) : options_{options} {
    const auto replicas = std::max(static_cast<std::int64_t>(options.replicas), largest_replica(graph) + 1);
    line("module " + symbol(graph.name()) +
         " attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = " + std::to_string(replicas) + " : i32} {");
    ++indent_;
    Names names = blank_names(graph);
    std::string parameters;
    for (std::size_t position = 0; position < graph.parameters().size(); ++position) {
      const ValueId id = graph.parameters()[position];
      const std::string& label = graph.values()[static_cast<std::size_t>(id)].name;
      parameters += (parameters.empty() ? "" : ", ") + argument(graph, id, names);
      std::string about = label.empty() ? "" : "jax.arg_info = " + literal::quoted(label);
      if (const auto over = options.written_over.find(position); over != options.written_over.end()) {
        require_written_over(graph, position, over->second);
        about += (about.empty() ? "" : ", ") + ("tf.aliasing_output = " + std::to_string(over->second)) + " : i32";
      }
      if (options.sharded.contains(position))
        about += (about.empty() ? "" : ", ") + std::string{"octet.sharded = true"};
      if (!about.empty()) parameters += " {" + about + "}";
    }
    line("func.func public @main(" + parameters + ") -> " + types_text(graph.result_types()) + " {");
    body(graph, names, "func.return");
    line("}");
    --indent_;
    line("}");
  }

  std::string take() && { return std::move(text_); }

 private:
  static void require_written_over(const Graph& graph, std::size_t parameter, std::size_t result) {
    if (result < graph.results().size() &&
        graph.type(graph.results()[result]) == graph.type(graph.parameters()[parameter]))
      return;
    fail({.number = 404,
          .sentence = "Result " + std::to_string(result) + " cannot lie where parameter " + std::to_string(parameter) +
                      " lay: there is none of its type.",
          .fix = {"let each result be written over a parameter of its own type"}});
  }
  static Names blank_names(const Graph& graph) { return Names(graph.values().size(), "%undefined"); }
  static const std::string& name_of(const Names& names, ValueId id) { return names[static_cast<std::size_t>(id)]; }
  static std::string uses(const Names& names, std::span<const ValueId> ids) {
    return joined(ids, [&](ValueId id) { return name_of(names, id); });
  }

  void line(const std::string& content) {
    text_ += std::string(static_cast<std::size_t>(indent_) * 2, ' ') + content + "\n";
  }
  std::string new_argument() { return "%arg" + std::to_string(next_argument_++); }
  std::string new_value() { return "%" + std::to_string(next_value_++); }

  /// Names the parameter `id`: `%arg0: tensor<f32>`.
  std::string argument(const Graph& graph, ValueId id, Names& names) {
    names[static_cast<std::size_t>(id)] = new_argument();
    return name_of(names, id) + ": " + literal::type(graph.type(id));
  }

  void block(const std::vector<std::string>& arguments) {
    if (arguments.empty()) return;
    --indent_;
    line("^bb0(" + joined(arguments, [](const std::string& item) { return item; }) + "):");
    ++indent_;
  }

  /// The nodes and the results, one level deeper.
  void body(const Graph& graph, Names& names, const std::string& terminator) {
    ++indent_;
    for (const Node& node : graph.nodes()) print(graph, node, names);
    line("\"" + terminator + "\"(" + uses(names, graph.results()) + ") : " + types_text(graph.result_types()) +
         " -> ()");
    --indent_;
  }

  void print(const Graph& graph, const Node& node, Names& names) {
    std::vector<TensorType> operand_types = graph.types(node.inputs);
    std::string operands = uses(names, node.inputs);
    if (node.op == Op::reduce) {
      const Tensor initial =
          neutral_element(std::get<ReduceAttributes>(node.attributes).reducer, operand_types.front().dtype);
      operands += ", " + constant(initial);
      operand_types.push_back(initial.type());
    } else if (node.op == Op::if_) {
      operands = name_of(names, node.inputs.front());
      operand_types.resize(1);
    }

    std::string start;
    if (!node.outputs.empty()) {
      const std::string name = new_value();
      start = name + (node.outputs.size() > 1 ? ":" + std::to_string(node.outputs.size()) : "") + " = ";
      for (std::size_t i = 0; i < node.outputs.size(); ++i)
        names[static_cast<std::size_t>(node.outputs[i])] =
            name + (node.outputs.size() > 1 ? "#" + std::to_string(i) : "");
    }
    AttributeText attributes{graph, node, options_.constant_elements};
    std::visit([&](const auto& fields) { fields.fields(fields, attributes); }, node.attributes);
    const std::string end = attributes.text() + " : " + types_text(operand_types) + " -> " +
                            result_types_text(graph.types(node.outputs)) + location(node.place);

    start += "\"" + std::string{operation(node.op).name} + "\"(" + operands + ")";
    const std::size_t line_start = text_.size();
    line(start + " ({");
    const std::size_t before = text_.size();
    regions(graph, node, names);
    if (text_.size() == before) {
      text_.resize(line_start);
      line(start + end);
    } else {
      line("})" + end);
    }
  }

  /// A constant of its own line; returns its name.
  std::string constant(const Tensor& value) {
    const std::string name = new_value(), type = literal::type(value.type());
    line(name + " = \"stablehlo.constant\"() {value = " + literal::dense(value) + " : " + type + "} : () -> " + type);
    return name;
  }

  std::string location(const Place& place) const {
    if (!options_.places || !place.known()) return {};
    const std::string file = literal::quoted(place.file.string()) + ":" + std::to_string(place.line) + ":0";
    return place.function.empty() ? " loc(" + file + ")"
                                  : " loc(" + literal::quoted(place.function.string()) + "(" + file + "))";
  }

  void regions(const Graph& graph, const Node& node, Names& names) {
    if (node.op == Op::if_)
      branches(graph, node, names);
    else if (node.op == Op::while_)
      loop(node);
    else if (const auto* attributes = std::get_if<SortAttributes>(&node.attributes))
      comparator(graph, node, *attributes);
    else
      std::visit(
          [&](const auto& fields) {
            if constexpr (requires { fields.reducer; }) reducer(graph.type(node.inputs.front()).dtype, fields.reducer);
          },
          node.attributes);
  }

  void loop(const Node& node) {
    for (std::size_t r = 0; r < node.regions.size(); ++r) {
      const Graph& region = node.regions[r];
      if (r) line("}, {");
      Names names = blank_names(region);
      std::vector<std::string> arguments;
      for (ValueId id : region.parameters()) arguments.push_back(argument(region, id, names));
      ++indent_;
      block(arguments);
      --indent_;
      body(region, names, "stablehlo.return");
    }
  }

  void branches(const Graph& graph, const Node& node, const Names& names) {
    const bool show = operands_show(node);
    for (std::size_t r = 0; r < node.regions.size(); ++r) {
      const Graph& region = node.regions[r];
      if (r) line("}, {");
      Names inner = blank_names(region);
      for (std::size_t i = 0; i < region.parameters().size() && i + 1 < node.inputs.size(); ++i) {
        std::string& name = inner[static_cast<std::size_t>(region.parameters()[i])];
        name = name_of(names, node.inputs[i + 1]);
        if (show) continue;
        const std::string type = literal::type(graph.type(node.inputs[i + 1])), alias = new_value();
        line("  " + alias + " = \"stablehlo.reshape\"(" + name + ") {" + std::string{notation::branch_parameter} +
             " = " + std::to_string(i) + " : i64} : (" + type + ") -> " + type);
        name = alias;
      }
      body(region, inner, "stablehlo.return");
    }
  }

  /// A region of scalars that applies one operation to its first two arguments, or, with none, returns the second.
  void scalars(const std::vector<DType>& dtypes, const std::string& operation, const std::string& attributes,
               DType result) {
    const auto scalar = [](DType dtype) { return literal::type({dtype, {}}); };
    std::vector<std::string> names, arguments;
    for (DType dtype : dtypes) {
      names.push_back(new_argument());
      arguments.push_back(names.back() + ": " + scalar(dtype));
    }
    ++indent_;
    block(arguments);
    std::string value = names[1];
    if (!operation.empty()) {
      value = new_value();
      line(value + " = \"" + operation + "\"(" + names[0] + ", " + names[1] + ")" + attributes + " : (" +
           scalar(dtypes[0]) + ", " + scalar(dtypes[1]) + ") -> " + scalar(result));
    }
    line("\"stablehlo.return\"(" + value + ") : (" + scalar(result) + ") -> ()");
    --indent_;
  }

  void reducer(DType dtype, Reducer reducer) {
    std::string operation;
    for (const auto& [kind, op] : notation::reducers)
      if (kind == reducer) operation = octet::operation(op).name;
    scalars({dtype, dtype}, operation, {}, dtype);
  }

  void comparator(const Graph& graph, const Node& node, const SortAttributes& attributes) {
    std::vector<DType> dtypes;
    for (ValueId id : node.inputs) dtypes.insert(dtypes.end(), 2, graph.type(id).dtype);
    const Comparison direction = attributes.direction == SortDirection::ascending ? Comparison::LT : Comparison::GT;
    scalars(dtypes, "stablehlo.compare",
            " {comparison_direction = " + AttributeText::comparison(direction) +
                ", compare_type = " + AttributeText::comparison_type(dtypes.front(), true) + "}",
            DType::pred);
  }

  const PrintOptions& options_;
  std::string text_;
  int indent_ = 0;
  int next_argument_ = 0, next_value_ = 0;
};

}  // namespace

std::string to_string(const Graph& graph, const PrintOptions& options) { return Printer{graph, options}.take(); }

}  // namespace octet
