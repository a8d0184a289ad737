/// What one replica computes in a step and in an evaluation: which loss a model is trained by, its gradient over the
/// parts of a batch, the means over all replicas, and the update.
module octet.train:training_step;
import octet.base;
import octet.compile;
import octet.data;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;
import octet.tpu;
import octet.trace;
import :options;
import :replica_state;

namespace octet::train {

template <class Model>
using State = nn::TrainingState<Model>;

struct Metrics {
  Array loss;                        ///< over all replicas
  Array replica_loss;                ///< of this one's share
  std::optional<Array> second = {};  ///< of models that are trained by two: over all replicas
};

/// Sums, which may be added over the parts of an evaluation.
struct Measured {
  nn::SummedLoss loss;
  std::optional<nn::SummedLoss> second = {};
  std::vector<Array> judgements = {};  ///< what the model's Task makes of them
};

// What is trained on what, and by which loss.

struct Loss {
  nn::SummedLoss operator()(const nn::Bert& model, const nn::MaskedLanguageBatch& batch) const {
    return nn::masked_language_loss(model, batch);
  }
  nn::SummedLoss operator()(const nn::Gpt2& model, const nn::CausalBatch& batch) const {
    return nn::causal_language_loss(model, batch);
  }
};

/// What a model that is trained by two losses is trained by: the first with the mean over tokens to be guessed.
struct TwoLosses {
  nn::SummedLoss first, second;
};

/// `tensor` with `rows` of them: those after its own have nothing to guess, and so no part in the loss.
inline Tensor filled(const Tensor& tensor, std::int64_t rows, double value) {
  return tensor.shape()[0] == rows ? tensor : tpu::filled_up(tensor, rows, value);
}

/// A key for each of `rows` sequences, which have the numbers from `first` on: u32 [rows, 2].
inline Tensor sequence_keys(std::int64_t rows, Key key, std::uint64_t first = 0) {
  Tensor keys{DType::u32, {rows, 2}};
  const std::span<std::uint32_t> words = keys.mutable_span<std::uint32_t>();
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    const Key own = split(key, first + row);
    words[2 * row] = own.high;
    words[2 * row + 1] = own.low;
  }
  return keys;
}

/// What belongs to training a kind of model. Where a second loss is added to the first, `losses` makes both from one
/// pass, and `second_count` tells what the second is a mean of; `has_second` says of models with one or two losses
/// which they have. Random numbers of a batch, where a model needs them, come from a key, a row's from its number, the
/// first of which is given.
template <class Model>
struct Task;

/// Of models whose words are WordPieces.
struct WordPieceTask {
  static nn::Initializer initializer(const TrainOptions&) { return nn::normal_initializer(0.02); }
  static std::size_t size(const text::WordPiece& tokenizer) { return tokenizer.vocabulary().size(); }
  static std::int32_t padding(const text::WordPiece& tokenizer) { return tokenizer.special_ids().padding; }
};

template <>
struct Task<nn::Bert> : WordPieceTask {
  using Batch = nn::MaskedLanguageBatch;

  static bool has_second(const nn::Bert& model) { return model.next_sentence.has_value(); }
  static TwoLosses losses(const nn::Bert& model, const Batch& batch) {
    const nn::PretrainingLoss loss = nn::pretraining_loss(model, batch);
    return {loss.masked, loss.next_sentence};
  }
  static Array second_count(const Batch& batch) { return sum(cast<float>(*batch.next_sentence_labels >= 0)); }
  static double second_weight(const TrainOptions&) { return 1; }
  static Measured measured(const nn::Bert& model, const Batch& batch) {
    return has_second(model) ? measured_with_pairs(model, batch) : Measured{Loss{}(model, batch)};
  }
  /// Apart from what models without pairs call.
  [[gnu::noinline]] static Measured measured_with_pairs(const nn::Bert& model, const Batch& batch) {
    const Array labels = *batch.next_sentence_labels;
    const Array logits = model.next_sentence_logits(model.encode(batch.ids, batch.segments, batch.attention_mask));
    const auto column = [&](std::int64_t c) { return reshape(slice_in_dim(logits, c, c + 1, 1), {logits.extent(0)}); };
    const Array judged_random = cast<std::int32_t>(column(1) > column(0));
    return {Loss{}(model, batch),
            nn::summed_cross_entropy(logits, labels),
            {sum(cast<float>(judged_random == labels)), sum(cast<float>(labels == 0))}};
  }

