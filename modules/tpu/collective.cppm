/// What collectives take on the torus of a slice.
export module octet.tpu:collective;
import octet.graph;
import octet.standard;
import :constants;
import :slice;

export namespace octet::tpu {

/// Seconds for a collective of all replicas of `slice`; `bytes` are those of each replica's operand.
///
/// An all-reduce is a reduce-scatter and an all-gather. Each runs dimension by dimension, with a part of the data for
/// each dimension that begins there, large as the dimension has links, so that all links are busy at once. A ring of n
/// chips passes (n - 1)/n of what it begins with over two links of a chip; a dimension without the link that closes the
/// ring has half of that bandwidth. Replicas of one chip add up what they have through the chip's memory, piece by
/// piece, while other pieces travel.
double collective_seconds(Op op, double bytes, const Slice& slice, const CostConstants& constants);

}  // namespace octet::tpu
