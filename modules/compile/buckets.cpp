module;
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
module octet.compile;
import octet.base;
import :buckets;

namespace octet {

namespace {

/// The bucket for `extent`, if one is large enough.
std::optional<std::int64_t> find_bucket(const BucketPolicy& policy, std::int64_t extent) {
  switch (policy.kind()) {
    case BucketPolicy::Kind::exact:
      return extent;
    case BucketPolicy::Kind::multiple_of: {
      const std::int64_t n = policy.extents().front();
      std::int64_t result;
      if (__builtin_mul_overflow(extent / n + (extent % n != 0), n, &result)) return std::nullopt;
      return result;
    }
    case BucketPolicy::Kind::one_of:
      break;
  }
  const auto found = std::ranges::lower_bound(policy.extents(), extent);
  if (found == policy.extents().end()) return std::nullopt;
  return *found;
}

std::string list(const std::vector<std::int64_t>& extents) {
  std::string text;
  for (std::int64_t extent : extents) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return text;
}

/// X301 for `what`, which has `extent`.
Diagnostic no_bucket(const BucketPolicy& policy, const std::string& what, std::int64_t extent) {
  Diagnostic diagnostic{.number = 301,
                        .sentence = what + " is " + std::to_string(extent) + ", and no bucket of " + to_string(policy) +
                                    " is that large."};
  if (policy.kind() == BucketPolicy::Kind::one_of) {
    std::vector<std::int64_t> larger = policy.extents();
    larger.push_back(extent);
    diagnostic.fix = {
        larger.size() == 2 ? "use max_length(" + std::to_string(extent) + ")" : "use one_of({" + list(larger) + "})",
        "truncate the input to " + std::to_string(policy.extents().back())};
  }
  return diagnostic;
}

/// Dimension `dimension` of an array of `rank`, if it has one.
std::optional<std::int64_t> dimension_of(std::int64_t dimension, std::int64_t rank) {
  const std::int64_t d = dimension < 0 ? dimension + rank : dimension;
  if (d < 0 || d >= rank) return std::nullopt;
  return d;
}

Diagnostic nothing_named(const Bucket& bucket, std::span<const std::string> names) {
  const bool named =
      std::ranges::any_of(names, [&](const std::string& name) { return lies_below(name, bucket.argument); });
  if (named)
    return {.number = 709,
            .sentence = "A bucket names dimension " + std::to_string(bucket.dimension) + " of '" + bucket.argument +
                        "', where no array has such a dimension.",
            .fix = {"count dimensions from 0, or from -1 at the end"}};
  std::string known;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 8); ++i) known += (i ? ", " : "") + names[i];
  if (names.size() > 8) known += ", …";
  return {.number = 709,
          .sentence = "A bucket names '" + bucket.argument + "', and no argument is called that.",
          .fix = {names.empty() ? "leave the bucket out: there are no arrays" : "name one of these: " + known,
                  "name the arguments, in order, in argument_names"}};
}

}  // namespace

std::int64_t BucketPolicy::bucket(std::int64_t extent) const {
  if (extent < 0)
    fail(
        {.number = 403, .sentence = "An extent is at least 0; a bucket was asked for " + std::to_string(extent) + "."});
  const auto found = find_bucket(*this, extent);
  if (!found) fail(no_bucket(*this, "The extent", extent));
  return *found;
}

bool BucketPolicy::holds(std::int64_t extent) const { return extent >= 0 && find_bucket(*this, extent).has_value(); }

BucketPolicy exact() { return {}; }

BucketPolicy multiple_of(std::int64_t n) {
  if (n < 1)
    fail({.number = 709,
          .sentence = "Nothing can be padded to a multiple of " + std::to_string(n) + ".",
          .fix = {"choose a multiple of 8, such as 64: the matrix unit works in units of 8"}});
  BucketPolicy policy;
  policy.kind_ = BucketPolicy::Kind::multiple_of;
  policy.extents_ = {n};
  return policy;
}

BucketPolicy one_of(std::vector<std::int64_t> extents) {
  std::ranges::sort(extents);
  extents.erase(std::ranges::unique(extents).begin(), extents.end());
  if (extents.empty() || extents.front() < 1)
    fail({.number = 709,
          .sentence = extents.empty() ? std::string{"The list of buckets is empty."}
                                      : "A bucket of extent " + std::to_string(extents.front()) + " holds nothing.",
          .fix = {"list extents of at least 1, the largest that occurs among them"}});
  BucketPolicy policy;
  policy.kind_ = BucketPolicy::Kind::one_of;
  policy.extents_ = std::move(extents);
  return policy;
}

BucketPolicy max_length(std::int64_t n) { return one_of({n}); }

