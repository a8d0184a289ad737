/// The host side of a slice: who feeds it, where the data lie, and which of that cannot work.
export module octet.tpu:host;
import octet.base;
import octet.standard;
import :slice;

export namespace octet::tpu {

/// How one reaches the machines that hold the chips.
enum class HostKind : std::uint8_t {
  vm,    ///< one works on them (TPU VM): the program, its files and the chips are on one machine
  node,  ///< from a machine of one's own over the network (TPU Node, v2 and v3): what feeds the chips runs on theirs
};

/// Where the examples lie before a step.
enum class DataPlace : std::uint8_t {
  memory,  ///< wholly in the memory of the program, which hands them over
  disk,    ///< in files of the machine that the program runs on
  bucket,  ///< in object storage that every machine reads over the network
};

/// What is known of the input of a program.
struct DataPlacement {
  DataPlace place = DataPlace::memory;
  HostKind host = HostKind::vm;
  bool calls_back =
      false;         ///< the pipeline runs code of the program for each batch: `from_generator`, `to_tf_dataset`, …
  double bytes = 0;  ///< of all examples, as they lie there; 0: not known
};

/// What cannot work: X606 for files that the TPU's hosts cannot read, and on TPU VMs for data in memory of which a
/// host's equal share is larger than its memory; X607 for a pipeline that calls back into a
/// program they do not run, X610 for chips that the vendor offers as TPU VMs alone. Empty where everything can.
std::vector<Diagnostic> faults(const DataPlacement& data, const Slice& slice);

/// Whether the vendor reaches slices of this kind through TPU nodes.
bool has_nodes(const Chip& chip);

/// `TPU VM`, `TPU node`.
std::string_view name(HostKind host);
/// `in memory`, `on the local disk`, `in a bucket`.
std::string_view name(DataPlace place);

/// Processors of one host of a slice, as the vendor's machine types have them (v5e: Cloud TPU's page; others recalled).
std::int64_t host_processors(const Slice& slice);
/// Those of a host of so many chips as a slice with several hosts has.
std::int64_t host_processors(const Chip& chip);
/// Bytes of memory of one host of a slice; from where host_processors are.
double host_memory(const Slice& slice);

/// Bytes each second from a host to each of its chips, over PCIe (as published of v4).
inline constexpr double host_bandwidth = 16e9;

}  // namespace octet::tpu
