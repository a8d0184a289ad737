module octet.text;
import octet.standard;

namespace octet::text {

namespace {

// The steps of the clean-up, each from one text to the next, in the order in which BERT applies them.

CleanText decoded(std::string_view text, bool clean) {
  CleanText result;
  result.characters.reserve(text.size());
  result.source.reserve(text.size());
  for (std::size_t offset = 0; offset < text.size();) {
    const CodePoint point = decode_code_point(text, offset);
    const Span span{offset, offset + point.length};
    offset += point.length;
    char32_t character = point.value;
    if (clean) {
      if (character == 0 || character == replacement_character || is_control(character)) continue;
      if (is_white_space(character)) character = ' ';
    }
    result.characters += character;
    result.source.push_back(span);
  }
  return result;
}

CleanText with_blanks_around_chinese(CleanText text) {
  std::size_t count = 0;
  for (char32_t character : text.characters) count += is_chinese_character(character);
  if (count == 0) return text;
  CleanText result;
  result.characters.reserve(text.characters.size() + 2 * count);
  result.source.reserve(text.characters.size() + 2 * count);
  const auto add = [&](char32_t character, Span span) {
    result.characters += character;
    result.source.push_back(span);
  };
  for (std::size_t i = 0; i < text.characters.size(); ++i) {
    const bool chinese = is_chinese_character(text.characters[i]);
    const Span span = text.source[i];
    if (chinese) add(' ', {span.begin, span.begin});
    add(text.characters[i], span);
    if (chinese) add(' ', {span.end, span.end});
  }
  return result;
}

CleanText without_accents(CleanText text) {
  bool plain = true;
  for (char32_t character : text.characters) plain = plain && character < 0xC0;
  if (plain) return text;
  std::vector<std::size_t> origins;
  const std::u32string parts = decompose(text.characters, &origins);
  CleanText result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is_nonspacing_mark(parts[i])) continue;
    result.characters += parts[i];
    result.source.push_back(text.source[origins[i]]);
  }
  return result;
}

CleanText lowercased(CleanText text) {
  CleanText result;
  result.characters.reserve(text.characters.size());
  result.source.reserve(text.characters.size());
  for (std::size_t i = 0; i < text.characters.size(); ++i) {
    append_lowercase(result.characters, text.characters[i]);
    result.source.resize(result.characters.size(), text.source[i]);
  }
  return result;
}

}  // namespace

CleanText clean_up(std::string_view text, const CleanUp& options) {
  CleanText result = decoded(text, options.clean_text);
  if (options.handle_chinese_chars) result = with_blanks_around_chinese(std::move(result));
  if (options.strips_accents()) result = without_accents(std::move(result));
  if (options.lowercase) result = lowercased(std::move(result));
  return result;
}

std::vector<Span> in_characters(std::string_view text, const std::vector<Span>& bytes) {
  return CharacterRanges{text}.of(bytes);
}

std::vector<Span> CharacterRanges::of(const std::vector<Span>& bytes) {
  // Goes on to the character that has the byte, or to the end of the text.
  const auto go_to = [&](std::size_t byte, std::size_t& at, std::size_t& count) {
    while (at < byte) {
      const std::size_t next = at + decode_code_point(text_, at).length;
      if (next > byte) return;
      at = next;
      ++count;
    }
  };
  std::vector<Span> result;
  result.reserve(bytes.size());
  for (const auto& [begin, end] : bytes) {
    if (begin < at_) at_ = count_ = 0;
    go_to(begin, at_, count_);
    std::size_t last = at_, after = count_;
    if (begin < end) {
      go_to(end - 1, last, after);
      ++after;
    }
    result.push_back({count_, after});
  }
  return result;
}

}  // namespace octet::text
