module octet.text;
import octet.base;
import octet.standard;
import :piece_finder;
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

bool is_within_character(std::string_view bytes, std::size_t at) {
  return at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80;
}

// The piece that is `prefix` and then `rest`, which have this hash together.
std::optional<std::int32_t> find_piece(const PieceFinder& finder, const std::vector<std::string>& pieces,
                                       PieceFinder::Hash hash, std::string_view prefix, std::string_view rest) {
  return finder.find(hash, [&](std::int32_t id) {
    const std::string_view piece = pieces[static_cast<std::size_t>(id)];
    return piece.size() == prefix.size() + rest.size() && piece.starts_with(prefix) && piece.ends_with(rest);
  });
}

char32_t last_character(std::string_view text) {
  std::size_t begin = text.size();
  do --begin;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80);
  return decode_code_point(text, begin).value;
}

}  // namespace

WordPiece::WordPiece(Vocabulary vocabulary, WordPieceOptions options)
    : vocabulary_{std::move(vocabulary)},
      options_{std::move(options)},
      longest_that_begins_(vocabulary_.size()),
      prefix_hash_{PieceFinder::hash(options_.wordpieces_prefix)} {
  const std::vector<std::string>& pieces = vocabulary_.pieces();
  for (const std::string& piece : pieces) {
    longest_piece_ = std::max(longest_piece_, piece.size());
    PieceFinder::Hash hash = PieceFinder::empty;
    for (std::size_t end = 1; end <= piece.size(); ++end) {
      hash = PieceFinder::hash(std::string_view{piece}.substr(end - 1, 1), hash);
      if (is_within_character(piece, end)) continue;
      const auto beginning = find_piece(vocabulary_.finder_, pieces, hash, {}, std::string_view{piece}.substr(0, end));
      if (!beginning) continue;
      std::size_t& longest = longest_that_begins_[static_cast<std::size_t>(*beginning)];
      longest = std::max(longest, piece.size());
    }
  }
}

void WordPiece::append_unknown(Span span, Encoding& to) const {
  to.ids.push_back(special_ids().unknown);
  to.offsets.push_back(span);
}

// Appends the pieces of a clean word, with the bytes of it that each stands for; nothing where a part of it is no
// piece.
bool WordPiece::append_word(std::string_view word, std::size_t begin, Encoding& to) const {
  const std::vector<std::string>& pieces = vocabulary_.pieces();
  const std::size_t before = to.ids.size();
  for (std::size_t at = 0; at < word.size();) {
    const std::string_view prefix = at == 0 ? std::string_view{} : options_.wordpieces_prefix;
    const std::string_view rest = word.substr(at);
    std::size_t most = std::min(rest.size(), longest_piece_ - std::min(prefix.size(), longest_piece_));
    PieceFinder::Hash hash = at == 0 ? PieceFinder::empty : prefix_hash_;
    std::int32_t longest = -1;
    std::size_t length = 0;
    for (std::size_t end = 1; end <= most; ++end) {
      hash = PieceFinder::hash(rest.substr(end - 1, 1), hash);
      if (is_within_character(rest, end)) continue;
      const auto found = find_piece(vocabulary_.finder_, pieces, hash, prefix, rest.substr(0, end));
      if (found) {
        longest = *found;
        length = end;
        most = std::min(most, longest_that_begins_[static_cast<std::size_t>(longest)] - prefix.size());
      }
    }
    if (longest < 0) {
      to.ids.resize(before);
      to.offsets.resize(before);
      return false;
    }
    to.ids.push_back(longest);
    to.offsets.push_back({begin + at, begin + at + length});
    at += length;
  }
  return true;
}

void WordPiece::append_segment(std::string_view segment, std::size_t begin, Encoding& to) const {
  const CleanText clean = clean_up(segment, options_.clean_up);
  std::string bytes;  // of a word
  for (const Span word : split_words(clean.characters)) {
    const auto source = [&](std::size_t first, std::size_t last) {
      return Span{begin + clean.source[first].begin, begin + clean.source[last].end};
    };
    bytes.clear();
    const bool fits = word.end - word.begin <= options_.max_characters_per_word;
    for (std::size_t i = word.begin; fits && i < word.end; ++i) append_utf8(bytes, clean.characters[i]);
    std::size_t piece = to.ids.size();
    if (!fits || !append_word(bytes, 0, to)) {
      append_unknown(source(word.begin, word.end - 1), to);
      continue;
    }
    for (std::size_t first = word.begin; piece < to.offsets.size(); ++piece) {
      const std::string_view part =
          std::string_view{bytes}.substr(to.offsets[piece].begin, to.offsets[piece].end - to.offsets[piece].begin);
      const auto length = static_cast<std::size_t>(
          std::ranges::count_if(part, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
      to.offsets[piece] = source(first, first + length - 1);
      first += length;
    }
  }
}

Encoding WordPiece::encode(std::string_view text, const EncodeOptions& options) const {
  return encode_between_special(text, options, [&](std::string_view plain, std::size_t begin, Encoding& to) {
    for_each_segment(plain, [&](std::string_view segment, std::size_t at) { append_segment(segment, begin + at, to); });
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
  const FileContent files[] = {{directory / "vocab.txt", [&] { return vocabulary_.to_text(); }},
                               {directory / "tokenizer_config.json", [&] { return tokenizer_config_text(*this); }},
                               {directory / "tokenizer.json", [&] { return tokenizer_json_text(*this); }}};
  write_files(files);
}

}  // namespace octet::text
