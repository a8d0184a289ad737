/// The training run: text in, steps out. A run is a function of its text, options and seed alone; threads, pauses and resumptions
/// change no bit of it.
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

export namespace octet::train {

/// What one step did.
struct StepReport {
  std::int64_t step = 0;                    ///< counted from 1
  double loss = 0;                          ///< nats per masked token, over all replicas, before the update
  std::vector<double> replica_losses;       ///< each replica's share alone
  double learning_rate = 0;
  std::int64_t tokens = 0;                  ///< of this step, padding not counted
  double milliseconds = 0;                  ///< by this machine's clock; not part of the run
  double input_milliseconds = 0;            ///< of those, how long the step waited for its batch
};

struct Evaluation {
  double loss = 0;                          ///< nats per masked token of the held-out lines
  std::int64_t masked_tokens = 0;
};

/// What does not change while a run goes on.
struct RunSummary {
  std::int64_t vocabulary = 0;
  std::int64_t parameters = 0;              ///< numbers in the model
  std::int64_t training_lines = 0, held_out_lines = 0;
  std::int64_t training_sequences = 0, held_out_sequences = 0;
  std::int64_t replicas = 0;
  unsigned threads = 0;
};

/// What a run needs to go on where it stood.
struct RunState {
  TrainOptions options;
  Values<nn::TrainingState<nn::Bert>> state;   ///< one replica's: all are equal
  std::int64_t step = 0;
  std::string text_hash;                       ///< of the lines trained on: a run resumes on its own text only
};

class Trainer {
 public:
  /// Learns a vocabulary from `lines`, holds some of them out, and makes the model. `threads` is used by every call and must
  /// outlive the trainer. Throws X709 for options out of range, X706 where the text is too short to train on.
  Trainer(std::vector<std::string> lines, TrainOptions options, Threads& threads);
  /// Goes on with a saved run on the same text; throws X711 where it is another one.
  Trainer(std::vector<std::string> lines, text::WordPiece tokenizer, RunState saved, Threads& threads);
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  /// One update. Throws X602 where replicas drifted apart.
  StepReport step();
  /// The loss on the held-out lines, with a mask that the seed fixes.
  Evaluation evaluate();

  std::int64_t steps_done() const;
  bool finished() const;
  const TrainOptions& options() const;
  const text::WordPiece& tokenizer() const;
  RunSummary summary() const;
  /// Programs compiled, hits and so on, of training and evaluation together.
  CacheStatistics cache() const;
  /// From now on every so many steps are looked at: what bf16 does, or would do, to the state and to the numbers within the step. It
  /// changes no bit of the run. 0: none is.
  void watch_precision(std::int64_t every);
  /// What was seen so far.
  const tpu::PrecisionReport& precision() const;
  /// Called once, with X302, when training steps keep compiling.
  void on_alarm(std::function<void(const Diagnostic&)> alarm);
  /// The lengths that batches of training were padded to, and how often; only what varied. Empty where all were alike.
  LengthHistogram batch_lengths() const;
  /// Why programs were compiled, of training, in lines of text.
  std::string explain_compiles() const;
  /// The share of padding among the positions of all batches so far.
  double padding_share() const;
  /// Sixteen hexadecimal digits for the bits of all parameters.
  std::string parameters_hash() const;
  /// One replica's parameters.
  Values<nn::Bert> parameters() const;
  RunState state() const;

 private:
  struct Run;
  std::unique_ptr<Run> run_;
};

/// The program of one training step as every replica runs it, before any pass: state and its share of a batch in (named `state.…` and
/// `batch.…`), the state after the update, the loss over all replicas and its own loss out. Throws X709 for options out of range.
Graph training_program(const TrainOptions& options, std::int64_t vocabulary);

}  // namespace octet::train
