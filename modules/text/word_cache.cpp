module octet.text;
import octet.standard;
import :word_cache;

namespace octet::text {

void WordCache::clear() {
  words_.clear();
  bytes_.clear();
  std::ranges::fill(table_, nothing);
}

void WordCache::add(std::string_view word, Numbers numbers) {
  if (words_.empty()) {
    words_.reserve(usual_words);
    bytes_.reserve(usual_bytes);
  }
  if (2 * (words_.size() + 1) > table_.size()) {
    std::vector<std::uint32_t>(2 * table_.size(), nothing).swap(table_);
    for (std::size_t index = 0; index < words_.size(); ++index) put(hash_of(words_[index].key), index);
  }
  Key key = key_of(word, word.data() + word.size());
  if (word.size() > 16) {
    key.first = static_cast<std::uint32_t>(bytes_.size());
    bytes_ += word;
  }
  words_.push_back({key, numbers});
  put(hash_of(key), words_.size() - 1);
}

void WordCache::put(std::uint64_t hash, std::size_t index) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = static_cast<std::size_t>(hash) & mask;
  while (table_[at] != nothing) at = (at + 1) & mask;
  table_[at] = tag(hash) | static_cast<std::uint32_t>(index);
}

}  // namespace octet::text
