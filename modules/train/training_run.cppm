/// A run in memory: data, programs, and the replicas' state, with what happens to them in a step. Internal to
/// octet.train.
module octet.train:training_run;
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
import :training_step;

namespace octet::train {

/// Values of the types of a structure's arrays.
template <class T>
Values<T> zeros(const T& structure) {
  std::vector<Tensor> tensors;
  for (const Array& array : arrays_of(structure)) tensors.emplace_back(array.dtype(), array.shape());
  return {structure, std::move(tensors)};
}

template <class Model>
struct TrainingRun {
  using Tokenizer = TokenizerOf<Model>;
  using RunState = BasicRunState<Model>;

  TrainOptions options;
  Threads& threads;
  tpu::Slice slice;
  Tokenizer tokenizer;
  std::string text_hash;
  Feed feed;
  std::size_t training_lines = 0, held_out_lines = 0, held_out_sequences = 0;
  std::vector<data::PipelineBatch> held_out;
  tpu::ReplicatedFunction<TrainStep<Model>> train;
  EvaluationProgram<Model> evaluation;
  ReplicaStates<Model> state;
  std::set<std::int64_t> lost;  ///< replicas
  std::int64_t step = 0;
  std::optional<double> loss_before;  ///< of the last step that was taken here
  data::PaddingCount padding;
  std::int64_t watch_every = 0;  ///< steps; 0: never
  tpu::PrecisionReport precision;
  std::optional<tpu::ReplicatedFunction<TrainStep<Model>>> train_unrounded;
  std::function<void(const Diagnostic&)> alarm;

  TrainingRun(Feed batches, Tokenizer words, const TrainOptions& chosen, Threads& shared)
      : options{chosen},
        threads{shared},
        slice{tpu::slice(options.slice)},
        tokenizer{std::move(words)},
        feed{std::move(batches)},
        train{tpu::replicate(train_step<Model>(options, slice.all()), slice, training_jit())},
        evaluation{evaluation_program<Model>(options, slice, threads)} {}

  JitOptions training_jit() {
    const bool in_shares = options.shard_optimizer;
    JitOptions result = jit_options(
        options.precision, threads,
        in_shares ? std::vector<std::string>{"state", "moments", "batch"} : std::vector<std::string>{"state", "batch"},
        "train_step");
    result.donated = {"state"};
    if (in_shares) result.donated.push_back("moments");
    result.on_alarm = [this](const Diagnostic& diagnostic) {
      if (alarm) alarm(diagnostic);
    };
    return result;
  }

  Values<typename Task<Model>::Batch> training_values(const data::PipelineBatch& batch) const {
    const auto number = static_cast<std::size_t>(step);
    Values<typename Task<Model>::Batch> result =
        batch_values<Model>(batch, options, slice.replicas, key_of(options, Stream::training, number), 0);
    if (!drops(options)) return result;
    typename Task<Model>::Batch structure = result.structure();
    structure.dropout_keys.emplace();
    std::vector<Tensor> tensors = result.tensors();
    tensors.push_back(sequence_keys(padded_batch(options, slice.replicas), key_of(options, Stream::dropout, number)));
    return {structure, std::move(tensors)};
  }
  /// What the evaluation adds up over one of the held-out batches.
  auto measured_on(std::size_t number, const tpu::Replicated<Values<Model>>& parameters) {
    return evaluation(parameters,
                      tpu::sharded(held_out_values<Model>(held_out[number], number, options, slice.replicas)));
  }

  tpu::Replicated<Values<Metrics>> advance(const data::PipelineBatch& batch) {
    if (!options.shard_optimizer) {
      auto [after, metrics] = train(std::move(state), tpu::sharded(training_values(batch)));
      state = std::move(after);
      return std::move(metrics);
    }
    auto [held, moments] = parted<Model>(std::move(state));
    auto [held_after, moments_after, metrics] =
        train(std::move(held), std::move(moments), tpu::sharded(training_values(batch)));
    state = joined<Model>(std::move(held_after), std::move(moments_after));
    return std::move(metrics);
  }

  Values<State<Model>> whole_state() const { return whole_of<Model>(state, options.shard_optimizer); }
  void hold(const Values<State<Model>>& whole) {
    state = held_by<Model>(whole, slice.replicas, options.shard_optimizer);
  }

  void require_all_replicas() const {
    if (!lost.empty()) fail_lost(lost, slice.replicas, step + 1, options.shard_optimizer);
  }

