/// octet.tpu, floor 4: slices of TPU chips, programs that run on all their replicas at once, what a program
/// would cost there, and whether it is ready for them.
export module octet.tpu;

export import :check;
export import :chip;
export import :collective;
export import :constants;
export import :cost;
export import :estimate;
export import :feed;
export import :fused;
export import :host;
export import :layers;
export import :memory;
export import :partition;
export import :precision_policy;
export import :precision_report;
export import :readiness;
export import :replicas;
export import :replicate;
export import :slice;
export import :timeline;
