/// octet.trace, floor 2: writing programs. Functions on symbolic arrays, control flow, tracing, and derivatives.
export module octet.trace;

export import :array;
export import :bounded;
export import :call_at;
export import :checkpoint;
export import :collectives;
export import :contraction;
export import :control;
export import :elementwise;
export import :gradient;
export import :host_functions;
export import :movement;
export import :random_arrays;
export import :reduction;
export import :segments;
export import :sorting;
export import :tracer;
export import :tree;
export import :valueless;
export import :vmap;
export import :walk;
