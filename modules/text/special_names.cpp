module octet.text;
import octet.standard;
import :special_names;

namespace octet::text {

std::pair<std::size_t, std::string_view> find_special(std::string_view text, std::size_t from,
                                                      const std::vector<std::string>& names) {
  std::string firsts;
  for (const std::string& name : names)
    if (firsts.find(name.front()) == firsts.npos) firsts += name.front();
  const auto next = [&](std::size_t at) {
    return firsts.size() == 1 ? text.find(firsts.front(), at) : text.find_first_of(firsts, at);
  };
  for (std::size_t at = next(from); at != text.npos; at = next(at + 1)) {
    std::string_view longest;
    for (const std::string& name : names)
      if (name.size() > longest.size() && text.substr(at).starts_with(name)) longest = name;
    if (!longest.empty()) return {at, longest};
  }
  return {text.size(), {}};
}

}  // namespace octet::text
