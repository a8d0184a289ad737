module octet.train;
import octet.base;
import octet.compile;
import octet.data;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;
import octet.tpu;
import octet.trace;

namespace octet::train {

namespace {

using State = nn::TrainingState<nn::Bert>;

struct Metrics {
  Array loss;          ///< over all replicas
  Array replica_loss;  ///< of this one's share
};

/// One replica's part of a step, its share of the batch in `parts` after one another. The loss is the mean over the masked tokens of the whole batch, so gradients are added up over the
/// replicas and divided by the number of masked tokens of all of them: replicas with more to guess weigh more.
struct TrainStep {
  nn::AdamW optimizer;
  ReplicaGroups all;
  std::int64_t parts = 1;
  nn::PrecisionPolicy policy = {};
  DType storage = DType::f32;   ///< of the parameters

  std::pair<State, Metrics> operator()(const State& state, const nn::MaskedLanguageBatch& batch) const {
    const auto summed = nn::in_parts(nn::under(policy, nn::summed_gradient(nn::masked_language_loss)), state.model, batch, parts);
    const auto& [loss, count] = summed.loss;
    const Array total = maximum(all_reduce(count, all), 1.0);
    std::vector<Array> gradients;
    for (const Array& gradient : arrays_of(summed.gradient)) gradients.push_back(all_reduce(gradient, all) / total);
    State after = nn::updated(optimizer, state, with_arrays(state.model, gradients));
    after.model = tpu::held_in(after.model, storage);
    return {std::move(after), Metrics{all_reduce(loss, all) / total, loss / maximum(count, 1.0)}};
  }
};

/// One replica's part of an evaluation.
struct EvaluationStep {
  nn::PrecisionPolicy policy = {};
  nn::SummedLoss operator()(const nn::Bert& model, const nn::MaskedLanguageBatch& batch) const {
    return nn::under(policy, nn::masked_language_loss)(model, batch);
  }
};

nn::PrecisionPolicy policy_of(const TrainOptions& options) { return {options.passes, options.activations}; }
TrainStep train_step(const TrainOptions& options, const ReplicaGroups& all) {
  return {optimizer(options), all, options.accumulate, policy_of(options), options.parameters};
}

/// `batch` with `rows` sequences: those after its own have nothing to guess, and so no part in the loss.
Values<nn::MaskedLanguageBatch> values_of(const data::MaskedBatch& batch, std::int64_t rows) {
  const auto filled = [&](const Tensor& tensor, double value) {
    return tensor.shape()[0] == rows ? tensor : tpu::filled_up(tensor, rows, value);
  };
  return {nn::MaskedLanguageBatch{},
          {filled(batch.input_ids, 0), filled(batch.token_type_ids, 0), filled(batch.attention_mask, 1), filled(batch.masked_positions, 0),
           filled(batch.masked_labels, -100)}};
}

text::WordPiece learned(const std::vector<std::string>& lines, const TrainOptions& options) {
  text::WordPieceTraining training;
  training.vocab_size = static_cast<std::size_t>(options.vocab_size);
  // Of scripts with thousands of characters the most frequent ones are kept, so that there is room for words.
  training.limit_alphabet = static_cast<std::size_t>(std::max<std::int64_t>(options.vocab_size / 4, 16));
  training.clean_up.lowercase = options.lowercase;
  training.clean_up.strip_accents = options.strip_accents;
  text::WordPieceTrainer trainer{training};
  for (const std::string& line : lines) trainer.add(line);
  return trainer.train();
}

std::string hash_of(const data::Split& split) {
  Hasher hasher;
  for (const auto* lines : {&split.training, &split.held_out}) {
    hasher.add(static_cast<std::uint64_t>(lines->size()));
    for (const std::string& line : *lines) hasher.add(std::string_view{line});
  }
  return hasher.text();
}

JitOptions jit_options(const TrainOptions& options, Threads& threads, std::vector<std::string> names, std::string name) {
  JitOptions result;
  result.compile.precision = options.precision;
  result.argument_names = std::move(names);
  result.threads = &threads;
  result.name = std::move(name);
  return result;
}

CacheStatistics operator+(CacheStatistics a, const CacheStatistics& b) {
  a.hits += b.hits, a.misses += b.misses, a.failures += b.failures, a.evictions += b.evictions;
  a.compile_milliseconds += b.compile_milliseconds, a.run_milliseconds += b.run_milliseconds;
  a.elements += b.elements;
  a.programs += b.programs, a.bytes += b.bytes;
  return a;
}

}  // namespace

struct Trainer::Run {
  TrainOptions options;
  Threads& threads;
  tpu::Slice slice;
  data::Split split;
  std::string text_hash;
  text::WordPiece tokenizer;
  data::MaskedBatches batches;
  std::size_t held_out_sequences;
  std::vector<data::MaskedBatch> held_out;
  tpu::ReplicatedFunction<TrainStep> train;
  tpu::ReplicatedFunction<EvaluationStep> evaluation;
  tpu::Replicated<Values<State>> state;
  std::int64_t step = 0;
  data::Position position;
  data::PaddingCount padding;
  std::int64_t watch_every = 0;   ///< steps; 0: never
  tpu::PrecisionReport precision;
  std::optional<tpu::ReplicatedFunction<TrainStep>> train_unrounded;
  std::function<void(const Diagnostic&)> alarm;

