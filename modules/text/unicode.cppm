/// Properties of characters and canonical normalization, from the Unicode tables that cmake/unicode_tables.cmake reads
/// at build time. Every build uses the same versions of Unicode, so that the same text gives the same tokens
/// everywhere. They are those of the parts that the tokenizers in common use are made of: categories are of 16.0,
/// lowercase forms of 17.0, decompositions and combining classes of 9.0.
export module octet.text:unicode;
import octet.standard;

export namespace octet::text {

/// General categories, in the order of the Unicode standard's table 4-4.
enum class Category : std::uint8_t {
  Lu,
  Ll,
  Lt,
  Lm,
  Lo,
  Mn,
  Mc,
  Me,
  Nd,
  Nl,
  No,
  Pc,
  Pd,
  Ps,
  Pe,
  Pi,
  Pf,
  Po,
  Sm,
  Sc,
  Sk,
  So,
  Zs,
  Zl,
  Zp,
  Cc,
  Cf,
  Cs,
  Co,
  Cn
};

Category category(char32_t character);
constexpr bool is_letter(Category c) { return c <= Category::Lo; }
constexpr bool is_number(Category c) { return c >= Category::Nd && c <= Category::No; }

/// Unicode's White_Space.
bool is_white_space(char32_t character);
// The next four decide what BERT's tokenizers do with a character, and follow the version of Unicode that those
// have: 8.0.

/// What BERT's clean-up removes: control, format and private-use characters, except tab, line feed and carriage return.
bool is_control(char32_t character);
/// What BERT splits off as a word of its own: Unicode punctuation, and every ASCII character that is neither letter,
/// digit, space nor control (so `$`, `+`, `<`, `^`, too).
bool is_punctuation(char32_t character);
/// A mark drawn over or under another character (category Mn): what is left of an accent after decomposition.
bool is_nonspacing_mark(char32_t character);
/// A Chinese character (Kanji, Hanja), as BERT counts them: the CJK ideograph blocks, not kana and not Hangul.
bool is_chinese_character(char32_t character);

/// Appends the full lowercase form (Unicode 3.13, without context).
void append_lowercase(std::u32string& to, char32_t character);

/// Canonical decomposition, NFD (Unicode 3.11): Hangul becomes jamo, accents become marks in canonical order. Where
/// `origins` is given, it gets for each resulting character the index of the one it came from; marks that change places
/// count as if each stood where the other did.
std::u32string decompose(std::u32string_view characters, std::vector<std::size_t>* origins = nullptr);
/// Canonical composition, NFC.
std::u32string compose(std::u32string_view characters);
/// Canonical composition of UTF-8 text, for showing pieces that were decomposed.
std::string compose_utf8(std::string_view text);

}  // namespace octet::text

namespace octet::text {

/// What is known of a character, at one look. Internal to octet.text.
struct CharacterFacts {
  Category category : 5 = Category::Cn;
  bool has_lowercase : 1 = false;             ///< other than itself
  bool is_marked : 1 = false;                 ///< decomposes, or is a mark
  bool is_chinese : 1 = false;                ///< as is_chinese_character has it
  Category category_in_8 : 5 = Category::Cn;  ///< in Unicode 8.0, which BERT's tokenizers go by
};
/// Of the characters below 0x10000.
std::span<const CharacterFacts> first_plane_facts();
CharacterFacts facts_of(char32_t character);

}  // namespace octet::text
