/// octet.graph, floor 1: programs as data. The operations, graphs of them, what each requires, prints as and means.
export module octet.graph;

export import :attributes;
export import :graph;
export import :operation;
export import :reader;
export import :reference;
export import :printer;
export import :shape_rules;
export import :verifier;
