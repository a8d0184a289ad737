/// The training run: data in, steps out. A run is a function of its data, options and seed alone; threads, pauses and
/// resumptions change no bit of it.
export module octet.train:trainer;
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
import :training_data;

namespace octet::train {

template <class Model>
struct TrainingRun;

}  // namespace octet::train

export namespace octet::train {

/// Lines in memory to train on.
struct Lines {
  std::vector<std::string> training;
  /// To measure the loss on; where there are none, one in TrainOptions.held_out_one_in of the others is held out.
  std::vector<std::string> held_out;

  Lines(std::vector<std::string> training_lines, std::vector<std::string> held_out_lines = {})
      : training{std::move(training_lines)}, held_out{std::move(held_out_lines)} {}
  Lines(std::initializer_list<std::string> training_lines) : training{training_lines} {}
};

/// What one step did.
struct StepReport {
  std::int64_t step = 0;  ///< counted from 1
  double loss = 0;        ///< nats per token to be guessed, over all replicas, before the update
  std::optional<double> next_sentence_loss = {};  ///< nats per pair, where pairs are judged
  std::optional<double> discriminator_loss = {};  ///< of an ELECTRA: nats per token that is judged
  std::vector<double> replica_losses;             ///< each replica's share alone
  double learning_rate = 0;
  std::int64_t tokens = 0;        ///< of this step, padding not counted
  double milliseconds = 0;        ///< by this machine's clock; not part of the run
  double input_milliseconds = 0;  ///< of those, how long the step waited for its batch
};

/// How an ELECTRA judges the tokens of what is held out: all 0 of another model.
struct ReplacedTokens {
  double loss = 0;          ///< nats per token that is judged
  std::int64_t judged = 0;  ///< tokens, padding not counted
  double accuracy = 0;      ///< share of them that is judged right; 1 - `share` where all are taken for real
  double share = 0;         ///< of them that the generator replaced
  std::optional<double> precision = {};  ///< share of what is judged replaced that is; nothing where nothing is
  std::optional<double> recall = {};     ///< share of what is replaced that is judged so; nothing where nothing is
};

struct Evaluation {
  double loss = 0;                    ///< nats per token to be guessed of what is held out
  std::int64_t masked_tokens = 0;     ///< tokens to be guessed
  double next_sentence_loss = 0;      ///< nats per pair
  double next_sentence_accuracy = 0;  ///< share of the pairs that are judged right
  std::int64_t pairs = 0;             ///< 0 where pairs are not judged
  double true_next_share = 0;         ///< of the pairs, those whose second segment does follow the first
  ReplacedTokens replaced = {};
};

/// What does not change while a run goes on.
struct RunSummary {
  std::int64_t vocabulary = 0;
  std::int64_t parameters = 0;                          ///< numbers in the model
  std::int64_t training_lines = 0, held_out_lines = 0;  ///< 0 where the data is not lines
  std::int64_t training_sequences = 0;                  ///< of an epoch; 0 where that is not known before
  std::int64_t held_out_sequences = 0;
  std::int64_t replicas = 0;
  std::int64_t parameter_bytes = 0, optimizer_bytes = 0;  ///< that one replica holds
  unsigned threads = 0;
};

/// What a run needs to go on where it stood.
template <class Model>
struct BasicRunState {
  TrainOptions options;
  Values<nn::TrainingState<Model>> state;  ///< whole, also where replicas keep shares of it
  std::int64_t step = 0;
  std::string text_hash;      ///< of the data trained on: a run resumes on its own data only
  std::string position = {};  ///< where it stands in data that is read as it is needed
};

/// BERT and ELECTRA are trained on WordPieces, GPT-2 on byte pairs.
template <class Model>
using TokenizerOf = std::conditional_t<std::same_as<Model, nn::Gpt2>, text::Bpe, text::WordPiece>;

/// Models that guess masked tokens: lines in memory are enough to train them.
template <class Model>
concept TrainedOnLines = std::same_as<Model, nn::Bert> || std::same_as<Model, nn::Electra>;

/// Trains an nn::Bert by masked-language modelling, an nn::Electra by replaced-token detection, or an nn::Gpt2 by
/// causal language modelling.
template <class Model>
class BasicTrainer {
 public:
  using Tokenizer = TokenizerOf<Model>;
  using RunState = BasicRunState<Model>;

