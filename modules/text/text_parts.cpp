module octet.text;
import octet.standard;
import :sixteen_bytes;
import :text_parts;
import :unicode;
import :utf8;

#include "for_speed.hpp"

namespace octet::text {

namespace {

bool is_control(Category c) { return c == Category::Cc || c == Category::Cf || c == Category::Co; }

// Control characters may be parts of a word: clean-up takes them out, and their neighbours are one word then.
bool is_always_blank(char32_t character, const CharacterFacts& facts) {
  if (character < 0x80) return character == ' ' || character == '\t' || character == '\n' || character == '\r';
  return facts.category >= Category::Zs && facts.category <= Category::Zp && !is_control(facts.category_in_8);
}

bool is_always_alone(char32_t character, const CharacterFacts& facts) {
  if (character < 0x80) return is_punctuation(character);
  return facts.category_in_8 >= Category::Pc && facts.category_in_8 <= Category::Po;
}

// The first bytes of syllables of Hangul and of kana, all of which are inside of words: the bytes of a word, and those
// that follow each by one and by two. Some are left out.
SixteenBytes begins_inside(SixteenBytes first, SixteenBytes second, SixteenBytes third) {
  const auto hangul =
      (first == 0xEB) | (first == 0xEC) | ((first == 0xEA) & (second >= 0xB0)) | ((first == 0xED) & (second <= 0x9D));
  const auto kana = (first == 0xE3) & (second >= 0x81) & (second <= 0x83);
  const auto marks = ((second == 0x82) & (third == 0xA0)) | ((second == 0x83) & (third == 0xBB));
  return (SixteenBytes)((hangul | (kana & ~marks)) & ((second & 0xC0) == 0x80) & ((third & 0xC0) == 0x80));
}

}  // namespace

std::uint64_t TextParts::no_letters(const char* block) {
  if constexpr (std::endian::native != std::endian::little) return ~std::uint64_t{0};  // each is looked at
  std::uint64_t letters = 0, begins = 0;
  for (std::size_t i = 0; i < 64; i += 16) {
    const SixteenBytes bytes = sixteen_bytes(block + i), lower = bytes | 0x20;
    const auto plain = ((lower >= 'a') & (lower <= 'z')) | ((bytes >= '0') & (bytes <= '9'));
    letters |= highest_bits((SixteenBytes)plain) << i;
    if (is_for_speed && highest_bits(bytes) != 0)
      begins |= highest_bits(begins_inside(bytes, sixteen_bytes(block + i + 1), sixteen_bytes(block + i + 2))) << i;
  }
  begins = begins << 2 >> 2;  // of those that end in the block
  return ~(letters | begins | begins << 1 | begins << 2);
}

TextParts::TextParts(bool parts_chinese) : roles_(first_plane_facts().size()), parts_chinese_{parts_chinese} {
  for (char32_t character = 0; character < roles_.size(); ++character)
    roles_[character] = role_of(character, first_plane_facts()[character]);
}

// Where every clean-up leaves it blank, or a word of its own.
TextParts::Role TextParts::role_of(char32_t character, const CharacterFacts& facts) const {
  if (facts.is_chinese) return parts_chinese_ ? Role::alone : Role::inside;
  if (facts.is_marked || facts.has_lowercase) return Role::inside;
  return is_always_alone(character, facts)   ? Role::alone
         : is_always_blank(character, facts) ? Role::blank
                                             : Role::inside;
}

TextParts::Character TextParts::rare_character_at(std::string_view text, std::size_t at) const {
  const CodePoint point = decode_code_point(text, at);
  const Role role = point.value < roles_.size() ? roles_[point.value] : role_of(point.value, facts_of(point.value));
  return {point.value, point.length, role};
}

}  // namespace octet::text
