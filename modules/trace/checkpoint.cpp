module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :derivatives;
import :reachable;

namespace octet {

namespace {

/// `results` computed a second time, with `others` in the place of `kept`.
Arrays computed_from(const Arrays& results, const Arrays& kept, const Arrays& others) {
  std::map<std::pair<const Expression*, int>, Array> now;
  std::unordered_set<const Expression*> ends;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    now[{kept[i].expression().get(), kept[i].index()}] = others[i];
    ends.insert(kept[i].expression().get());
  }
  const auto mapped = [&](Arrays arrays) {
    for (Array& each : arrays) each = Array{now.at({each.expression().get(), each.index()})};
    return arrays;
  };
  const auto met = [&](const Array& array) {
    auto expression = array.expression();
    return ends.contains(expression.get()) ? nullptr : expression;
  };
  for (const auto& expression : reachable(results, met, [](const Expression&) { return false; })) {
    const auto again = repeated(*expression, mapped(expression->inputs));
    for (std::size_t i = 0; i < again->types.size(); ++i)
      now[{expression.get(), static_cast<int>(i)}] = Array{again, static_cast<int>(i)};
  }
  return mapped(results);
}

}  // namespace

std::vector<Array> computed_again(const std::vector<Array>& results, std::uint64_t mark) {
  return aliases(results, captures(results, mark));
}

namespace derivatives {

Cotangents optimization_barrier(const Derivation& d) { return d.cotangents; }

/// What the page does not call is kept apart from what it does: a visitor need not wait for it.
[[gnu::noinline]] Cotangents of_checkpoint(const Derivation& d) {
  const auto count = static_cast<std::ptrdiff_t>(d.outputs.size());
  const Arrays results{d.inputs.begin(), d.inputs.begin() + count}, kept{d.inputs.begin() + count, d.inputs.end()};
  // Not before the cotangents are there, and not once for both ways.
  Arrays behind = kept;
  for (const Array& cotangent : d.cotangents)
    if (!cotangent.empty()) behind.push_back(cotangent);
  behind = apply(Op::optimization_barrier, std::move(behind), NoAttributes{}, d.expression.place);
  Arrays cotangents = d.cotangents;
  auto next = behind.begin() + static_cast<std::ptrdiff_t>(kept.size());
  for (Array& cotangent : cotangents)
    if (!cotangent.empty()) cotangent = Array{*next++};
  behind.resize(kept.size());
  Cotangents all(d.outputs.size());
  for (Array& each : vector_jacobian_product(computed_from(results, kept, behind), cotangents, behind))
    all.push_back(std::move(each));
  return all;
}

Cotangents alias(const Derivation& d) { return d.inputs.size() == d.outputs.size() ? d.cotangents : of_checkpoint(d); }

}  // namespace derivatives

}  // namespace octet
