module;
#include <cstdint>
module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :chip;
import :slice;

namespace octet::tpu {

namespace {

/// A rectangle of chips that is sold, of the chips whose links make a plane. Those of v3 with more chips than a pod's
/// 1,024 are pods joined along one dimension for MLPerf training v0.7: runs on them can be estimated, none be rented.
struct Rectangle {
  std::string_view chip;
  std::int64_t rows, columns;
};
constexpr Rectangle rectangles[] = {
    {"v2", 2, 2},    {"v2", 4, 4},    {"v2", 8, 8},    {"v2", 8, 16},  {"v2", 16, 16}, {"v3", 2, 2},   {"v3", 4, 4},
    {"v3", 4, 8},    {"v3", 8, 8},    {"v3", 8, 16},   {"v3", 16, 16}, {"v3", 16, 32}, {"v3", 32, 32}, {"v3", 32, 64},
    {"v3", 32, 128}, {"v5e", 1, 1},   {"v5e", 2, 2},   {"v5e", 2, 4},  {"v5e", 4, 4},  {"v5e", 4, 8},  {"v5e", 8, 8},
    {"v5e", 8, 16},  {"v5e", 16, 16}, {"v6e", 1, 1},   {"v6e", 2, 2},  {"v6e", 2, 4},  {"v6e", 4, 4},  {"v6e", 4, 8},
    {"v6e", 8, 8},   {"v6e", 8, 16},  {"v6e", 16, 16},
};

/// The box nearest to a cube of `chips` chips whose links make a space: below 64 chips a part of a cube of four, from
/// there on cubes of four put together, of those with the shortest longest side the one with the longest shortest.
/// Nothing where there is none.
std::optional<Dims> box(std::int64_t chips) {
  for (const Dims& small : {Dims{1, 2, 2}, {2, 2, 2}, {2, 2, 4}, {2, 4, 4}})
    if (small[0] * small[1] * small[2] == chips) return small;
  if (chips < 64 || chips % 64 != 0) return std::nullopt;
  const std::int64_t cubes = chips / 64;
  std::optional<Dims> best;
  for (std::int64_t a = 1; a * a * a <= cubes; ++a)
    for (std::int64_t b = a; a * b * b <= cubes; ++b)
      if (cubes % (a * b) == 0 && (!best || 4 * cubes / (a * b) <= best->back()))
        best = Dims{4 * a, 4 * b, 4 * cubes / (a * b)};
  return best;
}

/// The chips of a slice that counts `count`, along each dimension; nothing where there is none.
std::optional<Dims> torus_of(const Chip& chip, std::int64_t count) {
  const std::int64_t per_chip = chip.named_by_cores ? chip.cores : 1;
  if (count % per_chip != 0) return std::nullopt;
  const std::int64_t chips = count / per_chip;
  if (chip.dimensions == 3) return chips <= chip.most_chips ? box(chips) : std::nullopt;
  for (const Rectangle& each : rectangles)
    if (each.chip == chip.name && each.rows * each.columns == chips) return Dims{each.rows, each.columns};
  return std::nullopt;
}

/// Whether the two ends of dimension `d` are linked: switches close whole cubes of four, cables the extent of a pod.
bool wraps(const Chip& chip, const Dims& torus, std::size_t d) {
  if (chip.dimensions == 3)
    return std::all_of(torus.begin(), torus.end(), [](std::int64_t extent) { return extent % 4 == 0; });
  return torus[d] == (chip.name == "v3" ? 32 : 16);
}

/// Letters to add, drop or change to make `b` of `a`.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({changed, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

/// `text` without blanks and capitals.
std::string in_small_letters(std::string_view text) {
  std::string plain;
  for (const char letter : text)
    if (letter > ' ' && letter <= '~')
      plain += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  return plain;
}

/// The name of a slice most like `text`, which names no generation; empty where none is alike. Capitals and blanks are
/// no difference.
std::string most_alike(std::string_view text) {
  constexpr std::size_t longest = 32;
  const std::string plain = in_small_letters(text.substr(0, longest));
  std::string best;
  std::size_t least = 4;  // more letters than these are another word
  for (const Chip& chip : chips())
    for (const std::string& name : slice_names(chip))
      if (const std::size_t away = distance(plain, name); away < least && away < name.size()) {
        least = away;
        best = name;
      }
  return best;
}

/// The name of a slice most like `text`, which names `chip`'s generation or none: the one that it begins with, as v4-16
/// of v4-16x16, or the one most alike.
std::string nearest(std::string_view text, const Chip* chip) {
  if (!chip) return most_alike(text);
  const std::string name = std::string{chip->name} + std::string{text.substr(std::min(text.find('-'), text.size()))};
  const std::string begun = name.substr(0, name.find_first_not_of("0123456789", chip->name.size() + 1));
  const std::vector<std::string> sold = slice_names(*chip);
  return std::find(sold.begin(), sold.end(), begun) != sold.end() ? begun : most_alike(name);
}

/// The generation that `text` begins with as a name of it does, `v5` of `v5-8` and of `v5x-8`, `v7` of `tpu7x-8`; empty
/// where it does not, or Octet knows that very name.
std::string unknown_generation(std::string_view text) {
  if (text.find('-') == text.npos || in_small_letters(text).starts_with("v5lite")) return {};
  const std::string name = in_small_letters(text.substr(0, text.find('-')));
  std::string_view rest = name;
  if (rest.starts_with("tpu")) rest.remove_prefix(3);
  if (rest.starts_with('v')) rest.remove_prefix(1);
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const bool named = digits > 0 && rest.size() < name.size() &&
                     rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz", digits) == rest.npos;
  return named && !find_chip("v" + std::string{rest}) ? "v" + std::string{rest.substr(0, digits)} : "";
}

/// `a, b or c`
std::string listed(const std::vector<std::string>& names, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " " + last + " " : ", ") + names[i];
  return text;
}

/// What follows a name like no other.
std::string generations() {
  std::vector<std::string> known;
  for (const Chip& chip : chips()) known.emplace_back(chip.name);
  return ": Octet knows " + listed(known, "and");
}
constexpr std::string_view some_names = "use a name such as v2-8, v3-8, v3-32, v4-8 or v5e-8";

/// The slice of `chip` with the chips that `text` names along each dimension, `4x4x4`; empty where there is none.
std::string of_topology(std::string_view text, const Chip& chip) {
  std::int64_t chips = 1;
  std::size_t extents = 0;
  while (true) {
    std::int64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    constexpr std::int64_t most = 1 << 20;
    if (error != std::errc{} || extent < 1 || extent > most || ++extents > 3) return {};
    chips *= extent;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) break;
    if (text.front() != 'x' && text.front() != 'X') return {};
    text.remove_prefix(1);
  }
  const std::int64_t count = chips * (chip.named_by_cores ? chip.cores : 1);
  return extents > 1 && torus_of(chip, count) ? std::string{chip.name} + "-" + std::to_string(count) : "";
}

