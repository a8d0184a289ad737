/// Chips: what the vendor publishes of each generation.
export module octet.tpu:chip;
import octet.standard;

export namespace octet::tpu {

/// One generation of TPU chips. Figures are of a whole chip unless they say otherwise; bytes per second and flop per
/// second count in powers of ten, memories in bytes.
struct Chip {
  std::string_view name;                ///< `v3`
  double peak = 0;                      ///< bf16 flop/s, a multiply and an add counted apart
  std::int64_t cores = 1;               ///< TensorCores
  bool megacore = false;                ///< programs see one device for both cores
  bool named_by_cores = true;           ///< whether `vN-K` counts cores or chips
  std::int64_t matrix_units = 1;        ///< of a core
  std::int64_t matrix_unit_size = 128;  ///< rows and columns of one
  double clock = 0;                     ///< Hz
  std::int64_t vector_slots = 2;  ///< vector instructions that begin each cycle, on 8 x 128 lanes of f32, of a core
  double hbm_bytes = 0;
  double usable_bytes = 0;      ///< of that memory, by a program: the runtime keeps some for itself
  double hbm_bandwidth = 0;     ///< bytes/s
  double scratch_bytes = 0;     ///< on-chip memory that holds tensors between operations (CMEM; VMEM where it is large)
  std::int64_t links = 4;       ///< to neighbouring chips
  double link_bandwidth = 0;    ///< bytes/s of one link, one way
  std::int64_t dimensions = 2;  ///< of the torus that links make
  std::int64_t most_chips = 1;  ///< of the largest slice
  std::int64_t chips_per_host = 4;     ///< of a slice with several hosts, machines as they are rented (Cloud TPU VMs)
  std::int64_t chips_of_one_host = 4;  ///< that a slice with one host has at most
  std::string_view source;             ///< where the figures were published
};

/// Every generation, oldest first.
std::span<const Chip> chips();
/// The generation called `name`, or null.
const Chip* find_chip(std::string_view name);

/// What one replica computes on: a core, or with megacore a chip.
struct Core {
  double peak = 0;         ///< bf16 flop/s
  double vector_peak = 0;  ///< f32 operations/s of the vector units
  double hbm_bytes = 0;
  double usable_bytes = 0;   ///< of that memory, by a program
  double hbm_bandwidth = 0;  ///< bytes/s
  double scratch_bytes = 0;
  std::int64_t matrix_unit_size = 128;
};
Core core_of(const Chip& chip, bool megacore);

}  // namespace octet::tpu
