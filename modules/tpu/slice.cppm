/// Slices: what one rents.
export module octet.tpu:slice;
import octet.base;
import octet.graph;
import octet.standard;
import :chip;

export namespace octet::tpu {

/// A part of a TPU pod, named as the vendor names it. `vN-K` counts cores for v2, v3, v4 and v5p, and chips for v5e and
/// v6e.
struct Slice {
  std::string name;
  std::int64_t replicas = 8;  ///< one for each core, or chip (megacore): each runs the program on its share of a batch
  std::int64_t chips = 4;
  std::int64_t hosts = 1;  ///< machines that feed it
  Dims torus = {2, 2};     ///< chips along each dimension
  std::vector<bool> wraps = {
      false, false};  ///< whether the ends of a dimension are linked: only a pod's full extent is, or a v4's fours
  Chip chip = {};
  /// One group of all replicas, for collectives.
  ReplicaGroups all() const { return all_replicas(replicas); }
};

/// The most replicas that are simulated with real numbers; larger slices can only be estimated.
inline constexpr std::int64_t most_simulated_replicas = 64;

/// The slice called `name`: `v2-8`, `v3-32`, `v4-128`, `v5e-16`. Throws X604 for a name that no vendor sells, with the
/// nearest that are sold. v3-4096 and v3-8192, two and four pods joined along one dimension, are those of MLPerf
/// training v0.7.
Slice slice(std::string_view name);

/// `slice` with one replica for each chip, whose cores are then one device with all its memory: so JAX and TensorFlow 2
/// use v4 and v5p. Throws X604 where cores are devices of their own; where a chip has one core, nothing changes.
Slice megacore(Slice slice);

/// What one replica of `slice` computes on: a core, or a chip where there is one replica for each.
Core core_of(const Slice& slice);

/// The names of all slices of `chip`, the smallest first; without v3-4096 and v3-8192, which are not for rent.
std::vector<std::string> slice_names(const Chip& chip);

/// Throws X604 where `slice` is none that `slice` made: it has no chips, or chips of no kind.
void require_made(const Slice& slice);

/// Throws X605 where `slice` has more than `most_simulated_replicas` replicas, and X604 as `require_made` does.
void require_simulated(const Slice& slice);

}  // namespace octet::tpu
