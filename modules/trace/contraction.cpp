module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

Array dot_general(operand a, operand b, DotAttributes attributes) {
  return apply_one(Op::dot_general, {a.array(), b.array()}, std::move(attributes), Place::of(a.where()));
}

Array matmul(operand a, operand b) {
  const Array x = a.array(), y = b.array();
  for (const Array& each : {x, y}) require_rank(each, 1, "matmul", Place::of(a.where()));
  DotAttributes attributes;
  attributes.lhs_contracting_dimensions = {x.rank() - 1};
  attributes.rhs_contracting_dimensions = {y.rank() > 1 ? y.rank() - 2 : 0};
  for (std::int64_t d = 0; d < y.rank() - 2; ++d) {
    attributes.lhs_batching_dimensions.push_back(d);
    attributes.rhs_batching_dimensions.push_back(d);
  }
  return dot_general(a, b, std::move(attributes));
}

}  // namespace octet
