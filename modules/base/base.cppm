/// octet.base, floor 0: numbers, shapes, host values, messages. Everything else stands on it; it knows nothing of
/// programs.
export module octet.base;

export import :bfloat16;
export import :catalogue;
export import :decimal;
export import :diagnostic;
export import :dtype;
export import :hash;
export import :math;
export import :memory;
export import :random;
export import :shape;
export import :tensor;
export import :threads;
