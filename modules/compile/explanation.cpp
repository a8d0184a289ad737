module;
#include <cstdio>
module octet.compile;
import octet.base;
import octet.standard;
import :buckets;
import :explanation;
import :fitted;
import :seen_shapes;
import :signature;
import :trace_difference;

namespace octet {

namespace {

using Kind = SignatureDifference::Kind;

/// A run is judged as if it went on for so many calls: few calls say little about what compiling will come to.
constexpr double expected_calls = 1000;

std::string counted(std::size_t programs) {
  return std::to_string(programs) + (programs == 1 ? " program" : " programs");
}

std::string text_of(const Bucket& bucket) {
  std::string text =
      "{\"" + bucket.argument + "\", " + std::to_string(bucket.dimension) + ", " + to_string(bucket.policy);
  if (bucket.fill != 0)
    text += ", " + (std::isnan(bucket.fill)   ? "NAN"
                    : std::isinf(bucket.fill) ? std::string{bucket.fill < 0 ? "-INFINITY" : "INFINITY"}
                                              : shortest_decimal(bucket.fill));
  return text + "}";
}

std::string text_of(const std::vector<Bucket>& buckets) {
  std::string text = ".buckets = {";
  for (std::size_t i = 0; i < buckets.size(); ++i) text += (i ? ", " : "") + text_of(buckets[i]);
  return text + "}";
}

/// The rule that decides a dimension now.
const Bucket* rule_of(const VaryingExtent::Dimension& dimension, std::span<const Bucket> buckets) {
  for (const Bucket& bucket : buckets)
    if (bucket.dimension == dimension.dimension && lies_below(dimension.array, bucket.argument)) return &bucket;
  return nullptr;
}

double fill_of(const VaryingExtent::Dimension& dimension, std::span<const Bucket> buckets) {
  const Bucket* const rule = rule_of(dimension, buckets);
  return rule ? rule->fill : 0;
}

/// Rules that give the dimensions of `extent` the policy `policy`, with the fill they have now: one for a whole
/// argument where all of it is filled alike.
std::vector<Bucket> rules(const VaryingExtent& extent, const BucketPolicy& policy, std::span<const Bucket> buckets) {
  std::vector<Bucket> result;
  for (const VaryingExtent::Dimension& each : extent.dimensions) {
    const std::string root = each.array.substr(0, each.array.find('.'));
    const double fill = fill_of(each, buckets);
    const bool apart =
        std::ranges::any_of(extent.also, [&](const std::string& name) { return lies_below(name, root); }) ||
        std::ranges::any_of(extent.dimensions, [&](const VaryingExtent::Dimension& other) {
          return lies_below(other.array, root) && fill_of(other, buckets) != fill;
        });
    Bucket rule{apart ? each.array : root, each.dimension, policy, fill};
    if (std::ranges::find(result, rule) == result.end()) result.push_back(std::move(rule));
  }
  return result;
}

/// Tries policies on all extents that varied.
class BucketCures {
 public:
  BucketCures(const SeenShapes& seen, std::span<const Bucket> buckets, const Expense& expense)
      : seen_{seen}, buckets_{buckets.begin(), buckets.end()}, expense_{expense}, varying_{seen.varying()} {
    now_ = seen.under(buckets_).value_or(SeenOutcome{});
    const double calls = static_cast<double>(std::max<std::uint64_t>(seen.calls(), 1));
    repetitions_ = std::max(1.0, expected_calls / calls);
  }

