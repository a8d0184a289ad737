module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import :options;

namespace octet::train {

namespace {

/// Throws X714 where the run's model would have another `what`.
template <class T>
void require_same(const char* what, T own, T made) {
  if (own == made) return;
  const auto said = [](T value) {
    if constexpr (std::is_floating_point_v<T>)
      return shortest_decimal(value);
    else
      return std::to_string(value);
  };
  fail({.number = 714,
        .sentence = std::string{"The model's "} + what + " is " + said(own) + ", and a run trains models of " +
                    said(made) + " alone.",
        .rule = "A run trains the models that it could have begun: with two segments, the papers' epsilons, and of an "
                "ELECTRA a generator as deep as the discriminator and narrower in all its sizes alike.",
        .fix = {"begin a model of your own: leave --from out", "train it with the tools that made it"}});
}

template <class Config>
TrainOptions with_sizes(const Config& config, TrainOptions options) {
  options.layers = config.layers;
  options.hidden = config.hidden;
  options.heads = config.heads;
  options.intermediate = config.intermediate;
  options.positions = config.positions;
  options.embedding_rows = config.vocabulary;
  options.seq = std::min(options.seq, config.positions);
  return options;
}

}  // namespace

TrainOptions sized_as(const nn::BertConfig& config, TrainOptions options) {
  const nn::BertConfig made = bert_config(options, config.vocabulary);
  require_same("segments", config.segments, made.segments);
  require_same("layer norm's epsilon", config.layer_norm_epsilon, made.layer_norm_epsilon);
  options = with_sizes(config, std::move(options));
  options.embedding = config.embedding_width() == config.hidden ? 0 : config.embedding_width();
  return options;
}

TrainOptions sized_as(const nn::Gpt2Config& config, TrainOptions options) {
  require_same("layer norm's epsilon", config.layer_norm_epsilon,
               gpt2_config(options, config.vocabulary).layer_norm_epsilon);
  return with_sizes(config, std::move(options));
}

TrainOptions sized_as(const nn::ElectraConfig& config, TrainOptions options) {
  const nn::BertConfig& guess = config.generator;
  options = sized_as(config.discriminator, std::move(options));
  options.generator_size = static_cast<double>(guess.hidden) / static_cast<double>(config.discriminator.hidden);
  const nn::BertConfig made = electra_config(options, config.discriminator.vocabulary).generator;
  require_same("generator's hidden size", guess.hidden, made.hidden);
  require_same("generator's heads", guess.heads, made.heads);
  require_same("generator's intermediate size", guess.intermediate, made.intermediate);
  require_same("generator's layers", guess.layers, made.layers);
  require_same("generator's epsilon", guess.layer_norm_epsilon, made.layer_norm_epsilon);
  return options;
}

}  // namespace octet::train
