/// How parameters of a program are parted among the devices that share it.
module octet.graph;
import octet.base;
import octet.standard;
import :literal;
import :reader_program;
import :syntax;

namespace octet::syntax {

namespace {

/// The number that `text` begins with, which it is cut off from; 0 where there is none.
std::int64_t leading_number(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  std::int64_t number = 0;
  if (!literal::read_number(text.substr(0, end), number)) number = 0;
  text.remove_prefix(end);
  return number;
}

/// `{devices=[8,1]<=[8]}`: into how many parts each dimension is; further numbers are of devices with the same part.
Dims tiles_of(std::string_view sharding) {
  constexpr std::string_view begin = "devices=[";
  const std::size_t at = sharding.find(begin);
  if (at == std::string_view::npos) return {};
  sharding.remove_prefix(at + begin.size());
  Dims tiles;
  do tiles.push_back(leading_number(sharding));
  while (sharding.starts_with(',') && (sharding.remove_prefix(1), true));
  return tiles;
}

/// The size of the axis that is called so, of `["batch"=4, "model"=2]`; 1 where there is none.
std::int64_t axis_size(std::string_view mesh, std::string_view axis) {
  const std::string name = '"' + std::string{axis} + "\"=";
  const std::size_t at = mesh.find(name);
  if (at == std::string_view::npos) return 1;
  mesh.remove_prefix(at + name.size());
  return std::max<std::int64_t>(1, leading_number(mesh));
}

}  // namespace

Dims Reader::parts_of(std::string_view sharding, std::int64_t rank) const {
  Dims parts = tiles_of(sharding);
  // `@mesh, [{"batch"}, {"model":(1)2, ?}]`: the axes along which each dimension is parted, or a part of an axis.
  if (const std::size_t name = sharding.find('@'); name != std::string_view::npos) {
    const std::size_t comma = std::min(sharding.find(',', name), sharding.size());
    const auto mesh = meshes_.find(std::string{sharding.substr(name + 1, comma - name - 1)});
    std::string_view rest = sharding.substr(comma);
    rest = rest.substr(0, rest.find(']'));
    for (std::size_t open = rest.find('{'); mesh != meshes_.end() && open != rest.npos; open = rest.find('{')) {
      rest.remove_prefix(open + 1);
      std::string_view axes = rest.substr(0, rest.find('}'));
      std::int64_t count = 1;
      for (std::size_t quote = axes.find('"'); quote != axes.npos; quote = axes.find('"')) {
        axes.remove_prefix(quote + 1);
        const std::size_t end = std::min(axes.find('"'), axes.size() - 1);
        std::int64_t size = axis_size(mesh->second, axes.substr(0, end));
        axes.remove_prefix(end + 1);
        if (const std::size_t part = axes.find(')'); axes.starts_with(":(") && part != axes.npos) {
          axes.remove_prefix(part + 1);
          size = std::max<std::int64_t>(1, leading_number(axes));
        }
        count *= size;
      }
      parts.push_back(count);
    }
  }
  parts.resize(static_cast<std::size_t>(rank), 1);
  const bool whole = std::ranges::all_of(parts, [](std::int64_t each) { return each <= 1; });
  return whole ? Dims{} : parts;
}

const Statement* Reader::manual(const Statement& entry) const {
  const Region& region = entry.regions.front();
  if (region.statements.size() != 2 || region.statements[0].name != "sdy.manual_computation") return nullptr;
  const Statement& computation = region.statements[0];
  const bool all = computation.operands.size() == region.arguments.size() &&
                   std::ranges::equal(
                       computation.operands, region.arguments, {}, [](const Use& use) { return use.name; },
                       [](const Argument& argument) { return ValueName{argument.name, 0}; });
  return all && computation.regions.front().arguments.size() == region.arguments.size() ? &computation : nullptr;
}

std::vector<std::string> Reader::shardings_of(const Statement& entry) const {
  std::vector<std::string> shardings;
  for (const Argument& argument : entry.regions.front().arguments) shardings.push_back(argument.sharding);
  const Statement* computation = manual(entry);
  const Entry* said = computation ? find(computation->attributes, "in_shardings") : nullptr;
  if (const auto* each = said ? std::get_if<std::vector<Attribute>>(&said->attribute.value) : nullptr)
    for (std::size_t i = 0; i < std::min(each->size(), shardings.size()); ++i)
      if (const auto* text = std::get_if<std::string>(&(*each)[i].value)) shardings[i] = *text;
  return shardings;
}

Graph Reader::of_one_device(const Statement& entry, const Statement& computation) {
  Region program = computation.regions.front();
  for (std::size_t i = 0; i < program.arguments.size(); ++i)
    program.arguments[i].label = entry.regions.front().arguments[i].label;
  return region(program, symbol_name(entry), {}, {}, nullptr, "sdy.return");
}

}  // namespace octet::syntax