  static nn::Bert model(const TrainOptions& options, std::int64_t vocabulary) {
    return nn::bert(bert_config(options, vocabulary));
  }

  static Values<Batch> values(const data::PipelineBatch& batch, const TrainOptions& options, std::int64_t rows, Key,
                              std::uint64_t) {
    Batch structure;
    std::vector<Tensor> tensors{filled(batch.input_ids, rows, 0), filled(batch.token_type_ids, rows, 0),
                                filled(batch.attention_mask, rows, 1), filled(batch.masked_positions, rows, 0),
                                filled(batch.masked_labels, rows, data::unmasked_label)};
    if (options.next_sentence) {
      structure.next_sentence_labels.emplace();
      tensors.push_back(filled(batch.next_sentence_labels, rows, -1));
    }
    return {structure, std::move(tensors)};
  }

  static Batch arrays(const TrainOptions& options, std::int64_t rows, std::int64_t predictions) {
    const auto array = [](Shape shape) { return parameter({DType::i32, std::move(shape)}, ""); };
    const Array tokens = array({rows, options.seq}), masked = array({rows, predictions});
    Batch batch{tokens, tokens, tokens, masked, masked};
    if (options.next_sentence) batch.next_sentence_labels = array({rows});
    return batch;
  }
};

template <>
struct Task<nn::Electra> : WordPieceTask {
  using Batch = nn::ReplacedTokenBatch;

  static TwoLosses losses(const nn::Electra& model, const Batch& batch) {
    const nn::ReplacedTokenPass pass = nn::replaced_token_pass(model, batch);
    return {pass.generator, pass.discriminator};
  }
  static Array second_count(const Batch& batch) { return sum(cast<float>(batch.attention_mask > 0)); }
  static double second_weight(const TrainOptions& options) { return options.discriminator_weight; }
  /// Judged: right, replaced, judged replaced, rightly judged replaced.
  static Measured measured(const nn::Electra& model, const Batch& batch) {
    const nn::ReplacedTokenPass pass = nn::replaced_token_pass(model, batch);
    const Array suspected = (pass.logits > 0) & pass.judged;
    const auto count = [](const Array& holds) { return sum(cast<float>(holds)); };
    return {pass.generator,
            pass.discriminator,
            {count((suspected == pass.replaced) & pass.judged), count(pass.replaced), count(suspected),
             count(suspected & pass.replaced)}};
  }

  static nn::Electra model(const TrainOptions& options, std::int64_t vocabulary) {
    return nn::electra(electra_config(options, vocabulary));
  }

  /// Rows that fill the batch up are all padding: there is nothing to judge in them, either.
  static Values<Batch> values(const data::PipelineBatch& batch, const TrainOptions&, std::int64_t rows, Key key,
                              std::uint64_t first) {
    Tensor attention = filled(batch.attention_mask, rows, 0);
    if (const std::int64_t width = attention.shape()[1]; batch.examples < rows)
      std::ranges::fill(
          attention.mutable_span<std::int32_t>().subspan(static_cast<std::size_t>(batch.examples * width)), 0);
    return {Batch{},
            {filled(batch.input_ids, rows, 0), filled(batch.token_type_ids, rows, 0), std::move(attention),
             filled(batch.masked_positions, rows, 0), filled(batch.masked_labels, rows, data::unmasked_label),
             sequence_keys(rows, key, first)}};
  }

  static Batch arrays(const TrainOptions& options, std::int64_t rows, std::int64_t predictions) {
    const auto array = [](Shape shape) { return parameter({DType::i32, std::move(shape)}, ""); };
    const Array tokens = array({rows, options.seq}), masked = array({rows, predictions});
    return {tokens, tokens, tokens, masked, masked, parameter({DType::u32, {rows, 2}}, "")};
  }
};

template <>
struct Task<nn::Gpt2> {
  using Batch = nn::CausalBatch;

