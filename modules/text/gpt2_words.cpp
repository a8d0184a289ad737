module octet.text;
import octet.standard;

namespace octet::text {

namespace {

enum class Kind : std::uint8_t { letter, number, space, other };

constexpr auto ascii_kinds = [] {
  std::array<Kind, 128> result{};
  for (char32_t c = 0; c < 128; ++c)
    result[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? Kind::letter
                : c >= '0' && c <= '9'                           ? Kind::number
                : c == ' ' || (c >= '\t' && c <= '\r')           ? Kind::space
                                                                 : Kind::other;
  return result;
}();

Kind kind_of(char32_t character) {
  const Category c = category(character);
  if (is_letter(c)) return Kind::letter;
  if (is_number(c)) return Kind::number;
  return is_white_space(character) ? Kind::space : Kind::other;
}

struct Character {
  Kind kind;
  std::size_t length;
};
Character character_at(std::string_view text, std::size_t offset) {
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte < 128) return {ascii_kinds[byte], 1};
  const CodePoint point = decode_code_point(text, offset);
  return {kind_of(point.value), point.length};
}

std::size_t contraction(std::string_view text) {
  constexpr std::string_view contractions[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
  for (const std::string_view ending : contractions)
    if (text.starts_with(ending)) return ending.size();
  return 0;
}

}  // namespace

std::size_t gpt2_word_end(std::string_view text, std::size_t begin) {
  if (text[begin] == '\'')
    if (const std::size_t length = contraction(text.substr(begin, 3))) return begin + length;
  std::size_t at = begin, last = begin;  // `last`: where the last character began
  Character next = character_at(text, begin);
  if (text[begin] == ' ' && begin + 1 < text.size())
    if (const Character second = character_at(text, begin + 1); second.kind != Kind::space) {
      at = begin + 1;
      next = second;
    }
  const Kind kind = next.kind;
  while (true) {
    last = at;
    at += next.length;
    if (at == text.size() || at - begin >= longest_gpt2_word) return at;
    next = character_at(text, at);
    if (next.kind != kind) break;
  }
  // White space before a word leaves its last character to that word, or to be a word of its own.
  return kind == Kind::space && last > begin ? last : at;
}

}  // namespace octet::text
