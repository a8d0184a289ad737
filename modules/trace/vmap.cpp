module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :batching;
import :reachable;

namespace octet {

BatchedValues batched(Op op, const Attributes& attributes, const std::vector<Graph>& regions, BatchedValues inputs,
                      std::span<const TensorType> types, const Place& place, std::int64_t size) {
  BatchedValues results;
  if (std::any_of(inputs.begin(), inputs.end(), [](const Batched& input) { return input.each; })) {
    if (size > 0) return batching(op)({op, attributes, regions, inputs, types, place, size});
    // Of no examples, not even one can be taken from one operand by another.
    for (const TensorType& type : types) results.push_back({zeros({type.dtype, of_examples(0, type.shape)}), true});
    return results;
  }
  std::vector<Array> arrays;
  for (Batched& input : inputs) arrays.push_back(std::move(input.array));
  for (Array& result : apply(op, std::move(arrays), attributes, place, regions)) results.push_back({std::move(result)});
  return results;
}

InAxes axes_of_arrays(const InAxes& in_axes, const std::vector<std::size_t>& arrays, const Place& place) {
  if (!in_axes.empty() && in_axes.size() != arrays.size())
    fail({.number = 405,
          .sentence = "vmap takes an axis for each argument, and is given " + std::to_string(in_axes.size()) + " for " +
                      std::to_string(arrays.size()) + ".",
          .where = placed(place),
          .fix = {"say std::nullopt of an argument that is the same for all examples"}});
  InAxes axes;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    axes.insert(axes.end(), arrays[i], in_axes.empty() ? std::optional<std::int64_t>{0} : in_axes[i]);
  return axes;
}

std::vector<Array> with_examples_along(std::int64_t axis, std::vector<Array> results, const Place& place) {
  if (axis == 0) return results;
  const ComposedAt scope{place};
  for (Array& result : results) {
    const std::int64_t rank = result.rank(), at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank)
      fail([&] {
        return Diagnostic{.number = 403,
                          .sentence = "vmap was told to count the examples along axis " + std::to_string(axis) +
                                      " of a result, which is " + to_string(result.type()) + " with them and has none.",
                          .where = placed(place),
                          .because = because(result),
                          .fix = {"name an axis from 0 to " + std::to_string(rank - 1)}};
      });
    Dims permutation;
    for (std::int64_t d = 1; d < rank; ++d) permutation.push_back(d);
    permutation.insert(permutation.begin() + at, 0);
    result = transpose(result, permutation);
  }
  return results;
}

namespace {

/// What stands for `operands`, of which the first `count` are what it is, and the others what a checkpoint keeps.
BatchedValues batched_alias(const BatchedValues& operands, std::size_t count) {
  std::vector<Array> own, kept;
  for (std::size_t i = 0; i < operands.size(); ++i) (i < count ? own : kept).push_back(operands[i].array);
  BatchedValues results;
  for (Array& each : aliases(own, kept)) results.push_back({std::move(each), operands[results.size()].each});
  return results;
}

/// `array` with its axis `axis` first.
Array with_first(const Array& array, std::int64_t axis, const Place& place) {
  const std::int64_t rank = array.rank(), at = axis < 0 ? axis + rank : axis;
  if (at < 0 || at >= rank)
    fail({.number = 403,
          .sentence = "vmap was told that axis " + std::to_string(axis) + " of " + to_string(array.type()) +
                      " counts the examples, which it does not have.",
          .where = placed(place),
          .because = because(array),
          .fix = {"say std::nullopt of an argument that is the same for all examples",
                  "let what has another axis, or none, be an argument of its own"}});
  if (at == 0) return array;
  Dims permutation{at};
  for (std::int64_t d = 0; d < rank; ++d)
    if (d != at) permutation.push_back(d);
  return transpose(array, permutation);
}

}  // namespace

std::vector<Array> vmap_arrays(const std::function<std::vector<Array>(const std::vector<Array>&)>& function,
                               const std::vector<Array>& arguments, const InAxes& in_axes, const Place& place) {
  const InAxes axes = axes_of_arrays(in_axes, std::vector<std::size_t>(arguments.size(), 1), place);
  std::optional<std::int64_t> size;
  std::vector<Array> stand_ins = arguments;  // of one example
  const std::uint64_t mark = next_birth();
  std::map<std::pair<const Expression*, int>, Batched> now;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].empty()) fail_empty("array " + std::to_string(i) + " of what vmap maps");
    if (!axes[i]) continue;
    const ComposedAt scope{place};
    Array examples = with_first(arguments[i], *axes[i], place);
    if (size && examples.extent(0) != *size)
      fail({.number = 401,
            .sentence = "vmap is given " + std::to_string(*size) + " examples, and " +
                        std::to_string(examples.extent(0)) + " in " + to_string(arguments[i].type()) + ".",
            .where = placed(place),
            .because = because(arguments[i]),
            .fix = {"give as many of each", "say std::nullopt of an argument that is the same for all examples"}});
    size = examples.extent(0);
    const Shape& all = examples.shape();
    stand_ins[i] = parameter({examples.dtype(), Shape{Dims(all.begin() + 1, all.end())}}, {}, place);
    now[{stand_ins[i].expression().get(), 0}] = {std::move(examples), true};
  }
  if (!size)
    fail({.number = 403,
          .sentence = "vmap needs an argument that has examples, and is given none.",
          .where = placed(place),
          .fix = {"call the function without vmap", "say of an argument which axis counts the examples"}});

  const std::vector<Array> results = function(stand_ins);
  const auto found = [&](const Array& array) { return now.find({array.expression().get(), array.index()}); };
  const auto known = [&](const Array& array) {
    const auto at = found(array);
    return at == now.end() ? Batched{Array{array}} : at->second;
  };
  const auto met = [&](const Array& array) {
    auto expression = array.expression();
    return expression->birth < mark ? nullptr : expression;
  };
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].empty()) fail_empty("array " + std::to_string(i) + " of what the mapped function returns");
  for (const auto& expression : reachable(results, met, [](const Expression&) { return false; })) {
    if (expression->kind == Expression::Kind::parameter) continue;
    // What depends on no example stays as it is; of a barrier or a loop, something else may.
    const auto& inputs = expression->inputs;
    if (std::none_of(inputs.begin(), inputs.end(), [&](const Array& input) { return found(input) != now.end(); }))
      continue;
    BatchedValues operands;
    for (const Array& input : inputs) operands.push_back(known(input));
    const ComposedAt scope{expression->place, true};
    BatchedValues made;
    if (expression->kind == Expression::Kind::alias)
      made = batched_alias(operands, expression->types.size());
    else
      made = batched(expression->op, expression->attributes, expression->regions, std::move(operands),
                     expression->types, expression->place, *size);
    for (std::size_t i = 0; i < made.size(); ++i) now[{expression.get(), static_cast<int>(i)}] = std::move(made[i]);
  }
  std::vector<Array> whole;
  for (const Array& result : results) whole.push_back(for_each_example(known(result), *size));
  return whole;
}

}  // namespace octet
