// Slices are read as the vendor reads their names.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
import octet.base;
import octet.tpu;

using namespace octet;

namespace {

std::string refusal(std::string_view name) {
  try {
    tpu::slice(name);
  } catch (const Error& error) {
    return error.number() == 604 ? error.diagnostics().front().sentence : "another number";
  }
  return "";
}

}  // namespace

TEST_CASE("a name counts cores for v2, v3, v4 and v5p, and chips for v5e and v6e") {
  struct Known {
    const char* name;
    std::int64_t chips, replicas, hosts;
    Dims torus;
  };
  for (const Known& known : {Known{"v2-8", 4, 8, 1, {2, 2}},
                             {"v3-8", 4, 8, 1, {2, 2}},
                             {"v3-32", 16, 32, 4, {4, 4}},
                             {"v2-512", 256, 512, 64, {16, 16}},
                             {"v3-2048", 1024, 2048, 256, {32, 32}},
                             {"v3-8192", 4096, 8192, 1024, {32, 128}},
                             {"v4-8", 4, 8, 1, {1, 2, 2}},
                             {"v4-16", 8, 16, 2, {2, 2, 2}},
                             {"v4-128", 64, 128, 16, {4, 4, 4}},
                             {"v4-8192", 4096, 8192, 1024, {16, 16, 16}},
                             {"v4-6912", 3456, 6912, 864, {12, 12, 24}},
                             {"v4-2048", 1024, 2048, 256, {8, 8, 16}},
                             {"v4-3584", 1792, 3584, 448, {8, 8, 28}},
                             {"v5p-9216", 4608, 9216, 1152, {12, 16, 24}},
                             {"v5e-8", 8, 8, 1, {2, 4}},
                             {"v5e-16", 16, 16, 4, {4, 4}},
                             {"v5e-1", 1, 1, 1, {1, 1}},
                             {"v5litepod-16", 16, 16, 4, {4, 4}},
                             {"v5p-8", 4, 8, 1, {1, 2, 2}},
                             {"v6e-8", 8, 8, 1, {2, 4}},
                             {"v6e-256", 256, 256, 64, {16, 16}}}) {
    INFO(known.name);
    const tpu::Slice slice = tpu::slice(known.name);
    CHECK(slice.chips == known.chips);
    CHECK(slice.replicas == known.replicas);
    CHECK(slice.hosts == known.hosts);
    CHECK(slice.torus == known.torus);
  }
}

TEST_CASE("v5e is called v5litepod, too, and is one slice by either name") {
  CHECK(tpu::slice("v5litepod-8").name == "v5e-8");
  CHECK(tpu::slice("v5litepod-8").chip.name == "v5e");
}

TEST_CASE("a dimension wraps at the full extent of a pod, and in a v4 of whole cubes of four") {
  CHECK(tpu::slice("v3-32").wraps == std::vector<bool>{false, false});
  CHECK(tpu::slice("v3-1024").wraps == std::vector<bool>{false, true});
  CHECK(tpu::slice("v3-2048").wraps == std::vector<bool>{true, true});
  CHECK(tpu::slice("v2-256").wraps == std::vector<bool>{false, true});
  CHECK(tpu::slice("v4-64").wraps == std::vector<bool>{false, false, false});
  CHECK(tpu::slice("v4-128").wraps == std::vector<bool>{true, true, true});
}

TEST_CASE("a core has half of a chip of two, and with megacore the whole") {
  const tpu::Core core = tpu::core_of(tpu::slice("v3-8").chip, false);
  const double gibi = 1024 * 1024 * 1024;
  CHECK(core.hbm_bytes == 16 * gibi);
  CHECK(core.peak == 61.5e12);
  const tpu::Core mega = tpu::core_of(tpu::slice("v4-8").chip, true);
  CHECK(mega.hbm_bytes == 2 * core.hbm_bytes);
  CHECK(mega.peak == 275e12);
  // As XLA says when it runs out of it.
  CHECK(core.usable_bytes == 15.48 * gibi);
  CHECK(mega.usable_bytes == 30.75 * gibi);
  CHECK(tpu::core_of(tpu::slice("v4-8").chip, false).usable_bytes == 30.75 * gibi / 2);
  for (const auto& [name, each] : {std::pair{"v2", 7.48}, {"v5e", 15.75}, {"v6e", 31.25}}) {
    INFO(name);
    CHECK(tpu::core_of(*tpu::find_chip(name), false).usable_bytes == each * gibi);
  }
}

TEST_CASE("peaks are what the matrix units of a chip multiply in a second") {
  for (const tpu::Chip& chip : tpu::chips()) {
    if (chip.name == "v6e") continue;  // its clock is not published
    INFO(chip.name);
    const double units = static_cast<double>(chip.cores * chip.matrix_units),
                 size = static_cast<double>(chip.matrix_unit_size);
    const double derived = units * size * size * 2 * chip.clock;
    CHECK(derived > 0.99 * chip.peak);
    CHECK(derived < 1.01 * chip.peak);
  }
}

