module octet.train;
import octet.base;
import octet.data;
import octet.nn;
import octet.standard;
import octet.text;
import octet.tpu;
import octet.trace;
import :checkpoint;
import :evaluating;
import :evaluation;
import :feed;
import :finite;
import :options;
import :trainer;
import :training_step;

namespace octet::train {

namespace {

/// Measures batch after batch.
template <class Network>
class Evaluator {
 public:
  Evaluator(const auto& model, const TrainOptions& options, Threads& threads)
      : options_{options},
        slice_{tpu::slice(options.slice)},
        program_{evaluation_program<Network>(options, slice_, threads)},
        model_{tpu::replicated(weights(model, options), slice_.replicas)} {}

  void add(const data::PipelineBatch& batch) {
    const auto measured =
        program_(model_, tpu::sharded(held_out_values<Network>(batch, batches_, options_, slice_.replicas)));
    for (const auto& own : measured.each)
      for (const Tensor& sum : own.tensors())
        if (const auto number = first_not_finite(sum))
          fail([&] {
            return Diagnostic{.number = 509,
                              .sentence = "The loss of this data is " + number_text(*number) + ".",
                              .fix = {"see whether the model's weights are those of a run that has diverged"}};
          });
    train::add(sums_, measured);
    ++batches_;
  }
  Evaluation result() const { return evaluation_of<Network>(sums_); }

 private:
  /// All of the model's, but for a head that nobody asks.
  static Values<Network> weights(const auto& model, const TrainOptions& options) {
    if constexpr (std::same_as<Network, nn::Bert>) {
      nn::Bert structure = model.parameters.structure();
      if (options.next_sentence && !structure.next_sentence)
        fail([&] {
          return Diagnostic{.number = 715,
                            .sentence = "The model has no head that judges next sentences.",
                            .fix = {"leave next_sentence out: only a BertForPreTraining judges pairs"}};
        });
      if (!options.next_sentence) structure.next_sentence.reset();
      std::map<std::string, Tensor> named;
      const std::vector<std::string> names = model.parameters.names();
      for (std::size_t i = 0; i < names.size(); ++i) named[names[i]] = model.parameters.tensors()[i];
      std::vector<Tensor> tensors;
      for_each_array(structure, "", [&](const std::string& name, const Array&) { tensors.push_back(named.at(name)); });
      return {structure, std::move(tensors)};
    } else {
      return model.parameters;
    }
  }

  const TrainOptions& options_;
  tpu::Slice slice_;
  EvaluationProgram<Network> program_;
  tpu::Replicated<Values<Network>> model_;
  EvaluationSums sums_{};
  std::size_t batches_ = 0;
};

template <class Network>
Evaluation on_lines(const auto& model, const std::vector<std::string>& lines, const TrainOptions& options,
                    Threads& threads) {
  validate(options);
  Evaluator<Network> evaluator{model, options, threads};
  const data::MaskedBatches batches{
      data::pack(model.tokenizer, lines, {.max_length = options.seq, .packing = options.packing}),
      model.tokenizer.vocabulary(),
      {.batch = options.batch,
       .max_length = options.seq,
       .padding = options.padding,
       .masking = options.masking,
       .seed = options.seed}};
  std::size_t number = 0;
  do {
    evaluator.add(pipeline_batch(batches.to_measure(number)));
  } while (++number * static_cast<std::size_t>(options.batch) < batches.examples().size());
  return evaluator.result();
}

template <class Network>
Evaluation on_source(const auto& model, const data::WindowSource& source, const TrainOptions& options,
                     Threads& threads) {
  validate(options);
  Evaluator<Network> evaluator{model, options, threads};
  const data::PipelineOptions pipeline{
      .batch = options.batch,
      .replicas = options.pad_batch ? 1 : tpu::slice(options.slice).replicas,
      .max_length = options.seq,
      .max_predictions = std::same_as<Network, nn::Gpt2> ? 0 : max_predictions(options),
      .padding = options.padding,
      .padding_id = Task<Network>::padding(model.tokenizer),
      .seed = options.seed};
  std::vector<data::TrainingExample> left;  // of windows before, less than a batch
  const auto batch = static_cast<std::size_t>(options.batch);
  const auto measure = [&](std::vector<data::TrainingExample> examples) {
    for (const data::PipelineBatch& each : evaluation_batches(std::move(examples), pipeline)) evaluator.add(each);
  };
  for (std::uint64_t window = 0; window < source.windows; ++window) {
    std::ranges::move(source.window(data::evaluation_epoch, window), std::back_inserter(left));
    const auto full = left.begin() + static_cast<std::ptrdiff_t>(left.size() / batch * batch);
    std::vector<data::TrainingExample> rest{std::make_move_iterator(full), std::make_move_iterator(left.end())};
    left.erase(full, left.end());
    measure(std::exchange(left, std::move(rest)));
  }
  measure(std::move(left));
  return evaluator.result();
}

}  // namespace

Evaluation evaluate(const Model& model, const std::vector<std::string>& lines, const TrainOptions& options,
                    Threads& threads) {
  return on_lines<nn::Bert>(model, lines, options, threads);
}
Evaluation evaluate(const ElectraModel& model, const std::vector<std::string>& lines, const TrainOptions& options,
                    Threads& threads) {
  return on_lines<nn::Electra>(model, lines, options, threads);
}
Evaluation evaluate(const Model& model, const data::WindowSource& source, const TrainOptions& options,
                    Threads& threads) {
  return on_source<nn::Bert>(model, source, options, threads);
}
Evaluation evaluate(const ElectraModel& model, const data::WindowSource& source, const TrainOptions& options,
                    Threads& threads) {
  return on_source<nn::Electra>(model, source, options, threads);
}
Evaluation evaluate(const CausalModel& model, const data::WindowSource& source, const TrainOptions& options,
                    Threads& threads) {
  return on_source<nn::Gpt2>(model, source, options, threads);
}

}  // namespace octet::train