  Run(data::Split lines, text::WordPiece words, const TrainOptions& chosen, Threads& shared)
      : options{chosen},
        threads{shared},
        slice{tpu::slice(options.slice)},
        split{std::move(lines)},
        text_hash{hash_of(split)},
        tokenizer{std::move(words)},
        batches{examples(split.training), tokenizer.vocabulary(), batch_options()},
        train{tpu::replicate(train_step(options, slice.all()), slice, training_jit())},
        evaluation{tpu::replicate(EvaluationStep{policy_of(options)}, slice, jit_options(options, threads, {"model", "batch"}, "evaluation"))} {
    if (options.fitted_programs > 0) fit_padding();
    const data::Examples measured = examples(split.held_out);
    held_out_sequences = measured.size();
    held_out = data::evaluation_batches(measured, tokenizer.vocabulary(), batch_options());
  }

  data::Examples examples(const std::vector<std::string>& lines) const {
    return data::pack(tokenizer, lines, {.max_length = options.seq, .packing = options.packing});
  }

  /// Lengths of batches are known before the first step, costs in seconds are not the same twice: so many programs are given and
  /// only padding is weighed, by which a run stays a function of text, options and seed.
  void fit_padding() {
    const auto batch = static_cast<std::uint64_t>(options.batch);
    const std::uint64_t epoch = (batches.examples().size() + batch - 1) / batch;
    LengthHistogram lengths{{options.seq, 1}};  // of later epochs
    data::Position at;
    for (std::uint64_t i = 0; i < std::min(epoch, static_cast<std::uint64_t>(options.steps)); ++i, at = batches.after(at))
      ++lengths[batches.longest_at(at)];
    const FittedBuckets fit = fitted(
        lengths, {.seconds_per_element = 1, .max_buckets = static_cast<std::size_t>(options.fitted_programs)});
    options.padding = data::pad_to_one_of(fit.policy.extents());
    batches = {batches.examples(), tokenizer.vocabulary(), batch_options()};
  }

  data::BatchOptions batch_options() const {
    data::BatchOptions result;
    result.batch = options.batch;
    result.max_length = options.seq;
    result.padding = options.padding;
    result.masking = options.masking;
    result.seed = options.seed;
    return result;
  }

  JitOptions training_jit() {
    JitOptions result = jit_options(options, threads, {"state", "batch"}, "train_step");
    result.donated = {"state"};
    result.on_alarm = [this](const Diagnostic& diagnostic) {
      if (alarm) alarm(diagnostic);
    };
    return result;
  }

