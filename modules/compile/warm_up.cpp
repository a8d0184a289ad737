/// Which programs a warm-up makes.
module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :buckets;
import :cache;
import :explanation;
import :host_values;
import :jit;
import :signature;

namespace octet {

namespace {

/// Dimensions that rules of one policy decide and that meet one largest extent: they grow together.
struct Growing {
  BucketPolicy policy;
  std::int64_t largest = 0;  ///< in the example
  struct Dimension {
    std::size_t array;
    std::int64_t dimension, bucket;  ///< the bucket in the example
  };
  std::vector<Dimension> dimensions;
  std::vector<std::int64_t> buckets = {};
};

std::vector<Growing> growing(const HostArguments& example, const std::vector<Bucket>& rules, std::size_t most) {
  std::vector<const Shape*> shapes;
  for (const Tensor& tensor : example.tensors) shapes.push_back(&tensor.shape());
  std::vector<Growing> by_rule(rules.size());
  for (const BucketedDimension& each : bucketed_dimensions(example.names, shapes, rules)) {
    if (!each.bucket) {
      std::vector<Tensor> tensors = example.tensors;
      pad_to_buckets(example.names, tensors, rules);  // throws: names all that no bucket is large enough for
    }
    Growing& own = by_rule[each.rule];
    own.policy = rules[each.rule].policy;
    own.largest = std::max(own.largest, each.extent);
    own.dimensions.push_back({each.array, each.dimension, each.bucket.value()});
  }
  std::vector<Growing> result;
  for (Growing& own : by_rule) {
    if (own.dimensions.empty()) continue;
    const auto same = std::ranges::find_if(
        result, [&](const Growing& other) { return other.policy == own.policy && other.largest == own.largest; });
    if (same == result.end()) {
      own.buckets = own.policy.buckets_up_to(own.largest, most);
      result.push_back(std::move(own));
    } else {
      same->dimensions.insert(same->dimensions.end(), own.dimensions.begin(), own.dimensions.end());
    }
  }
  return result;
}

/// While it lives, compiles are asked for.
struct Asked {
  std::atomic<int>& count;
  explicit Asked(std::atomic<int>& counter) : count{counter} { ++count; }
  ~Asked() { --count; }
};

}  // namespace

WarmUp Specializations::warm_up(const HostArguments& example, Signature signature,
                                const std::function<Lowered(const std::vector<TensorType>&)>& lower) {
  const std::vector<Growing> all = growing(example, options_.buckets, options_.max_programs + 1);
  std::size_t count = 1;
  for (const Growing& each : all) count = std::min(count * each.buckets.size(), options_.max_programs + 1);
  if (count > options_.max_programs)
    fail({.number = 304,
          .sentence = "A warm-up of " + options_.name + " would compile more programs than the " +
                      std::to_string(options_.max_programs) + " that its cache keeps.",
          .fix = {"use fewer buckets, such as multiple_of(64), one_of or fitted", "raise max_programs",
                  "warm up with a shorter example: unbounded policies go up to its extents"}});
  const auto begin = std::chrono::steady_clock::now();
  const Asked asked{warming_};
  WarmUp result;
  std::vector<std::size_t> at(all.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t g = 0; g < all.size(); ++g) {
      const std::int64_t bucket = all[g].buckets[at[g]], largest = all[g].policy.bucket(all[g].largest);
      // What is shorter than the longest in the example stays at most as long as it is there.
      for (const Growing::Dimension& each : all[g].dimensions)
        signature.types[each.array].shape[each.dimension] =
            each.bucket == largest ? bucket : std::min(bucket, each.bucket);
    }
    if (cache_.find(signature)) {
      ++result.known;
    } else {
      program(signature, [&] { return lower(signature.types); });
      ++result.compiled;
    }
    for (std::size_t g = all.size(); g-- > 0;) {
      if (++at[g] < all[g].buckets.size()) break;
      at[g] = 0;
    }
  }
  result.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace octet
