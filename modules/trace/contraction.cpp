module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;

namespace octet {

Array dot_general(operand a, operand b, DotAttributes attributes) {
  return apply_one(Op::dot_general, {a.array(), b.array()}, std::move(attributes), Place::of(a.where()));
}

namespace {

[[noreturn]] void fail_paired(const Array& x, std::int64_t left, const Array& y, std::int64_t right, const char* fix,
                              const std::source_location& where) {
  fail([&] {
    return Diagnostic{.number = 401,
                      .sentence = "matmul: dimension " + std::to_string(left) + " of the left operand " +
                                  to_string(x.type()) + " goes with dimension " + std::to_string(right) +
                                  " of the right operand " + to_string(y.type()) + ", and " +
                                  std::to_string(x.extent(left)) + " is not " + std::to_string(y.extent(right)) + ".",
                      .where = placed(Place::of(where)),
                      .because = because(x.rank() < y.rank() ? y : x),
                      .fix = {fix}};
  });
}

/// An operand of matmul, and what becomes of its dimensions.
struct Factor {
  Array array;
  Dims extents = {};     ///< without those of 1 that serve all of the other's
  Dims batching = {};    ///< among `extents`
  Dims free_batch = {};  ///< dimensions of the result's batch that are this operand's alone
  std::int64_t batch() const { return std::max<std::int64_t>(0, array.rank() - 2); }
};

/// Whether each matrix of `x` goes with the one of `y` in its place, or with the only one there is.
bool is_paired(const Array& x, const Array& y) {
  if (y.rank() <= 2) return true;
  if (x.rank() != y.rank()) return false;
  for (std::int64_t d = 0; d < y.rank() - 2; ++d)
    if (x.extent(d) != y.extent(d)) return false;
  return true;
}

/// Where some dimensions serve all of the other operand. Apart from what each program calls.
[[gnu::noinline]] Array matmul_of_all(operand a, operand b) {
  Factor x{a.array()}, y{b.array()};
  const std::int64_t batch = std::max(x.batch(), y.batch());
  const std::int64_t contracted = x.array.rank() - 1, with = std::max<std::int64_t>(0, y.array.rank() - 2);

  // What one operand alone has stays a free dimension of the product: nothing is repeated.
  Dims both;
  for (std::int64_t d = 0; d < batch; ++d) {
    const std::int64_t left = d - (batch - x.batch()), right = d - (batch - y.batch());
    const auto alone = [&](Factor& factor, std::int64_t own) {
      factor.extents.push_back(factor.array.extent(own));
      factor.free_batch.push_back(d);
    };
    if (right < 0) {
      alone(x, left);
    } else if (left < 0) {
      alone(y, right);
    } else if (x.array.extent(left) == y.array.extent(right)) {
      for (Factor* each : {&x, &y}) {
        each->batching.push_back(std::ssize(each->extents));
        each->extents.push_back(x.array.extent(left));
      }
      both.push_back(d);
    } else if (y.array.extent(right) == 1) {
      alone(x, left);
    } else if (x.array.extent(left) == 1) {
      alone(y, right);
    } else {
      fail_paired(x.array, left, y.array, right, "make them equal, or one of them 1, which serves all of the other",
                  a.where());
    }
  }

  DotAttributes attributes{.lhs_batching_dimensions = x.batching, .rhs_batching_dimensions = y.batching};
  attributes.lhs_contracting_dimensions = {std::ssize(x.extents) + contracted - x.batch()};
  attributes.rhs_contracting_dimensions = {std::ssize(y.extents)};
  for (Factor* each : {&x, &y}) {
    each->extents.insert(each->extents.end(), each->array.shape().begin() + each->batch(), each->array.shape().end());
    if (std::ssize(each->extents) == each->array.rank()) continue;
    if (x.array.extent(contracted) != y.array.extent(with))
      fail_paired(x.array, contracted, y.array, with, "make them equal: transpose or reshape one of the operands",
                  a.where());
  }
  const Array product = dot_general({reshape({x.array, a.where()}, x.extents), a.where()},
                                    {reshape({y.array, a.where()}, y.extents), a.where()}, std::move(attributes));

  // The product has the dimensions of both, then those of the left operand, then those of the right one.
  Dims order = both;
  order.insert(order.end(), x.free_batch.begin(), x.free_batch.end());
  if (x.array.rank() > 1) order.push_back(batch);
  order.insert(order.end(), y.free_batch.begin(), y.free_batch.end());
  if (y.array.rank() > 1) order.push_back(batch + 1);
  Dims permutation(order.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::sort(permutation.begin(), permutation.end(), [&](std::int64_t one, std::int64_t other) {
    return order[static_cast<std::size_t>(one)] < order[static_cast<std::size_t>(other)];
  });
  return transpose({product, a.where()}, std::move(permutation));
}

}  // namespace

Array matmul(operand a, operand b) {
  const ComposedAt scope{a.where()};
  const Array x = a.array(), y = b.array();
  for (const Array& each : {x, y}) require_rank(each, 1, "matmul", Place::of(a.where()));
  if (!is_paired(x, y)) return matmul_of_all(a, b);
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
