module octet.text;
import octet.standard;

namespace octet::text {

namespace {

enum class Kind : std::uint8_t { letter, number, space, other, of_several_bytes };

constexpr auto kinds_of_bytes = [] {
  std::array<Kind, 256> result{};
  for (std::size_t c = 0; c < result.size(); ++c)
    result[c] = c >= 128                                           ? Kind::of_several_bytes
                : (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? Kind::letter
                : c >= '0' && c <= '9'                             ? Kind::number
                : c == ' ' || (c >= '\t' && c <= '\r')             ? Kind::space
                                                                   : Kind::other;
  return result;
}();
Kind kind_of_byte(char byte) { return kinds_of_bytes[static_cast<unsigned char>(byte)]; }

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
  if (const Kind kind = kind_of_byte(text[offset]); kind != Kind::of_several_bytes) return {kind, 1};
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
  std::size_t at = begin;
  Character next = character_at(text, begin);
  if (text[begin] == ' ' && begin + 1 < text.size())
    if (const Character second = character_at(text, begin + 1); second.kind != Kind::space) {
      at = begin + 1;
      next = second;
    }
  const Kind kind = next.kind;
  const std::size_t most = text.size() - begin < longest_gpt2_word ? text.size() : begin + longest_gpt2_word;
  std::size_t last = at;  // where the last character began
  for (at += next.length; at < most; at += next.length) {
    for (; at < most && kind_of_byte(text[at]) == kind; ++at) last = at;
    if (at == most) break;
    next = character_at(text, at);
    if (next.kind != kind)  // white space before a word leaves its last character to that word, or to be one of its own
      return kind == Kind::space && last > begin ? last : at;
    last = at;
  }
  return at;
}

std::size_t gpt2_words_in_full(std::string_view text) {
  constexpr std::size_t looked_at = longest_gpt2_word + 16;  // for a word, the characters that may follow it too
  std::size_t words = 0;
  for (std::size_t begin = 0, end = 0; text.size() - begin > looked_at; begin = end) {
    end = gpt2_word_end(text, begin);
    std::size_t last = end - 1;  // character of the word
    while (last > begin && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
    // White space may be one word with what follows it.
    if (character_at(text, last).kind != Kind::space || end - begin >= longest_gpt2_word) words = end;
  }
  return words;
}

}  // namespace octet::text
