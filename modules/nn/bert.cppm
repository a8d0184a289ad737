/// BERT (Devlin et al. 2018): embeddings, post-norm encoder layers, and the heads that it is pre-trained with.
export module octet.nn:bert;
import octet.base;
import octet.standard;
import octet.trace;
import :dropout;
import :layers;
import :losses;

export namespace octet::nn {

struct BertConfig {
  std::int64_t vocabulary = 2048;
  std::int64_t hidden = 128;
  std::int64_t layers = 2;
  std::int64_t heads = 2;
  std::int64_t intermediate = 512;
  std::int64_t positions = 64;  ///< the longest sequence
  std::int64_t segments = 2;
  double layer_norm_epsilon = 1e-12;
  DropoutRates dropout = {};   ///< of training, by a batch that has keys
  bool next_sentence = false;  ///< whether there is a head that judges pairs of segments
  std::int64_t embedding = 0;  ///< width of the embeddings, projected to `hidden` where it is another; 0: `hidden`
  bool gradient_checkpointing =
      false;  ///< whether gradients compute what is within a layer again instead of keeping it
  std::int64_t embedding_width() const { return embedding == 0 ? hidden : embedding; }
};

/// One layer: attention and a feed-forward network, each added to its input and normalized after.
struct EncoderLayer {
  SelfAttention attention;
  LayerNorm attention_norm;
  Linear intermediate;  ///< [hidden, intermediate]
  Linear output;        ///< [intermediate, hidden]
  LayerNorm output_norm;
  Array operator()(operand x, const Array& attention_mask, const Dropout& dropout = {}) const;
};

/// The head that guesses tokens. Its decoder is the word embedding, transposed.
struct MaskedLanguageModelHead {
  Linear transform;  ///< [hidden, embedding]
  LayerNorm norm;    ///< [embedding]
  Array bias;        ///< [vocabulary]
};

/// The head that tells whether the second segment follows the first, from the hidden state of [CLS].
struct NextSentenceHead {
  Linear pooler;      ///< [hidden, hidden]
  Linear classifier;  ///< [hidden, 2]: it follows, it is a random one
};

struct Bert {
  Embedding word, position, segment;
  LayerNorm embedding_norm;
  std::vector<EncoderLayer> layers;
  MaskedLanguageModelHead head;
  std::optional<NextSentenceHead> next_sentence = {};
  std::optional<Linear> projection = {};  ///< [embedding, hidden], where the two differ
  DropoutRates dropout = {};
  bool gradient_checkpointing = false;

  /// ids, segments, attention_mask of integers [batch, seq] → hidden states [batch, seq, hidden]. Throws X401 for other
  /// shapes, and for sequences longer than there are positions; X402 for floating-point numbers.
  Array encode(operand ids, const Array& segments, const Array& attention_mask, const Dropout& dropped = {}) const;
  /// Hidden states [..., hidden] → logits [..., vocabulary].
  Array logits(operand hidden) const;
  /// Hidden states [batch, seq, hidden] → logits [batch, 2]. Throws X403 for a BERT without that head.
  Array next_sentence_logits(operand hidden) const;
};

/// A BERT whose arrays have types but no data. Throws X403 for sizes below 1 or heads that do not divide the hidden
/// size.
Bert bert(const BertConfig& config);

/// What BERT is pre-trained on; i32 but for the keys.
struct MaskedLanguageBatch {
  Array ids;               ///< [batch, seq]
  Array segments;          ///< [batch, seq]
  Array attention_mask;    ///< [batch, seq]
  Array masked_positions;  ///< [batch, predictions]
  Array masked_labels;     ///< [batch, predictions]; below 0 where there is nothing to guess
  std::optional<Array> next_sentence_labels =
      {};  ///< [batch]; 1 where the second segment is a random one, below 0 where nobody asks
  std::optional<Array> dropout_keys = {};  ///< u32 [batch, 2]; without them nothing is dropped
};

/// The cross-entropy of guessing the masked tokens, over the masked positions only: logits are computed for those
/// alone, a fixed number for each sequence, and weighed by a mask (rule 2).
/// Throws X401 where the batch's arrays do not have the shapes that it names.
SummedLoss masked_language_loss(const Bert& model, const MaskedLanguageBatch& batch,
                                std::source_location where = std::source_location::current());
/// That loss, and the logits [batch · predictions, vocabulary] that it judges.
struct MaskedTokens {
  SummedLoss loss;
  Array logits;
};
MaskedTokens masked_tokens(const Bert& model, const MaskedLanguageBatch& batch,
                           std::source_location where = std::source_location::current());

/// Both losses that BERT was pre-trained with, from one run of the encoder. Its loss is the sum of their means.
struct PretrainingLoss {
  SummedLoss masked;
  SummedLoss next_sentence;
};
/// Throws X403 where the model has no head for next sentences or the batch no labels for it, X401 as
/// masked_language_loss does.
PretrainingLoss pretraining_loss(const Bert& model, const MaskedLanguageBatch& batch,
                                 std::source_location where = std::source_location::current());

}  // namespace octet::nn
