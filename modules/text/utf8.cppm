/// UTF-8: decoding, encoding, and the place of the first byte that is not UTF-8.
export module octet.text:utf8;
import octet.standard;

export namespace octet::text {

/// U+FFFD, what stands for bytes that are not UTF-8.
inline constexpr char32_t replacement_character = 0xFFFD;

/// Where a byte sequence stops being UTF-8 (Unicode 3.9, table 3-7: no overlong forms, no surrogates, nothing above
/// U+10FFFF).
struct InvalidUtf8 {
  std::size_t offset;  ///< of the first byte of the faulty character
  unsigned char byte;  ///< that byte
  std::size_t length;  ///< bytes that one replacement character stands for (the longest valid beginning), at least 1
  bool truncated;      ///< the text ends inside a character that was valid so far
};

/// The first fault, or nothing where all of `bytes` is UTF-8.
std::optional<InvalidUtf8> find_invalid_utf8(std::string_view bytes);

struct CodePoint {
  char32_t value;      ///< replacement_character for bytes that are not UTF-8
  std::size_t length;  ///< bytes it took, at least 1
};
CodePoint decode_rare_code_point(std::string_view bytes, std::size_t offset);
/// The character of three bytes that no rule narrows further, as most of what is not ASCII is; 0 where these are none.
inline char32_t usual_three_bytes(const char* from) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(from[i]); };
  const unsigned first = byte(0), second = byte(1) ^ 0x80u, third = byte(2) ^ 0x80u;
  const bool are_usual = (first - 0xE1 < 0xF) & (first != 0xED) & ((second | third) < 0x40);
  return are_usual ? static_cast<char32_t>((first & 0xF) << 12 | second << 6 | third) : 0;
}
/// The character that begins at `bytes[offset]`; `offset` must lie within `bytes`.
inline CodePoint decode_code_point(std::string_view bytes, std::size_t offset) {
  if (bytes.size() - offset >= 3)
    if (const char32_t character = usual_three_bytes(bytes.data() + offset)) return {character, 3};
  return decode_rare_code_point(bytes, offset);
}

/// All characters; each faulty sequence becomes one replacement character.
std::u32string decode_utf8(std::string_view bytes);
/// Appends one character. Surrogates and values above U+10FFFF are written as the replacement character.
void append_utf8(std::string& to, char32_t character);
std::string encode_utf8(std::u32string_view characters);
/// The same text with each faulty sequence replaced by U+FFFD.
std::string replace_invalid_utf8(std::string_view bytes);

}  // namespace octet::text
