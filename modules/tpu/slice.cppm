/// Slices: what one rents.
module;
#include <cstdint>
#include <string>
#include <string_view>
export module octet.tpu:slice;
import octet.base;
import octet.graph;

export namespace octet::tpu {

/// A part of a TPU pod, named as the vendor names it. `vN-K` counts cores for v2, v3, v4 and v5p, and chips for v5e and v6e.
struct Slice {
  std::string name;
  std::int64_t replicas = 8;        ///< one for each core: each runs the whole program on its share of the batch
  /// One group of all replicas, for collectives.
  ReplicaGroups all() const { return all_replicas(replicas); }
};

/// The most replicas that are simulated with real numbers; larger slices can only be estimated.
inline constexpr std::int64_t most_simulated_replicas = 64;

/// The slice called `name`: `v2-8`, `v3-8`, `v4-8`, `v3-32`. Throws X604 for a name that no vendor sells, X605 for a slice of more
/// than `most_simulated_replicas` replicas.
Slice slice(std::string_view name);

}  // namespace octet::tpu
