#include "json.hpp"
#include "output.hpp"

#include "precision_report.hpp"
#include "second_loss.hpp"
#include "train_outcome.hpp"

namespace program {

namespace {

std::string kilobytes(std::int64_t bytes) { return grouped((bytes + 500) / 1000) + " kB"; }

}  // namespace

std::string json_of(const TrainOutcome& run) {
  JsonObject line;
  if (!run.stopped_by.empty()) line.add("stopped_by", run.stopped_by);
  if (run.evaluation) {
    line.add("held_out_loss", run.evaluation->loss)
        .add(run.causal ? "held_out_tokens" : "held_out_masked_tokens", run.evaluation->masked_tokens);
    for (const Figure& figure : second_figures(*run.evaluation)) line.add(figure.name, figure.value);
  }
  line.add("compiles", run.cache.misses - run.cache.failures)
      .add("cache_hits", run.cache.hits)
      .add("evictions", run.cache.evictions)
      .add("compile_milliseconds", run.cache.compile_milliseconds)
      .add("padding_share", run.padding_share)
      .add("data_wait_share", run.data_wait_share)
      .add("parameters_hash", run.parameters_hash)
      .add("steps", run.steps)
      .add("resumed_at", run.resumed_at)
      .add("seed", run.options.seed)
      .add("parameters", run.summary.parameters)
      .add("vocabulary", run.summary.vocabulary)
      .add("held_out_sequences", run.summary.held_out_sequences)
      .add("replicas", run.summary.replicas)
      .add("parameter_bytes_per_replica", run.summary.parameter_bytes)
      .add("optimizer_bytes_per_replica", run.summary.optimizer_bytes)
      .add("threads", run.summary.threads)
      .add("tokens", run.tokens)
      .add("seconds", run.seconds);
  if (run.times_lost > 0) line.add("times_lost", run.times_lost).add("steps_done_again", run.steps_again);
  if (run.of_lines)
    line.add("training_lines", run.summary.training_lines).add("held_out_lines", run.summary.held_out_lines);
  if (run.summary.training_sequences > 0) line.add("training_sequences", run.summary.training_sequences);
  if (run.precision) line.add("precision_report", json_of(*run.precision, run.options));
  if (!run.out.empty()) line.add("out", run.out);
  return line.text();
}

std::string text_of(const TrainOutcome& run) {
  const auto programs = static_cast<long long>(run.cache.misses - run.cache.failures);
  std::string text;
  if (run.evaluation) {
    text += "Held-out loss " + fixed(run.evaluation->loss, 4) + " nats over " +
            counted(run.evaluation->masked_tokens, run.causal ? "token" : "masked token") + ", after " +
            counted(run.steps, "step") + ".\n";
    if (run.may_flatter)
      text +=
          "Where the records hold several passes over a text, that was measured on sentences that were trained on "
          "under other masks, and comes out too low.\n";
    if (const std::string second = second_sentence(*run.evaluation); !second.empty()) text += second + "\n";
  }
  text += grouped(run.summary.parameters) + " parameters (" + run.parameters_hash + "), " +
          grouped(run.summary.vocabulary) + (run.causal ? " byte pairs, " : " WordPieces, ") +
          counted(run.summary.replicas, "replica") + ".\n";
  text += "A replica holds " + kilobytes(run.summary.parameter_bytes) + " of parameters and " +
          kilobytes(run.summary.optimizer_bytes) + " of the optimizer's state" +
          (run.options.shard_optimizer ? ", its share.\n" : ".\n");
  // Beside a number of tokens, a short time is told so that one can divide by it.
  text += counted(run.tokens, "token") + " in " +
          (run.seconds < 9.95 ? fixed(run.seconds, run.seconds < 0.995 ? 2 : 1) + " s" : duration(run.seconds)) + ", " +
          fixed(run.padding_share * 100, 1) + " % of the positions padding, " + counted(programs, "program") +
          " compiled.\n";
  // What a processor compiles in milliseconds costs minutes there.
  constexpr long long noted = 5;
  const double each = octet::nn::Compiles{}.seconds;
  using enum octet::data::Padding::Kind;
  const auto padding = run.options.padding.kind;
  if (programs >= noted && (padding == longest || padding == multiple_of))
    text += "For a TPU, XLA compiles a small transformer in a quarter of a minute, a large one in minutes: at " +
            duration(each) + " each, these take " + duration(each * static_cast<double>(programs)) +
            ". Fewer lengths, by --padding, need fewer programs.\n";
  text += "Steps waited for their data " + fixed(100 * run.data_wait_share, 1) + " % of their time.";
  if (run.precision) text += "\n" + text_of(*run.precision, run.options);
  return text;
}

}  // namespace program
