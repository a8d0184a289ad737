/// What gather and scatter mean. Both move windows of the operand that a tensor of start indices points at; the names
/// of the index parts are those of StableHLO's specification.
module octet.graph;
import octet.standard;
import :reference_meaning;
import :reference_scalar;

namespace octet::reference {

namespace {

bool contains(const Dims& dims, std::int64_t d) { return std::ranges::find(dims, d) != dims.end(); }

/// Calls `function` with each index of `shape`, row-major, and its place.
template <class Function>
void for_each_index(const Shape& shape, Function&& function) {
  Dims index(static_cast<std::size_t>(shape.rank()), 0);
  for (std::int64_t place = 0; place < shape.elements(); ++place) {
    function(index, place);
    for (std::int64_t d = shape.rank() - 1; d >= 0; --d) {
      auto& at = index[static_cast<std::size_t>(d)];
      if (++at < shape[d]) break;
      at = 0;
    }
  }
}

std::int64_t place_of(const Dims& index, const Dims& strides) {
  std::int64_t place = 0;
  for (std::size_t d = 0; d < index.size(); ++d) place += index[d] * strides[d];
  return place;
}

/// The tensor of start indices: its vectors along `vector_dimension` point into the operand.
class StartIndices {
 public:
  StartIndices(const Tensor& indices, std::int64_t vector_dimension)
      : indices_{indices.converted(DType::i64)}, vector_dimension_{vector_dimension} {}

  /// For each operand dimension, where the window begins that belongs to `batch_index`: the index without the vector's
  /// dimension. Dimensions that `map` does not name begin at 0.
  Dims full_start_index(Dims batch_index, const Dims& map, std::int64_t operand_rank) const {
    const bool scalars = vector_dimension_ == indices_.shape().rank();
    if (!scalars) batch_index.insert(batch_index.begin() + vector_dimension_, 0);
    const Dims strides = indices_.shape().strides();
    const std::int64_t first = place_of(batch_index, strides);
    const std::int64_t next = scalars ? 0 : strides[static_cast<std::size_t>(vector_dimension_)];
    Dims start(static_cast<std::size_t>(operand_rank), 0);
    for (std::size_t i = 0; i < map.size(); ++i)
      start[static_cast<std::size_t>(map[i])] =
          indices_.span<std::int64_t>()[static_cast<std::size_t>(first + static_cast<std::int64_t>(i) * next)];
    return start;
  }

 private:
  Tensor indices_;
  std::int64_t vector_dimension_;
};

/// The parts of `index` whose dimensions are in `dims`, and those that are not.
struct IndexParts {
  Dims batch, window;
  IndexParts(const Dims& index, const Dims& window_dims) {
    for (std::size_t d = 0; d < index.size(); ++d)
      (contains(window_dims, static_cast<std::int64_t>(d)) ? window : batch).push_back(index[d]);
  }
};

/// `window` with `value` at the operand dimensions that it lacks.
Dims with_lacking(const Dims& window, const Dims& lacking, std::int64_t operand_rank, std::int64_t value) {
  Dims full;
  auto next = window.begin();
  for (std::int64_t d = 0; d < operand_rank; ++d) full.push_back(contains(lacking, d) ? value : *next++);
  return full;
}

}  // namespace

/// Windows that would reach out of the operand are moved back into it; where it has no elements they are zeros.
std::vector<Tensor> gather(const Step& step) {
  const Tensor& operand = step.inputs[0];
  const auto& attributes = step.attributes<GatherAttributes>();
  const StartIndices indices{step.inputs[1], attributes.index_vector_dim};
  const std::int64_t rank = operand.shape().rank();
  const Dims strides = operand.shape().strides();
  const Shape& shape = step.results[0].shape;
  if (operand.elements() == 0) return {Tensor{step.results[0]}};
  std::vector<std::int64_t> places(static_cast<std::size_t>(shape.elements()));
  for_each_index(shape, [&](const Dims& result_index, std::int64_t place) {
    const IndexParts parts{result_index, attributes.offset_dims};
    Dims index = indices.full_start_index(parts.batch, attributes.start_index_map, rank);
    const Dims offset = with_lacking(parts.window, attributes.collapsed_slice_dims, rank, 0);
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t size = std::max<std::int64_t>(attributes.slice_sizes[d], 1);  // a collapsed 0 counts as 1
      index[d] = std::clamp<std::int64_t>(index[d], 0, operand.shape().begin()[d] - size) + offset[d];
    }
    places[static_cast<std::size_t>(place)] = place_of(index, strides);
  });
  return {take({&operand, 1}, shape, places)};
}

/// Windows that reach out of the operand are left out whole.
std::vector<Tensor> scatter(const Step& step) {
  Tensor result = step.inputs[0];
  const Tensor& updates = step.inputs[2];
  const auto& attributes = step.attributes<ScatterAttributes>();
  const StartIndices indices{step.inputs[1], attributes.index_vector_dim};
  const Shape& shape = result.shape();
  const Dims strides = shape.strides();
  const Dims window_sizes = with_lacking(IndexParts{updates.shape().extents(), attributes.update_window_dims}.window,
                                         attributes.inserted_window_dims, shape.rank(), 1);
  visit_dtype(result.dtype(), [&]<class T>(std::type_identity<T>) {
    using Operand = scalar::Computing<T>;
    const auto to = result.mutable_span<T>();
    const auto from = updates.span<T>();
    for_each_index(updates.shape(), [&](const Dims& update_index, std::int64_t place) {
      const IndexParts parts{update_index, attributes.update_window_dims};
      Dims index = indices.full_start_index(parts.batch, attributes.scatter_dims_to_operand_dims, shape.rank());
      for (std::size_t d = 0; d < index.size(); ++d)
        if (index[d] < 0 || index[d] > shape.begin()[d] - window_sizes[d]) return;
      const Dims window = with_lacking(parts.window, attributes.inserted_window_dims, shape.rank(), 0);
      for (std::size_t d = 0; d < index.size(); ++d) index[d] += window[d];
      T& element = to[static_cast<std::size_t>(place_of(index, strides))];
      element = static_cast<T>(scalar::combine(attributes.reducer, static_cast<Operand>(element),
                                               static_cast<Operand>(from[static_cast<std::size_t>(place)])));
    });
  });
  return {result};
}

}  // namespace octet::reference
