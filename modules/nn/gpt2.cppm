/// GPT-2 (Radford et al. 2019): pre-norm decoder layers that guess the next token.
export module octet.nn:gpt2;
import octet.base;
import octet.standard;
import octet.trace;
import :dropout;
import :layers;
import :losses;

export namespace octet::nn {

struct Gpt2Config {
  std::int64_t vocabulary = 2048;
  std::int64_t hidden = 128;
  std::int64_t layers = 2;
  std::int64_t heads = 2;
  std::int64_t intermediate = 512;
  std::int64_t positions = 64;  ///< the longest sequence
  double layer_norm_epsilon = 1e-5;
  DropoutRates dropout = {};  ///< of training, by a batch that has keys
  bool gradient_checkpointing =
      false;  ///< whether gradients compute what is within a layer again instead of keeping it
};

/// One layer: attention to what came before and a feed-forward network, each added to its input, which is normalized
/// before.
struct DecoderLayer {
  LayerNorm attention_norm;
  SelfAttention attention;
  LayerNorm intermediate_norm;
  Linear intermediate;  ///< [hidden, intermediate]
  Linear output;        ///< [intermediate, hidden]
  Array operator()(operand x, const Dropout& dropout = {}) const;
  /// The same of what stands at positions `first` and on, see SelfAttention::causal.
  std::pair<Array, KeyValues> operator()(operand x, const Array& first, const KeyValues& cache) const;
};

/// A key-value cache of a whole model, for each of its layers.
struct KeyValueCache {
  std::vector<KeyValues> layers;
};

/// The decoder of its states is the word embedding, transposed.
struct Gpt2 {
  Embedding word, position;
  std::vector<DecoderLayer> layers;
  LayerNorm norm;
  DropoutRates dropout = {};
  bool gradient_checkpointing = false;

  /// ids of integers [batch, seq] → hidden states [batch, seq, hidden]. What stands after a position has no part in it.
  /// Throws X401 for ids of another shape, and for sequences longer than there are positions.
  Array decode(operand ids, const Dropout& dropped = {}) const;
  /// The same for ids [batch, new] at positions `first` (i32, a scalar) and on, of which `cache` holds those before:
  /// hidden states [batch, new, hidden], and the cache with the new positions. One program decodes all tokens of a text
  /// so, each for the price of one position, and to the same bits as `decode` of a sequence as long as the cache's
  /// capacity. `first` + new may not exceed that, nor the positions of the model. Throws X401 for other shapes and
  /// another number of layers, X402 where `first` is not of integers.
  std::pair<Array, KeyValueCache> decode(operand ids, const Array& first, const KeyValueCache& cache) const;
  /// Hidden states [..., hidden] → logits [..., vocabulary].
  Array logits(operand hidden) const;
};

/// A GPT-2 whose arrays have types but no data. Throws X403 for sizes below 1 or heads that do not divide the hidden
/// size.
Gpt2 gpt2(const Gpt2Config& config);

/// A cache with room for so many positions of so many sequences, with none of them yet. Throws X401 for sizes below 1
/// and for more positions than the model has.
Values<KeyValueCache> key_value_cache(const Values<Gpt2>& model, std::int64_t batch, std::int64_t capacity);

/// As GPT-2 begins: a normal distribution of deviation 0.02, and less by the root of the number of additions (two a
/// layer) for the matrices whose results are added up.
Initializer gpt2_initializer(std::int64_t layers);

/// What causal language modelling is trained on; i32 but for the keys.
struct CausalBatch {
  Array ids;                               ///< [batch, seq]
  Array attention_mask;                    ///< [batch, seq]; 1 for tokens, 0 for the padding after them
  std::optional<Array> dropout_keys = {};  ///< u32 [batch, 2]; without them nothing is dropped
};

/// The cross-entropy of guessing each token but the first from those before it. Throws X401 where the batch's arrays do
/// not have the shapes that it names.
SummedLoss causal_language_loss(const Gpt2& model, const CausalBatch& batch,
                                std::source_location where = std::source_location::current());

}  // namespace octet::nn
