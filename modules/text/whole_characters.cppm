/// Characters of several bytes that byte-level BPE always joins to one piece before anything else becomes of their
/// bytes: a word may begin with that piece. Internal to octet.text.
///
/// A pair of pieces is joined before all pairs that are learned later. So the bytes of a character become its piece
/// whatever is beside it where each pair that does so comes before any that takes a part of a character from across
/// its first or its last byte, and before any that takes the character itself. In a vocabulary that learned from such a
/// text this holds for nine in ten characters of Japanese and more than half of Korean.
export module octet.text:whole_characters;
import octet.standard;

export namespace octet::text {

/// What the bytes of a character become by themselves.
struct WholeCharacter {
  static constexpr std::int32_t unknown = -2, none = -1;
  std::int32_t id = unknown;
  std::uint32_t last_rank = 0;  // of the pairs that are joined for it
};

class WholeCharacters {
 public:
  static constexpr std::uint32_t never = ~std::uint32_t{0};

  /// Takes the pairs that are joined, the earliest first, by the bytes of their pieces.
  void add(std::string_view left, std::string_view right, std::uint32_t rank) {
    if (!(is_end(left) || is_beginning(right))) return;
    if (first_across_.empty()) first_across_.resize(256 * 256, never);
    std::uint32_t& first = first_across_[place(left.back(), right.front())];
    first = std::min(first, rank);
  }
  /// Whether something takes a part of a character, between whose bytes, or whose and those of a neighbour, these two
  /// meet, by that rank.
  inline bool parts(char before, char after, std::uint32_t rank) const {
    return !first_across_.empty() && first_across_[place(before, after)] <= rank;
  }

 private:
  static inline std::size_t place(char before, char after) {
    return std::size_t{static_cast<unsigned char>(before)} << 8 | static_cast<unsigned char>(after);
  }
  static bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }
  static bool is_end(std::string_view bytes) { return std::ranges::all_of(bytes, continues); }
  static bool is_beginning(std::string_view bytes) {
    const auto first = static_cast<unsigned char>(bytes.front());
    const std::size_t size = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    return bytes.size() < size && is_end(bytes.substr(1));
  }

  std::vector<std::uint32_t> first_across_;  // rank, by the bytes that meet
};

}  // namespace octet::text
