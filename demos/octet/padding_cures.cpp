#include "output.hpp"

#include "padding_cures.hpp"
#include "padding_option.hpp"
import octet.standard;
import octet;

namespace program {

std::vector<std::string> padding_cures(octet::LengthHistogram lengths, const octet::CacheStatistics& cache,
                                       const octet::train::TrainOptions& options) {
  if (lengths.empty() || cache.misses == cache.failures) return {};
  double positions = 0, steps = 0;
  for (const auto& [length, times] : lengths) {
    positions += static_cast<double>(length) * static_cast<double>(times);
    steps += static_cast<double>(times);
  }
  ++lengths[options.seq];  // the longest there can be must have its place
  const octet::FittingOptions costs{
      .compile_seconds = cache.compile_milliseconds / 1e3 / static_cast<double>(cache.misses - cache.failures),
      .seconds_per_element = cache.run_milliseconds / 1e3 / positions,
      .repetitions = std::max(1.0, static_cast<double>(options.steps) / steps),
      .max_buckets = 16};
  const auto cure = [](const std::string& padding, const octet::BucketCost& cost) {
    return "--padding " + padding + " in a new run: " + std::to_string(cost.programs) +
           (cost.programs == 1 ? " program, " : " programs, ") + fixed(100 * cost.elements.share(), 1) +
           " % more padding for the lengths so far";
  };
  const octet::FittedBuckets fit = octet::fitted(lengths, costs);
  std::vector<std::int64_t> extents = fit.policy.extents();
  extents.back() = options.seq;  // rounded up, it may be longer
  const std::string fitted = words_of({octet::data::pad_to_one_of(extents)});
  std::vector<std::string> cures{cure(fitted, octet::bucket_cost(octet::one_of(std::move(extents)), lengths, costs)),
                                 cure("multiple_of:64", fit.multiples_of_64)};
  if (fit.gain() < 0) std::swap(cures[0], cures[1]);
  cures.push_back("--padding max_length in a new run: 1 program");
  return cures;
}

}  // namespace program
