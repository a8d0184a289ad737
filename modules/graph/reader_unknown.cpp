/// What Octet does not have becomes a `custom_call`: its operands and results are known from its types, so the rest of
/// a program can be judged.
module octet.graph;
import octet.base;
import octet.standard;
import :attributes;
import :graph;
import :operation;
import :reader_fields;
import :reader_program;
import :reader_scope;
import :syntax;

namespace octet::syntax {

namespace {

/// The kernel's dimension of output features; -1 where it is not said.
std::int64_t output_dimension(std::string_view layouts) {
  constexpr std::string_view said = "kernel_output_feature_dimension";
  if (const std::size_t raw = layouts.find(said); raw != layouts.npos) {
    const std::size_t digits = layouts.find_first_of("0123456789", raw + said.size());
    std::int64_t dimension = -1;
    if (digits != layouts.npos) std::from_chars(layouts.data() + digits, layouts.data() + layouts.size(), dimension);
    return dimension;
  }
  const std::size_t from = layouts.find('['), kernel = layouts.find('[', from + 1), end = layouts.find(']', kernel);
  if (end == layouts.npos) return -1;
  const std::string_view dimensions = layouts.substr(kernel, end - kernel);
  const std::size_t output = dimensions.find('o');
  return output == dimensions.npos ? -1 : std::ranges::count(dimensions.substr(0, output), ',');
}

/// `m`, `n` and `k` of a convolution as a product: of each element of the result, as much is added up as the kernel
/// has for one output feature. Nothing where neither `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]` nor
/// `raw ... kernel_output_feature_dimension = 3` says which these are.
Dims product_of(const Statement& convolution) {
  const Entry* entry = find(convolution.attributes, "dimension_numbers");
  const auto* layouts = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
  if (!layouts || convolution.operand_types.size() != 2 || convolution.result_types.size() != 1) return {};
  const Shape& weights = convolution.operand_types[1].shape;
  const std::int64_t at = output_dimension(*layouts);
  if (at < 0 || at >= weights.rank() || weights[at] == 0) return {};
  const std::int64_t features = weights[at];
  return {convolution.result_types[0].shape.elements() / features, features, weights.elements() / features};
}

}  // namespace

std::string target_of(const Statement& statement) {
  const Entry* entry = find(statement.attributes, "call_target_name");
  const auto* target = entry ? std::get_if<std::string>(&entry->attribute.value) : nullptr;
  return statement.name == "stablehlo.custom_call" && target ? *target : statement.name;
}

bool Reader::is_of_one_device(const Statement& statement) {
  const std::optional<Op> op = operation_named(statement.name);
  const std::string target = target_of(statement);
  return !(op && is_collective(*op)) && !statement.name.starts_with("sdy.") && !target.starts_with("SPMD") &&
         target != "Sharding";
}

void Reader::note_unknown(const std::string& name, Diagnostic why) {
  if (std::ranges::none_of(unknown_, [&](const auto& each) { return each.first == name; }))
    unknown_.emplace_back(name, std::move(why));
}

void Reader::add_unknown(Graph& graph, Scope& scope, const Statement& statement, Diagnostic why) {
  Statement call = statement;
  const std::string target = target_of(statement);
  std::erase_if(call.attributes, [](const Entry& entry) { return entry.name == "call_target_name"; });
  call.attributes.push_back({"call_target_name", {target}});
  // What Octet wrote says the product itself; of others, an attribute of that name is theirs.
  const Entry* product = find(call.attributes, "product");
  if (!product || statement.name != "stablehlo.custom_call" ||
      !std::holds_alternative<std::vector<std::int64_t>>(product->attribute.value)) {
    std::erase_if(call.attributes, [](const Entry& entry) { return entry.name == "product"; });
    call.attributes.push_back({"product", {product_of(statement)}});
  }
  std::erase_if(call.attributes, [](const Entry& entry) { return entry.name == "parts"; });
  call.attributes.push_back({"parts", {Dims{}}});
  std::vector<ValueId> operands = inputs(graph, scope, statement, inputs_of(statement));
  note_unknown(target, std::move(why));
  append(graph, scope, statement, Op::custom_call, std::move(operands), read_attributes(text_, call, Op::custom_call),
         {});
}

}  // namespace octet::syntax