  /// After the step: throws X509 where its losses or the state that it left are not finite.
  void require_finite(const tpu::Replicated<Values<Metrics>>& metrics) const {
    for (const auto& own : metrics.each)
      for (const Tensor& loss : own.tensors())
        if (const auto number = first_not_finite(loss))
          fail_diverged(options, step, "The loss of step " + std::to_string(step) + " is " + number_text(*number),
                        loss_before);
    const std::vector<Tensor>& held = state[0].tensors();
    for (std::size_t i = 0; i < held.size(); ++i)
      if (const auto number = first_not_finite(held[i]))
        fail_diverged(options, step,
                      "Step " + std::to_string(step) + " left " + number_text(*number) + " in " + state[0].names()[i],
                      loss_before);
  }

  void require_finite_evaluation(const auto& measured) const {
    for (const auto& own : measured.each)
      for (const Tensor& sum : own.tensors())
        if (const auto number = first_not_finite(sum))
          fail_diverged(options, step,
                        "The held-out loss after step " + std::to_string(step) + " is " + number_text(*number), {});
  }

  /// Counts what bf16 does or would do to this step, and to the numbers within it on the first replica.
  void note(const Values<State<Model>>& before, const data::PipelineBatch& batch) {
    // What is stored in bf16 has lost its changes already: the same step with weights left as they come out shows them.
    tpu::Replicated<Values<State<Model>>> unrounded;
    if (options.parameters != DType::f32) {
      TrainOptions kept = options;
      kept.parameters = DType::f32;
      kept.shard_optimizer = false;
      if (!train_unrounded)
        train_unrounded = tpu::replicate(train_step<Model>(kept, slice.all()), slice,
                                         jit_options(options.precision, threads, {"state", "batch"}, "train_step"));
      unrounded = std::get<0>(
          (*train_unrounded)(tpu::replicated(before, slice.replicas), tpu::sharded(training_values(batch))));
    }
    tpu::note_step(precision, before.names(), before.tensors(),
                   unrounded.size() ? unrounded[0].tensors() : whole_state().tensors());
    std::vector<Tensor> arguments(before.tensors().begin(),
                                  before.tensors().begin() + static_cast<std::ptrdiff_t>(parameter_count()));
    std::vector<Array> model, examples;
    const auto typed = [](const Tensor& tensor) { return parameter(tensor.type(), ""); };
    for (const Tensor& tensor : arguments) model.push_back(typed(tensor));
    const Values<typename Task<Model>::Batch> whole = training_values(batch);
    for (const Tensor& tensor : whole.tensors()) {
      arguments.push_back(tpu::shares(tensor, slice.replicas * options.accumulate, "batch").front());
      examples.push_back(typed(arguments.back()));
    }
    const Graph graph = gradient_program<Model>(options, with_arrays(before.structure().model, model),
                                                with_arrays(whole.structure(), examples));
    tpu::note_program(precision, optimize(graph), std::move(arguments), options.precision, threads);
  }

  void begin() {
    const Model made = model();
    begin(made, nn::initial_state(zeros(made)));
  }

  /// On lines, whose batches are all of `options.seq` columns unless padding says otherwise: one of the threads
  /// compiles the training step while another makes the model. What cannot be compiled is told by the first step. The
  /// evaluation is compiled when the first one is asked for: nobody waits for it before.
  void begin_and_compile()
    requires(TrainedOnLines<Model>)
  {
    const Model made = model();
    const Values<State<Model>> zero = nn::initial_state(zeros(made));
    threads.for_each(2, [&](std::size_t part) {
      if (part == 0) return begin(made, zero);
      try {
        if (options.padding.kind == data::Padding::Kind::max_length) compile_training(zero);
      } catch (const std::exception&) {
      }
    });
  }

  Model model() const { return Task<Model>::model(options, static_cast<std::int64_t>(Task<Model>::size(tokenizer))); }

  /// From a state that is all zero, with parameters drawn at random.
  void begin(const Model& model, Values<State<Model>> initial) {
    Values<Model> drawn = nn::initialize(model, Key::of_seed(options.seed), Task<Model>::initializer(options));
    if (options.parameters == DType::bf16)
      for (Tensor& tensor : drawn.tensors()) tensor = tensor.converted(DType::bf16).converted(DType::f32);
    std::ranges::move(drawn.tensors(), initial.tensors().begin());
    hold(initial);
  }

