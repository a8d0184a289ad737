module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :derivatives;
import :reachable;

namespace octet {

namespace {

std::pair<const Expression*, int> key(const Array& array) { return {array.expression().get(), array.index()}; }

/// What `results` reach, but for what `ends` says not to go beyond.
Expressions reached(const Arrays& results, const std::function<bool(const Expression&)>& ends) {
  return reachable(
      results,
      [&](const Array& array) {
        auto expression = array.expression();
        return ends(*expression) ? nullptr : expression;
      },
      [](const Expression&) { return false; });
}

/// `results` computed once more, with `others` in the place of `kept`.
Arrays computed_from(const Arrays& results, const Arrays& kept, const Arrays& others) {
  std::map<std::pair<const Expression*, int>, Array> now;
  std::unordered_set<const Expression*> ends;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    now[key(kept[i])] = others[i];
    ends.insert(kept[i].expression().get());
  }
  const auto mapped = [&](Arrays arrays) {
    for (Array& each : arrays) each = Array{now.at(key(each))};
    return arrays;
  };
  for (const auto& expression :
       reached(results, [&](const Expression& expression) { return ends.contains(&expression); })) {
    const auto again = repeated(*expression, mapped(expression->inputs));
    for (std::size_t i = 0; i < again->types.size(); ++i)
      now[{expression.get(), static_cast<int>(i)}] = Array{again, static_cast<int>(i)};
  }
  return mapped(results);
}

Arrays aliased(const Arrays& arrays) {
  Arrays result;
  for (const Array& array : arrays) result.push_back(alias(array));
  return result;
}

}  // namespace

std::vector<Array> computed_again(const std::vector<Array>& results, std::uint64_t mark) {
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].empty()) fail_empty("array " + std::to_string(i) + " of what the checkpointed function returns");
  // What was there before, all that checkpoints within have to do with included: not all of it may be read.
  std::map<std::pair<std::uint64_t, int>, Array> before;
  const auto outside = [&](const Expression& expression) { return expression.birth < mark; };
  const auto consider = [&](const Array& array) {
    const Expression& expression = *array.expression();
    if (outside(expression) && !is_small_constant(expression))
      before.try_emplace({expression.birth, array.index()}, array);
  };
  for (const Array& result : results) consider(result);
  for (const auto& expression : reached(results, outside))
    for (const Array& input : expression->inputs) consider(input);
  Arrays kept;
  for (auto& [birth, array] : before) kept.push_back(std::move(array));
  return aliases(results, kept);
}

namespace derivatives {

Cotangents optimization_barrier(const Derivation& d) { return d.cotangents; }

Cotangents checkpoint(const Derivation& d, const std::unordered_set<const Expression*>& active) {
  const std::size_t count = d.outputs.size();
  Arrays results, cotangents, kept{d.inputs.begin() + static_cast<std::ptrdiff_t>(count), d.inputs.end()};
  for (std::size_t i = 0; i < count; ++i)
    if (!d.cotangents[i].empty()) {
      results.push_back(d.inputs[i]);
      cotangents.push_back(d.cotangents[i]);
    }
  // The way back from stand-ins, to see what of all this it reads: that alone has to be kept.
  const Arrays stand_ins = aliased(kept), seeds = aliased(cotangents);
  Arrays variables;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (is_floating(kept[i].dtype()) && active.contains(kept[i].expression().get())) {
      variables.push_back(stand_ins[i]);
      places.push_back(count + i);
    }
  const Arrays gradients = vector_jacobian_product(computed_from(results, kept, stand_ins), seeds, variables);
  std::unordered_set<const Expression*> given, read;
  for (const Arrays* arrays : {&stand_ins, &seeds})
    for (const Array& array : *arrays) given.insert(array.expression().get());
  const auto note = [&](const Array& array) { read.insert(array.expression().get()); };
  for (const Array& gradient : gradients) note(gradient);
  for (const auto& expression :
       reached(gradients, [&](const Expression& expression) { return given.contains(&expression); }))
    for (const Array& input : expression->inputs) note(input);
  // Not before the cotangents are there, and not once for both ways.
  Arrays behind, stood;
  const auto read_of = [&](const Arrays& stands, const Arrays& arrays) {
    for (std::size_t i = 0; i < arrays.size(); ++i)
      if (read.contains(stands[i].expression().get())) {
        stood.push_back(stands[i]);
        behind.push_back(arrays[i]);
      }
    return !behind.empty();
  };
  const bool again = read_of(stand_ins, kept);
  read_of(seeds, cotangents);
  if (again) behind = apply(Op::optimization_barrier, std::move(behind), NoAttributes{}, d.expression.place);
  const Arrays final = computed_from(gradients, stood, behind);
  Cotangents all(d.inputs.size());
  for (std::size_t i = 0; i < final.size(); ++i) all[places[i]] = final[i];
  return all;
}

}  // namespace derivatives

}  // namespace octet