  std::vector<Cure> best() {
    if (varying_.empty() || now_.programs < 2) return {};
    std::optional<Cure> multiple;
    for (const std::int64_t n : {64, 32, 128, 16, 256, 8, 512})
      consider(multiple, [&](const VaryingExtent&) { return multiple_of(n); });
    std::optional<Cure> fit, one;
    if (expense_.run_milliseconds > 0 && expense_.compiles > 0)
      consider(fit, [&](const VaryingExtent& extent) { return fit_to(extent); });
    consider(one, [&](const VaryingExtent& extent) {
      const std::int64_t longest = std::max<std::int64_t>(extent.extents.rbegin()->first, 1);
      return max_length(multiple_of(8).holds(longest) ? multiple_of(8).bucket(longest) : longest);
    });
    std::vector<Cure> result;
    for (std::optional<Cure>* cure : {&multiple, &fit, &one})
      if (*cure && (*cure)->programs <= now_.programs && !is_there(**cure) &&
          std::ranges::find(result, (*cure)->change, &Cure::change) == result.end())
        result.push_back(std::move(**cure));
    std::ranges::stable_sort(result, {}, [&](const Cure& cure) { return milliseconds(cure); });
    return result;
  }

 private:
  /// Whether all of its rules are in force already.
  bool is_there(const Cure& cure) const {
    return std::ranges::all_of(cure.buckets,
                               [&](const Bucket& rule) { return std::ranges::find(buckets_, rule) != buckets_.end(); });
  }
  /// What compiling and running are expected to take under a cure.
  double milliseconds(const Cure& cure) const {
    const double each = expense_.compiles ? expense_.compile_milliseconds / static_cast<double>(expense_.compiles) : 1;
    const double elements = static_cast<double>(now_.elements.real + now_.elements.padding);
    const double ratio = elements > 0 ? static_cast<double>(cure.elements.real + cure.elements.padding) / elements : 1;
    return each * static_cast<double>(cure.programs) + expense_.run_milliseconds * ratio * repetitions_;
  }

  /// With fewer buckets than there were extents: it holds no others, and with one for each it would spare no compile.
  BucketPolicy fit_to(const VaryingExtent& extent) const {
    double computed = 0;
    for (const auto& [length, times] : extent.extents)
      computed += static_cast<double>(length) * static_cast<double>(times);
    return fitted(extent.extents,
                  {.compile_seconds = expense_.compile_milliseconds / 1e3 / static_cast<double>(expense_.compiles),
                   .seconds_per_element = expense_.run_milliseconds / 1e3 / std::max(computed, 1.0),
                   .repetitions = repetitions_,
                   .max_buckets = std::max<std::size_t>(extent.extents.size(), 2) - 1})
        .policy;
  }

  /// Takes the cure with `policy_of` each extent for `best` where it is expected to take less time.
  void consider(std::optional<Cure>& best, const std::function<BucketPolicy(const VaryingExtent&)>& policy_of) const {
    Cure cure;
    for (const VaryingExtent& extent : varying_) {
      const std::vector<Bucket> more = rules(extent, policy_of(extent), buckets_);
      cure.buckets.insert(cure.buckets.end(), more.begin(), more.end());
    }
    std::vector<Bucket> all = cure.buckets;
    for (const Bucket& bucket : buckets_)
      if (std::ranges::none_of(cure.buckets, [&](const Bucket& rule) { return forestalls(rule, bucket); }))
        all.push_back(bucket);
    const std::optional<SeenOutcome> outcome = seen_.under(all);
    if (!outcome) return;
    cure.change = text_of(cure.buckets);
    cure.programs = outcome->programs;
    cure.programs_now = now_.programs;
    cure.elements = outcome->elements;
    if (!best || milliseconds(cure) < milliseconds(*best)) best = std::move(cure);
  }

