/// octet.train, floor 6: training runs. The loop, checkpoints, and the files that other tools read.
export module octet.train;

export import :checkpoint;
export import :continuation;
export import :detect;
export import :evaluation;
export import :fill;
export import :options;
export import :safetensors;
export import :trainer;
export import :training_data;
export import :training_json;
export import :transformer_json;
