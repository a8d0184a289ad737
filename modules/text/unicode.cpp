/// The tables of the Unicode Character Database, and the algorithms that read them.
module octet.text;
import octet.standard;
import :packed_rows;

namespace octet::text {

namespace {

struct CategoryRun {  // from `first` up to the next run's first
  char32_t first;
  Category category;
};
struct ClassRun {  // canonical combining class of `first` to `last`
  char32_t first, last;
  std::uint8_t combining_class;
};
struct Decomposition {  // `second` is 0 for a singleton
  char32_t character, first, second = 0;
};
struct Lowercase {
  char32_t character, lower;
};
struct Range {
  char32_t first, last;
};
struct LongLowercase {
  char32_t character, first, second;
};

#include "unicode_tables.inc"

constexpr auto ascii_categories = [] {
  std::array<Category, 128> result{};
  std::size_t run = 0;
  for (char32_t character = 0; character < 128; ++character) {
    while (category_runs[run + 1].first <= character) ++run;
    result[character] = category_runs[run].category;
  }
  return result;
}();

// The rows above are there for the compiler alone: a program has them packed, by columns.
template <std::size_t columns, class Row, std::size_t rows, class Number>
consteval Columns<columns, rows> columns_of(const Row (&table)[rows], Number number) {
  Columns<columns, rows> result{};
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row) result[column][row] = number(table[row], column);
  return result;
}
constexpr auto packed_categories = packed([] {
  return columns_of<2>(category_runs, [](const CategoryRun& run, std::size_t column) {
    return column == 0 ? run.first : static_cast<std::uint32_t>(run.category);
  });
});
constexpr auto packed_classes = packed([] {
  return columns_of<3>(class_runs, [](const ClassRun& run, std::size_t column) {
    return column == 0 ? run.first : column == 1 ? run.last - run.first : run.combining_class;
  });
});
constexpr auto packed_decompositions = packed([] {
  return columns_of<3>(decompositions, [](const Decomposition& entry, std::size_t column) {
    return column == 0 ? entry.character : column == 1 ? entry.first : entry.second;
  });
});
constexpr auto packed_lowercases = packed([] {
  return columns_of<2>(lowercases, [](const Lowercase& entry, std::size_t column) {
    return column == 0 ? entry.character : entry.lower;
  });
});

struct Tables {
  std::vector<CategoryRun> category_runs;
  std::vector<ClassRun> class_runs;
  std::vector<Decomposition> decompositions;
  std::vector<Lowercase> lowercases;
  std::vector<CharacterFacts> facts;  // of the characters of the first plane; others are looked up

  Tables() {
    const auto unpack = [](auto& to, const auto& bytes, std::size_t rows, auto row) {
      const std::vector<std::uint32_t> numbers = unpacked(bytes, rows);
      to.reserve(rows);
      for (std::size_t i = 0; i < rows; ++i)
        to.push_back(row([&](std::size_t column) { return static_cast<char32_t>(numbers[column * rows + i]); }));
    };
    unpack(category_runs, packed_categories, std::size(text::category_runs),
           [](auto number) { return CategoryRun{number(0), static_cast<Category>(number(1))}; });
    unpack(class_runs, packed_classes, std::size(text::class_runs), [](auto number) {
      return ClassRun{number(0), number(0) + number(1), static_cast<std::uint8_t>(number(2))};
    });
    unpack(decompositions, packed_decompositions, std::size(text::decompositions),
           [](auto number) { return Decomposition{number(0), number(1), number(2)}; });
    unpack(lowercases, packed_lowercases, std::size(text::lowercases),
           [](auto number) { return Lowercase{number(0), number(1)}; });
    fill_facts();
  }

