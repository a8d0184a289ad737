module octet.text;
import octet.standard;

namespace octet::text {

namespace {

constexpr bool is_printable(unsigned byte) { return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD); }

constexpr char32_t first_other = 0x100;  // stands for the first byte that is not printable

constexpr auto characters = [] {
  std::array<char32_t, 256> result{};
  char32_t other = first_other;
  for (unsigned byte = 0; byte < 256; ++byte) result[byte] = is_printable(byte) ? byte : other++;
  return result;
}();

constexpr auto others = [] {
  std::array<unsigned char, 256> result{};
  for (unsigned byte = 0; byte < 256; ++byte)
    if (characters[byte] >= first_other) result[characters[byte] - first_other] = static_cast<unsigned char>(byte);
  return result;
}();

constexpr char32_t other_count = [] {
  char32_t count = 0;
  for (unsigned byte = 0; byte < 256; ++byte) count += !is_printable(byte);
  return count;
}();

}  // namespace

char32_t character_of_byte(unsigned char byte) { return characters[byte]; }

std::optional<unsigned char> byte_of_character(char32_t character) {
  if (character < first_other)
    return is_printable(character) ? std::optional{static_cast<unsigned char>(character)} : std::nullopt;
  if (character - first_other < other_count) return others[character - first_other];
  return std::nullopt;
}

std::string to_byte_alphabet(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) append_utf8(text, characters[static_cast<unsigned char>(byte)]);
  return text;
}

std::optional<std::string> from_byte_alphabet(std::string_view text) {
  std::string bytes;
  for (std::size_t offset = 0; offset < text.size();) {
    const CodePoint point = decode_code_point(text, offset);
    const auto byte = byte_of_character(point.value);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
    offset += point.length;
  }
  return bytes;
}

}  // namespace octet::text