  /// Before the first step: instead of parameters drawn at random. Returns the names of those that are left.
  std::vector<std::string> begin_with(const Values<Model>& given) {
    Values<State<Model>> whole = whole_state();
    Values<Model> own = parameters(0);
    std::vector<std::string> missing = take_over(own, given);
    if (step > 0)
      fail({.number = 709,
            .sentence = "begin_with is called after step " + std::to_string(step) +
                        ", and the moments of the optimizer are those of other weights.",
            .fix = {"call it before the first step of a new run"}});
    if (options.parameters == DType::bf16)
      for (Tensor& tensor : own.tensors()) tensor = tensor.converted(DType::bf16).converted(DType::f32);
    std::ranges::move(own.tensors(), whole.tensors().begin());
    hold(whole);
    return missing;
  }

  void compile_training(const Values<State<Model>>& state)
    requires(TrainedOnLines<Model>)
  {
    if (options.shard_optimizer) return;
    const std::int64_t predictions = data::masked_count(options.masking, options.seq - 2);
    auto batch = zeros(training_arrays<Model>(options, padded_batch(options, slice.replicas), predictions));
    train.compile(held_by<Model>(state, slice.replicas, false), tpu::sharded(std::move(batch)));
  }

  void go_on(const RunState& saved) {
    const Model made = model();
    require_state(arrays_of(made), saved.state.names(), saved.state.tensors(), saved.step);
    hold({State<Model>{made, made, made, {}}, saved.state.tensors()});  // what no tensor tells is as the options say
    step = saved.step;
    feed.go_on(saved.step, saved.position);
  }

  std::size_t parameter_count() const { return parameters_of(state[0].tensors().size()); }

  Values<Model> parameters(std::size_t replica) const {
    const auto& tensors = state[replica].tensors();
    return {state[replica].structure().model,
            {tensors.begin(), tensors.begin() + static_cast<std::ptrdiff_t>(parameter_count())}};
  }

  tpu::Replicated<Values<Model>> all_parameters() const {
    tpu::Replicated<Values<Model>> result;
    for (std::size_t r = 0; r < state.size(); ++r) result.each.push_back(parameters(r));
    return result;
  }

  /// On lines in memory.
  static std::unique_ptr<TrainingRun> of_lines(const data::Split& split, text::WordPiece words,
                                               const TrainOptions& options, Threads& threads)
    requires(TrainedOnLines<Model>)
  {
    const auto examples = [&](const std::vector<std::string>& lines) {
      return data::pack(words, lines, {.max_length = options.seq, .packing = options.packing});
    };
    TrainOptions resolved = options;
    data::BatchOptions batch_options{.batch = options.batch,
                                     .max_length = options.seq,
                                     .padding = options.padding,
                                     .masking = options.masking,
                                     .seed = options.seed};
    data::MaskedBatches batches{examples(split.training), words.vocabulary(), batch_options};
    if (options.fitted_programs > 0) {
      batch_options.padding = resolved.padding = fitted_padding(batches, options);
      batches = {batches.examples(), words.vocabulary(), batch_options};
    }
    const data::Examples measured = examples(split.held_out);
    Feed feed{std::move(batches)};
    auto held_out = data::evaluation_batches(measured, words.vocabulary(), batch_options);
    auto run = std::make_unique<TrainingRun>(std::move(feed), std::move(words), resolved, threads);
    run->text_hash = hash_of(split);
    run->training_lines = split.training.size();
    run->held_out_lines = split.held_out.size();
    run->held_out_sequences = measured.size();
    for (data::MaskedBatch& batch : held_out) run->held_out.push_back(pipeline_batch(std::move(batch)));
    return run;
  }

  /// On data that is read as it is needed.
  static std::unique_ptr<TrainingRun> of_data(TrainingData data, Tokenizer words, const TrainOptions& options,
                                              Threads& threads) {
    // A batch that is filled up is shared after that.
    const data::PipelineOptions pipeline{.batch = options.batch,
                                         .replicas = options.pad_batch ? 1 : tpu::slice(options.slice).replicas,
                                         .max_length = options.seq,
                                         .max_predictions = data.max_predictions,
                                         .padding = options.padding,
                                         .padding_id = Task<Model>::padding(words),
                                         .seed = options.seed};
    TrainOptions resolved = options;
    resolved.max_predictions = data.max_predictions;
    Hasher hasher;
    hasher.add(data.training.fingerprint).add(std::string_view{"data"});
    if (data.held_out_fingerprint != 0) hasher.add(data.held_out_fingerprint);
    const std::string hash = hasher.text();
    Feed feed{std::move(data.training), pipeline};
    auto run = std::make_unique<TrainingRun>(std::move(feed), std::move(words), resolved, threads);
    run->text_hash = hash;
    run->held_out_sequences = data.held_out.size();
    run->held_out = evaluation_batches(std::move(data.held_out), pipeline);
    return run;
  }
};

}  // namespace octet::train
