/// Pre-training programs of published transformers, as the frameworks that trained them write them: what an estimate is
/// made of.
export module octet.nn:pretraining;
import octet.base;
import octet.graph;
import octet.standard;
import :transformer;

export namespace octet::nn {

/// What code decides about a program, and the architecture does not.
struct ProgramStyle {
  double dropout = 0.1;  ///< rate after embeddings, attention and both halves of a layer; 0: none
  std::optional<double> attention_dropout =
      {};  ///< of the shares that attention gives, where another rate than `dropout`
  bool counter_based_dropout =
      false;  ///< random bits in rounds on the vector unit, as Threefry makes them, instead of the core's own generator
  bool keyed_bits = false;  ///< random bits follow from a key, and can be made again instead of kept
  bool shared_attention_masks =
      false;  ///< one mask drops attention of all sequences and heads, as Flax's dot_product_attention does by default
  bool float_masks =
      false;  ///< dropout multiplies by 0.0 and 1.0 kept in memory, as TensorFlow 1 does, instead of selecting
  bool gradient_checkpointing =
      false;  ///< what is within a layer is computed again on the way back, not as little as makes it fit
  bool one_hot_embeddings = false;  ///< words looked up by a product with one-hot rows instead of a gather
};

/// What one replica is given at once.
struct PretrainingBatch {
  std::int64_t sequences = 1, length = 512;
  std::int64_t predictions = 76;  ///< positions of each sequence that are guessed; GPT-2 guesses all
};

/// Forward and backward of `config` with `layers` layers, optimized: parameters and batch in, the loss and a gradient
/// for each parameter out.
Graph pretraining_program(TransformerConfig config, std::int64_t layers, const PretrainingBatch& batch,
                          const ProgramStyle& style = {});

}  // namespace octet::nn
