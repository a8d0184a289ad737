#include "output.hpp"

#include "data.hpp"
#include "run_warnings.hpp"
import octet.standard;
import octet;

namespace program {

using octet::train::TrainOptions;

namespace {

std::string warmup_warning(const TrainOptions& options) {
  if (options.warmup_steps < options.steps) return "";
  const octet::nn::Schedule schedule{.peak = 1, .warmup_steps = options.warmup_steps, .steps = options.steps};
  const double last = 100 * schedule.at(options.steps - 1);
  return "warning: --warmup-steps is " + grouped(options.warmup_steps) + ", and the run has " +
         counted(options.steps, "step") + ": the learning rate rises " +
         (last < 100 ? "to " + fixed(last, last < 1 ? 2 : 0) + " % of its peak" : std::string{"up to the last step"}) +
         " and never falls. Choose --warmup-steps " + std::to_string(options.steps / 10) + ", or more --steps.";
}

}  // namespace

std::vector<std::string> option_warnings(const TrainOptions& options, bool masks_tokens) {
  std::vector<std::string> warnings{warmup_warning(options)};
  if (masks_tokens && options.max_predictions > 0)
    warnings.push_back(
        predictions_warning(options.max_predictions, options.seq, options.masking.probability, "--mask-probability"));
  std::erase(warnings, "");
  return warnings;
}

std::string divergence_cures(const TrainOptions& options) {
  if (octet::train::is_decay_too_large(options)) return "Choose a lower --weight-decay.";
  std::vector<std::string> cures{"a lower --learning-rate"};
  if (options.warmup_steps < options.steps) cures.emplace_back("more --warmup-steps");
  if (options.clip_norm == 0 || options.clip_norm > 1) cures.emplace_back("--clip-norm 1");
  std::string text = "Choose " + cures.front();
  for (std::size_t i = 1; i < cures.size(); ++i)
    text += (i + 1 < cures.size() ? ", " : cures.size() > 2 ? ", or " : " or ") + cures[i];
  return text + ".";
}

}  // namespace program