  static double second_weight(const TrainOptions&) { return 1; }
  static Measured measured(const nn::Gpt2& model, const Batch& batch) { return {Loss{}(model, batch)}; }
  static nn::Gpt2 model(const TrainOptions& options, std::int64_t vocabulary) {
    return nn::gpt2(gpt2_config(options, vocabulary));
  }
  static nn::Initializer initializer(const TrainOptions& options) { return nn::gpt2_initializer(options.layers); }
  static std::size_t size(const text::Bpe& tokenizer) { return tokenizer.size(); }
  static std::int32_t padding(const text::Bpe&) { return 0; }
  static Values<Batch> values(const data::PipelineBatch& batch, const TrainOptions&, std::int64_t rows, Key,
                              std::uint64_t) {
    return {Batch{}, {filled(batch.input_ids, rows, 0), filled(batch.attention_mask, rows, 0)}};
  }

  static Batch arrays(const TrainOptions& options, std::int64_t rows, std::int64_t) {
    const Array tokens = parameter({DType::i32, {rows, options.seq}}, "");
    return {tokens, tokens};
  }
};

/// Whether training drops activations. A batch has keys for it then, after all else.
inline bool drops(const TrainOptions& options) { return options.dropout > 0 || options.attention_dropout > 0; }

/// The types of a batch to train on.
template <class Model>
typename Task<Model>::Batch training_arrays(const TrainOptions& options, std::int64_t rows, std::int64_t predictions) {
  typename Task<Model>::Batch batch = Task<Model>::arrays(options, rows, predictions);
  if (drops(options)) batch.dropout_keys = parameter({DType::u32, {rows, 2}}, "");
  return batch;
}

/// Models that may have a single loss, and models that may have two.
template <class Model>
concept TrainedByOne = requires(const Model& model, const typename Task<Model>::Batch& batch) { Loss{}(model, batch); };
template <class Model>
concept TrainedByTwo =
    requires(const Model& model, const typename Task<Model>::Batch& batch) { Task<Model>::losses(model, batch); };

/// The sums of both losses, and the gradient of the first and `weight` times the second. The weight is an argument, as
/// it is the same for all parts of a batch.
template <TrainedByTwo Model>
struct JointGradient {
  using Batch = typename Task<Model>::Batch;
  nn::SummedGradient<Model, TwoLosses> operator()(const Model& model, const Batch& batch, const Array& weight) const {
    auto result = value_and_grad([&](const Model& variables, const Batch& examples) {
      const TwoLosses loss = Task<Model>::losses(variables, examples);
      return std::pair{loss.first.sum + loss.second.sum * weight, loss};
    })(model, batch);
    const auto& [first, second] = result.first.second;
    const auto as_floats = [](const nn::SummedLoss& loss) {
      return nn::SummedLoss{cast<float>(loss.sum), cast<float>(loss.count)};
    };
    return {{as_floats(first), as_floats(second)}, std::move(result.second)};
  }
};

inline Array weighed(const Array& ratio, double weight) { return weight == 1 ? ratio : ratio * weight; }

/// One replica's part of a step, its share of the batch in `parts` after one another. The loss is the mean over the
/// tokens to be guessed of the whole batch, so gradients are added up over the replicas and divided by the number of
/// such tokens of all of them: replicas with more to guess weigh more.
template <class Model>
struct TrainStep {
  nn::AdamW optimizer;
  ReplicaGroups all;
  std::int64_t parts = 1;
  nn::PrecisionPolicy policy = {};
  DType storage = DType::f32;  ///< of the parameters
  double second_weight = 1;    ///< of the mean of the second loss, beside the mean of the first
  using Batch = typename Task<Model>::Batch;

  std::pair<State<Model>, Metrics> operator()(const State<Model>& state, const Batch& batch) const {
    const Slopes own = slopes(state.model, batch);
    State<Model> after = next(state, own);
    return {std::move(after), metrics(own)};
  }

  /// The same with the optimizer's state in shares.
  std::tuple<Held<Model>, Moments<Model>, Metrics> operator()(const Held<Model>& held, const Moments<Model>& moments,
                                                              const Batch& batch) const {
    const Slopes own = slopes(held.model, batch);
    State<Model> after = nn::sharded_updated(
        optimizer, State<Model>{held.model, moments.first, moments.second, held.step}, own.gradient, own.total, all);
    after.model = tpu::held_in(after.model, storage);
    return {Held<Model>{after.model, after.step}, Moments<Model>{after.first_moment, after.second_moment},
            metrics(own)};
  }

  /// Of this replica's share, but for what they are divided by.
  struct Slopes {
    Model gradient;
    nn::SummedLoss loss;
    Array total;                                ///< tokens to be guessed, of all replicas
    std::optional<nn::SummedLoss> second = {};  ///< its count is that of all replicas
  };

