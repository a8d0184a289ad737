/// What dot_general and reduce mean, with the order of their additions (see reference.cppm).
module octet.graph;
import octet.standard;
import :reference_meaning;
import :reference_scalar;

namespace octet::reference {

namespace {

/// The elements in the type in which they are added up.
Tensor widened(const Tensor& operand) {
  return operand.dtype() == DType::bf16 ? operand.converted(DType::f32) : operand;
}

/// The dimensions of a tensor of `rank` that are in none of `taken`.
Dims others(std::int64_t rank, std::initializer_list<const Dims*> taken) {
  Dims result;
  for (std::int64_t d = 0; d < rank; ++d)
    if (std::ranges::none_of(taken, [&](const Dims* dims) { return std::ranges::find(*dims, d) != dims->end(); }))
      result.push_back(d);
  return result;
}

std::size_t product(const Shape& shape, const Dims& dims) {
  std::int64_t result = 1;
  for (std::int64_t d : dims) result *= shape[d];
  return static_cast<std::size_t>(result);
}

Dims joined(Dims a, const Dims& b, const Dims& c = {}) {
  a.insert(a.end(), b.begin(), b.end());
  a.insert(a.end(), c.begin(), c.end());
  return a;
}

/// One side of a dot_general as [batch, free, contracted].
struct Side {
  Tensor elements;
  std::size_t batch, free, contracted;

  Side(const Tensor& operand, const Dims& batching, const Dims& contracting) {
    const Shape& shape = operand.shape();
    const Dims rest = others(shape.rank(), {&batching, &contracting});
    elements = transposed(operand, joined(batching, rest, contracting));
    batch = product(shape, batching);
    free = product(shape, rest);
    contracted = product(shape, contracting);
  }

  template <class T>
  std::span<const T> row(std::size_t b, std::size_t i) const {
    return elements.span<T>().subspan((b * free + i) * contracted, contracted);
  }
};

/// Products added to 0, in the order of the index.
template <class T>
T dot(std::span<const T> a, std::span<const T> b) {
  T sum{};
  for (std::size_t k = 0; k < a.size(); ++k) sum = scalar::add(sum, scalar::multiply(a[k], b[k]));
  return sum;
}

/// Products of bf16 numbers, added in chains, those in pairs, and the pairs in their order.
float dot_in_chains(std::span<const float> a, std::span<const float> b) {
  constexpr std::size_t chain = dot_chain;
  const auto of_chain = [&](std::size_t first) {
    const std::size_t begin = std::min(first, a.size()), length = std::min(chain, a.size() - begin);
    return dot(a.subspan(begin, length), b.subspan(begin, length));
  };
  float sum = 0;
  for (std::size_t k = 0; k < a.size(); k += 2 * chain) sum += of_chain(k) + of_chain(k + chain);
  return sum;
}

std::vector<Tensor> dot_general(const Step& step) {
  const auto& attributes = step.attributes<DotAttributes>();
  const bool in_bf16 = step.options.precision == Precision::bf16 && attributes.precision == DotPrecision::DEFAULT;
  const auto multiplied = [&](const Tensor& operand) {
    return widened(in_bf16 && operand.dtype() == DType::f32 ? operand.converted(DType::bf16) : operand);
  };
  const bool of_bf16 = in_bf16 || step.inputs[0].dtype() == DType::bf16;
  const Side lhs{multiplied(step.inputs[0]), attributes.lhs_batching_dimensions, attributes.lhs_contracting_dimensions};
  const Side rhs{multiplied(step.inputs[1]), attributes.rhs_batching_dimensions, attributes.rhs_contracting_dimensions};
  Tensor result{lhs.elements.dtype(), step.results[0].shape};
  visit_dtype(result.dtype(), [&]<class T>(std::type_identity<T>) {
    if constexpr (scalar::Integer<T> || scalar::Floating<T>) {
      auto to = result.mutable_span<T>().begin();
      for (std::size_t b = 0; b < lhs.batch; ++b)
        for (std::size_t i = 0; i < lhs.free; ++i)
          for (std::size_t j = 0; j < rhs.free; ++j, ++to) {
            if constexpr (std::is_same_v<T, float>) {
              if (of_bf16) {
                *to = dot_in_chains(lhs.row<T>(b, i), rhs.row<T>(b, j));
                continue;
              }
            }
            *to = dot(lhs.row<T>(b, i), rhs.row<T>(b, j));
          }
    }
  });
  return {result.converted(step.results[0].dtype)};
}

template <class T>
T reduced_run(Reducer reducer, std::span<const T> elements) {
  std::array<T, reduce_partials> partials;
  partials.fill(scalar::neutral<T>(reducer));
  for (std::size_t k = 0; k < elements.size(); ++k) {
    T& partial = partials[k % reduce_partials];
    partial = scalar::combine(reducer, partial, elements[k]);
  }
  for (std::size_t half = reduce_partials / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) partials[i] = scalar::combine(reducer, partials[i], partials[i + half]);
  return partials[0];
}

template <class T>
T reduced(Reducer reducer, std::span<const T> elements) {
  T total = scalar::neutral<T>(reducer);
  for (; !elements.empty(); elements = elements.subspan(std::min<std::size_t>(reduce_run, elements.size())))
    total = scalar::combine(reducer, total,
                            reduced_run(reducer, elements.first(std::min<std::size_t>(reduce_run, elements.size()))));
  return total;
}

std::vector<Tensor> reduce(const Step& step) {
  const auto& attributes = step.attributes<ReduceAttributes>();
  const Tensor operand = widened(step.inputs[0]);
  Dims dimensions = attributes.dimensions;
  std::ranges::sort(dimensions);
  const Tensor rows = transposed(operand, joined(others(operand.shape().rank(), {&dimensions}), dimensions));
  const std::size_t length = product(operand.shape(), dimensions);
  Tensor result{operand.dtype(), step.results[0].shape};
  visit_dtype(result.dtype(), [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, bfloat16>) {
      const auto to = result.mutable_span<T>();
      for (std::size_t row = 0; row < to.size(); ++row)
        to[row] = reduced(attributes.reducer, rows.span<T>().subspan(row * length, length));
    }
  });
  return {result.converted(step.results[0].dtype)};
}

constexpr Meaning rows[] = {
    {Op::dot_general, dot_general},
    {Op::reduce, reduce},
};

}  // namespace

std::span<const Meaning> contraction_meanings() { return rows; }

}  // namespace octet::reference

namespace octet {

Tensor neutral_element(Reducer reducer, DType dtype) {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    return Tensor::scalar(static_cast<T>(reference::scalar::neutral<reference::scalar::Computing<T>>(reducer)));
  });
}

}  // namespace octet
