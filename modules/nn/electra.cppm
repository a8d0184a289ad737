/// ELECTRA (Clark et al. 2020): a small generator guesses masked tokens, and a discriminator tells for every token of
/// the sentence whether it stood there before or was put there by the generator.
export module octet.nn:electra;
import octet.base;
import octet.standard;
import octet.trace;
import :bert;
import :dropout;
import :layers;
import :losses;

export namespace octet::nn {

/// Two BERTs of one vocabulary, with the same embeddings.
struct ElectraConfig {
  BertConfig discriminator;
  BertConfig generator;  ///< its vocabulary, positions, segments and width of the embeddings are the discriminator's
};

/// An ELECTRA whose generator is `share` as wide as `discriminator` and as deep: heads times `share`, rounded and at
/// least one, the multiple of them nearest to hidden times `share`, and intermediate in proportion to that. The
/// paper's: a quarter for ELECTRA-small, a third for base.
ElectraConfig electra_config(const BertConfig& discriminator, double share = 0.25);

/// The head that judges tokens.
struct ReplacedTokenHead {
  Linear dense;       ///< [hidden, hidden]
  Linear prediction;  ///< [hidden, 1]
};

/// What is kept of an ELECTRA to be used: an encoder that judges tokens.
struct ElectraDiscriminator {
  Embedding word, position, segment;
  LayerNorm embedding_norm;
  std::vector<EncoderLayer> layers;
  ReplacedTokenHead head;
  std::optional<Linear> projection = {};  ///< [embedding, hidden], where the two differ
  DropoutRates dropout = {};
  bool gradient_checkpointing = false;

  /// ids, segments, attention_mask i32 [batch, seq] → logits [batch, seq]: above 0 where a token is likelier replaced
  /// than not.
  Array replaced_logits(operand ids, const Array& segments, const Array& attention_mask,
                        const Dropout& dropped = {}) const;
};

struct Electra {
  ElectraDiscriminator discriminator;
  /// The generator but for its embeddings.
  struct Generator {
    std::vector<EncoderLayer> layers;
    MaskedLanguageModelHead head;
    std::optional<Linear> projection = {};
    DropoutRates dropout = {};
    bool gradient_checkpointing = false;
  };
  Generator generator;

  /// The generator with the embeddings that it shares: a model that fills blanks.
  Bert generating() const;
};

/// Structures whose arrays have types but no data. Throw X403 for sizes that cannot be, and for a generator and a
/// discriminator that could not share their embeddings.
ElectraDiscriminator electra_discriminator(const BertConfig& config);
Electra electra(const ElectraConfig& config);

/// The parts of an ELECTRA as models of their own; both hold the embeddings.
Values<Bert> generator_of(const Values<Electra>& model);
Values<ElectraDiscriminator> discriminator_of(const Values<Electra>& model);
/// The other way; the embeddings are the discriminator's. Throws X403 as electra does.
Values<Electra> electra_of(const ElectraConfig& config, const Values<ElectraDiscriminator>& discriminator,
                           const Values<Bert>& generator);

/// What ELECTRA is pre-trained on; i32 but for the keys.
struct ReplacedTokenBatch {
  Array ids;                               ///< [batch, seq], as masked for the generator
  Array segments;                          ///< [batch, seq]
  Array attention_mask;                    ///< [batch, seq]; where it is 0 there is nothing to judge
  Array masked_positions;                  ///< [batch, predictions], different ones
  Array masked_labels;                     ///< [batch, predictions]; below 0 where there is nothing to guess
  Array sampling_keys;                     ///< u32 [batch, 2]: the random numbers that a sequence's tokens are drawn by
  std::optional<Array> dropout_keys = {};  ///< u32 [batch, 2], others; without them nothing is dropped
};

/// Both losses and what they come from. Tokens are drawn from the generator's guesses, and no derivative passes through
/// the draw: the generator learns from its masks alone. Where a policy stores what stands between operations as bf16,
/// so are the sums that the draw compares.
struct ReplacedTokenPass {
  SummedLoss generator;      ///< cross-entropy of the masked tokens
  SummedLoss discriminator;  ///< binary cross-entropy of all tokens but padding
  Array logits;              ///< [batch, seq], the discriminator's
  Array replaced;            ///< pred [batch, seq]: what was drawn is not what stood there
  Array judged;              ///< pred [batch, seq]: tokens, not padding
};
/// Throws X401 where the batch's arrays do not have the shapes that it names.
ReplacedTokenPass replaced_token_pass(const Electra& model, const ReplacedTokenBatch& batch,
                                      std::source_location where = std::source_location::current());

}  // namespace octet::nn
