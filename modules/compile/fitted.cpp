/// With the lengths v_1 < … < v_n, how often c_1, …, c_n they occur and C_j = c_1 + … + c_j, a bucket v_j for the
/// lengths after the i-th costs w(i, j) = compile + t · v_j · (C_j - C_i), and the best buckets for the first j lengths
/// cost f(j) = min over i of f(i) + w(i, j). For one j that is the lowest of the lines f(i) - t · C_i · x at x = v_j.
/// Their slopes fall and x grows with j, so that the lowest ones are kept in a list that is only ever walked forward:
/// all f take time in proportion to n.
module;
#include <cstdio>
module octet.compile;
import octet.base;
import octet.standard;
import :buckets;
import :fitted;

namespace octet {

namespace {

void require_range(const LengthHistogram& lengths, const FittingOptions& options) {
  std::vector<Diagnostic> faults;
  const auto require = [&](bool holds, const std::string& sentence, const std::string& fix) {
    if (!holds) faults.push_back({.number = 709, .sentence = sentence, .fix = {fix}});
  };
  const auto positive = [](double x) { return std::isfinite(x) && x >= 0; };
  require(positive(options.compile_seconds) && positive(options.seconds_per_element) && positive(options.repetitions),
          "Times and repetitions to fit buckets by are numbers of at least 0.",
          "measure them: statistics() of a compiled function has them");
  require(options.multiple >= 1, "Buckets cannot be multiples of " + std::to_string(options.multiple) + ".",
          "leave it at 8, for the matrix unit, or choose 1, for any length");
  require(!lengths.empty(), "There are no lengths to fit buckets to.", "give the histogram of the lengths that occur");
  for (const auto& [length, times] : lengths) {
    if (length < 0)
      faults.push_back(
          {.number = 403, .sentence = "An extent is at least 0; the histogram has " + std::to_string(length) + "."});
    require(times >= 1,
            "Length " + std::to_string(length) + " occurs " + std::to_string(times) + " times in the histogram.",
            "leave out what does not occur");
    if (!faults.empty()) break;
  }
  if (!faults.empty()) throw Error{std::move(faults)};
}

/// The lengths to choose buckets among, and how many calls are at most that long.
struct Candidates {
  std::vector<std::int64_t> extents;  ///< [n], increasing
  std::vector<double> at_most;        ///< [n + 1], from 0
};

Candidates candidates(const LengthHistogram& lengths, std::int64_t multiple) {
  const BucketPolicy rounding = multiple_of(multiple);
  Candidates result{{}, {0}};
  for (const auto& [length, times] : lengths) {
    const std::int64_t extent = rounding.bucket(std::max<std::int64_t>(length, 1));  // a bucket holds something
    if (result.extents.empty() || result.extents.back() != extent) {
      result.extents.push_back(extent);
      result.at_most.push_back(result.at_most.back());
    }
    result.at_most.back() += static_cast<double>(times);
  }
  return result;
}

/// The lowest of lines whose slopes do not grow, asked at places that do not fall.
class LowestLine {
 public:
  void add(double slope, double value, std::size_t index) {
    const Line line{slope, value, index};
    if (!lines_.empty() && lines_.back().slope == slope) {
      if (lines_.back().value <= value) return;
      pop();
    }
    while (lines_.size() >= 2 && hides(lines_[lines_.size() - 2], lines_.back(), line)) pop();
    lines_.push_back(line);
  }
  bool empty() const { return lines_.empty(); }
  std::pair<double, std::size_t> at(double x) {
    const auto value = [&](std::size_t i) { return lines_[i].value + lines_[i].slope * x; };
    while (first_ + 1 < lines_.size() && value(first_ + 1) < value(first_)) ++first_;
    return {value(first_), lines_[first_].index};
  }

