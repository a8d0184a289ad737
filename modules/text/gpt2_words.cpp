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

struct Run {
  char32_t first, last;
  Kind kind;
};
// Letters and numbers of Unicode 15.1 and 16.0, which the tokenizers in common use know and the tables, of 15.0, do
// not.
constexpr Run young_runs[] = {
    {0x1C89, 0x1C8A, Kind::letter},   {0xA7CB, 0xA7CD, Kind::letter},   {0xA7DA, 0xA7DC, Kind::letter},
    {0x105C0, 0x105F3, Kind::letter}, {0x10D40, 0x10D49, Kind::number}, {0x10D4A, 0x10D65, Kind::letter},
    {0x10D6F, 0x10D85, Kind::letter}, {0x10EC2, 0x10EC4, Kind::letter}, {0x11380, 0x11389, Kind::letter},
    {0x1138B, 0x1138B, Kind::letter}, {0x1138E, 0x1138E, Kind::letter}, {0x11390, 0x113B5, Kind::letter},
    {0x113B7, 0x113B7, Kind::letter}, {0x113D1, 0x113D1, Kind::letter}, {0x113D3, 0x113D3, Kind::letter},
    {0x116D0, 0x116E3, Kind::number}, {0x11BC0, 0x11BE0, Kind::letter}, {0x11BF0, 0x11BF9, Kind::number},
    {0x13460, 0x143FA, Kind::letter}, {0x16100, 0x1611D, Kind::letter}, {0x16130, 0x16139, Kind::number},
    {0x16D40, 0x16D6C, Kind::letter}, {0x16D70, 0x16D79, Kind::number}, {0x18CFF, 0x18CFF, Kind::letter},
    {0x1CCF0, 0x1CCF9, Kind::number}, {0x1E5D0, 0x1E5ED, Kind::letter}, {0x1E5F0, 0x1E5F0, Kind::letter},
    {0x1E5F1, 0x1E5FA, Kind::number}, {0x2EBF0, 0x2EE5D, Kind::letter}};

Kind kind_of(char32_t character) {
  const Category c = category(character);
  if (is_letter(c)) return Kind::letter;
  if (is_number(c)) return Kind::number;
  if (is_white_space(character)) return Kind::space;
  if (c != Category::Cn) return Kind::other;
  const Run* run = std::ranges::lower_bound(young_runs, character, {}, &Run::last);
  return run != std::end(young_runs) && character >= run->first ? run->kind : Kind::other;
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