[[noreturn]] void refuse(std::string_view text, const Chip* chip, std::int64_t count) {
  std::vector<std::string> fix;
  std::string sentence = "There is no TPU slice called '" + std::string{text} + "'";
  if (chip && count > 0) {
    const std::int64_t most = chip->most_chips * (chip->named_by_cores ? chip->cores : 1);
    std::int64_t below = std::min(count - 1, most), above = std::min(count, most) + 1;
    while (below > 0 && !torus_of(*chip, below)) --below;
    while (above <= most && !torus_of(*chip, above)) ++above;
    const std::string prefix = std::string{chip->name} + "-";
    std::string nearest = below > 0 ? prefix + std::to_string(below) : "";
    if (above <= most) nearest += (nearest.empty() ? "" : " or ") + prefix + std::to_string(above);
    fix = {"use " + nearest};
    sentence += ": the number counts " +
                (chip->named_by_cores ? "cores, " + std::to_string(chip->cores) + " to a chip" : "chips") +
                ", and the nearest " + (below > 0 && above <= most ? "are " : "is ") + nearest;
  } else if (const std::string meant =
                 chip && text.find('-') != text.npos ? of_topology(text.substr(text.find('-') + 1), *chip) : "";
             !meant.empty()) {
    sentence += ": so many chips are " + meant;
    fix = {"use " + meant};
  } else if (const std::string generation = chip ? "" : unknown_generation(text); !generation.empty()) {
    std::vector<std::string> meant, sold;
    for (const Chip& other : chips()) {
      if (!other.name.starts_with(generation)) continue;
      meant.emplace_back(other.name);
      const std::string name = std::string{other.name} + std::string{text.substr(text.find('-'))};
      if (std::ranges::count(slice_names(other), name)) sold.push_back(name);
    }
    sentence += !sold.empty()    ? ": there is " + listed(sold, "and")
                : !meant.empty() ? ": there is " + listed(meant, "and") +
                                       (meant.size() == 1 ? ", not of that size" : ", neither of that size")
                                 : generations();
    fix.push_back(sold.empty() ? std::string{some_names} : "use " + listed(sold, "or"));
  } else {
    const std::string alike = nearest(text, chip);
    sentence += alike.empty() ? generations() : ": the nearest is " + alike;
    if (!alike.empty()) fix.push_back("use " + alike);
    fix.emplace_back(some_names);
  }
  fail([&] { return Diagnostic{.number = 604, .sentence = sentence + ".", .fix = fix}; });
}

}  // namespace