  /// Counts what bf16 does or would do to this step, and to the numbers within it on the first replica.
  void note(const Values<State>& before, const data::MaskedBatch& batch) {
    // What is stored in bf16 has lost its changes already: the same step with weights left as they come out shows them.
    tpu::Replicated<Values<State>> unrounded;
    if (options.parameters != DType::f32) {
      TrainOptions kept = options;
      kept.parameters = DType::f32;
      if (!train_unrounded) train_unrounded = tpu::replicate(train_step(kept, slice.all()), slice, jit_options(options, threads, {"state", "batch"}, "train_step"));
      unrounded = std::get<0>((*train_unrounded)(tpu::replicated(before, slice.replicas), values_of(batch, padded_batch(options, slice.replicas))));
    }
    tpu::note_step(precision, before.names(), before.tensors(), (unrounded.size() ? unrounded : state)[0].tensors());
    std::vector<Tensor> arguments(before.tensors().begin(), before.tensors().begin() + static_cast<std::ptrdiff_t>(parameter_count()));
    std::vector<Array> model, examples;
    const auto typed = [](const Tensor& tensor) { return parameter(tensor.type(), ""); };
    for (const Tensor& tensor : arguments) model.push_back(typed(tensor));
    const Values<nn::MaskedLanguageBatch> whole = values_of(batch, padded_batch(options, slice.replicas));
    for (const Tensor& tensor : whole.tensors()) {
      arguments.push_back(tpu::shares(tensor, slice.replicas * options.accumulate, "batch").front());
      examples.push_back(typed(arguments.back()));
    }
    const Graph graph = trace(nn::under(policy_of(options), nn::summed_gradient(nn::masked_language_loss)), {"model", "batch"},
                              with_arrays(before.structure().model, model), with_arrays(nn::MaskedLanguageBatch{}, examples))
                            .graph;
    tpu::note_program(precision, optimize(graph), std::move(arguments), threads);
  }

  std::size_t parameter_count() const { return (state[0].tensors().size() - 1) / 3; }

  Values<nn::Bert> parameters(std::size_t replica) const {
    const auto& tensors = state[replica].tensors();
    return {state[replica].structure().model,
            {tensors.begin(), tensors.begin() + static_cast<std::ptrdiff_t>(parameter_count())}};
  }

  tpu::Replicated<Values<nn::Bert>> all_parameters() const {
    tpu::Replicated<Values<nn::Bert>> result;
    for (std::size_t r = 0; r < state.size(); ++r) result.each.push_back(parameters(r));
    return result;
  }
};

Trainer::Trainer(std::vector<std::string> lines, TrainOptions options, Threads& threads) {
  validate(options);
  data::Split split = data::hold_out(std::move(lines), static_cast<std::size_t>(options.held_out_one_in));
  text::WordPiece tokenizer = learned(split.training, options);
  run_ = std::make_unique<Run>(std::move(split), std::move(tokenizer), options, threads);
  const nn::Bert model = nn::bert(bert_config(options, static_cast<std::int64_t>(run_->tokenizer.vocabulary().size())));
  Values<nn::Bert> initial = nn::initialize(model, Key::of_seed(options.seed), nn::normal_initializer(0.02));
  if (options.parameters == DType::bf16)
    for (Tensor& tensor : initial.tensors()) tensor = tensor.converted(DType::bf16).converted(DType::f32);
  run_->state = tpu::replicated(nn::initial_state(initial), run_->slice.replicas);
}

Trainer::Trainer(std::vector<std::string> lines, text::WordPiece tokenizer, RunState saved, Threads& threads) {
  validate(saved.options);
  data::Split split = data::hold_out(std::move(lines), static_cast<std::size_t>(saved.options.held_out_one_in));
  if (hash_of(split) != saved.text_hash)
    fail({.number = 711, .sentence = "The run was begun on another text than the one given now (" + saved.text_hash + ", not " +
                                     hash_of(split) + ")."});
  run_ = std::make_unique<Run>(std::move(split), std::move(tokenizer), saved.options, threads);
  run_->state = tpu::replicated(saved.state, run_->slice.replicas);
  run_->step = saved.step;
  run_->position = run_->batches.after_steps(static_cast<std::uint64_t>(saved.step));
}

Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

StepReport Trainer::step() {
  Run& run = *run_;
  const auto start = std::chrono::steady_clock::now();
  const auto milliseconds = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  };
  const data::MaskedBatch batch = run.batches.at(run.position);
  StepReport report;
  report.input_milliseconds = milliseconds();
  const bool watched = run.watch_every > 0 && run.step % run.watch_every == 0;
  const Values<State> before = watched ? run.state[0] : Values<State>{};
  auto [state, metrics] = run.train(std::move(run.state), values_of(batch, padded_batch(run.options, run.slice.replicas)));
  run.state = std::move(state);
  if (watched) run.note(before, batch);
  run.position = run.batches.after(run.position);
  run.padding += batch.padding;
  if (run.options.check_replicas) tpu::require_equal(run.all_parameters());