 private:
  struct Line {
    double slope, value;
    std::size_t index;
  };
  /// Whether b is nowhere below both a and c.
  static bool hides(const Line& a, const Line& b, const Line& c) {
    return (c.value - a.value) * (a.slope - b.slope) <= (b.value - a.value) * (a.slope - c.slope);
  }
  void pop() {
    lines_.pop_back();
    first_ = std::min(first_, lines_.empty() ? 0 : lines_.size() - 1);
  }
  std::vector<Line> lines_;
  std::size_t first_ = 0;
};

/// cost[j]: of the best buckets for the first j candidates; last[j]: how many of them the last bucket leaves to the
/// others. `before` is what those cost: of any number of buckets where it is `cost` itself, or of one fewer.
void extend(const Candidates& from, double per_element, double compile, const std::vector<double>& before,
            std::vector<double>& cost, std::vector<std::uint32_t>& last) {
  LowestLine lowest;
  for (std::size_t j = 1; j <= from.extents.size(); ++j) {
    if (std::isfinite(before[j - 1])) lowest.add(-per_element * from.at_most[j - 1], before[j - 1], j - 1);
    if (lowest.empty()) continue;
    const auto x = static_cast<double>(from.extents[j - 1]);
    const auto [value, index] = lowest.at(x);
    cost[j] = value + per_element * x * from.at_most[j] + compile;
    last[j] = static_cast<std::uint32_t>(index);
  }
}

constexpr double no_cost = std::numeric_limits<double>::infinity();

/// As many buckets as pay.
std::vector<std::int64_t> best(const Candidates& from, double per_element, double compile) {
  const std::size_t n = from.extents.size();
  std::vector<double> cost(n + 1, 0);
  std::vector<std::uint32_t> last(n + 1, 0);
  extend(from, per_element, compile, cost, cost, last);
  std::vector<std::int64_t> buckets;
  for (std::size_t j = n; j > 0; j = last[j]) buckets.push_back(from.extents[j - 1]);
  return buckets;
}

/// Exactly `count` of them, fewer than pay: up to that number each spares more than it costs.
std::vector<std::int64_t> best(const Candidates& from, double per_element, double compile, std::size_t count) {
  const std::size_t n = from.extents.size();
  if (count > (std::size_t{1} << 27) / n)
    fail(
        {.number = 709,
         .sentence = std::to_string(count) + " buckets among " + std::to_string(n) + " lengths are too many to choose.",
         .fix = {"round the lengths: a greater .multiple", "leave max_buckets at 0: as many as pay"}});
  std::vector<std::vector<std::uint32_t>> last(count, std::vector<std::uint32_t>(n + 1, 0));
  std::vector<double> before(n + 1, no_cost);
  before[0] = 0;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> cost(n + 1, no_cost);
    extend(from, per_element, compile, before, cost, last[k]);
    before = std::move(cost);
  }
  std::vector<std::int64_t> buckets;
  for (std::size_t j = n, k = count; k-- > 0; j = last[k][j]) buckets.push_back(from.extents[j - 1]);
  return buckets;
}

std::string in_seconds(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

std::string percent(double share) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

std::string line(const std::string& policy, const BucketCost& cost) {
  return policy + ": " + std::to_string(cost.programs) + (cost.programs == 1 ? " program, " : " programs, ") +
         percent(cost.elements.share()) + " padding, " + in_seconds(cost.seconds()) + " (" +
         in_seconds(cost.compile_seconds) + " compiling, " + in_seconds(cost.run_seconds) + " running)";
}

}  // namespace

LengthHistogram length_histogram(std::span<const std::int64_t> lengths) {
  LengthHistogram result;
  for (const std::int64_t length : lengths) ++result[length];
  return result;
}

BucketCost bucket_cost(const BucketPolicy& policy, const LengthHistogram& lengths, const FittingOptions& options) {
  require_range(lengths, options);
  BucketCost cost;
  std::set<std::int64_t> used;
  double computed = 0;
  for (const auto& [length, times] : lengths) {
    const std::int64_t bucket = policy.bucket(length);
    used.insert(bucket);
    std::int64_t real = 0, padding = 0;
    if (__builtin_mul_overflow(length, times, &real) || __builtin_mul_overflow(bucket - length, times, &padding) ||
        __builtin_add_overflow(cost.elements.real, real, &cost.elements.real) ||
        __builtin_add_overflow(cost.elements.padding, padding, &cost.elements.padding))
      fail([&] {
        return Diagnostic{.number = 709,
                          .sentence = "The histogram has more elements than can be counted.",
                          .fix = {"divide its counts"}};
      });
    computed += static_cast<double>(bucket) * static_cast<double>(times);
  }
  cost.programs = used.size();
  cost.compile_seconds = options.compile_seconds * static_cast<double>(used.size());
  cost.run_seconds = options.seconds_per_element * options.repetitions * computed;
  return cost;
}

FittedBuckets fitted(const LengthHistogram& lengths, const FittingOptions& options) {
  require_range(lengths, options);
  const double per_element = options.seconds_per_element * options.repetitions;
  if (per_element == 0 && options.compile_seconds == 0)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "Where neither compiling nor running takes time, all buckets are alike.",
                        .fix = {"give compile_seconds and seconds_per_element as measured"}};
    });
  const Candidates from = candidates(lengths, options.multiple);
  std::vector<std::int64_t> buckets = best(from, per_element, options.compile_seconds);
  if (options.max_buckets != 0 && buckets.size() > options.max_buckets)
    buckets = best(from, per_element, options.compile_seconds, options.max_buckets);
  FittedBuckets result;
  result.policy = one_of(std::move(buckets));
  result.cost = bucket_cost(result.policy, lengths, options);
  result.multiples_of_64 = bucket_cost(multiple_of(64), lengths, options);
  return result;
}

std::string FittedBuckets::text() const {
  const double share = multiples_of_64.seconds() > 0 ? std::abs(gain()) / multiples_of_64.seconds() : 0;
  return line(to_string(policy), cost) + "\n" + line("multiple_of(64)", multiples_of_64) + "\n" +
         in_seconds(std::abs(gain())) + (gain() < 0 ? " lost" : " gained") + " over multiples of 64, " + percent(share);
}

}  // namespace octet
