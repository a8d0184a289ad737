module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :trace_difference;

namespace octet {

namespace {

/// A constant's value as it is remembered. Few are ever printed.
struct Value {
  double number;
  std::int64_t whole;  ///< of an integer
  DType dtype;
};

std::string text_of(const TraceDigest::Operation& operation) {
  std::string text{name(operation.op)};
  if (operation.value.size() != sizeof(Value)) return text;
  Value value;
  std::memcpy(&value, operation.value.data(), sizeof value);
  if (is_integer(value.dtype)) return text + " " + std::to_string(value.whole);
  return text + " " +
         (value.dtype == DType::f32 ? shortest_decimal(static_cast<float>(value.number))
                                    : shortest_decimal(value.number));
}

std::string value_of(const Node& node) {
  if (node.op != Op::constant) return {};
  const Tensor& value = std::get<ConstantAttributes>(node.attributes).value;
  if (value.elements() != 1) return {};
  std::string bytes(sizeof(Value), '\0');
  Value remembered{};  // with its padding
  remembered.number = value.item();
  if (is_integer(value.dtype())) remembered.whole = value.converted(DType::i64).span<std::int64_t>()[0];
  remembered.dtype = value.dtype();
  std::memcpy(bytes.data(), &remembered, sizeof remembered);
  return bytes;
}

}  // namespace

TraceDigest digest(const Graph& graph) {
  TraceDigest result;
  result.operations.reserve(graph.nodes().size());
  for (const Node& node : graph.nodes()) {
    Hasher hasher;
    hasher.add(std::as_bytes(std::span{node.inputs})).add(hash(node.attributes));
    for (const Graph& region : node.regions) hasher.add(hash(region));
    result.operations.push_back({node.op, hasher.value(), value_of(node), node.place});
  }
  Hasher hasher;
  hasher.add(std::as_bytes(std::span{graph.parameters()})).add(std::as_bytes(std::span{graph.results()}));
  result.results = hasher.value();
  return result;
}

std::string TraceDifference::text() const {
  if (now.empty() && before.empty()) return "the results are other values of the same operations";
  const std::string which = "operation " + std::to_string(operation) + " is ";
  if (now.empty()) return which + "missing, before " + before;
  if (before.empty()) return which + now + ", before there was none";
  if (now == before) return which + now + " of other operands or attributes than before";
  return which + now + ", before " + before;
}

std::optional<TraceDifference> first_difference(const TraceDigest& now, const TraceDigest& before) {
  const std::size_t common = std::min(now.operations.size(), before.operations.size());
  for (std::size_t i = 0; i < common; ++i) {
    const TraceDigest::Operation &a = now.operations[i], &b = before.operations[i];
    if (a.op != b.op || a.hash != b.hash) return TraceDifference{i, text_of(a), text_of(b), a.place};
  }
  if (now.operations.size() > common) {
    const TraceDigest::Operation& more = now.operations[common];
    return TraceDifference{common, text_of(more), "", more.place};
  }
  if (before.operations.size() > common) {
    const TraceDigest::Operation& less = before.operations[common];
    return TraceDifference{common, "", text_of(less), less.place};
  }
  if (now.results != before.results) return TraceDifference{.operation = common};
  return std::nullopt;
}

std::optional<TraceDifference> first_difference(const Graph& now, const Graph& before) {
  return first_difference(digest(now), digest(before));
}

Diagnostic unstable_trace(const std::string& function, const TraceDifference& difference) {
  return {
      .number = 306,
      .sentence =
          "Traced twice for the same arguments, " + function + " became two programs: " + difference.text() + ".",
      .where = difference.where,
      .fix = {
          "pass what changes as an argument: a Tensor for data, a number for what each value has a program of its own",
          "keep out of the function what changes by itself: counters, clocks, random generators, iteration over "
          "unordered containers"}};
}

}  // namespace octet
