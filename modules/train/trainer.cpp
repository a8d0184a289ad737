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
import :evaluating;
import :feed;
import :finite;
import :jit_options;
import :options;
import :replica_state;
import :trainer;
import :training_data;
import :training_lines;
import :training_run;
import :training_step;

namespace octet::train {

namespace {

// Data that is read as it is needed tells no lengths before it is read.
void require_known_lengths(const TrainOptions& options) {
  if (options.fitted_programs > 0)
    fail([&] {
      return Diagnostic{
          .number = 735,
          .sentence = "fitted_programs is " + std::to_string(options.fitted_programs) +
                      ", and the lengths of data that is read as it is needed are not known before.",
          .rule =
              "Lengths are fitted to the batches of the first epoch, which only lines in memory tell before the "
              "first step.",
          .fix = {"name the lengths: multiple_of:16 or doubling_then_linear:BOUND,STEP", "train on lines of a text"}};
    });
}

// Some example may be longer than all lengths to pad to, which the step that comes to it would tell: after hours. Only
// where they hold less than the longest that is allowed, all of them are looked at.
void require_padded_lengths(const TrainingData& data, const TrainOptions& options) {
  const data::Padding& padding = options.padding;
  if (padding.kind != data::Padding::Kind::lengths || padding.lengths.empty() ||
      std::ranges::max(padding.lengths) >= options.seq)
    return;
  const auto require = [&](const std::vector<data::TrainingExample>& examples) {
    for (const data::TrainingExample& example : examples)
      data::padded_length(padding, std::ssize(example.ids), options.seq);
  };
  require(data.held_out);
  for (std::uint64_t window = 0; window < data.training.windows; ++window) require(data.training.window(0, window));
}

// An ELECTRA judges tokens.
template <class Model>
void require_no_pairs(const TrainOptions& options) {
  if (std::same_as<Model, nn::Electra> && options.next_sentence)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "next_sentence is set, and an ELECTRA is asked about no pairs.",
                        .fix = {"leave next_sentence out", "train an nn::Bert"}};
    });
}

// Lines make no pairs, and have a mask of their own.
void require_lines(const TrainOptions& options) {
  if (options.next_sentence)
    fail([&] {
      return Diagnostic{
          .number = 709,
          .sentence = "next_sentence is set, and lines in memory make no pairs of segments.",
          .fix = {"train on documents or records (octet.train:training_data)", "leave next_sentence out"}};
    });
}

data::Split split_of(Lines lines, const TrainOptions& options) {
  if (!lines.held_out.empty()) return {std::move(lines.training), std::move(lines.held_out)};
  return data::hold_out(std::move(lines.training), static_cast<std::size_t>(options.held_out_one_in));
}

}  // namespace

template <class Model>
BasicTrainer<Model>::BasicTrainer(Lines lines, TrainOptions options, Threads& threads)
  requires(TrainedOnLines<Model>)
{
  validate(options);
  require_lines(options);
  const data::Split split = split_of(std::move(lines), options);
  run_ = TrainingRun<Model>::of_lines(split, learned(split.training, options), options, threads);
  run_->begin_and_compile();
}

template <class Model>
BasicTrainer<Model>::BasicTrainer(Lines lines, text::WordPiece tokenizer, TrainOptions options, Threads& threads)
  requires(TrainedOnLines<Model>)
{
  validate(options);
  require_lines(options);
  options.lowercase = tokenizer.options().clean_up.lowercase;
  options.strip_accents = tokenizer.options().clean_up.strips_accents();
  run_ = TrainingRun<Model>::of_lines(split_of(std::move(lines), options), std::move(tokenizer), options, threads);
  run_->begin_and_compile();
}

template <class Model>
BasicTrainer<Model>::BasicTrainer(Lines lines, text::WordPiece tokenizer, RunState saved, Threads& threads)
  requires(TrainedOnLines<Model>)
{
  validate(saved.options);
  require_lines(saved.options);
  const data::Split split = split_of(std::move(lines), saved.options);
  if (hash_of(split) != saved.text_hash)
    fail([&] {
      return Diagnostic{.number = 711,
                        .sentence = "The run was begun on another text than the one given now (" + saved.text_hash +
                                    ", not " + hash_of(split) + "), or what is held out of it is another.",
                        .fix = {"resume with the text the run began with, and the same held out of it",
                                "begin a new run in another directory"}};
    });
  run_ = TrainingRun<Model>::of_lines(split, std::move(tokenizer), saved.options, threads);
  run_->go_on(saved);
}

