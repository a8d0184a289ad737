module octet.train;
import octet.base;
import octet.data;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;
import octet.tpu;
import :finite;

namespace octet::train {

namespace {

struct Fault {
  std::string sentence;
  std::vector<std::string> fix;
};

/// What is wrong with options, and what mends it.
class OptionFaults {
 public:
  /// `fault()` gives a Fault. It is called, and loaded by a page, only where this does not hold.
  template <class Function>
  void require(bool holds, const Function& fault) {
    if (!holds) add(fault);
  }
  void throw_if_any() {
    if (!faults_.empty()) throw Error{std::move(faults_)};
  }

 private:
  template <class Function>
  [[gnu::noinline, gnu::cold]] void add(const Function& fault) {
    Fault found = fault();
    faults_.push_back({.number = 709, .sentence = std::move(found.sentence), .fix = std::move(found.fix)});
  }

  std::vector<Diagnostic> faults_;
};

}  // namespace

void validate(const TrainOptions& options) {
  OptionFaults faults;
  const auto at_least = [&](const char* name, std::int64_t value, std::int64_t least) {
    faults.require(value >= least, [&] {
      return Fault{
          std::string{name} + " is " + std::to_string(value) + ", and must be at least " + std::to_string(least) + ".",
          {"choose " + std::to_string(least) + " or more"}};
    });
  };
  const auto size = [&](const char* name, std::int64_t value, std::int64_t least, std::int64_t most) {
    at_least(name, value, least);
    faults.require(value <= most, [&] {
      return Fault{
          std::string{name} + " is " + std::to_string(value) + ", and must be at most " + std::to_string(most) + ".",
          {"choose " + std::to_string(most) + " or less"}};
    });
  };
  at_least("steps", options.steps, 1);
  faults.require(options.passes == 1 || options.passes == 3 || options.passes == 6, [&] {
    return Fault{
        "passes is " + std::to_string(options.passes) + ", and products take 1, 3 or 6 passes of the matrix unit.",
        {"choose 1, 3 or 6"}};
  });
  faults.require(options.passes == 1 || options.precision == Precision::bf16, [&] {
    return Fault{
        "passes is " + std::to_string(options.passes) + ", and in f32 precision there is nothing to pass again.",
        {"leave one of the two out"}};
  });
  for (const auto& [what, dtype] :
       {std::pair{"activations", options.activations}, std::pair{"parameters", options.parameters}})
    faults.require(dtype == DType::f32 || dtype == DType::bf16, [&] {
      return Fault{std::string{what} + " are " + std::string{name(dtype)} + ", and are stored as f32 or as bf16.",
                   {"choose f32 or bf16"}};
    });
  size("layers", options.layers, 1, nn::most_layers);
  size("hidden", options.hidden, 1, nn::largest_size);
  size("heads", options.heads, 1, nn::largest_size);
  size("intermediate", options.intermediate, 1, nn::largest_size);
  size("seq", options.seq, 8, nn::largest_size);
  at_least("batch", options.batch, 1);
  at_least("accumulate", options.accumulate, 1);
  faults.require(options.accumulate <= (1 << 20), [&] {
    return Fault{"accumulate is " + std::to_string(options.accumulate) + ", more parts than there can be.",
                 {"choose a number that divides a replica's share of the batch"}};
  });
  size("vocab_size", options.vocab_size, 16, nn::largest_size);
  size("positions", options.positions, 0, nn::largest_size);
  size("embedding", options.embedding, 0, nn::largest_size);
  size("embedding_rows", options.embedding_rows, 0, nn::largest_size);
  at_least("warmup_steps", options.warmup_steps, 0);
  at_least("fitted_programs", options.fitted_programs, 0);
  at_least("held_out_one_in", options.held_out_one_in, 2);
  at_least("max_predictions", options.max_predictions, 0);
  at_least("window", options.window, 1);
  faults.require(options.max_predictions <= options.seq, [&] {
    return Fault{"max_predictions is " + std::to_string(options.max_predictions) + ", and a sequence has " +
                     std::to_string(options.seq) + " tokens.",
                 {"choose " + std::to_string(options.seq) + " or less"}};
  });
  faults.require(options.heads < 1 || options.hidden % options.heads == 0, [&] {
    return Fault{"hidden is " + std::to_string(options.hidden) + ", which " + std::to_string(options.heads) +
                     " heads cannot share equally.",
                 {"choose a number of heads that divides hidden"}};
  });
  const TrainOptions usual;
  const auto number = [&](const char* name, double value, double usually, bool holds, const char* range) {
    faults.require(holds && std::isfinite(value), [&] {
      return Fault{std::string{name} + " is " + number_text(value) + ", and must be " +
                       (std::isfinite(value) ? range : "a finite number") + ".",
                   {"choose another, such as " + number_text(usually) + ", the default"}};
    });
  };
  const auto peak = static_cast<float>(options.learning_rate);
  number("learning_rate", options.learning_rate, usual.learning_rate, peak > 0 && std::isfinite(peak),
         "above 0 and finite, in f32 too");
  number("weight_decay", options.weight_decay, usual.weight_decay, options.weight_decay >= 0, "at least 0");
  // What is 0 or infinite in f32 would leave the weights as they are, for the whole run.
  const auto in_f32 = [](double value) {
    return static_cast<float>(value) > 0 && std::isfinite(static_cast<float>(value));
  };
  number("epsilon", options.epsilon, usual.epsilon, in_f32(options.epsilon), "above 0 and finite, in f32 too");
  number("clip_norm", options.clip_norm, usual.clip_norm, options.clip_norm == 0 || in_f32(options.clip_norm),
         "above 0 and finite, in f32 too, or 0 (no clipping)");
  const auto is_rate = [](double value) { return value >= 0 && value < 1; };
  number("dropout", options.dropout, usual.dropout, is_rate(options.dropout), "at least 0 and below 1");
  if (is_rate(options.dropout))  // otherwise it may be that one that both are
    number("attention_dropout", options.attention_dropout, usual.attention_dropout, is_rate(options.attention_dropout),
           "at least 0 and below 1");
  const data::Masking& masking = options.masking;
  const auto share = [](double value) { return value >= 0 && value <= 1; };
  number("mask_probability", masking.probability, usual.masking.probability,
         masking.probability > 0 && share(masking.probability), "above 0 and at most 1");
  number("replaced_by_mask", masking.replaced_by_mask, usual.masking.replaced_by_mask, share(masking.replaced_by_mask),
         "between 0 and 1");
  number("replaced_by_random", masking.replaced_by_random, usual.masking.replaced_by_random,
         share(masking.replaced_by_random), "between 0 and 1");
  const double replaced = masking.replaced_by_mask + masking.replaced_by_random;
  faults.require(!(replaced > 1 + 1e-9) || !share(masking.replaced_by_mask) || !share(masking.replaced_by_random), [&] {
    return Fault{"replaced_by_mask is " + number_text(masking.replaced_by_mask) + " and replaced_by_random " +
                     number_text(masking.replaced_by_random) + ", and together they must be at most 1.",
                 {"choose shares such as 0.8 and 0.1"}};
  });
  number("short_seq_prob", options.short_seq_prob, usual.short_seq_prob,
         options.short_seq_prob >= 0 && options.short_seq_prob <= 1, "between 0 and 1");
  number("generator_size", options.generator_size, usual.generator_size,
         options.generator_size > 0 && options.generator_size <= 1, "above 0 and at most 1");
  number("discriminator_weight", options.discriminator_weight, usual.discriminator_weight,
         options.discriminator_weight >= 0 && options.discriminator_weight <= 1e6, "between 0 and 1,000,000");
  const tpu::Slice slice = tpu::slice(options.slice);
  tpu::require_simulated(slice);
  constexpr std::int64_t most = std::int64_t{1} << 32;
  faults.require(options.batch <= most, [&] {
    return Fault{"batch is " + std::to_string(options.batch) + ", and must be at most 2^32.",
                 {"choose a batch that a machine can hold"}};
  });
  const std::int64_t accumulate = std::clamp<std::int64_t>(options.accumulate, 1, 1 << 20),
                     parts = slice.replicas * accumulate;
  const bool shared = options.batch < 1 || options.batch > most || options.batch % parts == 0 || options.pad_batch;
  faults.require(shared, [&] {
    const std::string sharers =
        (slice.replicas == 1 ? std::string{"the one replica"} : "the " + std::to_string(slice.replicas) + " replicas") +
        " of " + options.slice + (accumulate > 1 ? " in " + std::to_string(accumulate) + " parts each" : "");
    return Fault{"batch is " + std::to_string(options.batch) + ", which " + sharers + " cannot share equally.",
                 {"choose a multiple of " + std::to_string(parts) + ", such as " +
                      std::to_string((options.batch / parts + 1) * parts),
                  "fill it up with sequences of weight zero: pad_batch"}};
  });
  faults.throw_if_any();
}

std::int64_t padded_batch(const TrainOptions& options, std::int64_t replicas) {
  const std::int64_t parts = replicas * options.accumulate;
  return (options.batch + parts - 1) / parts * parts;
}

namespace {

nn::DropoutRates dropout_rates(const TrainOptions& options) { return {options.dropout, options.attention_dropout}; }

}  // namespace

nn::BertConfig bert_config(const TrainOptions& options, std::int64_t vocabulary) {
  return {.vocabulary = std::max(vocabulary, options.embedding_rows),
          .hidden = options.hidden,
          .layers = options.layers,
          .heads = options.heads,
          .intermediate = options.intermediate,
          .positions = std::max(options.seq, options.positions),
          .dropout = dropout_rates(options),
          .next_sentence = options.next_sentence,
          .embedding = options.embedding,
          .gradient_checkpointing = options.gradient_checkpointing};
}

nn::ElectraConfig electra_config(const TrainOptions& options, std::int64_t vocabulary) {
  nn::BertConfig discriminator = bert_config(options, vocabulary);
  discriminator.next_sentence = false;
  return nn::electra_config(discriminator, options.generator_size);
}

nn::Gpt2Config gpt2_config(const TrainOptions& options, std::int64_t vocabulary) {
  return {.vocabulary = std::max(vocabulary, options.embedding_rows),
          .hidden = options.hidden,
          .layers = options.layers,
          .heads = options.heads,
          .intermediate = options.intermediate,
          .positions = std::max(options.seq, options.positions),
          .dropout = dropout_rates(options),
          .gradient_checkpointing = options.gradient_checkpointing};
}

std::int64_t max_predictions(const TrainOptions& options) {
  if (options.max_predictions > 0) return options.max_predictions;
  const double share = std::ceil(static_cast<double>(options.seq) * std::clamp(options.masking.probability, 0.0, 1.0));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(share), 1, std::max<std::int64_t>(options.seq, 1));
}

bool is_decay_too_large(const TrainOptions& options) {
  constexpr double too_large = 0.5;  // beyond 2, weights grow with each step
  return options.weight_decay > TrainOptions{}.weight_decay && options.weight_decay * options.learning_rate > too_large;
}

nn::AdamW optimizer(const TrainOptions& options) {
  return {.schedule = {.peak = options.learning_rate, .warmup_steps = options.warmup_steps, .steps = options.steps},
          .epsilon = options.epsilon,
          .weight_decay = options.weight_decay,
          .clip_norm = options.clip_norm};
}

}  // namespace octet::train
