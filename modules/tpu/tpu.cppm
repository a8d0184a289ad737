/// octet.tpu, floor 4: slices of TPU chips, programs that run on all their replicas at once, and what a program would cost there.
export module octet.tpu;

export import :chip;
export import :collective;
export import :constants;
export import :cost;
export import :estimate;
export import :fused;
export import :memory;
export import :replicas;
export import :replicate;
export import :slice;
