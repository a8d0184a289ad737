module octet.tpu;
import octet.standard;
import :chip;

namespace octet::tpu {

namespace {

constexpr double giga = 1e9, tera = 1e12, mebi = 1024.0 * 1024, gibi = 1024 * mebi;

// Peaks, memories and links: Cloud TPU's pages for each version; cores, units and clocks of v2 and v3: Norrie et al.
// 2021; v4: Jouppi et al. 2023, table 4; v5e, v5p, v6e: jax's tpu_info and the scaling book's chapter on TPUs. Links of
// v2, clocks of v5p and v6e and the second pair of vector slots since v5 are recalled, not read. Of a v5p pod's 8,960
// chips, 6,144 are the most that one slice has.
//
// What programs may use is what XLA's messages call the capacity, "Used 63.80G of 30.75G hbm": of a core of v2 7.48 GiB
// (sokrypton/ColabFold, issue 62), of v3 15.48 (LargeWorldModel/LWM, issue 60); of a whole chip of v4
// (erfanzar/EasyDeL, issue 166), v5e, v5p (more than the 95 that are published) and v6e.
// clang-format off: else each figure has a line
constexpr Chip table[] = {
    {"v2", 46 * tera, 2, false, true, 1, 128, 0.70 * giga, 2, 16 * gibi, 2 * 7.48 * gibi, 700 * giga, 0, 4, 62 * giga,
     2, 256, 4, 4, "Cloud TPU v2; Norrie et al. 2021"},
    {"v3", 123 * tera, 2, false, true, 2, 128, 0.94 * giga, 2, 32 * gibi, 2 * 15.48 * gibi, 900 * giga, 0, 4, 82 * giga,
     2, 1024, 4, 4, "Cloud TPU v3; Norrie et al. 2021"},
    {"v4", 275 * tera, 2, true, true, 4, 128, 1.05 * giga, 2, 32 * gibi, 30.75 * gibi, 1200 * giga, 128 * mebi, 6,
     50 * giga, 3, 4096, 4, 4, "Cloud TPU v4; Jouppi et al. 2023"},
    {"v5e", 197 * tera, 1, false, false, 4, 128, 1.50 * giga, 4, 16 * gibi, 15.75 * gibi, 819 * giga, 128 * mebi, 4,
     50 * giga, 2, 256, 4, 8, "Cloud TPU v5e; jax tpu_info"},
    {"v5p", 459 * tera, 2, true, true, 4, 128, 1.75 * giga, 4, 95 * gibi, 95.74 * gibi, 2765 * giga, 128 * mebi, 6,
     90 * giga, 3, 6144, 4, 4, "Cloud TPU v5p; jax tpu_info"},
    {"v6e", 918 * tera, 1, false, false, 2, 256, 1.75 * giga, 4, 32 * gibi, 31.25 * gibi, 1600 * giga, 128 * mebi, 4,
     100 * giga, 2, 256, 4, 8, "Cloud TPU v6e; scaling book"},
};
// clang-format on

}  // namespace

std::span<const Chip> chips() { return table; }

const Chip* find_chip(std::string_view name) {
  if (name == "v5litepod") name = "v5e";  // as the vendor's interfaces call it
  for (const Chip& chip : table)
    if (chip.name == name) return &chip;
  return nullptr;
}

Core core_of(const Chip& chip, bool megacore) {
  const double parts = megacore ? 1 : static_cast<double>(chip.cores), cores = static_cast<double>(chip.cores) / parts;
  return {chip.peak / parts,          cores * 8 * 128 * static_cast<double>(chip.vector_slots) * chip.clock,
          chip.hbm_bytes / parts,     chip.usable_bytes / parts,
          chip.hbm_bandwidth / parts, chip.scratch_bytes / parts,
          chip.matrix_unit_size};
}

}  // namespace octet::tpu