template <class Model>
BasicTrainer<Model>::BasicTrainer(TrainingData data, Tokenizer tokenizer, TrainOptions options, Threads& threads) {
  validate(options);
  require_no_pairs<Model>(options);
  require_known_lengths(options);
  require_padded_lengths(data, options);
  run_ = TrainingRun<Model>::of_data(std::move(data), std::move(tokenizer), options, threads);
  run_->begin();
}

template <class Model>
BasicTrainer<Model>::BasicTrainer(TrainingData data, Tokenizer tokenizer, RunState saved, Threads& threads) {
  validate(saved.options);
  require_known_lengths(saved.options);
  run_ = TrainingRun<Model>::of_data(std::move(data), std::move(tokenizer), saved.options, threads);
  if (run_->text_hash != saved.text_hash)
    fail([&] {
      return Diagnostic{.number = 711,
                        .sentence = "The run was begun on other data than what is given now (" + saved.text_hash +
                                    ", not " + run_->text_hash + ")."};
    });
  run_->go_on(saved);
}

template <class Model>
BasicTrainer<Model>::~BasicTrainer() = default;
template <class Model>
BasicTrainer<Model>::BasicTrainer(BasicTrainer&&) noexcept = default;
template <class Model>
BasicTrainer<Model>& BasicTrainer<Model>::operator=(BasicTrainer&&) noexcept = default;

template <class Model>
std::vector<std::string> BasicTrainer<Model>::begin_with(const Values<Model>& parameters) {
  return run_->begin_with(parameters);
}

template <class Model>
StepReport BasicTrainer<Model>::step() {
  TrainingRun<Model>& run = *run_;
  run.require_all_replicas();
  const auto start = std::chrono::steady_clock::now();
  const auto milliseconds = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  };
  const data::PipelineBatch batch = run.feed.next();
  StepReport report;
  report.input_milliseconds = milliseconds();
  const bool watched = run.watch_every > 0 && run.step % run.watch_every == 0;
  const Values<State<Model>> before = watched ? run.whole_state() : Values<State<Model>>{};
  const auto metrics = run.advance(batch);
  if (watched) run.note(before, batch);
  run.padding += batch.padding;
  const std::int64_t rows = batch.input_ids.shape()[0],
                     filled_up = padded_batch(run.options, run.slice.replicas) - rows;
  run.padding.padding += filled_up * batch.input_ids.shape()[1];
  if (run.options.check_replicas) tpu::require_equal(run.all_parameters());

  report.learning_rate = optimizer(run.options).schedule.at(run.step);
  report.step = ++run.step;
  report.loss = metrics[0].tensors()[0].item();
  if (metrics[0].tensors().size() > 2)
    (std::same_as<Model, nn::Electra> ? report.discriminator_loss : report.next_sentence_loss) =
        metrics[0].tensors()[2].item();
  for (const auto& own : metrics.each) report.replica_losses.push_back(own.tensors()[1].item());
  report.tokens = batch.padding.tokens;
  run.require_finite(metrics);
  run.loss_before = report.loss;
  report.milliseconds = milliseconds();
  return report;
}

template <class Model>
void BasicTrainer<Model>::require_batch() {
  run_->feed.require_batch();
}

template <class Model>
void BasicTrainer<Model>::lose(std::int64_t replica) {
  TrainingRun<Model>& run = *run_;
  if (replica < 0 || replica >= run.slice.replicas) fail_no_replica(run.slice, replica);
  for (Tensor& tensor : run.state[static_cast<std::size_t>(replica)].tensors()) tensor = forgotten(tensor);
  run.lost.insert(replica);
}

template <class Model>
std::optional<std::int64_t> BasicTrainer<Model>::replace_lost() {
  TrainingRun<Model>& run = *run_;
  if (run.options.shard_optimizer) return std::nullopt;
  for (std::int64_t left = 0; left < run.slice.replicas; ++left)
    if (!run.lost.contains(left)) {
      run.hold(run.state[static_cast<std::size_t>(left)]);
      run.lost.clear();
      return left;
    }
  return std::nullopt;
}

