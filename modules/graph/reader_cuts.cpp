/// What a sharding says of how a tensor is cut.
module octet.graph;
import octet.base;
import octet.standard;
import :literal;
import :reader_program;
import :syntax;

namespace octet::syntax {

namespace {

/// Reads a sharding from left to right; what is not as it should be is told by `failed`.
class Scanner {
 public:
  explicit Scanner(std::string_view rest) : rest_{rest} {}
  bool failed = false;

  bool accept(std::string_view text) {
    skip();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) { failed |= !accept(text); }
  bool at_end() {
    skip();
    return rest_.empty();
  }

  std::int64_t number() {
    skip();
    std::int64_t number = 0;
    const std::string_view digits = taken(rest_.find_first_not_of("0123456789"));
    failed |= digits.empty() || !literal::read_number(digits, number);
    return number;
  }
  Dims numbers() {
    Dims all;
    do all.push_back(number());
    while (!failed && accept(","));
    return all;
  }
  std::string quoted() {
    expect("\"");
    std::string text{taken(rest_.find('"'))};
    expect("\"");
    return text;
  }
  /// Up to what can stand in no name.
  std::string name() { return std::string{taken(rest_.find_first_of(", ]>"))}; }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n\t"), rest_.size())); }
  std::string_view taken(std::size_t count) {
    const std::string_view text = rest_.substr(0, count);
    rest_.remove_prefix(text.size());
    return text;
  }

