/// What a training run is made of.
export module octet.train:options;
import octet.base;
import octet.data;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;

export namespace octet::train {

/// A small BERT trained by masked-language modelling, or another model where it says so. The defaults are the demo's.
struct TrainOptions {
  std::int64_t steps = 1000;  ///< the schedule ends here
  std::uint64_t seed = 0;     ///< weights, order, masks
  std::string slice = "v3-8";
  Precision precision = Precision::bf16;
  std::int64_t passes = 1;         ///< of the matrix unit for each product in bf16 precision: 1, 3 or 6
  DType activations = DType::f32;  ///< what tensors between operations are stored as: f32 or bf16
  DType parameters = DType::f32;   ///< what parameters are stored as: f32, the master copy, or bf16

  std::int64_t layers = 2;
  std::int64_t hidden = 128;
  std::int64_t heads = 2;
  std::int64_t intermediate = 512;
  std::int64_t seq = 64;        ///< tokens of a sequence, [CLS] and [SEP] included
  std::int64_t batch = 64;      ///< sequences, over all replicas
  std::int64_t accumulate = 1;  ///< parts of a replica's share whose gradients are added up before an update
  bool pad_batch = false;       ///< a batch that cannot be shared equally is filled up with sequences of weight zero
  /// Each replica keeps the optimizer's moments of its share of the parameters alone, and updates those: the same bits.
  bool shard_optimizer = false;
  /// Gradients compute what is within a layer again instead of keeping it: less memory, more time, and the same bits
  /// where activations are f32; as bf16 they are rounded where they lie in memory, which is elsewhere then.
  bool gradient_checkpointing = false;
  std::int64_t vocab_size = 2048;   ///< WordPieces, learned from the text
  std::int64_t positions = 0;       ///< embeddings of positions, where they are more than `seq`
  std::int64_t embedding = 0;       ///< width of an ELECTRA's embeddings; 0: `hidden`
  std::int64_t embedding_rows = 0;  ///< of the word embeddings, where they are more than the vocabulary has pieces

  double learning_rate = 1e-3;
  std::int64_t warmup_steps = 100;
  double weight_decay = 0.01;
  double epsilon = 1e-6;
  double clip_norm = 1.0;
  double dropout = 0;            ///< rate after embeddings and of what each half of a layer adds
  double attention_dropout = 0;  ///< of the shares that attention gives

  bool lowercase = true;
  bool strip_accents = false;
  data::Masking masking = {};
  data::Packing packing = data::Packing::lines;
  data::Padding padding = {};  ///< default: every batch has `seq` columns, so one program
  /// Above 0, `padding` becomes the lengths, so many at most and `seq` among them, that add the least padding to the
  /// batches of the first epoch: as many programs, whatever machine the run is on.
  std::int64_t fitted_programs = 0;
  std::int64_t held_out_one_in = 20;
  bool check_replicas = true;  ///< after each step, that all replicas' parameters are equal to the bit

  // Of examples that come from files (octet.train:training_data).
  std::int64_t max_predictions = 0;  ///< tokens to be guessed in an example, at most; 0: what masking makes of `seq`
  bool next_sentence = false;        ///< a second loss: whether the second segment follows the first
  double short_seq_prob = 0.1;       ///< share of documents whose examples are shorter
  bool whole_word_mask = false;      ///< the pieces of a word are masked together
  std::int64_t window = static_cast<std::int64_t>(data::usual_window);  ///< examples that are held and shuffled at once

  // Of an ELECTRA.
  double generator_size = 0.25;      ///< the generator's width beside the discriminator's: nn::electra_config
  double discriminator_weight = 50;  ///< of the mean loss of its judgements, beside the mean loss of the generator
};

/// What the code of ELECTRA's paper masks: nothing becomes a random token, for the generator puts tokens there itself.
/// TrainOptions.masking is BERT's.
inline constexpr data::Masking electra_masking{.replaced_by_mask = 0.85, .replaced_by_random = 0};

/// Throws X709 with every option that is out of range.
void validate(const TrainOptions& options);

/// Sequences of a batch with those of weight zero: what replicas and parts share equally.
std::int64_t padded_batch(const TrainOptions& options, std::int64_t replicas);

nn::BertConfig bert_config(const TrainOptions& options, std::int64_t vocabulary);
nn::ElectraConfig electra_config(const TrainOptions& options, std::int64_t vocabulary);
/// Of causal language modelling.
nn::Gpt2Config gpt2_config(const TrainOptions& options, std::int64_t vocabulary);
/// `options` with the sizes, and of an ELECTRA the generator's share, of a model that is to be trained further
/// (BasicTrainer::begin_with). Where the model takes fewer than `seq` tokens, `seq` becomes as many. Throws X714 for a
/// model that no run makes: other segments than two, another epsilon, a generator of another shape.
TrainOptions sized_as(const nn::BertConfig& config, TrainOptions options);
TrainOptions sized_as(const nn::ElectraConfig& config, TrainOptions options);
TrainOptions sized_as(const nn::Gpt2Config& config, TrainOptions options);
/// Tokens to be guessed in an example from files, at most.
std::int64_t max_predictions(const TrainOptions& options);
/// Whether the weight decay, more than is usual, takes a large share off each weight in a step.
bool is_decay_too_large(const TrainOptions& options);
nn::AdamW optimizer(const TrainOptions& options);

}  // namespace octet::train
