/// octet.nn, floor 5: layers, BERT, losses, optimizers and schedules, as ordinary traced functions over plain
/// structures.
export module octet.nn;

export import :accumulation;
export import :bert;
export import :dropout;
export import :electra;
export import :findings;
export import :gpt2;
export import :layers;
export import :losses;
export import :memory_refusal;
export import :optimizer;
export import :precision;
export import :pretraining;
export import :schedule;
export import :sgd;
export import :sharded_update;
export import :training_candidate;
export import :training_cost;
export import :training_step;
export import :training_timeline;
export import :transformer;