  /// Learns a vocabulary from what is trained on of `lines`, and makes the model. `threads` is used by every call and
  /// must outlive the trainer. Throws X709 for options out of range, X706 where the text is too short to train on.
  BasicTrainer(Lines lines, TrainOptions options, Threads& threads)
    requires(TrainedOnLines<Model>);
  /// With words that are there already; TrainOptions.lowercase and .strip_accents become theirs.
  BasicTrainer(Lines lines, text::WordPiece tokenizer, TrainOptions options, Threads& threads)
    requires(TrainedOnLines<Model>);
  /// Goes on with a saved run on the same text; throws X711 where it is another one.
  BasicTrainer(Lines lines, text::WordPiece tokenizer, RunState saved, Threads& threads)
    requires(TrainedOnLines<Model>);
  /// Trains on data that is read as it is needed.
  BasicTrainer(TrainingData data, Tokenizer tokenizer, TrainOptions options, Threads& threads);
  /// Goes on with a saved run on the same data; throws X711 where it is other data, X709 where its options make another
  /// model than its state is of, or its steps are not the state's.
  BasicTrainer(TrainingData data, Tokenizer tokenizer, RunState saved, Threads& threads);
  ~BasicTrainer();
  BasicTrainer(BasicTrainer&&) noexcept;
  BasicTrainer& operator=(BasicTrainer&&) noexcept;

  /// Before the first step: trains `parameters` further instead of those that were drawn at random, and returns the
  /// names of those that it has not. Options of a model that was loaded are made by sized_as. Throws X715 for another
  /// shape, X709 after the first step.
  ///
  ///     const train::Model model = train::load_model("bert");
  ///     train::Trainer trainer{lines, model.tokenizer, train::sized_as(model.config, {.steps = 1000}), threads};
  ///     trainer.begin_with(model.parameters);
  std::vector<std::string> begin_with(const Values<Model>& parameters);
  /// One update. Throws X602 where replicas drifted apart, X612 where one is lost, and X509 where the loss or a weight
  /// is not finite any more: nothing good comes after that, and save_checkpoint refuses what is left.
  StepReport step();
  /// Makes the batch of the next step: throws X728 where the data has none, before anything is saved of such a run.
  void require_batch();
  /// What preemption does to a replica: its memory is gone, and no step ends before it is replaced. Throws X613 for one
  /// that there is not.
  void lose(std::int64_t replica);
  /// Gives the lost replicas the state of one that is left, and returns its number: no step is to be done again.
  /// Nothing where none is left that holds all of it, as none does of a sharded optimizer's: then a run goes on from
  /// what was saved.
  std::optional<std::int64_t> replace_lost();
  /// Runs `loop`, which takes steps, on one of `loaders`, other threads than the trainer's own, while the others make
  /// batches ahead of it. Once in a trainer's life; steps taken outside make their batches themselves.
  void fed(Threads& loaders, const std::function<void()>& loop);
  /// The loss on what is held out, with a mask that the seed fixes. Throws X509 where it is not finite.
  Evaluation evaluate();
  /// Throws X509 where the loss on the first batch of what is held out is not finite: weights may be finite and too
  /// large to compute with, which is better known before they are saved.
  void require_finite_loss();

  std::int64_t steps_done() const;
  bool finished() const;
  const TrainOptions& options() const;
  const Tokenizer& tokenizer() const;
  RunSummary summary() const;
  /// Programs compiled, hits and so on, of training and evaluation together.
  CacheStatistics cache() const;
  /// From now on every so many steps are looked at: what bf16 does, or would do, to the state and to the numbers within
  /// the step. It changes no bit of the run. 0: none is.
  void watch_precision(std::int64_t every);
  /// What was seen so far.
  const tpu::PrecisionReport& precision() const;
  /// Called once, with X302, when training steps keep compiling.
  void on_alarm(std::function<void(const Diagnostic&)> alarm);
  /// The lengths that batches of training were padded to, and how often; only what varied. Empty where all were alike.
  LengthHistogram batch_lengths() const;
  /// Why programs were compiled, of training, in lines of text.
  std::string explain_compiles() const;
  /// Of all batches so far.
  const data::PaddingCount& padding() const;
  /// Sixteen hexadecimal digits for the bits of all parameters.
  std::string parameters_hash() const;
  /// One replica's parameters.
  Values<Model> parameters() const;
  RunState state() const;

 private:
  std::unique_ptr<TrainingRun<Model>> run_;
};

using RunState = BasicRunState<nn::Bert>;
using Trainer = BasicTrainer<nn::Bert>;
using ElectraRunState = BasicRunState<nn::Electra>;
using ElectraTrainer = BasicTrainer<nn::Electra>;
using CausalRunState = BasicRunState<nn::Gpt2>;
using CausalTrainer = BasicTrainer<nn::Gpt2>;

/// The program of one training step as every replica runs it, before any pass: state and its share of a batch in (named
/// `state.…` and `batch.…`), the state after the update, the loss over all replicas, its own and, of two losses, the
/// second over all out. Throws X709 for options out of range.
Graph training_program(const TrainOptions& options, std::int64_t vocabulary);
/// The same of an ELECTRA.
Graph electra_training_program(const TrainOptions& options, std::int64_t vocabulary);
/// The same of a GPT-2.
Graph causal_training_program(const TrainOptions& options, std::int64_t vocabulary);

}  // namespace octet::train