  [[gnu::noinline]] void fill_facts();
};

const Tables& tables() {
  static const Tables unpacked;
  return unpacked;
}

template <std::ranges::contiguous_range Table>
auto find(const Table& table, char32_t character) -> const std::ranges::range_value_t<Table>* {
  using Row = std::ranges::range_value_t<Table>;
  const auto at = std::ranges::lower_bound(table, character, {}, &Row::character);
  return at != std::ranges::end(table) && at->character == character ? &*at : nullptr;
}

// Hangul syllables are decomposed and composed by arithmetic (Unicode 3.12).
constexpr char32_t syllable_base = 0xAC00, leading_base = 0x1100, vowel_base = 0x1161, trailing_base = 0x11A7;
constexpr char32_t leading_count = 19, vowel_count = 21, trailing_count = 28;
constexpr char32_t syllable_count = leading_count * vowel_count * trailing_count;

// Unified ideographs, extensions A to E, compatibility ideographs. Extension E begins at 2B820; the tokenizers to
// agree with begin it at 2B920.
constexpr Range chinese_blocks[] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xF900, 0xFAFF},   {0x20000, 0x2A6DF},
                                    {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0x2F800, 0x2FA1F}};

// BERT's clean-up goes by tables of Unicode 8.0 in the tokenizers in common use: younger characters have no category
// there, and these have changed theirs since.
struct Changed {
  char32_t character;
  Category category;
};
constexpr Changed changed_since_8[] = {{0x166D, Category::Po}, {0x1734, Category::Mn}, {0x1885, Category::Lo},
                                       {0x1886, Category::Lo}, {0xA9BD, Category::Mc}, {0x111C9, Category::Po}};

Category category_in_8(char32_t character, Category now) {
  if (const Changed* found = find(changed_since_8, character)) return found->category;
  const Range* run = std::ranges::lower_bound(young_runs, character, {}, &Range::last);
  return run != std::end(young_runs) && character >= run->first ? Category::Cn : now;
}

bool is_in_chinese_block(char32_t character) {
  return std::ranges::any_of(chinese_blocks,
                             [=](Range range) { return character >= range.first && character <= range.last; });
}

int found_class(const Tables& tables, char32_t character) {
  const std::vector<ClassRun>& runs = tables.class_runs;
  const auto after = std::ranges::upper_bound(runs, character, {}, &ClassRun::first);
  return after != runs.begin() && character <= std::prev(after)->last ? std::prev(after)->combining_class : 0;
}

int combining_class(char32_t character) { return facts_of(character).is_marked ? found_class(tables(), character) : 0; }

// Apart from the loops that call it, which a browser would compile once more with all that is within them.
[[gnu::noinline]] CharacterFacts found_facts(const Tables& tables, char32_t character, Category category) {
  CharacterFacts facts{.category = category, .category_in_8 = category_in_8(character, category)};
  facts.has_lowercase = find(tables.lowercases, character) || find(long_lowercases, character);
  facts.is_marked = facts.category_in_8 == Category::Mn || character - syllable_base < syllable_count ||
                    found_class(tables, character) != 0 || find(tables.decompositions, character);
  facts.is_chinese = is_in_chinese_block(character);
  return facts;
}

[[gnu::noinline]] void look_up(Tables& tables, char32_t first, char32_t last) {
  for (char32_t character = first; character <= last && character < 0x10000; ++character)
    tables.facts[character] = found_facts(tables, character, tables.facts[character].category);
}

// Of the first plane: the category, run by run, and what else is to be known of the characters that some table names.
void Tables::fill_facts() {
  facts.reserve(0x10000);
  for (auto run = category_runs.begin(); facts.size() < 0x10000; ++run)
    facts.resize(
        std::min<std::size_t>(std::next(run)->first, 0x10000),
        {.category = run->category, .is_marked = run->category == Category::Mn, .category_in_8 = run->category});
  for (char32_t syllable = 0; syllable < syllable_count; ++syllable) facts[syllable_base + syllable].is_marked = true;
  for (const Range& block : chinese_blocks)
    for (char32_t character = block.first; character <= block.last && character < 0x10000; ++character)
      facts[character].is_chinese = true;
  for (const Range& run : young_runs) look_up(*this, run.first, run.last);
  for (const Changed& row : changed_since_8) look_up(*this, row.character, row.character);
  for (const Lowercase& row : lowercases) look_up(*this, row.character, row.character);
  for (const LongLowercase& row : long_lowercases) look_up(*this, row.character, row.character);
  for (const Decomposition& row : decompositions) look_up(*this, row.character, row.character);
  for (const ClassRun& run : class_runs) look_up(*this, run.first, run.last);
}