  const SeenShapes& seen_;
  std::vector<Bucket> buckets_;
  Expense expense_;
  std::vector<VaryingExtent> varying_;
  SeenOutcome now_;
  double repetitions_ = 1;
};

/// What to do where something else than an extent differs.
std::string other_cure(const SignatureDifference& difference) {
  switch (difference.kind) {
    case Kind::dtype:
      return "pass " + difference.argument + " as " + difference.before +
             " in every call: .converted(DType::" + difference.before + ")";
    case Kind::rank:
      return "pass " + difference.argument + " with one rank in every call, reshaped where it has fewer dimensions";
    case Kind::presence:
      return "pass the same arrays in every call: an empty place as a Tensor of zeros, and a mask that leaves it out";
    case Kind::static_value:
      return "pass " + difference.argument + " as a Tensor" +
             (difference.argument.ends_with(".low") || difference.argument.ends_with(".high")
                  ? " (a Key as key_data(key))"
                  : "") +
             ": it is then data, and all its values share a program";
    case Kind::replicated:
      return "give " + difference.argument +
             " to the replicas in one way in every call, with replicated(value, replicas) or each its own";
    case Kind::structure:
      return "pass arguments of the same C++ types in every call";
    case Kind::lengths:
      return "pass lists of the same lengths, and the same optionals and variants";
    case Kind::extent:
      break;
  }
  return {};
}

}  // namespace

std::string in_milliseconds(double milliseconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f ms", milliseconds);
  return text;
}

std::string in_percent(double share) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

std::string extents_text(const LengthHistogram& extents) {
  constexpr std::size_t most = 6;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [extent, times] : extents) {
    if (shown++ == most) break;
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  }
  if (extents.size() > most)
    text +=
        ", … (" + std::to_string(extents.size()) + " extents up to " + std::to_string(extents.rbegin()->first) + ")";
  return text;
}

std::string Cure::text() const {
  if (programs == 0) return change;
  return change + ": " + counted(programs) +
         (programs == programs_now ? ", as many as now," : " instead of " + std::to_string(programs_now)) +
         " for the shapes seen, " + in_percent(elements.share()) + " padding";
}

std::string CompileEvent::text() const {
  std::string text = (function.empty() ? "" : function + " ") + "compiled in " + in_milliseconds(milliseconds) + ": ";
  if (!nearest) return text + "its first program";
  if (was_evicted())
    return text + "this program had been evicted from the cache" +
           (retraced ? ", and was traced otherwise now: " + retraced->text() : "");
  text += to_string(differences.front());
  if (differences.size() > 1) text += " (and " + std::to_string(differences.size() - 1) + " more)";
  return text;
}

std::string CompileEvent::explain() const {
  constexpr std::size_t most = 8;
  std::string text = this->text();
  const auto add = [&](const std::string& line) { text += "\n  " + line; };
  if (nearest && !differences.empty()) {
    // Of a large model, only what differs is of interest.
    for (std::size_t i = 0; i < std::min(most, differences.size()); ++i)
      add((i == 0 ? "differs: " : "         ") + to_string(differences[i]));
    if (differences.size() > most) add("         and " + std::to_string(differences.size() - most) + " more");
  }
  if (retraced && retraced->where.known()) add("where:   " + to_string(retraced->where));
  add("programs: " + std::to_string(programs) + " in the cache, " + std::to_string(compiles) + " compiled so far");
  for (std::size_t i = 0; i < cures.size(); ++i) add((i == 0 ? "cure:    " : "    or:  ") + cures[i].text());
  return text;
}

std::vector<Cure> cures(const std::vector<SignatureDifference>& differences, const SeenShapes& seen,
                        std::span<const Bucket> buckets, const Expense& expense) {
  std::vector<Cure> result;
  const auto add = [&](Cure cure) {
    if (std::ranges::find(result, cure.change, &Cure::change) == result.end()) result.push_back(std::move(cure));
  };
  for (const SignatureDifference& difference : differences)
    if (const std::string change = other_cure(difference); !change.empty()) add({.change = change});
  // An evicted program differs in nothing: either there is room for all, or there are fewer.
  if (differences.empty())
    add({.change = ".max_programs = " + std::to_string(2 * expense.max_programs) +
                   ", or fewer shapes: the cache keeps " + std::to_string(expense.max_programs)});
  if (differences.empty() ||
      std::ranges::find(differences, Kind::extent, &SignatureDifference::kind) != differences.end())
    for (Cure& cure : BucketCures{seen, buckets, expense}.best()) add(std::move(cure));
  if (result.size() > 3) result.resize(3);
  return result;
}

}  // namespace octet