template <class Model>
Evaluation BasicTrainer<Model>::evaluate() {
  TrainingRun<Model>& run = *run_;
  run.require_all_replicas();
  const auto parameters = run.all_parameters();
  EvaluationSums sums{};
  for (std::size_t number = 0; number < run.held_out.size(); ++number) {
    const auto measured = run.measured_on(number, parameters);
    run.require_finite_evaluation(measured);
    add(sums, measured);
  }
  return evaluation_of<Model>(sums);
}

template <class Model>
void BasicTrainer<Model>::require_finite_loss() {
  TrainingRun<Model>& run = *run_;
  run.require_all_replicas();
  if (!run.held_out.empty()) run.require_finite_evaluation(run.measured_on(0, run.all_parameters()));
}

template <class Model>
std::int64_t BasicTrainer<Model>::steps_done() const {
  return run_->step;
}
template <class Model>
bool BasicTrainer<Model>::finished() const {
  return run_->step >= run_->options.steps;
}
template <class Model>
void BasicTrainer<Model>::fed(Threads& loaders, const std::function<void()>& loop) {
  run_->feed.ahead(loaders, loop);
}
template <class Model>
const TrainOptions& BasicTrainer<Model>::options() const {
  return run_->options;
}
template <class Model>
const typename BasicTrainer<Model>::Tokenizer& BasicTrainer<Model>::tokenizer() const {
  return run_->tokenizer;
}

template <class Model>
RunSummary BasicTrainer<Model>::summary() const {
  RunSummary summary;
  summary.vocabulary = static_cast<std::int64_t>(Task<Model>::size(run_->tokenizer));
  const Values<Model> model = parameters();
  for (const Tensor& tensor : model.tensors()) summary.parameters += tensor.elements();
  summary.training_lines = static_cast<std::int64_t>(run_->training_lines);
  summary.held_out_lines = static_cast<std::int64_t>(run_->held_out_lines);
  summary.training_sequences = run_->feed.examples();
  summary.held_out_sequences = static_cast<std::int64_t>(run_->held_out_sequences);
  summary.replicas = run_->slice.replicas;
  const std::vector<Tensor>& held = run_->state[0].tensors();
  for (std::size_t t = 0; t + 1 < held.size(); ++t)
    (t < run_->parameter_count() ? summary.parameter_bytes : summary.optimizer_bytes) += held[t].type().bytes();
  summary.threads = run_->threads.count();
  return summary;
}

template <class Model>
CacheStatistics BasicTrainer<Model>::cache() const {
  CacheStatistics both = run_->train.statistics();
  return both += run_->evaluation.statistics();
}
template <class Model>
void BasicTrainer<Model>::watch_precision(std::int64_t every) {
  run_->watch_every = every;
}
template <class Model>
const tpu::PrecisionReport& BasicTrainer<Model>::precision() const {
  return run_->precision;
}
template <class Model>
void BasicTrainer<Model>::on_alarm(std::function<void(const Diagnostic&)> alarm) {
  run_->alarm = std::move(alarm);
}

template <class Model>
LengthHistogram BasicTrainer<Model>::batch_lengths() const {
  for (const VaryingExtent& each : run_->train.seen().varying())
    for (const VaryingExtent::Dimension& dimension : each.dimensions)
      if (dimension == VaryingExtent::Dimension{"batch.ids", 1}) return each.extents;
  return {};
}

template <class Model>
std::string BasicTrainer<Model>::explain_compiles() const {
  return run_->train.explain();
}
template <class Model>
const data::PaddingCount& BasicTrainer<Model>::padding() const {
  return run_->padding;
}
template <class Model>
std::string BasicTrainer<Model>::parameters_hash() const {
  return hash_text(parameters());
}
template <class Model>
Values<Model> BasicTrainer<Model>::parameters() const {
  run_->require_all_replicas();
  return run_->parameters(0);
}
template <class Model>
typename BasicTrainer<Model>::RunState BasicTrainer<Model>::state() const {
  run_->require_all_replicas();
  return {run_->options, run_->whole_state(), run_->step, run_->text_hash, run_->feed.position()};
}

template class BasicTrainer<nn::Bert>;
template class BasicTrainer<nn::Electra>;
template class BasicTrainer<nn::Gpt2>;

}  // namespace octet::train
