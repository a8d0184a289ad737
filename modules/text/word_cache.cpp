module octet.text;
import octet.standard;
import :word_cache;

namespace octet::text {

void WordCache::clear() { *this = WordCache{}; }

void WordCache::add(std::string_view word, Numbers numbers) {
  if (3 * (words_ + 1) > 2 * slots_.size()) {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key.size != 0) put(slot);
  }
  Slot slot{key_of(word, word.data() + word.size()), numbers};
  if (word.size() > 16) {
    slot.key.first = static_cast<std::uint32_t>(bytes_.size());
    bytes_ += word;
  }
  put(slot);
  ++words_;
}

void WordCache::put(const Slot& slot) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = place(slot.key) & mask;
  while (slots_[at].key.size != 0) at = (at + 1) & mask;
  slots_[at] = slot;
}

}  // namespace octet::text
