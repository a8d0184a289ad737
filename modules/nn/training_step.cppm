/// One training step of a published transformer, whole: what a readiness check looks at.
export module octet.nn:training_step;
import octet.base;
import octet.graph;
import octet.standard;
import :optimizer;
import :pretraining;
import :transformer;

export namespace octet::nn {

/// The program of one step of `config` as every replica runs it, optimized: its share of a batch in (`batch.…`), then
/// parameters, two moments of each and the count of steps (`state.…`); the loss and the state after AdamW's update out.
/// Gradients are averaged over the replicas of `all`; `shards_optimizer` has each keep and update its share of the
/// moments alone, as sharded_adamw_update does. Its share is taken in `parts` equal parts, one after the other, whose
/// gradients are added up before the update. Throws X717 for a model that cannot be, X601 for parts that are not equal.
Graph training_step(const TransformerConfig& config, const PretrainingBatch& batch, const ReplicaGroups& all,
                    const ProgramStyle& style = {}, bool shards_optimizer = false, std::int64_t parts = 1,
                    const AdamW& optimizer = {});

}  // namespace octet::nn
