/// The parts that WordPiece encodes one by one: what is between blanks, punctuation and Chinese characters. Every
/// clean-up leaves them apart, so what was made of one stands for it in every text. Internal to octet.text.
export module octet.text:text_parts;
import octet.standard;
import :unicode;
import :utf8;

export namespace octet::text {

class TextParts {
 public:
  /// So many bytes behind a text have to be readable, whatever they are.
  static constexpr std::size_t room = 80;

  explicit TextParts(bool parts_chinese);

  /// Calls `between(begin, end)` for what is between others, and `alone(begin, end, character)` for a character that is
  /// a part of its own.
  template <class Between, class Alone>
  inline void for_each(std::string_view text, const Between& between, const Alone& alone) const {
    std::size_t first = 0, at = 0;  // of the part that is growing; of what was not looked at
    for (std::size_t block = 0; block < text.size(); block += 64) {
      std::uint64_t others = no_letters(text.data() + block);
      if (text.size() - block < 64) others &= (std::uint64_t{1} << (text.size() - block)) - 1;
      for (others = from(others, at, block); others != 0; others = from(others, at, block)) {
        at = block + static_cast<std::size_t>(std::countr_zero(others));
        Character is = character_at(text, at);
        while (is.role == Role::inside) {  // it has neighbours of its kind, mostly
          at += is.length;
          if (at == text.size() || static_cast<unsigned char>(text[at]) < 0x80) break;
          is = character_at(text, at);
        }
        if (is.role == Role::inside) continue;
        if (at > first) between(first, at);
        first = at + is.length;
        if (is.role == Role::alone) alone(at, first, is.value);
        at = first;
      }
    }
    if (text.size() > first) between(first, text.size());
  }

 private:
  enum class Role : std::uint8_t { inside, blank, alone };
  struct Character {
    char32_t value;
    std::size_t length;
    Role role;
  };

  // Of 64 bytes those that are to be looked at, a bit each, the first one lowest: not letters and digits of ASCII.
  static std::uint64_t no_letters(const char* block);
  // What is left of a block's bits from `at` on.
  static inline std::uint64_t from(std::uint64_t bits, std::size_t at, std::size_t block) {
    if (at <= block) return bits;
    return at - block < 64 ? bits >> (at - block) << (at - block) : 0;
  }
  inline Character character_at(std::string_view text, std::size_t at) const {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) return {first, 1, roles_[first]};
    if (text.size() - at >= 3)
      if (const char32_t value = usual_three_bytes(text.data() + at)) return {value, 3, roles_[value]};
    return rare_character_at(text, at);
  }
  Role role_of(char32_t character, const CharacterFacts& facts) const;
  Character rare_character_at(std::string_view text, std::size_t at) const;

  std::vector<Role> roles_;  // of the characters of the first plane
  bool parts_chinese_;
};

}  // namespace octet::text