std::string to_string(const BucketPolicy& policy) {
  const std::string extents = list(policy.extents());
  if (policy.kind() == BucketPolicy::Kind::exact) return "exact()";
  if (policy.kind() == BucketPolicy::Kind::multiple_of) return "multiple_of(" + extents + ")";
  return policy.extents().size() == 1 ? "max_length(" + extents + ")" : "one_of({" + extents + "})";
}

bool lies_below(std::string_view name, std::string_view argument) {
  return name.starts_with(argument) && (name.size() == argument.size() || name[argument.size()] == '.');
}

Tensor pad_to(const Tensor& tensor, const Shape& shape, double fill) {
  const Shape& from = tensor.shape();
  bool fits = from.rank() == shape.rank();
  for (std::int64_t d = 0; fits && d < shape.rank(); ++d) fits = from[d] <= shape[d];
  if (!fits)
    fail({.number = 401,
          .sentence = to_string(tensor.type()) + " cannot be padded to " + to_string(shape) + ".",
          .fix = {"pad to the same rank and extents that are not smaller"}});
  if (from == shape) return tensor;

  Tensor result{tensor.dtype(), shape};
  visit_dtype(tensor.dtype(), [&]<class T>(std::type_identity<T>) {
    const auto source = tensor.span<T>();
    const auto target = result.mutable_span<T>();
    if (fill != 0) std::ranges::fill(target, convert_element<T>(fill));
    if (source.empty()) return;
    // From dimension `inner` on, rows lie in one piece in both.
    std::int64_t inner = shape.rank() - 1;
    while (inner > 0 && from[inner] == shape[inner]) --inner;
    std::size_t piece = 1;
    for (std::int64_t d = inner; d < shape.rank(); ++d) piece *= static_cast<std::size_t>(from[d]);
    const Dims strides = shape.strides();
    Dims index(static_cast<std::size_t>(inner), 0);
    for (std::size_t at = 0; at < source.size(); at += piece) {
      std::int64_t to = 0;
      for (std::size_t d = 0; d < index.size(); ++d) to += index[d] * strides[d];
      std::memcpy(target.data() + to, source.data() + at, piece * sizeof(T));
      for (std::size_t d = index.size(); d-- > 0;) {
        if (++index[d] < from[static_cast<std::int64_t>(d)]) break;
        index[d] = 0;
      }
    }
  });
  return result;
}

PaddedElements pad_to_buckets(std::span<const std::string> names, std::span<Tensor> tensors,
                              std::span<const Bucket> buckets) {
  // One step for each dimension to be padded, by tensor and then by rule.
  struct Step {
    std::size_t tensor;
    std::int64_t dimension, extent;
    double fill;
  };
  std::vector<Step> steps;
  std::vector<Diagnostic> faults;
  std::vector<bool> answered(buckets.size(), false);
  std::vector<bool> named(tensors.size(), false);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Shape& shape = tensors[i].shape();
    std::vector<bool> decided(static_cast<std::size_t>(shape.rank()), false);
    for (std::size_t r = 0; r < buckets.size(); ++r) {
      if (!lies_below(names[i], buckets[r].argument)) continue;
      const auto d = dimension_of(buckets[r].dimension, shape.rank());
      if (!d) continue;
      answered[r] = named[i] = true;
      if (decided[static_cast<std::size_t>(*d)]) continue;
      decided[static_cast<std::size_t>(*d)] = true;
      const auto extent = find_bucket(buckets[r].policy, shape[*d]);
      if (!extent)
        faults.push_back(
            no_bucket(buckets[r].policy, "Dimension " + std::to_string(*d) + " of '" + names[i] + "'", shape[*d]));
      else if (*extent != shape[*d])
        steps.push_back({i, *d, *extent, buckets[r].fill});
    }
  }
  for (std::size_t r = 0; r < buckets.size(); ++r)
    if (!answered[r]) faults.push_back(nothing_named(buckets[r], names));
  if (!faults.empty()) throw Error{std::move(faults)};

  PaddedElements count;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (named[i]) count.real += tensors[i].elements();
  for (std::size_t s = 0; s < steps.size();) {
    // Neighbouring steps that fill one tensor alike are one.
    Tensor& tensor = tensors[steps[s].tensor];
    Shape shape = tensor.shape();
    std::size_t end = s;
    for (; end < steps.size() && steps[end].tensor == steps[s].tensor && steps[end].fill == steps[s].fill; ++end)
      shape[steps[end].dimension] = steps[end].extent;
    const std::int64_t before = tensor.elements();
    tensor = pad_to(tensor, shape, steps[s].fill);
    count.padding += tensor.elements() - before;
    s = end;
  }
  return count;
}

}  // namespace octet
