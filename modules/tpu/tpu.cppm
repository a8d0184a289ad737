/// octet.tpu, floor 4: slices of TPU chips, and programs that run on all their replicas at once.
export module octet.tpu;

export import :chip;
export import :replicas;
export import :replicate;
export import :slice;
