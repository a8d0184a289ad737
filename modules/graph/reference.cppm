/// The reference: what each operation means, written slowly and readably. Compiled programs are compared with it.
///
/// Where floating-point addition is involved its order is part of the meaning, so that a compiled program gives the
/// same bits:
/// - `dot_general` adds products to +0 in increasing order of the contracted index (row-major over several contracted
///   dimensions, in the order the attribute lists them). f32 and bf16 operands are multiplied and added in f32, and a
///   bf16 result is rounded once. With `Precision::bf16` and DotPrecision::DEFAULT, f32 operands are first rounded to
///   bf16. In f32 precision the compiled program may fuse.
///   Products of bf16 numbers are added as matrix units add them: the contracted index is cut into chains of
///   `dot_chain`; the products of a chain are added to +0 in increasing order, then two neighbouring chains to each
///   other (an odd last one stands alone), and those pairs, in increasing order, to +0.
/// - `reduce` cuts the reduced elements, in row-major order over the reduced dimensions, into runs of `reduce_run`. Of
///   each run it keeps `reduce_partials` partial results: the k-th element joins partial k mod 16; each partial starts
///   from the neutral element; then partial i takes partial i + h in, for h = 8, 4, 2, 1. The runs' results join the
///   neutral element in increasing order. So neutral elements at the end, such as padding, change nothing, and threads
///   may each reduce what they computed. bf16 is reduced in f32 and rounded once.
/// - collectives combine replicas in the order of their group: neighbours first, (0+1), (2+3), ..., then neighbours of
///   those; an odd last one moves up a level unchanged. bf16 is rounded after each addition. An all_reduce without
///   groups is over all replicas, as in XLA.
/// - `scatter` combines updates one by one in row-major order of the updates. bf16 is rounded after each addition.
///
/// bf16 elementwise arithmetic is done in f32 and rounded to nearest even. Transcendental functions are octet::math's.
/// Integers wrap around; x / 0 has all bits set (-1 where signed) and x % 0 is x.
/// max and min pass a NaN on, and order -0 below +0. Which NaN an operation gives is not part of its meaning.
export module octet.graph:reference;
import octet.base;
import octet.standard;
import :attributes;
import :graph;

export namespace octet {

inline constexpr int reduce_partials = 16, reduce_run = 256;

/// Products of bf16 numbers that are added one after another; twice as many make a block.
inline constexpr int dot_chain = 16;

struct ReferenceOptions {
  Precision precision = Precision::f32;  ///< what DotPrecision::DEFAULT stands for, on f32 operands
};

/// Runs `graph` on one replica; collectives see that replica alone. Throws X405 where the arguments are not of the
/// types of the parameters, X603 as below.
std::vector<Tensor> evaluate(const Graph& graph, std::span<const Tensor> arguments,
                             const ReferenceOptions& options = {});

/// Runs `graph` on all replicas in lockstep: `arguments[replica][parameter]` in, `[replica][result]` out. Throws X405
/// as above, X105 where replicas would part ways before a collective, X603 where a collective names a replica that is
/// not there, or does not name each replica once.
std::vector<std::vector<Tensor>> evaluate(const Graph& graph, std::span<const std::vector<Tensor>> arguments,
                                          const ReferenceOptions& options = {});

/// Throws X603, at `place`, where `groups` of `operation` name replicas that are not among so many or, where each must
/// be named once, do not.
void require_replicas(std::string_view operation, const Place& place, const ReplicaGroups& groups, std::size_t replicas,
                      bool each_once);

/// The scalar that `reduce` starts from: +0 for add, 1 for multiply, the least value (-inf) for maximum and the
/// greatest
/// (+inf) for minimum, all bits set for and, none for or. `replace` has none: 0.
Tensor neutral_element(Reducer reducer, DType dtype);

}  // namespace octet