void append_decomposition(std::u32string& to, char32_t character) {
  if (character < 0xC0) {
    to += character;
  } else if (const char32_t syllable = character - syllable_base; syllable < syllable_count) {
    to += leading_base + syllable / (vowel_count * trailing_count);
    to += vowel_base + syllable / trailing_count % vowel_count;
    if (const char32_t trailing = syllable % trailing_count) to += trailing_base + trailing;
  } else if (const Decomposition* found =
                 facts_of(character).is_marked ? find(tables().decompositions, character) : nullptr) {
    append_decomposition(to, found->first);
    if (found->second) append_decomposition(to, found->second);
  } else {
    to += character;
  }
}

// Pairs that compose: the two-character decompositions without the exclusions (Unicode 3.11, D117). Each is one number,
// the two characters and then their composition, 21 bits each.
constexpr std::uint64_t composition_key(char32_t first, char32_t second, char32_t character) {
  return (static_cast<std::uint64_t>(first) << 21 | second) << 21 | character;
}
bool composes(const Decomposition& entry) {
  return entry.second && !std::ranges::binary_search(composition_exclusions, entry.character) &&
         combining_class(entry.character) == 0 && combining_class(entry.first) == 0;
}
const std::vector<std::uint64_t>& compositions() {
  static const std::vector<std::uint64_t> sorted = [] {
    std::vector<std::uint64_t> keys;
    for (const Decomposition& entry : tables().decompositions)
      if (composes(entry)) keys.push_back(composition_key(entry.first, entry.second, entry.character));
    // By a heap, which is less code for the page to load.
    std::make_heap(keys.begin(), keys.end());
    std::sort_heap(keys.begin(), keys.end());
    return keys;
  }();
  return sorted;
}

char32_t composed(char32_t first, char32_t second) {
  const char32_t leading = first - leading_base, vowel = second - vowel_base;
  if (leading < leading_count && vowel < vowel_count)
    return syllable_base + (leading * vowel_count + vowel) * trailing_count;
  const char32_t syllable = first - syllable_base, trailing = second - trailing_base;
  if (syllable < syllable_count && syllable % trailing_count == 0 && trailing > 0 && trailing < trailing_count)
    return first + trailing;
  const std::uint64_t wanted = composition_key(first, second, 0);
  const auto at = std::ranges::lower_bound(compositions(), wanted);
  return at != compositions().end() && *at >> 21 == wanted >> 21 ? static_cast<char32_t>(*at & 0x1FFFFF) : 0;
}

// Puts a long run of marks in canonical order, in time that grows as the run does.
[[gnu::noinline]] void sort_marks(std::u32string& parts, std::vector<bool>& begins, std::size_t at, std::size_t end) {
  std::size_t places[257] = {};  // by class: where the next one goes
  for (std::size_t i = at; i < end; ++i) ++places[combining_class(parts[i]) + 1];
  for (std::size_t each = 1; each < 257; ++each) places[each] += places[each - 1];
  const std::u32string run = parts.substr(at, end - at);
  const std::vector<bool> run_begins(begins.begin() + static_cast<std::ptrdiff_t>(at),
                                     begins.begin() + static_cast<std::ptrdiff_t>(end));
  for (std::size_t i = 0; i < run.size(); ++i) {
    const std::size_t to = at + places[combining_class(run[i])]++;
    parts[to] = run[i];
    begins[to] = run_begins[i];
  }
}

}  // namespace

std::span<const CharacterFacts> first_plane_facts() { return tables().facts; }

CharacterFacts facts_of(char32_t character) {
  const Tables& all = tables();
  if (character < 0x10000) return all.facts[character];
  const auto after = std::ranges::upper_bound(all.category_runs, character, {}, &CategoryRun::first);
  return found_facts(all, character, std::prev(after)->category);
}

Category category(char32_t character) {
  return character < 128 ? ascii_categories[character] : facts_of(character).category;
}

bool is_white_space(char32_t character) {
  if (character < 128) return character == ' ' || (character >= 0x09 && character <= 0x0D);
  if (character == 0x85) return true;
  const Category c = category(character);
  return c >= Category::Zs && c <= Category::Zp;
}

