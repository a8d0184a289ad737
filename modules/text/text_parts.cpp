module octet.text;
import octet.standard;
import :text_parts;
import :unicode;
import :utf8;

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

}  // namespace

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
