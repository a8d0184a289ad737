module octet.text;
import octet.standard;
import :sixteen_bytes;

#include "for_speed.hpp"

namespace octet::text {

namespace {

struct Decoded {
  char32_t value = 0;
  std::size_t length = 1;  // bytes of the character, or of the longest valid beginning
  bool valid = false;
  bool truncated = false;
};

// Unicode 3.9, table 3-7: the first byte says how many follow, and narrows what the second may be.
Decoded decode(std::string_view bytes, std::size_t offset) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[offset + i]); };
  const unsigned char first = at(0);
  if (first < 0x80) return {first, 1, true, false};
  std::size_t length = 0;
  unsigned char low = 0x80, high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return {};
  }
  char32_t value = first & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (offset + i == bytes.size()) return {0, i, false, true};
    const unsigned char next = at(i);
    if (next < low || next > high) return {0, i, false, false};
    value = value << 6 | (next & 0x3F);
    low = 0x80;
    high = 0xBF;
  }
  return {value, length, true, false};
}

// What is wrong of sixteen bytes, three others before them: the table without a branch.
SixteenBytes faults(const char* from) {
  const SixteenBytes byte = sixteen_bytes(from), before = sixteen_bytes(from - 1), second = sixteen_bytes(from - 2),
                     third = sixteen_bytes(from - 3);
  const auto follows = (byte & 0xC0) == 0x80;
  const auto has_to = (before >= 0xC0) | (second >= 0xE0) | (third >= 0xF0);
  const auto narrow = ((before == 0xE0) & (byte < 0xA0)) | ((before == 0xED) & (byte > 0x9F)) |
                      ((before == 0xF0) & (byte < 0x90)) | ((before == 0xF4) & (byte > 0x8F));
  return (SixteenBytes)((follows ^ has_to) | narrow | (byte == 0xC0) | (byte == 0xC1) | (byte > 0xF4));
}

// Whether text of at least nineteen bytes has no fault.
bool is_valid(std::string_view text) {
  char begin[19] = {};
  std::memcpy(begin + 3, text.data(), 16);
  SixteenBytes found = faults(begin + 3);
  for (std::size_t at = 16; at + 16 <= text.size(); at += 16) found |= faults(text.data() + at);
  found |= faults(text.data() + text.size() - 16);
  const auto from_end = [&](std::size_t i) { return static_cast<unsigned char>(text[text.size() - i]); };
  return highest_bits(found) == 0 && from_end(1) < 0xC0 && from_end(2) < 0xE0 && from_end(3) < 0xF0;
}

}  // namespace

std::optional<InvalidUtf8> find_invalid_utf8(std::string_view bytes) {
  if (is_for_speed && bytes.size() >= 19 && is_valid(bytes)) return std::nullopt;
  for (std::size_t offset = 0; offset < bytes.size();) {
    const std::size_t left = bytes.size() - offset;
    if (static_cast<unsigned char>(bytes[offset]) < 0x80) {
      std::uint64_t eight = ~std::uint64_t{0};
      if (left >= sizeof eight) std::memcpy(&eight, bytes.data() + offset, sizeof eight);
      const std::uint64_t others = eight & 0x8080808080808080u;
      if constexpr (std::endian::native == std::endian::little)
        offset += left < sizeof eight ? 1 : static_cast<std::size_t>(std::countr_zero(others)) / 8;
      else
        offset += others == 0 ? sizeof eight : 1;
      continue;
    }
    if (left >= 3 && usual_three_bytes(bytes.data() + offset) != 0) {
      offset += 3;
      continue;
    }
    const Decoded decoded = decode(bytes, offset);
    if (!decoded.valid)
      return InvalidUtf8{offset, static_cast<unsigned char>(bytes[offset]), decoded.length, decoded.truncated};
    offset += decoded.length;
  }
  return std::nullopt;
}

CodePoint decode_rare_code_point(std::string_view bytes, std::size_t offset) {
  const Decoded decoded = decode(bytes, offset);
  return {decoded.valid ? decoded.value : replacement_character, decoded.length};
}

std::u32string decode_utf8(std::string_view bytes) {
  std::u32string characters;
  characters.reserve(bytes.size());
  for (std::size_t offset = 0; offset < bytes.size();) {
    const CodePoint point = decode_code_point(bytes, offset);
    characters += point.value;
    offset += point.length;
  }
  return characters;
}

void append_utf8(std::string& to, char32_t character) {
  if ((character >= 0xD800 && character <= 0xDFFF) || character > 0x10FFFF) character = replacement_character;
  const auto add = [&](char32_t byte) { to += static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto add_following = [&](int shift) { add(0x80 | (character >> shift & 0x3F)); };
  if (character < 0x80) {
    add(character);
  } else if (character < 0x800) {
    add(0xC0 | character >> 6);
    add_following(0);
  } else if (character < 0x10000) {
    add(0xE0 | character >> 12);
    add_following(6);
    add_following(0);
  } else {
    add(0xF0 | character >> 18);
    add_following(12);
    add_following(6);
    add_following(0);
  }
}

std::string encode_utf8(std::u32string_view characters) {
  std::string bytes;
  bytes.reserve(characters.size());
  for (char32_t character : characters) append_utf8(bytes, character);
  return bytes;
}

std::string replace_invalid_utf8(std::string_view bytes) {
  std::string result;
  result.reserve(bytes.size());
  for (std::size_t offset = 0; offset < bytes.size();) {
    const Decoded decoded = decode(bytes, offset);
    if (decoded.valid)
      result.append(bytes, offset, decoded.length);
    else
      append_utf8(result, replacement_character);
    offset += decoded.length;
  }
  return result;
}

}  // namespace octet::text