  Slopes slopes(const Model& model, const Batch& batch) const {
    if constexpr (!TrainedByOne<Model>)
      return by_two(model, batch);
    else if constexpr (!TrainedByTwo<Model>)
      return by_one(model, batch);
    else
      return Task<Model>::has_second(model) ? by_two(model, batch) : by_one(model, batch);
  }

  Slopes by_one(const Model& model, const Batch& batch) const
    requires(TrainedByOne<Model>)
  {
    auto summed = nn::in_parts(nn::under(policy, nn::summed_gradient(Loss{})), model, batch, parts);
    const Array total = maximum(all_reduce(summed.loss.count, all), 1.0);
    return {std::move(summed.gradient), summed.loss, total};
  }

  Metrics metrics(const Slopes& own) const {
    Metrics result{all_reduce(own.loss.sum, all) / own.total, own.loss.sum / maximum(own.loss.count, 1.0)};
    if (own.second) result.second = all_reduce(own.second->sum, all) / own.second->count;
    return result;
  }

  /// The sum of two means, the second weighed.
  Slopes by_two(const Model& model, const Batch& batch) const
    requires(TrainedByTwo<Model>)
  {
    const auto of_all = [&](const Array& count) { return maximum(all_reduce(count, all), 1.0); };
    const Array total = of_all(sum(cast<float>(batch.masked_labels >= 0)));
    const Array seconds = of_all(Task<Model>::second_count(batch));
    const Array weight = weighed(total / seconds, second_weight);
    const auto gradient = nn::under(policy, JointGradient<Model>{});
    auto summed = nn::in_parts(
        [&](const Model& variables, const Batch& examples) { return gradient(variables, examples, weight); }, model,
        batch, parts);
    return {std::move(summed.gradient), summed.loss.first, total, nn::SummedLoss{summed.loss.second.sum, seconds}};
  }

  State<Model> next(const State<Model>& state, const Slopes& own) const {
    std::vector<Array> gradients;
    for (const Array& gradient : arrays_of(own.gradient)) gradients.push_back(all_reduce(gradient, all) / own.total);
    State<Model> after = nn::updated(optimizer, state, with_arrays(state.model, gradients));
    after.model = tpu::held_in(after.model, storage);
    return after;
  }
};

inline nn::PrecisionPolicy policy_of(const TrainOptions& options) { return {options.passes, options.activations}; }

template <class Model>
TrainStep<Model> train_step(const TrainOptions& options, const ReplicaGroups& all) {
  return {optimizer(options), all,
          options.accumulate, policy_of(options),
          options.parameters, Task<Model>::second_weight(options)};
}

/// The gradient of one part of a batch, as a step takes it; what the second loss weighs is settled by this part alone.
template <TrainedByTwo Model>
struct PartGradient {
  double second_weight;
  auto operator()(const Model& model, const typename Task<Model>::Batch& batch) const {
    const Array guessed = maximum(sum(cast<float>(batch.masked_labels >= 0)), 1.0);
    const Array ratio = guessed / maximum(Task<Model>::second_count(batch), 1.0);
    return JointGradient<Model>{}(model, batch, weighed(ratio, second_weight));
  }
};

/// Its program.
template <class Model>
Graph gradient_program(const TrainOptions& options, const Model& model, const typename Task<Model>::Batch& batch) {
  const auto program = [&](const auto& gradient) {
    return trace(nn::under(policy_of(options), gradient), {"model", "batch"}, model, batch).graph;
  };
  if constexpr (TrainedByTwo<Model>) {
    const PartGradient<Model> by_two{Task<Model>::second_weight(options)};
    if constexpr (!TrainedByOne<Model>)
      return program(by_two);
    else
      return Task<Model>::has_second(model) ? program(by_two) : program(nn::summed_gradient(Loss{}));
  } else {
    return program(nn::summed_gradient(Loss{}));
  }
}

/// One replica's part of an evaluation.
template <class Model>
struct EvaluationStep {
  nn::PrecisionPolicy policy = {};
  using Batch = typename Task<Model>::Batch;
  Measured operator()(const Model& model, const Batch& batch) const {
    return nn::under(policy, [](const Model& weights, const Batch& examples) {
      return Task<Model>::measured(weights, examples);
    })(model, batch);
  }
};

}  // namespace octet::train
