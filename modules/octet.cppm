/// `import octet;`: every room, and nothing else. (octet.xtensor is left out: see there.)
export module octet;
export import octet.base;
export import octet.text;
export import octet.data;
export import octet.graph;
export import octet.trace;
export import octet.compile;
export import octet.tpu;
export import octet.nn;
export import octet.train;
