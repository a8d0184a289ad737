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
  std::size_t last = 0;  // that is asked for
  for (const Span& range : bytes) last = std::max(last, range.end);
  constexpr std::size_t longest_character = 4;
  const std::size_t size = std::min(text.size(), last + longest_character) + 1;
  std::vector<std::size_t> begun(size, 0), ended(size, 0);  // characters, at each byte
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size() && offset <= last; ++count) {
    const std::size_t end = offset + decode_code_point(text, offset).length;
    for (std::size_t i = offset; i < end; ++i) {
      ended[i] = count;
      begun[i + 1] = count + 1;
    }
    offset = end;
  }
  if (last == text.size()) ended[last] = count;
  std::vector<Span> result;
  result.reserve(bytes.size());
  for (const auto& [begin, end] : bytes) result.push_back({ended[begin], begin == end ? ended[end] : begun[end]});
  return result;
}

}  // namespace octet::text