bool is_control(char32_t character) {
  if (character == '\t' || character == '\n' || character == '\r') return false;
  const Category c = facts_of(character).category_in_8;
  return c == Category::Cc || c == Category::Cf || c == Category::Co;
}

bool is_punctuation(char32_t character) {
  if (character < 128)
    return (character >= '!' && character <= '/') || (character >= ':' && character <= '@') ||
           (character >= '[' && character <= '`') || (character >= '{' && character <= '~');
  const Category c = facts_of(character).category_in_8;
  return c >= Category::Pc && c <= Category::Po;
}

bool is_nonspacing_mark(char32_t character) {
  return character >= 0x300 && facts_of(character).category_in_8 == Category::Mn;
}

bool is_chinese_character(char32_t character) { return character >= 0x3400 && facts_of(character).is_chinese; }

void append_lowercase(std::u32string& to, char32_t character) {
  if (character < 128) {
    to += character >= 'A' && character <= 'Z' ? character + 32 : character;
  } else if (!facts_of(character).has_lowercase) {
    to += character;
  } else if (const LongLowercase* longer = find(long_lowercases, character)) {
    to += longer->first;
    to += longer->second;
  } else if (const Lowercase* found = find(tables().lowercases, character)) {
    to += found->lower;
  } else {
    to += character;
  }
}

std::u32string decompose(std::u32string_view characters, std::vector<std::size_t>* origins) {
  std::u32string parts;
  std::vector<bool> begins;  // a character
  parts.reserve(characters.size());
  begins.reserve(characters.size());
  for (const char32_t character : characters) {
    begins.push_back(true);
    append_decomposition(parts, character);
    begins.resize(parts.size(), false);
  }
  // Canonical order: marks in a row are sorted by combining class, those of one class stay as they are.
  for (std::size_t at = 0; at < parts.size();) {
    std::size_t end = at;
    while (end < parts.size() && combining_class(parts[end]) != 0) ++end;
    if (end - at > 32)
      sort_marks(parts, begins, at, end);
    else
      for (std::size_t i = at + 1; i < end; ++i)
        for (std::size_t j = i; j > at && combining_class(parts[j]) < combining_class(parts[j - 1]); --j) {
          std::swap(parts[j], parts[j - 1]);
          begins.swap(begins[j], begins[j - 1]);
        }
    at = end + 1;
  }
  if (origins) {
    origins->clear();
    std::size_t begun = 0;
    for (const bool begin : begins) {
      begun += begin;
      origins->push_back(begun == 0 ? 0 : begun - 1);
    }
  }
  return parts;
}

std::u32string compose(std::u32string_view characters) {
  const std::u32string parts = decompose(characters);
  std::u32string result;
  result.reserve(parts.size());
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t starter = none;  // where in `result` the last starter stands
  int last_class = -1;         // of the mark last kept after it; -1 where there is none
  for (char32_t part : parts) {
    const int this_class = combining_class(part);
    if (starter != none && last_class < this_class) {
      if (const char32_t joined = composed(result[starter], part)) {
        result[starter] = joined;
        continue;
      }
    }
    if (this_class == 0) {
      starter = result.size();
      last_class = -1;
    } else {
      last_class = this_class;
    }
    result += part;
  }
  return result;
}

std::string compose_utf8(std::string_view text) {
  // Characters that stay as they are beside one another: Latin, kana, Chinese characters, syllables of Hangul,
  // full-width forms.
  constexpr Range composed[] = {{0, 0x2FF},       {0x2010, 0x2027}, {0x3001, 0x3029}, {0x3030, 0x3098},
                                {0x309B, 0x9FFF}, {0xAC00, 0xD7A3}, {0xFF01, 0xFFEF}};
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const CodePoint point = decode_code_point(text, at);
    const Range* const range = std::ranges::lower_bound(composed, point.value, {}, &Range::last);
    if (range == std::end(composed) || point.value < range->first) return encode_utf8(compose(decode_utf8(text)));
    at += point.length;
  }
  return std::string{text};
}

}  // namespace octet::text
