module octet.text;
import octet.standard;
import :piece_trie;
import :utf8;

namespace octet::text {

PieceTrie::PieceTrie(std::span<const std::string> pieces) {
  std::vector<std::int32_t> sorted;
  for (std::size_t id = 0; id < pieces.size(); ++id)
    if (!find_invalid_utf8(pieces[id])) sorted.push_back(static_cast<std::int32_t>(id));
  const auto piece = [&](std::int32_t id) -> const std::string& { return pieces[static_cast<std::size_t>(id)]; };
  // By the bytes, which in UTF-8 have the order of characters, and by a heap, as is done with the alphabet.
  const auto before_other = [&](std::int32_t one, std::int32_t other) { return piece(one) < piece(other); };
  std::make_heap(sorted.begin(), sorted.end(), before_other);
  std::sort_heap(sorted.begin(), sorted.end(), before_other);

  constexpr char32_t no_character = 0x1FFFFF;
  nodes_.resize(root + 1, {.character = no_character});
  std::vector<Other> others;
  std::u32string before;
  std::vector<Node> path{root};  // of the piece before: the node of each of its beginnings
  for (const std::int32_t id : sorted) {
    const std::u32string characters = decode_utf8(piece(id));
    const auto alike = static_cast<std::size_t>(std::ranges::mismatch(characters, before).in1 - characters.begin());
    path.resize(alike + 1);
    for (std::size_t i = alike; i < characters.size(); ++i) {
      const auto to = static_cast<Node>(nodes_.size());
      Entry& from = nodes_[path.back()];
      if (from.goes_on) {
        from.has_others = true;
        others.push_back({path.back(), characters[i], to});
      }
      from.goes_on = true;
      nodes_.push_back({.character = characters[i]});
      path.push_back(to);
    }
    nodes_.back().piece = id;
    before = characters;
  }
  nodes_.push_back({.character = no_character});

  others_.resize(std::bit_ceil(others.size() + others.size() / 2 + 1));
  for (const Other& other : others) {
    std::size_t at = slot(other.from, other.character);
    while (others_[at].to != nowhere) at = (at + 1) & (others_.size() - 1);
    others_[at] = other;
  }
}

}  // namespace octet::text
