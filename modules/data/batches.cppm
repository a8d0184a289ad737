/// Batches for masked-language modelling, as a function of seed and position.
export module octet.data:batches;
import octet.base;
import octet.standard;
import octet.text;
import :masking;
import :order;
import :packing;
import :padding;

export namespace octet::data {

struct BatchOptions {
  std::int64_t batch = 64;       ///< examples, over all replicas
  std::int64_t max_length = 64;  ///< examples must not be longer
  Padding padding = {};          ///< default: every batch [batch, max_length]
  Masking masking = {};
  std::uint64_t seed = 0;
  bool shuffle = true;  ///< a new order each epoch; otherwise the order of the text
};

/// All tensors are i32. `predictions` is the largest number of masked positions that an example of `max_length` can
/// have.
struct MaskedBatch {
  Tensor input_ids;           ///< [batch, seq]; [PAD] after the end
  Tensor attention_mask;      ///< [batch, seq]; 1 for tokens, 0 for padding
  Tensor token_type_ids;      ///< [batch, seq]; segments, all 0 here
  Tensor labels;              ///< [batch, seq]; the original id where masked, unmasked_label (-100) elsewhere
  Tensor masked_positions;    ///< [batch, predictions]; increasing positions within the sequence, 0 where unused
  Tensor masked_labels;       ///< [batch, predictions]; the original id, unmasked_label where unused
  std::int64_t masked = 0;    ///< positions to be guessed, in the whole batch
  std::int64_t examples = 0;  ///< rows that hold an example; the others are [CLS] [SEP] with nothing to guess
  PaddingCount padding = {};  ///< a row without an example counts as padding
};

/// An endless stream of full batches: where an epoch ends within a batch, the next one goes on in it.
class MaskedBatches {
 public:
  /// Throws X706 for no examples, X709 for options out of range or an example longer than `max_length`.
  MaskedBatches(Examples examples, text::Vocabulary vocabulary, BatchOptions options = {});

  /// The batch that begins at `position`; the same bits whenever and wherever it is made.
  MaskedBatch at(Position position) const;
  /// Tokens of the longest example of that batch: what it is padded from.
  std::int64_t longest_at(Position position) const;
  /// The position after that batch.
  Position after(Position position) const;
  /// The position after `steps` batches from the beginning.
  Position after_steps(std::uint64_t steps) const;

  /// Batch `number`, counted from 0, of those that evaluation_batches makes: all of them at once take many times the
  /// memory of a large text. One beyond the last has no examples.
  MaskedBatch to_measure(std::size_t number) const;

  const Examples& examples() const { return examples_; }
  const BatchOptions& options() const { return options_; }

 private:
  std::size_t example_at(Position place) const;

  Examples examples_;
  text::Vocabulary vocabulary_;
  BatchOptions options_;
};

/// That of the masks that a loss is measured with: no epoch of training comes this far.
inline constexpr std::uint64_t evaluation_epoch = ~std::uint64_t{0};

/// All examples once, in order, with a mask fixed by the seed (another one than any epoch of training); the last batch
/// is filled up with rows that hold no example. Throws as MaskedBatches does. `shuffle` is not looked at.
std::vector<MaskedBatch> evaluation_batches(const Examples& examples, const text::Vocabulary& vocabulary,
                                            const BatchOptions& options = {});

}  // namespace octet::data
