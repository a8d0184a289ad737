module octet.compile;
import octet.base;
import octet.standard;
import :signature;

namespace octet {

namespace {

using Kind = SignatureDifference::Kind;

/// Where each name is in a list of `count`.
template <class NameAt>
std::unordered_map<std::string_view, std::size_t> positions(std::size_t count, NameAt name_at) {
  std::unordered_map<std::string_view, std::size_t> result;
  for (std::size_t i = 0; i < count; ++i) result.emplace(name_at(i), i);
  return result;
}

/// Calls `both(i, j)` for names that both lists have, `only_now(i)` and `only_before(j)` for the others.
template <class NowAt, class BeforeAt, class Both, class OnlyNow, class OnlyBefore>
void match(std::size_t now_count, NowAt now_at, std::size_t before_count, BeforeAt before_at, Both both,
           OnlyNow only_now, OnlyBefore only_before) {
  const auto in_before = positions(before_count, before_at);
  std::vector<bool> met(before_count, false);
  for (std::size_t i = 0; i < now_count; ++i) {
    const auto found = in_before.find(now_at(i));
    if (found == in_before.end()) {
      only_now(i);
    } else {
      met[found->second] = true;
      both(i, found->second);
    }
  }
  for (std::size_t j = 0; j < before_count; ++j)
    if (!met[j] && in_before.at(before_at(j)) == j) only_before(j);
}

void compare_types(const std::string& name, const TensorType& now, const TensorType& before,
                   std::vector<SignatureDifference>& result) {
  if (now.dtype != before.dtype)
    result.push_back(
        {Kind::dtype, name, -1, std::string{octet::name(now.dtype)}, std::string{octet::name(before.dtype)}});
  if (now.shape.rank() != before.shape.rank()) {
    result.push_back({Kind::rank, name, -1, to_string(now.shape), to_string(before.shape)});
    return;
  }
  for (std::int64_t d = 0; d < now.shape.rank(); ++d)
    if (now.shape[d] != before.shape[d])
      result.push_back({Kind::extent, name, d, std::to_string(now.shape[d]), std::to_string(before.shape[d])});
}

}  // namespace

std::uint64_t hash(const Signature& signature) {
  Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(signature.names.size()));
  for (const std::string& name : signature.names) hasher.add(std::string_view{name});
  for (const TensorType& type : signature.types) {
    hasher.add(static_cast<std::uint64_t>(type.dtype)).add(static_cast<std::uint64_t>(type.shape.rank()));
    for (std::int64_t extent : type.shape) hasher.add(static_cast<std::uint64_t>(extent));
  }
  for (const StaticValue& value : signature.statics)
    hasher.add(std::string_view{value.name}).add(std::string_view{value.value});
  for (const std::size_t length : signature.lengths) hasher.add(static_cast<std::uint64_t>(length));
  for (const std::string& argument : signature.replicated) hasher.add(std::string_view{argument});
  return hasher.add(std::string_view{signature.structure}).value();
}

std::string to_string(const Signature& signature) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (std::size_t i = 0; i < signature.names.size(); ++i)
    add(signature.names[i] + " " + to_string(signature.types[i]));
  for (const StaticValue& value : signature.statics) add(value.name + " = " + value.value);
  for (const std::string& argument : signature.replicated) add(argument + " replicated");
  return text;
}

std::vector<SignatureDifference> differences(const Signature& now, const Signature& before) {
  std::vector<SignatureDifference> result;
  match(
      now.names.size(), [&](std::size_t i) -> std::string_view { return now.names[i]; }, before.names.size(),
      [&](std::size_t j) -> std::string_view { return before.names[j]; },
      [&](std::size_t i, std::size_t j) { compare_types(now.names[i], now.types[i], before.types[j], result); },
      [&](std::size_t i) { result.push_back({Kind::presence, now.names[i], -1, to_string(now.types[i]), ""}); },
      [&](std::size_t j) { result.push_back({Kind::presence, before.names[j], -1, "", to_string(before.types[j])}); });
  match(
      now.statics.size(), [&](std::size_t i) -> std::string_view { return now.statics[i].name; }, before.statics.size(),
      [&](std::size_t j) -> std::string_view { return before.statics[j].name; },
      [&](std::size_t i, std::size_t j) {
        if (now.statics[i].value != before.statics[j].value)
          result.push_back(
              {Kind::static_value, now.statics[i].name, -1, now.statics[i].value, before.statics[j].value});
      },
      [&](std::size_t i) { result.push_back({Kind::presence, now.statics[i].name, -1, now.statics[i].value, ""}); },
      [&](std::size_t j) {
        result.push_back({Kind::presence, before.statics[j].name, -1, "", before.statics[j].value});
      });
  match(
      now.replicated.size(), [&](std::size_t i) -> std::string_view { return now.replicated[i]; },
      before.replicated.size(), [&](std::size_t j) -> std::string_view { return before.replicated[j]; },
      [](std::size_t, std::size_t) {},
      [&](std::size_t i) { result.push_back({Kind::replicated, now.replicated[i], -1, "one value", "one for each"}); },
      [&](std::size_t j) {
        result.push_back({Kind::replicated, before.replicated[j], -1, "one for each", "one value"});
      });
  if (now.structure != before.structure) result.push_back({.kind = Kind::structure});
  if (result.empty() && now.lengths != before.lengths) result.push_back({.kind = Kind::lengths});
  return result;
}

std::string to_string(const SignatureDifference& difference) {
  const std::string values = difference.now + ", before " + difference.before;
  switch (difference.kind) {
    case Kind::extent:
      return "dimension " + std::to_string(difference.dimension) + " of " + difference.argument + " is " + values;
    case Kind::rank:
      return "the shape of " + difference.argument + " is " + values;
    case Kind::dtype:
      return "the element type of " + difference.argument + " is " + values;
    case Kind::presence:
      return difference.before.empty() ? difference.argument + " is new (" + difference.now + ")"
                                       : difference.argument + " is missing (before " + difference.before + ")";
    case Kind::static_value:
      return difference.argument + " is " + values;
    case Kind::replicated:
      return difference.argument + " of the replicas is " + values;
    case Kind::lengths:
      return "lists of the arguments are of other lengths, or optionals or variants hold others";
    case Kind::structure:
      break;
  }
  return "the arguments are of other C++ types";
}

}  // namespace octet
