/// What collectives take on the torus of a slice.
export module octet.tpu:collective;
import octet.base;
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

/// The same within `groups`, all at the same time; of a collective_permute, between its pairs. A group has the chips
/// that its replicas are on, in the order of the torus, and shares their links with the groups that lie between. One of
/// a single replica takes nothing, and replicas of one chip meet in its memory alone. No groups: all replicas.
double collective_seconds(Op op, double bytes, const ReplicaGroups& groups, const Slice& slice,
                          const CostConstants& constants);

/// The groups of a collective, or the pairs of a collective_permute.
ReplicaGroups groups_of(const Node& collective);
/// Whether every group is one replica, or every pair goes from a replica to itself.
bool alone(const ReplicaGroups& groups);

}  // namespace octet::tpu
