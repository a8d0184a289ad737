module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :derivatives;
import :reachable;

namespace octet::derivatives {

namespace {

/// The arrays among `arrays` at `places`.
Arrays at(const Arrays& arrays, const std::vector<std::size_t>& places) {
  Arrays result;
  for (std::size_t place : places) result.push_back(arrays[place]);
  return result;
}

Arrays joined(Arrays a, const Arrays& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Which of `arrays` can have a cotangent at all.
std::vector<std::size_t> floating(const Arrays& arrays) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (is_floating(arrays[i].dtype())) places.push_back(i);
  return places;
}

std::vector<std::size_t> present(const Arrays& cotangents) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < cotangents.size(); ++i)
    if (!cotangents[i].empty()) places.push_back(i);
  return places;
}

const Tensor* initial_counter(const Array& array) {
  const Array* at = &array;
  while (at->expression()->kind == Expression::Kind::alias || at->expression()->op == Op::optimization_barrier)
    at = &at->expression()->inputs[static_cast<std::size_t>(at->index())];
  const Expression& expression = *at->expression();
  const auto* attributes = std::get_if<ConstantAttributes>(&expression.attributes);
  return expression.kind == Expression::Kind::operation && attributes ? &attributes->value : nullptr;
}

}  // namespace

Cotangents if_(const Derivation& d) {
  const Arrays captured{d.inputs.begin() + 1, d.inputs.end()};
  const auto wanted = floating(captured), given = present(d.cotangents);
  const Arrays cotangents = at(d.cotangents, given);
  if (wanted.empty()) return Cotangents(d.inputs.size());
  std::vector<Graph> regions;
  for (const Graph& branch : d.expression.regions) {
    const Arrays inputs = parameters_like(captured), seeds = parameters_like(cotangents);
    const Arrays results = vector_jacobian_product(at(inlined(branch, inputs), given), seeds, at(inputs, wanted));
    regions.push_back(region(branch.name() + "_cotangent", joined(inputs, seeds), {}, results));
  }
  const Arrays results = apply(Op::if_, joined(joined({d.inputs[0]}, captured), cotangents), NoAttributes{},
                               d.expression.place, std::move(regions));
  Cotangents all(d.inputs.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) all[wanted[i] + 1] = results[i];
  return all;
}

Cotangents while_(const Derivation& d) {
  const Graph &condition = d.expression.regions[0], &body = d.expression.regions[1];
  const std::int64_t count =
      trip_count(condition, body, [&](std::size_t operand) { return initial_counter(d.inputs[operand]); });
  if (count < 0)
    refuse(d,
           "the number of repetitions is not known when XLA allocates the memory that the way back needs (use "
           "fori_loop or scan)");
  if (count == 0) return d.cotangents;

  const std::size_t n = d.inputs.size();
  std::vector<std::size_t> varying;  // the parts of the state that the body changes
  for (std::size_t i = 0; i < n; ++i)
    if (body.results()[i] != body.parameters()[i]) varying.push_back(i);
  const auto split = [n](const Arrays& arrays) {
    return std::pair{Arrays{arrays.begin(), arrays.begin() + static_cast<std::ptrdiff_t>(n)},
                     Arrays{arrays.begin() + static_cast<std::ptrdiff_t>(n), arrays.end()}};
  };

  // The way there, once more, writing down what each repetition starts from.
  Arrays start = d.inputs;
  for (std::size_t i : varying) {
    Dims shape = d.inputs[i].shape().extents();
    shape.insert(shape.begin(), count);
    start.push_back(zeros({d.inputs[i].dtype(), Shape{shape}}));
  }
  const Arrays recorded = split(fori_arrays(
                                    0, count,
                                    [&](const Array& k, const Arrays& all) {
                                      auto [state, record] = split(all);
                                      for (std::size_t v = 0; v < varying.size(); ++v)
                                        record[v] = update_leading(record[v], state[varying[v]], k);
                                      return joined(inlined(body, state), record);
                                    },
                                    start, d.expression.place))
                              .second;

  // The way back: the cotangents are the state.
  const auto wanted = floating(d.inputs);
  Arrays seeds;
  for (std::size_t i : wanted) seeds.push_back(d.cotangents[i].empty() ? zeros(d.inputs[i].type()) : d.cotangents[i]);
  const Arrays results = fori_arrays(
      0, count,
      [&](const Array& k, const Arrays& cotangents) {
        const Array repetition = static_cast<std::int32_t>(count - 1) - k;
        Arrays state = d.inputs;
        for (std::size_t v = 0; v < varying.size(); ++v) state[varying[v]] = index_leading(recorded[v], repetition);
        Arrays variables;
        for (const Array& array : state) variables.push_back(alias(array));
        return vector_jacobian_product(at(inlined(body, variables), wanted), cotangents, at(variables, wanted));
      },
      seeds, d.expression.place);
  Cotangents all(n);
  for (std::size_t i = 0; i < wanted.size(); ++i) all[wanted[i]] = results[i];
  return all;
}

}  // namespace octet::derivatives
