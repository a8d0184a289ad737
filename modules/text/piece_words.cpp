module;
#include <cstdint>
module octet.text;
import octet.standard;
import :piece_words;
import :word_arena;

namespace octet::text {

// There are enough codes: at most 256 texts of one byte, 65,536 of two, and fewer that are UTF-8, which leaves room for
// each text to begin a word and to continue one.
std::uint32_t PieceWords::code_of(std::uint32_t id, std::size_t size) {
  if (size > short_sizes) return id;
  const auto [at, added] = codes_[size - 1].try_emplace(id, static_cast<std::uint32_t>(ids_[size - 1].size()));
  if (added) {
    std::vector<std::uint32_t>& ids = ids_[size - 1];
    const bool moves = ids.size() == ids.capacity();
    ids.push_back(id);
    if (moves) by_code_[size - 1] = ids.data();
  }
  return at->second;
}

void PieceWords::reserve_codes(std::size_t more) {
  for (std::size_t i = 0; i < short_sizes; ++i) {
    if (ids_[i].capacity() < ids_[i].size() + more) ids_[i].reserve(2 * ids_[i].size() + more);
    by_code_[i] = ids_[i].data();
  }
}

WordArena::Place PieceWords::add(std::span<const Piece> pieces, std::uint64_t count) {
  std::size_t size = 0;
  for (const Piece& piece : pieces) size += piece.size;
  if (blank_.size() < size) blank_.resize(size);
  longest_ = std::max(longest_, size);
  const Place place = words_.add(std::string_view{blank_}.substr(0, size), count);
  const WordArena::Word word = words_.word(place);
  std::size_t at = 0;
  for (const Piece& piece : pieces) {
    const std::size_t mark = word.first_mark + at;
    word.marks[mark / 8] = static_cast<unsigned char>(word.marks[mark / 8] | 1u << mark % 8);
    write(word.bytes + at, piece.size, code_of(piece.id, piece.size));
    at += piece.size;
  }
  return place;
}

WordArena::Place PieceWords::add_bytes(std::string_view word, std::span<const std::uint32_t, 256> ids,
                                       std::uint64_t count) {
  longest_ = std::max(longest_, word.size());
  const Place place = words_.add(word, count);
  const WordArena::Word added = words_.word(place);
  for (std::size_t at = 0; at < added.size; ++at) {
    const std::size_t mark = added.first_mark + at;
    added.marks[mark / 8] = static_cast<unsigned char>(added.marks[mark / 8] | 1u << mark % 8);
    write(added.bytes + at, 1, code_of(ids[added.bytes[at]], 1));
  }
  return place;
}

}  // namespace octet::text
