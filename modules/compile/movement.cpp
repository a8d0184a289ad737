module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :kernel;
import :movement;

namespace octet {

namespace {

/// Runs of a length that the compiler knows, which makes each a load and a store.
template <std::size_t run>
void copy_elements(const Walk& walk, const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) {
  walk.for_each(begin, end,
                [=](std::int64_t source, std::int64_t target) { std::memcpy(to + target, from + source, run); });
}

}  // namespace

Walk::Walk(const Dims& extents, const Dims& first, const Dims& second) {
  for (std::size_t d = 0; d < extents.size(); ++d) {
    size_ *= extents[d];
    if (extents[d] == 1) continue;
    const Dimension next{extents[d], first[d], second[d]};
    if (!dimensions_.empty() && dimensions_.back().first == next.extent * next.first &&
        dimensions_.back().second == next.extent * next.second)
      dimensions_.back() = {dimensions_.back().extent * next.extent, next.first, next.second};
    else
      dimensions_.push_back(next);
  }
}

std::int64_t Walk::take_run(std::int64_t step) {
  if (size_ == 0 || dimensions_.empty() || dimensions_.back().first != step || dimensions_.back().second != step)
    return 1;
  const std::int64_t extent = dimensions_.back().extent;
  dimensions_.pop_back();
  size_ /= extent;
  return extent;
}

Dims scaled(Dims strides, std::int64_t element_size) {
  for (std::int64_t& stride : strides) stride *= element_size;
  return strides;
}

void copy_bytes(const std::byte* from, std::byte* to, std::int64_t bytes, Threads& threads) {
  in_parts(threads, bytes, 1, [=](std::int64_t begin, std::int64_t end) {
    std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
  });
}

BoxCopy::BoxCopy(const Dims& extents, const Dims& from_strides, const Dims& to_strides, std::size_t element_size)
    : walk_{extents, scaled(from_strides, static_cast<std::int64_t>(element_size)),
            scaled(to_strides, static_cast<std::int64_t>(element_size))},
      run_{walk_.take_run(static_cast<std::int64_t>(element_size)) * static_cast<std::int64_t>(element_size)} {}

void BoxCopy::copy(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const {
  switch (run_) {
    case 1:
      return copy_elements<1>(walk_, from, to, begin, end);
    case 2:
      return copy_elements<2>(walk_, from, to, begin, end);
    case 4:
      return copy_elements<4>(walk_, from, to, begin, end);
    case 8:
      return copy_elements<8>(walk_, from, to, begin, end);
    default:
      walk_.for_each(begin, end, [&](std::int64_t source, std::int64_t target) {
        std::memcpy(to + target, from + source, static_cast<std::size_t>(run_));
      });
  }
}

void BoxCopy::run(const std::byte* from, std::byte* to, Threads& threads) const {
  if (walk_.size() == 1) return copy_bytes(from, to, run_, threads);
  in_parts(threads, walk_.size(), run_, [&](std::int64_t begin, std::int64_t end) { copy(from, to, begin, end); });
}

std::int64_t index_at(DType dtype, const std::byte* at) {
  if (dtype == DType::i64) {
    std::int64_t index;
    std::memcpy(&index, at, sizeof index);
    return index;
  }
  std::uint32_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return dtype == DType::u32 ? std::int64_t{bits} : std::int64_t{static_cast<std::int32_t>(bits)};
}

StepFunction combining_step(Reducer reducer, DType dtype) {
  const auto step = [&](Op op) { return step_function(op, dtype, dtype, Comparison::EQ, best_isa()); };
  switch (reducer) {
    case Reducer::add:
      return step(Op::add);
    case Reducer::multiply:
      return step(Op::multiply);
    case Reducer::maximum:
      return step(Op::maximum);
    case Reducer::minimum:
      return step(Op::minimum);
    case Reducer::and_:
      return step(Op::and_);
    case Reducer::or_:
      return step(Op::or_);
    case Reducer::replace:
      break;
  }
  return nullptr;
}

}  // namespace octet