  std::string_view rest_;
};

/// The product, or 0 where there is none.
std::int64_t product(const Dims& extents) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::int64_t all = 1;
  for (const std::int64_t each : extents) all = each > 0 && all <= most / each ? all * each : 0;
  return all;
}

/// Devices as they stand in a table of these `extents`, first by the last one, along each of which their numbers grow
/// by `counts` of steps of `strides`: `(4, 2)` and `(2, 1)` along a dimension of eight. Nothing where they stand
/// otherwise.
struct Steps {
  Dims counts = {}, strides = {};  ///< the coarsest first
};
std::optional<std::vector<Steps>> steps_of(const Dims& devices, const Dims& extents) {
  std::vector<Steps> steps(extents.size());
  std::vector<Dims> numbers(extents.size());
  std::int64_t apart = std::ssize(devices);
  for (std::size_t d = 0; d < extents.size(); ++d) {
    apart /= extents[d];
    for (std::int64_t i = 0; i < extents[d]; ++i)
      numbers[d].push_back(devices[static_cast<std::size_t>(i * apart)] - devices[0]);
    for (std::int64_t done = 1; done < extents[d];) {
      const auto number = [&](std::int64_t i) { return numbers[d][static_cast<std::size_t>(i * done)]; };
      std::int64_t count = 2;
      while (count * done < extents[d] && number(count) == count * number(1)) ++count;
      if (number(1) < 1 || extents[d] % (count * done) != 0) return std::nullopt;
      steps[d].counts.insert(steps[d].counts.begin(), count);
      steps[d].strides.insert(steps[d].strides.begin(), number(1));
      done *= count;
    }
  }
  for (std::int64_t i = 0; i < std::ssize(devices); ++i) {  // as counts and strides have it
    std::int64_t number = 0, rest = i;
    for (std::size_t d = extents.size(); d-- > 0;)
      for (std::size_t s = steps[d].counts.size(); s-- > 0; rest /= steps[d].counts[s])
        number += rest % steps[d].counts[s] * steps[d].strides[s];
    if (devices[static_cast<std::size_t>(i)] != number) return std::nullopt;
  }
  return steps;
}

/// Numbers from 0, as they stand where a table of these `extents` is transposed.
Dims counted_up(const Dims& extents, const Dims& permutation) {
  Dims strides(extents.size(), 1), devices{0};
  for (std::size_t d = extents.size(); d-- > 1;) strides[d - 1] = strides[d] * extents[d];
  for (const std::int64_t d : permutation) {
    Dims more;
    for (const std::int64_t device : devices)
      for (std::int64_t i = 0; i < extents[static_cast<std::size_t>(d)]; ++i)
        more.push_back(device + i * strides[static_cast<std::size_t>(d)]);
    devices = std::move(more);
  }
  return devices;
}

/// Axes that go on where the coarser one ends are one cut, as in other notations.
void add_cuts(Dims& cuts, std::int64_t dimension, const Steps& steps) {
  for (std::size_t i = 0; i < steps.counts.size(); ++i) {
    const std::int64_t count = steps.counts[i], stride = steps.strides[i];
    const std::size_t last = cuts.size() < 3 ? 0 : cuts.size() - 3;
    if (cuts.size() >= 3 && cuts[last] == dimension && cuts[last + 2] == count * stride) {
      cuts[last + 1] *= count;
      cuts[last + 2] = stride;
    } else {
      cuts.insert(cuts.end(), {dimension, count, stride});
    }
  }
}

/// What a sharding says of a tensor of that rank: `{replicated}`, `{devices=[8,1]<=[8]}`,
/// `{devices=[1,1,8]0,1,2,3,4,5,6,7 last_tile_dim_replicate}`, `{devices=[2,1,4]<=[4,2]T(1,0) ...}`.
std::optional<Dims> cuts_of_tiles(Scanner& text, std::size_t rank, std::int64_t devices) {
  text.expect("{");
  if (text.accept("replicated}")) return text.at_end() ? std::optional{Dims{}} : std::nullopt;
  text.expect("devices=[");
  const Dims tiles = text.numbers();
  text.expect("]");
  Dims order;
  if (text.accept("<=[")) {
    const Dims extents = text.numbers();
    text.expect("]");
    Dims permutation(extents.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    Dims said = permutation;
    if (text.accept("T(")) {
      said = text.numbers();
      text.expect(")");
    }
    if (product(extents) != devices || !std::ranges::is_permutation(said, permutation)) return std::nullopt;
    order = counted_up(extents, said);
  } else {
    order = text.numbers();
  }
  const bool replicate = text.accept("last_tile_dim_replicate") || text.accept("last_tile_dims={replicated}");
  text.expect("}");
  if (text.failed || !text.at_end() || tiles.size() != rank + replicate || product(tiles) != devices ||
      std::ssize(order) != devices)
    return std::nullopt;
  const auto steps = steps_of(order, tiles);
  if (!steps) return std::nullopt;
  Dims cuts;
  for (std::size_t d = 0; d < rank; ++d) add_cuts(cuts, static_cast<std::int64_t>(d), (*steps)[d]);
  return cuts;
}

/// `["batch"=4, "model"=2]`, perhaps with the numbers of devices; nothing of what is on one device alone.
struct Mesh {
  std::vector<std::string> axes = {};
  Dims sizes = {};
  Dims devices = {};  ///< empty: counted up
};
std::optional<Mesh> mesh_of(Scanner& text) {
  Mesh mesh;
  text.expect("[");
  while (!text.failed && !text.accept("]")) {
    mesh.axes.push_back(text.quoted());
    text.expect("=");
    mesh.sizes.push_back(text.number());
    text.accept(",");
  }
  if (text.accept(",")) {
    text.expect("device_ids=[");
    mesh.devices = text.numbers();
    text.expect("]");
    if (mesh.axes.empty()) return std::nullopt;
  }
  return text.failed ? std::nullopt : std::optional{std::move(mesh)};
}

}  // namespace

std::optional<Dims> Reader::cuts_of_axes(std::string_view sharding, std::size_t rank) const {
  Scanner text{sharding};
  std::optional<Mesh> mesh;
  if (text.accept("@")) {
    const auto named = meshes_.find(text.name());
    if (named == meshes_.end()) return std::nullopt;
    Scanner body{named->second};
    mesh = mesh_of(body);
    if (!body.at_end()) return std::nullopt;
  } else {
    text.accept("#sdy.");
    text.expect("mesh<");
    mesh = mesh_of(text);
    text.expect(">");
  }
  if (!mesh) return std::nullopt;
  std::vector<Steps> axes;
  if (!mesh->axes.empty()) {
    Dims permutation(mesh->sizes.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    if (product(mesh->sizes) != partitions_) return std::nullopt;
    if (mesh->devices.empty()) mesh->devices = counted_up(mesh->sizes, permutation);
    if (std::ssize(mesh->devices) != partitions_) return std::nullopt;
    auto steps = steps_of(mesh->devices, mesh->sizes);
    if (!steps) return std::nullopt;
    axes = std::move(*steps);
  }
  Dims cuts;
  bool open = false;
  std::int64_t dimension = 0;
  text.expect(",");
  text.expect("[");
  for (; !text.failed && !text.accept("]"); ++dimension) {
    text.expect("{");
    while (!text.failed && !text.accept("}")) {
      if (text.accept("?")) {
        open = true;
        continue;
      }
      const auto axis = std::ranges::find(mesh->axes, text.quoted()) - mesh->axes.begin();
      if (axis == std::ssize(mesh->axes)) return std::nullopt;
      Steps steps = axes[static_cast<std::size_t>(axis)];
      if (text.accept(":(")) {  // a part of an axis, before which so many are
        const std::int64_t before = text.number();
        text.expect(")");
        const std::int64_t own = text.number(), all = mesh->sizes[static_cast<std::size_t>(axis)];
        if (text.failed || steps.counts.size() != 1 || product({before, own}) == 0 || all % (before * own) != 0)
          return std::nullopt;
        steps = {{own}, {steps.strides[0] * (all / (before * own))}};
      }
      add_cuts(cuts, dimension, steps);
      text.accept(",");
    }
    if (text.accept("p")) text.number();
    text.accept(",");
  }
  if (text.accept(",")) {
    text.expect("replicated={");
    do text.quoted();
    while (!text.failed && text.accept(","));
    text.expect("}");
  }
  if (text.failed || !text.at_end() || std::cmp_not_equal(dimension, rank)) return std::nullopt;
  for (std::size_t i = 0; i < cuts.size(); i += 3)
    for (std::size_t j = 0; j < i; j += 3)  // an axis cuts a tensor once
      if (cuts[i + 2] < cuts[j + 2] * cuts[j + 1] && cuts[j + 2] < cuts[i + 2] * cuts[i + 1]) return std::nullopt;
  if (open) cuts.insert(cuts.end(), {-1, 1, 1});
  return cuts;
}

Dims Reader::cuts_of(const std::string& sharding, std::int64_t rank, const std::string& of,
                     std::size_t position) const {
  const auto extents = static_cast<std::size_t>(rank);
  Scanner text{sharding};
  std::optional<Dims> cuts = Dims{};
  if (!sharding.empty())
    cuts = sharding.starts_with('{') ? cuts_of_tiles(text, extents, partitions_) : cuts_of_axes(sharding, extents);
  if (!cuts)
    text_.unknown(position,
                  "the sharding of " + of + ", '" + sharding + "', is none that Octet reads for " +
                      std::to_string(partitions_) + " devices",
                  std::string{share_of_one});
  return std::move(*cuts);
}

void Reader::require_all_axes(const Statement& computation) const {
  const Entry* said = find(computation.attributes, "manual_axes");
  const auto* manual = said ? std::get_if<std::string>(&said->attribute.value) : nullptr;
  for (const auto& [name, text] : meshes_) {
    Scanner mesh{text};
    const Mesh of = mesh_of(mesh).value_or(Mesh{});
    for (std::size_t i = 0; i < of.axes.size(); ++i)
      if (of.sizes[i] > 1 && (!manual || manual->find('"' + of.axes[i] + '"') == manual->npos))
        text_.unknown(computation.position,
                      "a program of one device leaves the axis '" + of.axes[i] + "' of a mesh to the compiler",
                      std::string{share_of_one});
  }
}

}  // namespace octet::syntax
