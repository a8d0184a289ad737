module;
#include <cstdint>
module octet.text;
import octet.standard;
import :word_counts;

namespace octet::text {

void WordCounts::add(std::string_view word, std::uint64_t count) {
  if (4 * (words_.size() + 1) > 3 * slots_.size()) grow();
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(word));
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].word != none; at = (at + 1) & mask)
    if (slots_[at].hash == hash && (*this)[slots_[at].word] == word) {
      words_[slots_[at].word].count += count;
      return;
    }
  slots_[at] = {hash, static_cast<std::uint32_t>(words_.size())};
  bytes_ += word;
  words_.push_back({bytes_.size(), count});
}

void WordCounts::grow() {
  std::vector<Slot> old(std::max<std::size_t>(2 * slots_.size(), 64), Slot{0, none});
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.word == none) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].word != none) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace octet::text
