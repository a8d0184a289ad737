module octet.compile;
import octet.base;
import octet.standard;
import :buckets;

namespace octet {

namespace {

/// The next multiple of `n`, if an extent can be that large.
std::optional<std::int64_t> next_multiple(std::int64_t extent, std::int64_t n) {
  std::int64_t result;
  if (__builtin_mul_overflow(extent / n + (extent % n != 0), n, &result)) return std::nullopt;
  return result;
}

/// The bucket for `extent`, if one is large enough.
std::optional<std::int64_t> find_bucket(const BucketPolicy& policy, std::int64_t extent) {
  switch (policy.kind()) {
    case BucketPolicy::Kind::exact:
    case BucketPolicy::Kind::longest:
      return extent;
    case BucketPolicy::Kind::multiple_of:
      return next_multiple(extent, policy.extents().front());
    case BucketPolicy::Kind::doubling_then_linear: {
      if (extent == 0) return 0;
      const std::int64_t bound = policy.extents()[0];
      const auto power = extent > bound ? 0 : std::bit_ceil(static_cast<std::uint64_t>(extent));
      if (power != 0 && power <= static_cast<std::uint64_t>(bound)) return static_cast<std::int64_t>(power);
      return next_multiple(extent, policy.extents()[1]);
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

Diagnostic never_decides(const Bucket& earlier, const Bucket& later) {
  const std::string dimension = "dimension " + std::to_string(later.dimension) + " of '";
  return {.number = 709,
          .sentence = "A bucket for " + dimension + later.argument + "' never decides: one before it is for " +
                      dimension + earlier.argument + "', and the first decides.",
          .fix = {earlier.argument == later.argument
                      ? "leave one of the two out"
                      : "put the bucket for '" + later.argument + "' before that for '" + earlier.argument + "'"}};
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

std::vector<std::int64_t> BucketPolicy::buckets_up_to(std::int64_t largest, std::size_t most) const {
  std::vector<std::int64_t> result;
  if (kind_ == Kind::one_of) {
    result.assign(extents_.begin(), extents_.begin() + static_cast<std::ptrdiff_t>(std::min(most, extents_.size())));
    return result;
  }
  const std::int64_t last = bucket(largest);
  if (kind_ == Kind::exact || kind_ == Kind::longest || last == 0) return {last};
  for (std::int64_t next = bucket(1); result.size() < most; next = bucket(next + 1)) {
    result.push_back(next);
    if (next >= last) break;
  }
  return result;
}

BucketPolicy exact() { return {}; }

BucketPolicy multiple_of(std::int64_t n) {
  if (n < 1)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "Nothing can be padded to a multiple of " + std::to_string(n) + ".",
                        .fix = {"choose a multiple of 8, such as 64: the matrix unit works in units of 8"}};
    });
  BucketPolicy policy;
  policy.kind_ = BucketPolicy::Kind::multiple_of;
  policy.extents_ = {n};
  return policy;
}

BucketPolicy one_of(std::vector<std::int64_t> extents) {
  std::ranges::sort(extents);
  extents.erase(std::ranges::unique(extents).begin(), extents.end());
  if (extents.empty() || extents.front() < 1)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = extents.empty()
                                        ? std::string{"The list of buckets is empty."}
                                        : "A bucket of extent " + std::to_string(extents.front()) + " holds nothing.",
                        .fix = {"list extents of at least 1, the largest that occurs among them"}};
    });
  BucketPolicy policy;
  policy.kind_ = BucketPolicy::Kind::one_of;
  policy.extents_ = std::move(extents);
  return policy;
}

BucketPolicy max_length(std::int64_t n) { return one_of({n}); }

BucketPolicy doubling_then_linear(std::int64_t bound, std::int64_t step) {
  if (bound < 1 || step < 1)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "Extents cannot double up to " + std::to_string(bound) + " and then grow by " +
                                    std::to_string(step) + ".",
                        .fix = {"choose a bound and a step of at least 1, such as doubling_then_linear(128, 64)"}};
    });
  BucketPolicy policy;
  policy.kind_ = BucketPolicy::Kind::doubling_then_linear;
  policy.extents_ = {bound, step};
  return policy;
}

BucketPolicy longest() {
  BucketPolicy policy;
  policy.kind_ = BucketPolicy::Kind::longest;
  return policy;
}

std::string to_string(const BucketPolicy& policy) {
  const std::string extents = list(policy.extents());
  switch (policy.kind()) {
    case BucketPolicy::Kind::exact:
      return "exact()";
    case BucketPolicy::Kind::longest:
      return "longest()";
    case BucketPolicy::Kind::multiple_of:
      return "multiple_of(" + extents + ")";
    case BucketPolicy::Kind::doubling_then_linear:
      return "doubling_then_linear(" + extents + ")";
    case BucketPolicy::Kind::one_of:
      break;
  }
  return policy.extents().size() == 1 ? "max_length(" + extents + ")" : "one_of({" + extents + "})";
}

bool lies_below(std::string_view name, std::string_view argument) {
  if (!name.starts_with(argument)) return false;
  const std::string_view below = name.substr(argument.size());
  return below.empty() || below.front() == '.' || below.front() == '[';
}

