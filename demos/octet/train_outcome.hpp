/// What a training run came to: its last line of JSON, or the same in words. Imports octet: include it after all other
/// headers.
#pragma once
import octet.standard;
import octet;

namespace program {

struct TrainOutcome {
  octet::train::TrainOptions options;
  octet::train::RunSummary summary;
  octet::CacheStatistics cache;
  std::optional<octet::train::Evaluation> evaluation = {};  ///< none where the run was stopped before one
  std::optional<octet::tpu::PrecisionReport> precision = {};
  std::string parameters_hash = {}, stopped_by = {}, out = {};
  bool causal = false, of_lines = false;
  bool may_flatter = false;  ///< held out of records, which may hold several passes over a text
  double padding_share = 0, data_wait_share = 0, seconds = 0;
  std::int64_t steps = 0, resumed_at = 0, tokens = 0;
  std::int64_t times_lost = 0, steps_again = 0;
};

std::string json_of(const TrainOutcome& outcome);
/// Lines of text, for a run that was not stopped.
std::string text_of(const TrainOutcome& outcome);

}  // namespace program