TEST_CASE("the slices of a generation are listed, the smallest first, and each has its name") {
  CHECK(tpu::slice_names(*tpu::find_chip("v3")) ==
        std::vector<std::string>{"v3-8", "v3-32", "v3-64", "v3-128", "v3-256", "v3-512", "v3-1024", "v3-2048"});
  CHECK(tpu::slice_names(*tpu::find_chip("v5e")) ==
        std::vector<std::string>{"v5e-1", "v5e-4", "v5e-8", "v5e-16", "v5e-32", "v5e-64", "v5e-128", "v5e-256"});
  for (const tpu::Chip& chip : tpu::chips()) {
    std::int64_t chips = 0;
    for (const std::string& name : tpu::slice_names(chip)) {
      INFO(name);
      const tpu::Slice slice = tpu::slice(name);
      CHECK(slice.chips > chips);
      chips = slice.chips;
    }
    INFO(chip.name);
    CHECK(chips > 0);
    CHECK(chips <= chip.most_chips);
  }
}

TEST_CASE("a name that nobody sells is refused with the nearest that are sold") {
  CHECK(
      refusal("v3-16") ==
      "There is no TPU slice called 'v3-16': the number counts cores, 2 to a chip, and the nearest are v3-8 or v3-32.");
  CHECK(refusal("v5e-7") ==
        "There is no TPU slice called 'v5e-7': the number counts chips, and the nearest are v5e-4 or v5e-8.");
  CHECK(refusal("v2-1024").ends_with("the nearest is v2-512."));
  CHECK(refusal("v4-4").ends_with("the nearest is v4-8."));
  CHECK(refusal("v3-99999999999999999999").ends_with("the nearest is v3-2048."));
  CHECK(refusal("v3-3000").ends_with("the nearest is v3-2048."));  // v3-4096 is estimated, not sold
  CHECK(refusal("v5p-20000").ends_with("the nearest is v5p-12288."));
  CHECK(refusal("V3-8") == "There is no TPU slice called 'V3-8': the nearest is v3-8.");
  CHECK(refusal(" v3-8 ").ends_with("the nearest is v3-8."));
  CHECK(refusal("v3").ends_with("the nearest is v3-8."));
  CHECK(refusal("v4-16x16").ends_with("so many chips are v4-512."));
  CHECK(refusal("v4-4x4x4").ends_with("so many chips are v4-128."));
  CHECK(refusal("v3-4x4").ends_with("so many chips are v3-32."));
  CHECK(refusal("v5e-4x4").ends_with("so many chips are v5e-16."));
  CHECK(!refusal("v3-3x3").ends_with("so many chips are v3-18."));
  CHECK(refusal("v4-99999999x99999999x2").starts_with("There is no TPU slice"));
  CHECK(refusal("v5litepod").ends_with("the nearest is v5e-1."));
  CHECK(refusal("v5litepod-12").ends_with("the number counts chips, and the nearest are v5e-8 or v5e-16."));
  CHECK(refusal("tpuv3-32").ends_with("the nearest is v3-32."));
  const std::string known = "': Octet knows v2, v3, v4, v5e, v5p and v6e.";
  for (const char* name : {"v9-8", "v7-8", "v7x-8", "V7X-8", "tpu7x-8", "tpuv7-8", "trillium-8", "ironwood-8"}) {
    INFO(name);
    CHECK(refusal(name).ends_with(name + known));
  }
  CHECK(refusal("v5-8").ends_with("'v5-8': there is v5e-8 and v5p-8."));
  CHECK(refusal("v5-7").ends_with("'v5-7': there is v5e and v5p, neither of that size."));
  CHECK(refusal("v6-7").ends_with("'v6-7': there is v6e, not of that size."));
  CHECK(refusal("v5x-8").ends_with("'v5x-8': there is v5e-8 and v5p-8."));
  CHECK(refusal("v4p-8").ends_with("'v4p-8': there is v4-8."));
  CHECK(refusal("슬라이스") == "There is no TPU slice called '슬라이스" + known);
  CHECK(refusal(std::string(100'000, 'v')).ends_with("v" + known));
  for (const char* name : {"", "v3", "v3-", "v3-0", "v3--8", "v3-8x", "v9-8", "V3-8", "v3-08", "v3-+8", " v3-8"}) {
    INFO(name);
    CHECK(refusal(name).starts_with("There is no TPU slice called '"));
  }
}

TEST_CASE("a slice of one's own that has no chips is refused") {
  const auto number = [](const tpu::Slice& slice) {
    try {
      tpu::require_made(slice);
    } catch (const Error& error) {
      return error.number();
    }
    return 0;
  };
  CHECK(number({}) == 604);
  CHECK(number(tpu::slice("v3-8")) == 0);
  tpu::Slice none = tpu::slice("v3-8");
  none.hosts = 0;
  CHECK(number(none) == 604);
}
