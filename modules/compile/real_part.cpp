module octet.compile;
import octet.base;
import octet.standard;
import :real_part;

namespace octet {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_placements = 64;

/// A dimension as a product: each factor with what it was padded to.
using Factors = std::vector<PaddedExtent>;

/// Where the indexes of a product of `factors` lie in that of their padded selves.
std::vector<std::int64_t> places(const Factors& factors) {
  std::vector<std::int64_t> result{0};
  for (const auto& [own, padded] : factors) {
    std::vector<std::int64_t> next;
    next.reserve(result.size() * static_cast<std::size_t>(own));
    for (const std::int64_t outer : result)
      for (std::int64_t i = 0; i < own; ++i) next.push_back(outer * padded + i);
    result = std::move(next);
  }
  return result;
}

std::vector<std::int64_t> divisors(std::int64_t n) {
  std::vector<std::int64_t> result;
  for (std::int64_t d = 1; d * d <= n; ++d)
    if (n % d == 0) {
      result.push_back(d);
      if (d * d != n) result.push_back(n / d);
    }
  std::ranges::sort(result);
  return result;
}

/// Whether own / by = padded / to, without a rest; that quotient.
std::int64_t quotient(std::int64_t own, std::int64_t padded, std::int64_t by, std::int64_t to) {
  if (by <= 0 || to <= 0 || own % by != 0 || padded % to != 0 || own / by != padded / to) return 0;
  return own / by;
}

double difference(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isnan(d) ? infinity : d;
}

/// Of whole numbers, of which f64 does not hold all.
double difference(std::int64_t a, std::int64_t b) {
  const auto larger = static_cast<std::uint64_t>(std::max(a, b)), smaller = static_cast<std::uint64_t>(std::min(a, b));
  return static_cast<double>(larger - smaller);
}

}  // namespace

std::vector<std::vector<std::int64_t>> placements(std::int64_t own, std::int64_t padded,
                                                  std::span<const PaddedExtent> pairs) {
  std::vector<std::vector<std::int64_t>> result;
  if (own > padded) return result;
  const auto add = [&](const Factors& factors) {
    if (result.size() >= most_placements) return;
    std::vector<std::int64_t> place = places(factors);
    if (std::ranges::find(result, place) == result.end()) result.push_back(std::move(place));
  };
  add({{own, padded}});
  if (own == padded || std::ranges::find(pairs, PaddedExtent{own, padded}) != pairs.end()) return result;
  for (const PaddedExtent& pair : pairs) {
    const std::int64_t rest = quotient(own, padded, pair.first, pair.second);
    for (const std::int64_t outer : rest ? divisors(rest) : std::vector<std::int64_t>{})
      add({{outer, outer}, pair, {rest / outer, rest / outer}});
  }
  for (const PaddedExtent& a : pairs)
    for (const PaddedExtent& b : pairs) {
      std::int64_t both_own = 0, both_padded = 0;
      if (__builtin_mul_overflow(a.first, b.first, &both_own) ||
          __builtin_mul_overflow(a.second, b.second, &both_padded))
        continue;
      const std::int64_t rest = quotient(own, padded, both_own, both_padded);
      for (const std::int64_t outer : rest ? divisors(rest) : std::vector<std::int64_t>{})
        for (const std::int64_t middle : divisors(rest / outer)) {
          const std::int64_t inner = rest / outer / middle;
          add({{outer, outer}, a, {middle, middle}, b, {inner, inner}});
        }
    }
  return result;
}

Deviation deviation(const Tensor& own, const Tensor& padded, std::span<const PaddedExtent> pairs) {
  Deviation best{.found = false, .largest = infinity, .own = nan, .padded = nan};
  const Shape& shape = own.shape();
  if (padded.shape().rank() != shape.rank() || padded.dtype() != own.dtype()) return best;
  const Tensor a = own.converted(DType::f64), b = padded.converted(DType::f64);
  const auto from = a.span<double>(), to = b.span<double>();
  const Dims strides = padded.shape().strides();
  const auto rank = static_cast<std::size_t>(shape.rank());
  std::vector<std::vector<std::vector<std::int64_t>>> choices;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    choices.push_back(placements(shape[d], padded.shape()[d], pairs));
    if (choices.back().empty()) return best;
  }
  std::vector<std::size_t> chosen(rank, 0);
  for (std::size_t tried = 0; tried < most_placements; ++tried) {
    Deviation now{.found = true};
    Dims index(rank, 0);
    for (std::size_t i = 0; i < from.size(); ++i) {
      std::int64_t place = 0;
      for (std::size_t d = 0; d < rank; ++d)
        place += choices[d][chosen[d]][static_cast<std::size_t>(index[d])] * strides[d];
      const auto at = static_cast<std::size_t>(place);
      const double other = to[at], off = own.dtype() == DType::i64
                                             ? difference(own.span<std::int64_t>()[i], padded.span<std::int64_t>()[at])
                                             : difference(from[i], other);
      if (i == 0 || off > now.largest) now = {true, off, static_cast<std::int64_t>(i), from[i], other};
      for (std::size_t d = rank; d-- > 0;) {
        if (++index[d] < shape[static_cast<std::int64_t>(d)]) break;
        index[d] = 0;
      }
    }
    if (!best.found || now.largest < best.largest) best = now;
    if (best.largest == 0) break;
    std::size_t d = rank;
    for (; d-- > 0;) {
      if (++chosen[d] < choices[d].size()) break;
      chosen[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) break;
  }
  return best;
}

double usual_size(const Tensor& tensor) {
  std::vector<double> sizes;
  const Tensor wide = tensor.converted(DType::f64);
  for (const double x : wide.span<double>())
    if (x != 0 && std::isfinite(x)) sizes.push_back(std::abs(x));
  if (sizes.empty()) return 0;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  return *middle;
}

}  // namespace octet
