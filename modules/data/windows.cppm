/// Windows: the parts of an epoch that are held and shuffled at once. Each can be made alone, so a run can begin at
/// any.
export module octet.data:windows;
import octet.standard;
import :bert_examples;
import :hold_out;
import :token_file;
import :training_example;

export namespace octet::data {

/// Where examples come from. `window` is a function of its two numbers alone, and may be called from several threads.
struct WindowSource {
  std::uint64_t windows = 0;  ///< of an epoch
  /// The examples of a window, in the order in which they are to be learned.
  std::function<std::vector<TrainingExample>(std::uint64_t epoch, std::uint64_t window)> window;
  std::uint64_t fingerprint = 0;  ///< of data and options: where it differs, a saved position means other batches
  std::uint64_t examples = 0;     ///< of an epoch; 0 where that differs from epoch to epoch
};

/// The first examples of `source`, window by window of its epoch `epoch`, and at most so many.
std::vector<TrainingExample> first_examples(const WindowSource& source, std::uint64_t epoch, std::size_t most);

/// Examples a window has, about.
inline constexpr std::uint64_t usual_window = 4096;

/// Examples made of documents on the fly, anew each epoch: nothing grows. Each epoch has the documents in an order of
/// its own; the examples of a window are shuffled.
WindowSource bert_windows(BertExamples examples, std::uint64_t window_examples = usual_window);

/// Examples that BERT's script or `octet data bert` wrote. The files are read once at the beginning, and refused where
/// they are damaged (X722) or cannot be read again (X701); each epoch reads their parts in an order of its own, and
/// shuffles windows. A record that is no such example is refused when its window is read (X723).
WindowSource record_windows(const std::vector<std::filesystem::path>& files, std::uint64_t seed,
                            std::uint64_t window_examples = usual_window, Part part = {});

/// The same source; throws X736 for a window that holds an id beyond a vocabulary of so many pieces. `name` is what
/// messages call the source.
WindowSource checked(WindowSource source, const std::string& name, std::size_t vocabulary);

/// What BERT's script was told when it wrote a file of records, as the first of them shows.
struct RecordSizes {
  std::int64_t max_seq_length = 0, max_predictions = 0;
  bool pairs = false;  ///< whether there is a second segment
};
/// Throws X701, X722 and X723, X740 for a file without a record.
RecordSizes record_sizes(const std::filesystem::path& file);

/// What becomes of the tokens after the last full block.
enum class Remainder {
  drop,
  keep,  ///< they are a shorter block
};

struct CausalOptions {
  std::int64_t context_length = 1024;  ///< tokens of a block
  Remainder remainder = Remainder::drop;
  std::uint64_t seed = 0;
  Part part = {};  ///< of the blocks
};

/// Blocks of a file without marks, as GPT-2 is trained on.
class CausalBlocks {
 public:
  /// Throws X709 for options out of range, X706 where no block is full.
  explicit CausalBlocks(TokenFile tokens, CausalOptions options = {});
  std::uint64_t size() const { return size_; }
  /// Block `index` of the part, in the order of the text. Throws X726.
  TrainingExample operator[](std::uint64_t index) const;
  const TokenFile& tokens() const { return tokens_; }
  const CausalOptions& options() const { return options_; }

 private:
  TokenFile tokens_;
  CausalOptions options_;
  std::uint64_t blocks_ = 0, size_ = 0;  // of the file, of the part
};

/// The blocks, each epoch in an order of their own.
WindowSource causal_windows(CausalBlocks blocks, std::uint64_t window_examples = usual_window);

}  // namespace octet::data
