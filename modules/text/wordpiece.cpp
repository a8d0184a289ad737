module octet.text;
import octet.base;
import octet.standard;
import :piece_trie;
import :special_names;

namespace octet::text {

namespace {

// Characters that Japanese and Chinese write without blanks between them.
bool is_written_together(char32_t character) {
  return is_chinese_character(character) || (character >= 0x3000 && character <= 0x30FF) ||
         (character >= 0xFF00 && character <= 0xFFEF);
}

bool wants_no_blank_before(char32_t character) {
  switch (category(character)) {
    case Category::Pe:
    case Category::Pf:
      return true;
    default:
      return character == '.' || character == ',' || character == '!' || character == '?' || character == ';' ||
             character == ':' || character == '%' || (character >= 0x3001 && character <= 0x3002);
  }
}

bool wants_no_blank_after(char32_t character) {
  const Category c = category(character);
  return c == Category::Ps || c == Category::Pi;
}

char32_t last_character(std::string_view text) {
  std::size_t begin = text.size();
  do --begin;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80);
  return decode_code_point(text, begin).value;
}

}  // namespace

WordPiece::WordPiece(WordPieceModel model) : WordPieceModel{std::move(model)}, trie_{vocabulary().word_pieces()} {
  for (const char32_t character : decode_utf8(options().wordpieces_prefix))
    continuing_ = trie_.step(continuing_, character).to;

  const std::string_view mark = options().wordpieces_prefix;
  std::size_t characters = 0;
  for (const bool counts : {true, false}) {
    const auto take = [&](char32_t first, PieceTrie::Node from, std::size_t continues) {
      if (counts)
        characters = std::max<std::size_t>(characters, first < 0x10000 ? first + 1 : 0);
      else if (first < characters)
        first_steps_[2 * first + continues] = trie_.step(from, first);
    };
    if (!counts) first_steps_ = std::vector<PieceTrie::Step>(2 * characters);
    for (const std::string_view name : vocabulary().pieces()) {
      if (name.empty() || find_invalid_utf8(name)) continue;
      take(decode_code_point(name, 0).value, PieceTrie::root, 0);
      if (name.size() > mark.size() && name.substr(0, mark.size()) == mark)
        take(decode_code_point(name, mark.size()).value, continuing_, 1);
    }
  }
}

// Appends the pieces of a clean word, or the unknown token where a part of it is no piece. `source` has the bytes that
// each of its characters came from, counted from `begin`.
void WordPiece::append_word(std::u32string_view word, const Span* source, std::size_t begin, Encoding& to) const {
  const std::size_t before = to.ids.size();
  const auto add = [&](std::int32_t id, std::size_t first, std::size_t end) {
    to.ids.push_back(id);
    to.offsets.push_back({begin + source[first].begin, begin + source[end - 1].end});
  };
  if (for_each_piece(word, add)) return;
  to.ids.resize(before);
  to.offsets.resize(before);
  add(special_ids().unknown, 0, word.size());
}

// Whether the text before `at`, where a segment begins, ends in a word that is unknown for its length.
bool WordPiece::goes_on_at(std::string_view text, std::size_t at) const {
  const std::size_t most = options().max_characters_per_word;
  if (at <= most) return false;
  const std::size_t tail = std::min(at, 4 * (most + 1));
  const std::u32string characters = clean_up(text.substr(at - tail, tail), options().clean_up).characters;
  const std::vector<Span> words = split_words(characters);
  return !words.empty() && words.back().end == characters.size() && words.back().end - words.back().begin > most;
}

// Where a word `goes_on` that the segment before ended in, what is here of it is the unknown token's, too.
void WordPiece::append_segment(std::string_view segment, std::size_t begin, Encoding& to, bool goes_on) const {
  const CleanText clean = clean_up(segment, options().clean_up);
  for (const Span word : split_words(clean.characters))
    if (goes_on && word.begin == 0 && !is_punctuation(clean.characters[0]))
      to.offsets.back().end = begin + clean.source[word.end - 1].end;
    else
      append_word(std::u32string_view{clean.characters}.substr(word.begin, word.end - word.begin),
                  clean.source.data() + word.begin, begin, to);
}

Encoding WordPiece::encode(std::string_view text, const EncodeOptions& options) const {
  Encoding result;
  encode_between_special(text, options, result, [&](std::string_view plain, std::size_t begin) {
    for_each_segment(plain, [&](std::string_view segment, std::size_t at) {
      append_segment(segment, begin + at, result, at > 0 && goes_on_at(plain, at));
    });
  });
  return result;
}

bool WordPiece::continues_word(std::int32_t id) const {
  const std::string& piece = vocabulary().piece(id);
  return piece.size() > options().wordpieces_prefix.size() && piece.starts_with(options().wordpieces_prefix);
}

std::string WordPiece::decode(std::span<const std::int32_t> ids, const DecodeOptions& options) const {
  const std::size_t mark = WordPieceModel::options().wordpieces_prefix.size();
  std::string text;
  for (std::int32_t id : ids) {
    std::string_view piece = vocabulary().piece(id);
    if (options.skip_special && vocabulary().is_special(id)) continue;
    if (text.empty()) {
      if (continues_word(id)) piece.remove_prefix(mark);
    } else if (continues_word(id)) {
      piece.remove_prefix(mark);
    } else {
      const char32_t before = last_character(text), after = decode_code_point(piece, 0).value;
      const bool together = wants_no_blank_after(before) || wants_no_blank_before(after) ||
                            (is_written_together(before) && is_written_together(after));
      if (!(options.tidy && together)) text += ' ';
    }
    text += piece;
  }
  return options.compose ? compose_utf8(text) : text;
}

void WordPieceModel::save(const std::filesystem::path& directory) const {
  make_directory(directory);
  const FileContent files[] = {{directory / "vocab.txt", [&] { return vocabulary().to_text(); }},
                               {directory / "tokenizer_config.json", [&] { return tokenizer_config_text(*this); }},
                               {directory / "tokenizer.json", [&] { return tokenizer_json_parts(*this); }}};
  write_files(files);
}

}  // namespace octet::text
