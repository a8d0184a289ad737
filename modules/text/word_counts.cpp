module;
#include <cstdint>
module octet.text;
import octet.standard;
import :sorted_words;
import :word_arena;
import :word_counts;

namespace octet::text {

namespace {

std::uint64_t hash_of(std::string_view word) {
  return std::uint64_t{std::hash<std::string_view>{}(word)} * 0x9E3779B97F4A7C15u;
}

}  // namespace

// The size is no power of two: the upper bits of the hash as a fraction of it.
std::size_t WordCounts::first_slot(std::uint64_t hash) const {
  return static_cast<std::size_t>((hash >> 32) * std::uint64_t{slots_.size()} >> 32);
}

void WordCounts::add(std::string_view word, std::uint64_t count) {
  check_whole();
  if (count == 0) return;
  // A large table is fuller and grows in small steps: what of it is empty is memory beside the text. Where there was no
  // memory for new slots, there are none; words are there all the same.
  const bool is_large = slots_.size() >= std::size_t{1} << 20;
  if (8 * (words_.size() + 1) > (is_large ? 7 : 6) * slots_.size()) {
    if (worth_sorting()) sort();
    fill_slots(std::max<std::size_t>(
        {slots_.size() + (is_large ? slots_.size() / 8 : slots_.size() / 2), words_.size() * 9 / 8, 64}));
  }
  text_bytes_ += count * word.size();
  const std::uint64_t hash = hash_of(word);
  std::size_t at = first_slot(hash);
  for (; slots_[at] != none; at = after(at)) {
    if (((slots_[at] ^ static_cast<Slot>(hash)) & ~place_mask_) != 0) continue;
    const WordArena::Place place = slots_[at] & place_mask_;
    if (words_.word(place).text() == word) return put(at, hash, words_.count_on(place, count));
  }
  put(at, hash, words_.add(word, count));
}

// Where places have come to need more bits, all slots are filled anew.
void WordCounts::put(std::size_t slot, std::uint64_t hash, WordArena::Place place) {
  if (place > place_mask_)
    fill_slots(slots_.size());
  else
    slots_[slot] = (static_cast<Slot>(hash) & ~place_mask_) | place;
}

// Texts in natural languages are far from it, but for their first megabytes. Long words would gain nothing, and be
// there twice for a while.
bool WordCounts::worth_sorting() const {
  constexpr std::uint64_t least = std::uint64_t{1} << 22;
  constexpr std::size_t long_word = 32;
  return words_.bytes() + slots_.size() * sizeof(Slot) > std::max(least, text_bytes_ * 5 / 8) &&
         words_.bytes() < long_word * words_.size();
}

void WordCounts::sort() {
  forget_slots();
  const std::vector<Begun> recent = in_order();
  sorting_ = true;
  SortedWords sorted;
  const auto add = [&](std::string_view word, std::uint64_t count) { sorted.add(word, count); };
  merge(recent, [&](const auto& take) { sorted_.take_each(take); }, add);
  words_ = WordArena{false};
  sorted_ = std::move(sorted);
  sorting_ = false;
}

std::vector<WordCounts::Begun> WordCounts::in_order() const {
  std::vector<Begun> words;
  words.reserve(words_.size());
  words_.for_each([&](WordArena::Place place) {
    const WordArena::Word word = words_.word(place);
    std::uint32_t bytes = 0;
    for (std::size_t i = 0; i < 4; ++i) bytes = bytes << 8 | (i < word.size ? word.bytes[i] : 0u);
    words.push_back({bytes, place});
  });
  std::ranges::sort(words, [&](const Begun& a, const Begun& b) {
    if (a.bytes != b.bytes) return a.bytes < b.bytes;
    return words_.word(a.place).text() < words_.word(b.place).text();
  });
  return words;
}

// Joining takes about a third more than it is told, the words a fifth more than their bytes, and the program with a
// vocabulary of 25,000 pieces seven megabytes. With a fifth less, learning from words that are all different may take
// twice as long; more than a few times the words has no use, for most places are of rare pairs. A text of a few
// megabytes of words that are all different does not fit twice its size anyway: with three megabytes of room BPE of
// 4.2 MB of them takes 4.0 s and 17.2 MB, with 0.6 more than 60 s.
std::size_t joining_room(std::uint64_t text_bytes, std::uint64_t word_bytes) {
  constexpr double least = 524288.0, most = static_cast<double>(SIZE_MAX / 8 + 1), program = 7e6, small = 3e6;
  const double text = static_cast<double>(text_bytes), words = static_cast<double>(word_bytes);
  const double left = std::max((2 * text - 1.2 * words - program) / 1.3, std::max(0.15 * text, small));
  return static_cast<std::size_t>(std::min(std::max(std::min(left, 4 * words), least), most));
}

// What is found here can be gathered anew, so the old slots go before the new ones come.
void WordCounts::fill_slots(std::size_t count) {
  forget_slots();
  slots_.assign(count, none);
  const std::uint64_t places = std::uint64_t{std::max<std::size_t>(words_.pages(), 1)} * WordArena::first_place(1);
  place_mask_ = static_cast<Slot>(std::bit_ceil(places) - 1);
  words_.for_each([&](WordArena::Place place) {
    const std::uint64_t hash = hash_of(words_.word(place).text());
    std::size_t at = first_slot(hash);
    while (slots_[at] != none) at = after(at);
    put(at, hash, place);
  });
}

}  // namespace octet::text
