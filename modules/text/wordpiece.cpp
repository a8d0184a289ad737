module octet.text;
import octet.base;
import octet.standard;

namespace octet::text {

namespace {

// The first name of a special token at or after `from`, the longest where several begin there; npos where there is
// none.
std::pair<std::size_t, std::size_t> find_special(std::string_view text, std::size_t from,
                                                 const SpecialTokens& special) {
  std::size_t at = text.npos, length = 0;
  for (const std::string& name : special.all()) {
    const std::size_t found = text.find(name, from);
    if (found < at || (found == at && found != text.npos && name.size() > length)) {
      at = found;
      length = name.size();
    }
  }
  return {at, length};
}

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

WordPiece::WordPiece(Vocabulary vocabulary, WordPieceOptions options)
    : vocabulary_{std::move(vocabulary)}, options_{std::move(options)} {
  for (const std::string& piece : vocabulary_.pieces()) longest_piece_ = std::max(longest_piece_, piece.size());
}

void WordPiece::append_plain(std::string_view text, std::size_t begin, Encoding& to) const {
  for_each_segment(text, [&](std::string_view segment, std::size_t at) { append_segment(segment, begin + at, to); });
}

void WordPiece::append_segment(std::string_view segment, std::size_t begin, Encoding& to) const {
  const CleanText clean = clean_up(segment, options_.clean_up);
  const std::size_t prefix = options_.wordpieces_prefix.size();
  std::string bytes;              // the prefix, then the word
  std::vector<std::size_t> ends;  // in `bytes`, of each of its characters
  for (const Span word : split_words(clean.characters)) {
    const std::size_t first_piece = to.ids.size();
    const auto source = [&](std::size_t first, std::size_t last) {
      return Span{begin + clean.source[word.begin + first].begin, begin + clean.source[word.begin + last].end};
    };
    const auto give_up = [&] {
      to.ids.resize(first_piece);
      to.offsets.resize(first_piece);
      to.ids.push_back(special_ids().unknown);
      to.offsets.push_back(source(0, word.end - word.begin - 1));
    };
    if (word.end - word.begin > options_.max_characters_per_word) {
      give_up();
      continue;
    }
    bytes = options_.wordpieces_prefix;
    ends.clear();
    for (std::size_t i = word.begin; i < word.end; ++i) {
      append_utf8(bytes, clean.characters[i]);
      ends.push_back(bytes.size());
    }
    for (std::size_t first = 0; first < ends.size();) {
      // A continuing piece is looked up with its prefix, which is copied over what came before it.
      std::size_t from = prefix;
      if (first > 0) {
        from = ends[first - 1] - prefix;
        bytes.replace(from, prefix, options_.wordpieces_prefix);
      }
      std::size_t last = ends.size();
      while (last > first && ends[last - 1] - from > longest_piece_) --last;
      std::optional<std::int32_t> id;
      for (; last > first; --last)
        if ((id = vocabulary_.id(std::string_view{bytes}.substr(from, ends[last - 1] - from)))) break;
      if (!id) {
        give_up();
        break;
      }
      to.ids.push_back(*id);
      to.offsets.push_back(source(first, last - 1));
      first = last;
    }
  }
}

Encoding WordPiece::encode(std::string_view text, const EncodeOptions& options) const {
  Encoding result;
  const auto add = [&](std::int32_t id, Span span) {
    result.ids.push_back(id);
    result.offsets.push_back(span);
  };
  if (options.add_special) add(special_ids().classification, {0, 0});
  for (std::size_t from = 0; from < text.size();) {
    std::size_t at = text.size(), length = 0;
    if (options.recognize_special)
      if (const auto found = find_special(text, from, vocabulary_.special()); found.first != text.npos)
        std::tie(at, length) = found;
    append_plain(text.substr(from, at - from), from, result);
    if (length) add(*vocabulary_.id(text.substr(at, length)), {at, at + length});
    from = at + length;
  }
  if (options.add_special) add(special_ids().separator, {text.size(), text.size()});
  return result;
}

void WordPiece::append_ids(std::string_view line, std::vector<std::int32_t>& to) const {
  Encoding encoding;
  for_each_segment(line, [&](std::string_view segment, std::size_t) {
    encoding.ids.clear();
    encoding.offsets.clear();
    append_segment(segment, 0, encoding);
    to.insert(to.end(), encoding.ids.begin(), encoding.ids.end());
  });
}

bool WordPiece::continues_word(std::int32_t id) const {
  const std::string& piece = vocabulary_.piece(id);
  return piece.size() > options_.wordpieces_prefix.size() && piece.starts_with(options_.wordpieces_prefix);
}

std::string WordPiece::decode(std::span<const std::int32_t> ids, const DecodeOptions& options) const {
  std::string text;
  for (std::int32_t id : ids) {
    std::string_view piece = vocabulary_.piece(id);
    if (options.skip_special && vocabulary_.is_special(id)) continue;
    if (text.empty()) {
      if (continues_word(id)) piece.remove_prefix(options_.wordpieces_prefix.size());
    } else if (continues_word(id)) {
      piece.remove_prefix(options_.wordpieces_prefix.size());
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

void WordPiece::save(const std::filesystem::path& directory) const {
  make_directory(directory);
  const FileContent files[] = {{directory / "vocab.txt", vocabulary_.to_text()},
                               {directory / "tokenizer_config.json", tokenizer_config_text(*this)},
                               {directory / "tokenizer.json", tokenizer_json_text(*this)}};
  write_files(files);
}

}  // namespace octet::text
