/// The options of `octet estimate` that say how the chips are fed, and what it tells of that. Imports octet: include it
/// after all other headers.
#pragma once
#include "json.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

/// What no duration of an option exceeds: the seconds of a year.
inline constexpr double longest_seconds = 365.0 * 24 * 3600;

struct InputOptions {
  std::string data, host, timeline;
  bool calls_back = false;
  long long threads = 0, prefetch = 2, example_bytes = 0, data_bytes = 0, steps = 4;
  double prepare_microseconds = 0, slow_host = 1;
  std::vector<double> host_milliseconds;
  CLI::Option *threads_given = nullptr, *prepare_given = nullptr, *example_given = nullptr, *data_given = nullptr,
              *any[9] = {};

  /// Whether anything was said of the input, or a timeline asked for.
  bool given() const;
};

/// Adds `--data`, `--host`, `--host-threads`, `--prefetch`, `--timeline` and so on. `options` must outlive the command
/// line.
void add_input_options(CLI::App* sub, InputOptions& options);

/// The feed that the options tell of: data in memory and a TPU VM where nothing is said. Throws X709 for numbers out of
/// range.
octet::tpu::FeedOptions feed_of(const InputOptions& options, const octet::nn::TrainingJob& job);

/// What is known of the feed, in two or three lines.
std::string input_text(const octet::tpu::FeedOptions& feed, const octet::tpu::FeedEstimate& fed);
/// One JSON object.
JsonObject input_json(const octet::tpu::FeedOptions& feed, const octet::tpu::FeedEstimate& fed);

/// Writes the timeline of the first steps to the file that was named. Throws X707 where it cannot be written.
void write_timeline(const InputOptions& options, const octet::nn::TrainingJob& job,
                    const octet::nn::TrainingEstimate& estimate, const octet::tpu::FeedOptions& feed);

}  // namespace program