Slice slice(std::string_view text) {
  const auto dash = text.find('-');
  const Chip* chip = find_chip(text.substr(0, dash));
  std::int64_t count = 0;
  if (dash != std::string_view::npos) {
    const std::string_view digits = text.substr(dash + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    const bool plain = end == digits.data() + digits.size() && !digits.starts_with('0');
    if (error == std::errc::result_out_of_range && plain)
      count = INT64_MAX - 1;
    else if (error != std::errc{} || !plain)
      count = 0;
  }
  const std::optional<Dims> torus = chip && count > 0 ? torus_of(*chip, count) : std::nullopt;
  if (!torus) refuse(text, chip, count);
  Slice result{.name = std::string{chip->name} + std::string{text.substr(dash)}, .torus = *torus, .chip = *chip};
  result.chips = 1;
  result.wraps.clear();
  for (std::size_t d = 0; d < torus->size(); ++d) {
    result.chips *= (*torus)[d];
    result.wraps.push_back(wraps(*chip, *torus, d));
  }
  result.replicas = result.chips * chip->cores;
  result.hosts = result.chips <= chip->chips_of_one_host ? 1 : result.chips / chip->chips_per_host;
  return result;
}

Slice megacore(Slice slice) {
  require_made(slice);
  if (slice.chip.cores > 1 && !slice.chip.megacore)
    fail([&] {
      return Diagnostic{.number = 604,
                        .sentence = "Each core of a " + std::string{slice.chip.name} +
                                    " chip is a device of its own, and " + slice.name +
                                    " has a replica for each of its " + std::to_string(slice.replicas) + " cores.",
                        .rule = "Only on v4 and v5p do programs see both cores of a chip as one device (megacore).",
                        .fix = {"keep a replica for each core, without megacore", "take a v4 or v5p slice"}};
    });
  slice.replicas = slice.chips;
  return slice;
}

Core core_of(const Slice& slice) { return core_of(slice.chip, slice.replicas == slice.chips); }

std::vector<std::string> slice_names(const Chip& chip) {
  std::vector<std::string> names;
  const std::int64_t most = chip.most_chips * (chip.named_by_cores ? chip.cores : 1);
  for (std::int64_t count = 1; count <= most; ++count)
    if (torus_of(chip, count)) names.push_back(std::string{chip.name} + "-" + std::to_string(count));
  return names;
}

void require_made(const Slice& slice) {
  const bool alike =
      !slice.torus.empty() && slice.torus.size() == slice.wraps.size() &&
      std::all_of(slice.torus.begin(), slice.torus.end(), [](std::int64_t extent) { return extent > 0; });
  if (slice.replicas >= 1 && slice.chips >= 1 && slice.hosts >= 1 && slice.chip.peak > 0 && alike) return;
  fail([&] {
    return Diagnostic{
        .number = 604,
        .sentence = (slice.name.empty() ? std::string{"A slice without a name"} : "'" + slice.name + "'") +
                    " has no chips that Octet knows: a Slice of one's own is none that can be rented.",
        .fix = {"take it by its name, such as tpu::slice(\"v3-8\")"}};
  });
}

void require_simulated(const Slice& slice) {
  require_made(slice);
  if (slice.replicas <= most_simulated_replicas) return;
  fail([&] {
    return Diagnostic{.number = 605,
                      .sentence = slice.name + " has " + std::to_string(slice.replicas) +
                                  " replicas; this machine simulates at most " +
                                  std::to_string(most_simulated_replicas) + " with real numbers.",
                      .fix = {"train on " + std::string{slice.chip.name} + "-8 here: the program is the same",
                              "octet estimate says how long a step takes on " + slice.name}};
  });
}

}  // namespace octet::tpu