  report.learning_rate = optimizer(run.options).schedule.at(run.step);
  report.step = ++run.step;
  report.loss = metrics[0].tensors()[0].item();
  for (const auto& own : metrics.each) report.replica_losses.push_back(own.tensors()[1].item());
  report.tokens = batch.padding.tokens;
  report.milliseconds = milliseconds();
  return report;
}

Evaluation Trainer::evaluate() {
  Run& run = *run_;
  const auto parameters = run.all_parameters();
  double sum = 0, count = 0;
  for (const data::MaskedBatch& batch : run.held_out) {
    const auto losses = run.evaluation(parameters, values_of(batch, padded_batch(run.options, run.slice.replicas)));
    for (const auto& own : losses.each) {
      sum += own.tensors()[0].item();
      count += own.tensors()[1].item();
    }
  }
  return {count > 0 ? sum / count : 0, static_cast<std::int64_t>(count)};
}

std::int64_t Trainer::steps_done() const { return run_->step; }
bool Trainer::finished() const { return run_->step >= run_->options.steps; }
const TrainOptions& Trainer::options() const { return run_->options; }
const text::WordPiece& Trainer::tokenizer() const { return run_->tokenizer; }

RunSummary Trainer::summary() const {
  RunSummary summary;
  summary.vocabulary = static_cast<std::int64_t>(run_->tokenizer.vocabulary().size());
  const Values<nn::Bert> model = parameters();
  for (const Tensor& tensor : model.tensors()) summary.parameters += tensor.elements();
  summary.training_lines = static_cast<std::int64_t>(run_->split.training.size());
  summary.held_out_lines = static_cast<std::int64_t>(run_->split.held_out.size());
  summary.training_sequences = static_cast<std::int64_t>(run_->batches.examples().size());
  summary.held_out_sequences = static_cast<std::int64_t>(run_->held_out_sequences);
  summary.replicas = run_->slice.replicas;
  summary.threads = run_->threads.count();
  return summary;
}

CacheStatistics Trainer::cache() const { return run_->train.statistics() + run_->evaluation.statistics(); }
void Trainer::watch_precision(std::int64_t every) { run_->watch_every = every; }
const tpu::PrecisionReport& Trainer::precision() const { return run_->precision; }
void Trainer::on_alarm(std::function<void(const Diagnostic&)> alarm) { run_->alarm = std::move(alarm); }

LengthHistogram Trainer::batch_lengths() const {
  for (const VaryingExtent& each : run_->train.seen().varying())
    for (const VaryingExtent::Dimension& dimension : each.dimensions)
      if (dimension == VaryingExtent::Dimension{"batch.ids", 1}) return each.extents;
  return {};
}

std::string Trainer::explain_compiles() const { return run_->train.explain(); }
double Trainer::padding_share() const { return run_->padding.share(); }
std::string Trainer::parameters_hash() const { return hash_text(parameters()); }
Values<nn::Bert> Trainer::parameters() const { return run_->parameters(0); }
RunState Trainer::state() const { return {run_->options, run_->state[0], run_->step, run_->text_hash}; }

Graph training_program(const TrainOptions& options, std::int64_t vocabulary) {
  validate(options);
  const tpu::Slice slice = tpu::slice(options.slice);
  const auto array = [](DType dtype, Shape shape) { return parameter({dtype, std::move(shape)}, ""); };
  const std::int64_t share = padded_batch(options, slice.replicas) / slice.replicas, predictions = data::masked_count(options.masking, options.seq - 2);
  const Array tokens = array(DType::i32, {share, options.seq}), masked = array(DType::i32, {share, predictions});
  const nn::Bert model = nn::bert(bert_config(options, vocabulary));
  Graph graph = trace(train_step(options, slice.all()), {"state", "batch"}, State{model, model, model, array(DType::i32, {})},
                      nn::MaskedLanguageBatch{tokens, tokens, tokens, masked, masked})
                    .graph;
  graph.rename("train_step");
  return graph;
}

}  // namespace octet::train
