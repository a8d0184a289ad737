module;
#include <cstdint>
module octet.text;
import octet.standard;
import :word_arena;
import :word_counts;

namespace octet::text {

namespace {

std::uint64_t hash_of(std::string_view word) {
  return std::uint64_t{std::hash<std::string_view>{}(word)} * 0x9E3779B97F4A7C15u;
}
unsigned char tag_of(std::uint64_t hash) { return static_cast<unsigned char>(hash); }

}  // namespace

// The size is no power of two: the upper bits of the hash as a fraction of it.
std::size_t WordCounts::slot(std::uint64_t hash) const {
  return static_cast<std::size_t>((hash >> 32) * std::uint64_t{places_.size()} >> 32);
}

void WordCounts::add(std::string_view word, std::uint64_t count) {
  if (count == 0) return;
  if (5 * (words_.size() + 1) > 4 * places_.size()) grow();
  text_bytes_ += count * word.size();
  const std::uint64_t hash = hash_of(word);
  std::size_t at = slot(hash);
  for (; places_[at] != none; at = after(at))
    if (tags_[at] == tag_of(hash) && words_.word(places_[at]).text() == word) {
      places_[at] = words_.count_on(places_[at], count);
      return;
    }
  places_[at] = words_.add(word, count);
  tags_[at] = tag_of(hash);
}

// Joining takes about two fifths more than it is told, the words a fifth more than their bytes, and a vocabulary of
// 25,000 pieces some megabytes. With less than a third of the text, learning from words that are all different takes as
// many times longer; more than a few times the words has no use, for most places are of rare pairs.
std::size_t joining_room(std::uint64_t text_bytes, std::uint64_t word_bytes) {
  constexpr double least = 524288.0, most = static_cast<double>(SIZE_MAX / 8 + 1), vocabulary = 4.5e6;
  const double text = static_cast<double>(text_bytes), words = static_cast<double>(word_bytes);
  const double left = std::max((2 * text - 1.2 * words - vocabulary) / 1.4, 0.3 * text);
  return static_cast<std::size_t>(std::min(std::max(std::min(left, 4 * words), least), most));
}

// What is found here can be gathered anew, so the old slots go before the new ones come.
void WordCounts::grow() {
  // A large table grows in small steps: what of it is empty is memory beside the text.
  const std::size_t more = places_.size() < std::size_t{1} << 20 ? places_.size() * 2 / 5 : places_.size() / 6;
  const std::size_t size = std::max<std::size_t>(places_.size() + more, 64);
  places_ = {};
  tags_ = {};
  places_.assign(size, none);
  tags_.assign(size, 0);
  words_.for_each([&](WordArena::Place place) {
    const std::uint64_t hash = hash_of(words_.word(place).text());
    std::size_t at = slot(hash);
    while (places_[at] != none) at = after(at);
    places_[at] = place;
    tags_[at] = tag_of(hash);
  });
}

}  // namespace octet::text
