module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :view;

namespace octet {

namespace {

/// Strides of `to` over elements laid out as `from` with `strides`, if there are any: each run of result dimensions
/// must be made of operand dimensions that are evenly spaced.
std::optional<Dims> reshaped(const Shape& from, const Dims& strides, const Shape& to) {
  Dims old_extents, old_strides;
  for (std::int64_t d = 0; d < from.rank(); ++d)
    if (from[d] != 1) {
      old_extents.push_back(from[d]);
      old_strides.push_back(strides[static_cast<std::size_t>(d)]);
    }
  Dims result(static_cast<std::size_t>(to.rank()), 0);
  if (to.elements() == 0) return result;
  std::size_t old = 0;
  std::int64_t next = 0;
  while (next < to.rank()) {
    if (to[next] == 1) {
      ++next;
      continue;
    }
    const std::size_t first_old = old;
    const std::int64_t first_new = next;
    std::int64_t old_product = old_extents[old++], new_product = to[next++];
    while (old_product != new_product)
      if (old_product < new_product)
        old_product *= old_extents[old++];
      else
        new_product *= to[next++];
    for (std::size_t d = first_old; d + 1 < old; ++d)
      if (old_strides[d] != old_strides[d + 1] * old_extents[d + 1]) return std::nullopt;
    std::int64_t stride = old_strides[old - 1];
    for (std::int64_t d = next - 1; d >= first_new; --d) {
      result[static_cast<std::size_t>(d)] = to[d] == 1 ? 0 : stride;
      stride *= to[d];
    }
  }
  return result;
}

}  // namespace

View dense_view(ValueId root, const Shape& shape) { return {root, 0, shape.strides()}; }

bool is_dense(const View& view, const Shape& shape) {
  if (view.offset != 0) return false;
  std::int64_t dense = 1;
  for (std::int64_t d = shape.rank() - 1; d >= 0; dense *= shape[d--])
    if (shape[d] != 1 && view.strides[static_cast<std::size_t>(d)] != dense) return false;
  return true;
}

std::optional<View> viewed_through(const Node& node, const View& source, const Shape& operand, const Shape& result) {
  View view{source.root, source.offset, Dims(static_cast<std::size_t>(result.rank()), 0), source.barrier};
  switch (node.op) {
    case Op::broadcast_in_dim: {
      const Dims& to = std::get<BroadcastAttributes>(node.attributes).broadcast_dimensions;
      for (std::size_t i = 0; i < to.size(); ++i)
        if (operand[static_cast<std::int64_t>(i)] != 1)
          view.strides[static_cast<std::size_t>(to[i])] = source.strides[i];
      return view;
    }
    case Op::transpose: {
      const Dims& permutation = std::get<TransposeAttributes>(node.attributes).permutation;
      for (std::size_t i = 0; i < permutation.size(); ++i)
        view.strides[i] = source.strides[static_cast<std::size_t>(permutation[i])];
      return view;
    }
    case Op::slice: {
      const auto& a = std::get<SliceAttributes>(node.attributes);
      for (std::size_t i = 0; i < a.strides.size(); ++i) {
        view.offset += a.start_indices[i] * source.strides[i];
        view.strides[i] = a.strides[i] * source.strides[i];
      }
      return view;
    }
    case Op::reverse: {
      view.strides = source.strides;
      for (std::int64_t d : std::get<DimensionsAttributes>(node.attributes).dimensions) {
        const auto i = static_cast<std::size_t>(d);
        view.offset += (operand[d] - 1) * view.strides[i];
        view.strides[i] = -view.strides[i];
      }
      return view;
    }
    case Op::reshape:
      if (auto strides = reshaped(operand, source.strides, result)) {
        view.strides = std::move(*strides);
        return view;
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> joint_stride(const View& view, const Shape& shape, const Dims& dims) {
  std::optional<std::int64_t> stride;  // of the innermost dimension that is not 1
  std::int64_t expected = 0;
  for (auto d = dims.rbegin(); d != dims.rend(); ++d) {
    if (shape[*d] == 1) continue;
    const std::int64_t own = view.strides[static_cast<std::size_t>(*d)];
    if (!stride)
      stride = own;
    else if (own != expected)
      return std::nullopt;
    expected = own * shape[*d];
  }
  return stride.value_or(0);
}

std::optional<Dims> inverted(const View& view, const Shape& space, const Shape& root) {
  if (view.offset != 0 || space.elements() != root.elements() || space.elements() == 0) return std::nullopt;
  const Dims written = space.strides(), read = root.strides();
  Dims result(static_cast<std::size_t>(root.rank()), 0);
  for (std::int64_t r = 0; r < root.rank(); ++r) {
    // The dimensions of the space that this one of the root is made of, from the innermost: they must follow each other
    // evenly.
    std::int64_t stride = read[static_cast<std::size_t>(r)], covered = 1, step = 0;
    while (covered < root[r]) {
      std::int64_t found = -1;
      for (std::int64_t d = 0; d < space.rank(); ++d)
        if (space[d] != 1 && view.strides[static_cast<std::size_t>(d)] == stride) found = d;
      if (found < 0 || root[r] % (covered * space[found]) != 0) return std::nullopt;
      const std::int64_t at = written[static_cast<std::size_t>(found)];
      if (covered == 1)
        step = at;
      else if (at != step * covered)
        return std::nullopt;
      covered *= space[found];
      stride *= space[found];
    }
    result[static_cast<std::size_t>(r)] = step;
  }
  return result;
}

}  // namespace octet
