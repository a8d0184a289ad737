#include "output.hpp"

#include "batch_options.hpp"
#include "command.hpp"
#include "messages.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace nn = octet::nn;

/// Sequences that one program can take at once: none of its tensors has more than most_elements.
std::int64_t most_sequences(const nn::TransformerConfig& config, std::int64_t length, std::int64_t predictions) {
  const auto seq = static_cast<double>(length);
  const double guessed = config.kind == nn::TransformerKind::gpt2 ? seq : static_cast<double>(predictions);
  const double widest = static_cast<double>(std::max({config.hidden, config.intermediate, config.embedding}));
  const double elements = std::max(
      {static_cast<double>(config.heads) * seq * seq, seq * widest, guessed * static_cast<double>(config.vocabulary)});
  // A replica computes a whole number of the matrix unit's eight.
  const auto most = static_cast<std::int64_t>(most_elements / elements);
  return most < 8 ? most : most / 8 * 8;
}

void require_held(const nn::TransformerConfig& config, const BatchSizes& sizes, std::int64_t shares) {
  const auto holds = [&](std::int64_t length) {
    return most_sequences(config, length, std::min(sizes.predictions, length)) > 0;
  };
  if (!holds(sizes.length)) {
    std::int64_t fits = 0, above = sizes.length;
    while (above - fits > 1) {
      const std::int64_t middle = fits + (above - fits) / 2;
      (holds(middle) ? fits : above) = middle;
    }
    refuse_option("--seq is " + std::to_string(sizes.length) +
                      ", and one such sequence makes tensors of more than 2^40 elements.",
                  "choose " + std::to_string(fits) + " or less");
  }
  const std::int64_t most = most_sequences(config, sizes.length, sizes.predictions) * shares;
  if (sizes.sequences > most)
    refuse_option("--batch is " + std::to_string(sizes.sequences) + ", and a replica's share of it, " +
                      grouped((sizes.sequences + shares - 1) / shares) + " sequences of " +
                      std::to_string(sizes.length) + " tokens, makes tensors of more than 2^40 elements.",
                  "choose " + std::to_string(most) + " or less");
}

}  // namespace

void add_batch_options(CLI::App* sub, BatchOptions& options, const std::string& meaning) {
  options.batch_given =
      sub->add_option("--batch", options.batch, "sequences of a step, over all replicas")->take_last();
  option(sub, "--accumulate", options.accumulate, "parts of the batch whose gradients are added up before an update");
  options.seq_given = option(sub, "--seq", options.seq, meaning + "; where the model takes fewer, as many as it takes");
  options.predictions_given =
      sub->add_option("--predictions", options.predictions,
                      "masked tokens of a sequence that are guessed (15 in 100); GPT-2 guesses all")
          ->take_last();
}

BatchSizes batch_sizes(const BatchOptions& options, const nn::TransformerConfig& config, std::int64_t replicas) {
  require_at_least("--batch", options.batch, 1);
  require_at_least("--accumulate", options.accumulate, 1);
  constexpr long long most_parts = 1 << 20;
  if (options.accumulate > most_parts)
    refuse_option("--accumulate is " + std::to_string(options.accumulate) + ", more parts than there can be.",
                  "choose " + std::to_string(most_parts) + " or less");
  require_at_least("--seq", options.seq, 1);
  constexpr long long most = 1ll << 32;
  if (options.batch > most)
    refuse_option("--batch is " + std::to_string(options.batch) + ", and nobody has so many sequences.",
                  "choose " + std::to_string(most) + " or less");
  BatchSizes sizes{.sequences = options.batch, .length = options.seq, .parts = options.accumulate};
  if (sizes.length > config.positions) {
    if (options.seq_given->count())
      refuse_option("--seq is " + std::to_string(options.seq) + ", and the model has embeddings for " +
                        std::to_string(config.positions) + " positions.",
                    "choose " + std::to_string(config.positions) + " or less");
    sizes.length = config.positions;
  }
  sizes.predictions =
      options.predictions_given->count() ? options.predictions : std::max<std::int64_t>(1, sizes.length * 15 / 100);
  require_at_least("--predictions", sizes.predictions, 1);
  if (options.predictions_given->count() && config.kind == nn::TransformerKind::gpt2)
    octet::fail(without_effect("--predictions", "for this model", "A GPT-2 guesses all tokens."));
  if (sizes.predictions > sizes.length)
    refuse_option("--predictions is " + std::to_string(sizes.predictions) + ", and a sequence has " +
                      std::to_string(sizes.length) + " tokens.",
                  "choose " + std::to_string(sizes.length) + " or less");
  require_held(config, sizes, replicas * sizes.parts);
  return sizes;
}

}  // namespace program