Tensor pad_to(const Tensor& tensor, const Shape& shape, double fill) {
  const Shape& from = tensor.shape();
  bool fits = from.rank() == shape.rank();
  for (std::int64_t d = 0; fits && d < shape.rank(); ++d) fits = from[d] <= shape[d];
  if (!fits)
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = to_string(tensor.type()) + " cannot be padded to " + to_string(shape) + ".",
                        .fix = {"pad to the same rank and extents that are not smaller"}};
    });
  if (from == shape) return tensor;

  Tensor result{tensor.dtype(), shape};
  visit_dtype(tensor.dtype(), [&]<class T>(std::type_identity<T>) {
    const auto source = tensor.span<T>();
    const auto target = result.mutable_span<T>();
    if (fill != 0 || std::signbit(fill)) std::ranges::fill(target, convert_element<T>(fill));
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

bool forestalls(const Bucket& earlier, const Bucket& later) {
  const bool alike =
      earlier.policy == later.policy &&
      std::bit_cast<std::uint64_t>(earlier.fill) == std::bit_cast<std::uint64_t>(later.fill);  // NaN equals nothing
  return !alike && earlier.dimension == later.dimension && lies_below(later.argument, earlier.argument);
}

std::vector<BucketedDimension> bucketed_dimensions(std::span<const std::string> names,
                                                   std::span<const Shape* const> shapes,
                                                   std::span<const Bucket> buckets) {
  std::vector<BucketedDimension> result;
  std::vector<bool> answered(buckets.size(), false), decides(buckets.size(), false);
  std::vector<std::int64_t> longest(buckets.size(), 0);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Shape& shape = *shapes[i];
    std::vector<bool> decided(static_cast<std::size_t>(shape.rank()), false);
    for (std::size_t r = 0; r < buckets.size(); ++r) {
      if (!lies_below(names[i], buckets[r].argument)) continue;
      const auto d = dimension_of(buckets[r].dimension, shape.rank());
      if (!d) continue;
      answered[r] = true;
      if (decided[static_cast<std::size_t>(*d)]) continue;
      decided[static_cast<std::size_t>(*d)] = true;
      decides[r] = true;
      longest[r] = std::max(longest[r], shape[*d]);
      result.push_back({i, r, *d, shape[*d], find_bucket(buckets[r].policy, shape[*d])});
    }
  }
  std::vector<Diagnostic> faults;
  for (std::size_t r = 0; r < buckets.size(); ++r)
    if (!answered[r])
      faults.push_back(nothing_named(buckets[r], names));
    else if (!decides[r])
      for (std::size_t earlier = 0; earlier < r; ++earlier)
        if (forestalls(buckets[earlier], buckets[r])) {
          faults.push_back(never_decides(buckets[earlier], buckets[r]));
          break;
        }
  if (!faults.empty()) throw Error{std::move(faults)};
  for (BucketedDimension& each : result)
    if (buckets[each.rule].policy.kind() == BucketPolicy::Kind::longest) each.bucket = longest[each.rule];
  return result;
}

PaddedElements pad_to_buckets(std::span<const std::string> names, std::span<Tensor> tensors,
                              std::span<const Bucket> buckets) {
  if (buckets.empty()) return {};
  std::vector<const Shape*> shapes;
  for (const Tensor& tensor : tensors) shapes.push_back(&tensor.shape());
  const std::vector<BucketedDimension> decided = bucketed_dimensions(names, shapes, buckets);

  // One step for each dimension to be padded, by tensor and then by rule.
  struct Step {
    std::size_t tensor;
    std::int64_t dimension, extent;
    double fill;
  };
  std::vector<Step> steps;
  std::vector<Diagnostic> faults;
  std::vector<bool> named(tensors.size(), false);
  for (const auto& [i, rule, d, extent, bucket] : decided) {
    named[i] = true;
    if (!bucket)
      faults.push_back(
          no_bucket(buckets[rule].policy, "Dimension " + std::to_string(d) + " of '" + names[i] + "'", extent));
    else if (*bucket != extent)
      steps.push_back({i, d, *bucket, buckets[rule].fill});
  }
  if (!faults.empty()) throw Error{std::move(faults)};

  PaddedElements count;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (named[i]) count.real += tensors[i].elements();
  for (std::size_t s = 0; s < steps.size();) {
    // Neighbouring steps that fill one tensor alike are one.
    // By the bits: a NaN equals nothing, not even itself.
    Tensor& tensor = tensors[steps[s].tensor];
    Shape shape = tensor.shape();
    const auto bits = [](double fill) { return std::bit_cast<std::uint64_t>(fill); };
    std::size_t end = s;
    for (; end < steps.size() && steps[end].tensor == steps[s].tensor && bits(steps[end].fill) == bits(steps[s].fill);
         ++end)
      shape[steps[end].dimension] = steps[end].extent;
    const std::int64_t before = tensor.elements();
    tensor = pad_to(tensor, shape, steps[s].fill);
    count.padding += tensor.elements() - before;
    s = end;
  }
  return count;
}

}  // namespace octet
