module octet.text;
import octet.standard;
import :shares;

namespace octet::text {

std::vector<std::size_t> shares_of(std::span<const std::string_view> texts, std::size_t shares) {
  std::size_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();
  const std::size_t each = bytes / std::max<std::size_t>(shares, 1) + 1;
  std::vector<std::size_t> bounds{0};
  std::size_t taken = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (taken >= each) {
      bounds.push_back(i);
      taken = 0;
    }
    taken += texts[i].size();
  }
  if (!texts.empty()) bounds.push_back(texts.size());
  return bounds;
}

}  // namespace octet::text
