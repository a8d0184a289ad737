/// A training step of a published transformer as `octet::check` takes it: calls of batches of different lengths, and
/// the program for each.
export module octet.nn:training_candidate;
import octet.base;
import octet.standard;
import octet.tpu;
import :pretraining;
import :transformer;

export namespace octet::nn {

/// The batches that a step is fed.
struct TrainingBatches {
  std::int64_t sequences = 256;            ///< of a batch, over all replicas
  std::int64_t predictions = 76;           ///< of a sequence; GPT-2 guesses every token
  std::vector<std::int64_t> lengths = {};  ///< in tokens, one for each call
  std::int64_t parts = 1;                  ///< equal ones in which a replica takes its share
};

/// Batches of examples as they come, each as long as its longest one.
struct BatchLengths {
  std::vector<std::int64_t> each;  ///< of each batch, in tokens
  double tokens = 0;               ///< of all examples in them
};
/// Those of examples of these lengths, at least one: the first 4,096 batches of an epoch. Where fewer examples are left
/// than a batch takes, the first ones follow, as in the next epoch.
BatchLengths batch_lengths(std::span<const std::int64_t> examples, std::int64_t batch);

/// The training step of `config` on `slice`, called with `batches`: of each the arrays of a batch (`batch.…`), while
/// the state is the same in all calls; `shards_optimizer` has each replica keep its share of the moments alone, which
/// CheckOptions::sharded is to name (sharded_moments). Its trace throws X717 for a model that cannot be.
Candidate training_candidate(const TransformerConfig& config, const tpu::Slice& slice, const TrainingBatches& batches,
                             const ProgramStyle& style = {}, bool shards_optimizer = false);
/// The structures of the moments.
std::vector<std::string> sharded_moments();

/// The arrays of `candidate`'s batches of which dimension 1 is the sequence: those that buckets of lengths pad.
std::vector<std::string> sequence_arguments(const TransformerConfig& config, const Candidate& candidate);

}  // namespace octet::nn
