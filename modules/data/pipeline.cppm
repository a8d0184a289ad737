/// From examples to batches for all replicas: shuffled in windows, gathered by length, padded, and made ahead of the
/// trainer on threads that are given.
///
///     data::Pipeline pipeline{data::bert_windows(examples), {.batch = 64, .padding = data::pad_to_multiple_of(32)}};
///     data::Prefetch batches{pipeline, saved};                  // begins where a run was saved
///     Threads loaders{2};
///     data::prefetching(loaders, batches, [&] {
///       while (!done) train(batches.next());                    // batches.position() is what a checkpoint saves
///     });
///     batches.waiting().share();                                // of the time, that the trainer waited
export module octet.data:pipeline;
import octet.base;
import octet.standard;
import :padding;
import :training_example;
import :windows;

export namespace octet::data {

struct PipelineOptions {
  std::int64_t batch = 64;            ///< examples, over all replicas
  std::int64_t replicas = 8;          ///< each has an equal share of every batch
  std::int64_t max_length = 128;      ///< examples must not be longer
  std::int64_t max_predictions = 20;  ///< masked tokens of an example, at most; 0 for causal ones
  Padding padding = {};               ///< to what a batch is padded
  /// Whether examples of a window that are padded to one length are put into one batch.
  bool gather_lengths = true;
  std::int32_t padding_id = 0;
  std::uint64_t seed = 0;
};

/// All tensors are i32; replica r of n has rows [r batch / n, (r + 1) batch / n).
struct PipelineBatch {
  Tensor input_ids;             ///< [batch, seq]
  Tensor attention_mask;        ///< [batch, seq]; 1 for tokens
  Tensor token_type_ids;        ///< [batch, seq]; segments
  Tensor masked_positions;      ///< [batch, predictions]; 0 where unused
  Tensor masked_labels;         ///< [batch, predictions]; unmasked_label (-100) where unused
  Tensor next_sentence_labels;  ///< [batch]; 1 where the second segment is a random one
  std::int64_t masked = 0;      ///< positions to be guessed, in the whole batch
  std::int64_t examples = 0;    ///< rows that hold an example; any that follow fill a last held-out batch up
  PaddingCount padding = {};
};

/// Where a run stands: so many epochs, windows of this one and batches of that one are used up.
struct PipelinePosition {
  std::uint64_t epoch = 0, window = 0, batch = 0;
  friend bool operator==(const PipelinePosition&, const PipelinePosition&) = default;
};

/// A stream of batches without an end. Each is a function of source, options and position.
class Pipeline {
 public:
  /// Throws X709 for options out of range.
  explicit Pipeline(WindowSource source, PipelineOptions options = {});

  /// The batches of a window, as lists of its examples. Of a window that is no multiple of the batch, the few that come
  /// last in its random order are left out this epoch: whichever they are, no length is favoured.
  struct Window {
    std::vector<TrainingExample> examples;
    std::vector<std::vector<std::size_t>> batches;  // in random order, whatever their lengths
  };
  Window window(std::uint64_t epoch, std::uint64_t index) const;
  PipelineBatch batch(const Window& window, std::size_t index) const;
  std::uint64_t windows() const { return source_.windows; }

  /// A position as a line of text to save, and back. Throws X729 for a text that is no position or was saved with other
  /// data or options.
  std::string saved(const PipelinePosition& position) const;
  PipelinePosition restored(std::string_view text) const;

  const PipelineOptions& options() const { return options_; }

 private:
  std::uint64_t fingerprint() const;

  WindowSource source_;
  PipelineOptions options_;
};

/// How long the one who asks for batches waited for them.
struct Waiting {
  double waited = 0;  ///< seconds
  double passed = 0;  ///< seconds since the first batch was asked for
  double share() const { return passed > 0 ? waited / passed : 0; }
};

/// Batches made ahead of the one who takes them, at most `depth`: then the makers wait. One takes, any number make.
/// While a window is used up, the next one is made.
class Prefetch {
 public:
  /// The pipeline must outlive this. Throws X709 for a depth of 0.
  explicit Prefetch(const Pipeline& pipeline, PipelinePosition from = {}, std::size_t depth = 16);

  /// The next batch; waits for it where it is being made, makes it where nobody does. Throws what its making threw,
  /// X728 where an epoch and a hundred windows more have no full batch. Epochs differ: where a first batch was found, a
  /// hundred times as many windows are looked through for the next one.
  PipelineBatch next();
  /// That of the batch that next() will give.
  PipelinePosition position() const;

  /// Makes batches ahead until stop(): what a thread that is given is to do.
  void serve();
  /// Takes back a stop(), before anybody serves again.
  void begin();
  /// Lets those who serve return; next() goes on to work.
  void stop();

  Waiting waiting() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Slot {
    PipelinePosition at;
    PipelineBatch batch;
    std::exception_ptr fault;
    bool ready = false;
  };
  bool full() const { return slots_.size() >= depth_; }
  bool wants_window() const;
  void make_one();
  void load_window();
  void enter(std::shared_ptr<const Pipeline::Window> window, PipelinePosition at);
  void go_to_window(PipelinePosition at);
  void look_ahead();

  const Pipeline& pipeline_;
  std::size_t depth_;

  std::mutex source_;  // who takes the next place in the stream; taken before `mutex_`
  bool found_;         // whether there has been a full batch; with `source_` held

  mutable std::mutex mutex_;  // guards all below; what `source_` guards too is written with both
  std::shared_ptr<const Pipeline::Window> window_, ahead_;
  PipelinePosition window_at_, ahead_at_;  // their first batches
  bool looking_ahead_ = false;             // `ahead_` is being made
  std::condition_variable change_;
  PipelinePosition cursor_;  // of the next batch to be made
  std::deque<std::shared_ptr<Slot>> slots_;
  bool stopped_ = false, failed_ = false, begun_ = false;
  double waited_ = 0;
  Clock::time_point start_{};
};

/// Runs `consume` on one of `threads` while the others make batches; where there is one thread alone, batches are made
/// when they are asked for.
void prefetching(Threads& threads, Prefetch& prefetch, const std::function<void()>& consume);

}  // namespace octet::data
