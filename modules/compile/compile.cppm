/// octet.compile, floor 3: from a graph to something that runs, and the cache of what was compiled.
export module octet.compile;

export import :buckets;
export import :cache;
export import :cpu;
export import :executable;
export import :explanation;
export import :fitted;
export import :gemm;
export import :host_runs;
export import :jit;
export import :options;
export import :padding_check;
export import :passes;
export import :seen_shapes;
export import :trace_difference;
