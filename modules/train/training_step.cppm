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
  Array loss;                               ///< over all replicas
  Array replica_loss;                       ///< of this one's share
  std::optional<Array> next_sentence = {};  ///< over all replicas
};

struct Measured {
  nn::SummedLoss loss;
  std::optional<nn::SummedLoss> next_sentence = {};
  std::optional<Array> judged_right = {};  ///< so many pairs
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

/// The sums of both losses of pairs, and the gradient of the first and `weight` times the second. The weight is an
/// argument, as it is the same for all parts of a batch.
struct PairsGradient {
  nn::SummedGradient<nn::Bert, nn::PretrainingLoss> operator()(const nn::Bert& model,
                                                               const nn::MaskedLanguageBatch& batch,
                                                               const Array& weight) const {
    auto result = value_and_grad([&](const nn::Bert& variables, const nn::MaskedLanguageBatch& examples) {
      const nn::PretrainingLoss loss = nn::pretraining_loss(variables, examples);
      return std::pair{loss.masked.sum + loss.next_sentence.sum * weight, loss};
    })(model, batch);
    const auto& [masked, next_sentence] = result.first.second;
    const auto as_floats = [](const nn::SummedLoss& loss) {
      return nn::SummedLoss{cast<float>(loss.sum), cast<float>(loss.count)};
    };
    return {{as_floats(masked), as_floats(next_sentence)}, std::move(result.second)};
  }
};

/// `tensor` with `rows` of them: those after its own have nothing to guess, and so no part in the loss.
inline Tensor filled(const Tensor& tensor, std::int64_t rows, double value) {
  return tensor.shape()[0] == rows ? tensor : tpu::filled_up(tensor, rows, value);
}

template <class Model>
struct Task;

template <>
struct Task<nn::Bert> {
  using Batch = nn::MaskedLanguageBatch;

  static nn::Bert model(const TrainOptions& options, std::int64_t vocabulary) {
    return nn::bert(bert_config(options, vocabulary));
  }
  static nn::Initializer initializer(const TrainOptions&) { return nn::normal_initializer(0.02); }
  static std::size_t size(const text::WordPiece& tokenizer) { return tokenizer.vocabulary().size(); }
  static std::int32_t padding(const text::WordPiece& tokenizer) { return tokenizer.special_ids().padding; }

  static Values<Batch> values(const data::PipelineBatch& batch, const TrainOptions& options, std::int64_t rows) {
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
struct Task<nn::Gpt2> {
  using Batch = nn::CausalBatch;

  static nn::Gpt2 model(const TrainOptions& options, std::int64_t vocabulary) {
    return nn::gpt2(gpt2_config(options, vocabulary));
  }
  static nn::Initializer initializer(const TrainOptions& options) { return nn::gpt2_initializer(options.layers); }
  static std::size_t size(const text::Bpe& tokenizer) { return tokenizer.size(); }
  static std::int32_t padding(const text::Bpe&) { return 0; }
  static Values<Batch> values(const data::PipelineBatch& batch, const TrainOptions&, std::int64_t rows) {
    return {Batch{}, {filled(batch.input_ids, rows, 0), filled(batch.attention_mask, rows, 0)}};
  }
};

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
    Array total;                                       ///< tokens to be guessed, of all replicas
    std::optional<nn::SummedLoss> next_sentence = {};  ///< its count is that of all replicas
  };

  Slopes slopes(const Model& model, const Batch& batch) const {
    if constexpr (std::same_as<Model, nn::Bert>)
      if (model.next_sentence) return with_pairs(model, batch);
    auto summed = nn::in_parts(nn::under(policy, nn::summed_gradient(Loss{})), model, batch, parts);
    const Array total = maximum(all_reduce(summed.loss.count, all), 1.0);
    return {std::move(summed.gradient), summed.loss, total};
  }

  Metrics metrics(const Slopes& own) const {
    Metrics result{all_reduce(own.loss.sum, all) / own.total, own.loss.sum / maximum(own.loss.count, 1.0)};
    if (own.next_sentence) result.next_sentence = all_reduce(own.next_sentence->sum, all) / own.next_sentence->count;
    return result;
  }

  /// The sum of two means: that over the masked tokens and that over the pairs.
  Slopes with_pairs(const Model& model, const Batch& batch) const {
    const auto labelled = [&](const Array& labels) {
      return maximum(all_reduce(sum(cast<float>(labels >= 0)), all), 1.0);
    };
    const Array total = labelled(batch.masked_labels), pairs = labelled(*batch.next_sentence_labels);
    const Array weight = total / pairs;
    const auto gradient = nn::under(policy, PairsGradient{});
    auto summed = nn::in_parts(
        [&](const Model& variables, const Batch& examples) { return gradient(variables, examples, weight); }, model,
        batch, parts);
    return {std::move(summed.gradient), summed.loss.masked, total,
            nn::SummedLoss{summed.loss.next_sentence.sum, pairs}};
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
  return {optimizer(options), all, options.accumulate, policy_of(options), options.parameters};
}

/// The program of the gradient of one part of a batch, as a step takes it.
template <class Model>
Graph gradient_program(const TrainOptions& options, const Model& model, const typename Task<Model>::Batch& batch) {
  const auto program = [&](const auto& gradient) {
    return trace(nn::under(policy_of(options), gradient), {"model", "batch"}, model, batch).graph;
  };
  if constexpr (std::same_as<Model, nn::Bert>)
    if (model.next_sentence)
      return program([](const nn::Bert& variables, const nn::MaskedLanguageBatch& examples) {
        const auto labelled = [](const Array& labels) { return maximum(sum(cast<float>(labels >= 0)), 1.0); };
        return PairsGradient{}(variables, examples,
                               labelled(examples.masked_labels) / labelled(*examples.next_sentence_labels));
      });
  return program(nn::summed_gradient(Loss{}));
}

template <class Model>
Measured measured(const Model& model, const typename Task<Model>::Batch& batch) {
  if constexpr (std::same_as<Model, nn::Bert>)
    if (model.next_sentence) {
      const Array labels = *batch.next_sentence_labels;
      const Array logits = model.next_sentence_logits(model.encode(batch.ids, batch.segments, batch.attention_mask));
      const auto column = [&](std::int64_t c) {
        return reshape(slice_in_dim(logits, c, c + 1, 1), {logits.extent(0)});
      };
      const Array judged_random = cast<std::int32_t>(column(1) > column(0));
      return {Loss{}(model, batch), nn::summed_cross_entropy(logits, labels),
              sum(cast<float>(judged_random == labels))};
    }
  return {Loss{}(model, batch)};
}

/// One replica's part of an evaluation.
template <class Model>
struct EvaluationStep {
  nn::PrecisionPolicy policy = {};
  using Batch = typename Task<Model>::Batch;
  Measured operator()(const Model& model, const Batch& batch) const {
    return nn::under(policy, [](const Model& weights, const Batch& examples) {
      return measured<Model>(weights, examples);
    })(model, batch);
  }
};

}  // namespace octet::train
