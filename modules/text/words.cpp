module octet.text;
import octet.standard;

namespace octet::text {

namespace {

[[gnu::noinline]] std::size_t end_within(std::string_view text) {
  const std::size_t blank = text.substr(0, longest_segment + 1).find_first_of(" \t\v\f", surely_one_segment);
  if (blank != text.npos) return blank;
  if (text.size() <= longest_segment) return text.size();
  const std::size_t mark = text.find_last_of("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", longest_segment - 1);
  if (mark != text.npos && mark > surely_one_segment) return mark + 1;
  std::size_t end = longest_segment;
  while (end > longest_segment - 4 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return end;
}

}  // namespace

std::size_t segment_end(std::string_view text) {
  return text.size() <= surely_one_segment ? text.size() : end_within(text);
}

void for_each_segment(std::string_view text, const std::function<void(std::string_view, std::size_t)>& function) {
  std::size_t begin = 0, end = segment_end(text);
  while (end < text.size()) {
    function(text.substr(begin, end - begin), begin);
    begin = std::exchange(end, end + segment_end(text.substr(end)));
  }
  function(text.substr(begin), begin);
}

std::vector<Span> split_words(std::u32string_view characters) {
  std::vector<Span> words;
  std::size_t begin = 0;  // of the word that is growing
  const auto end_word = [&](std::size_t end) {
    if (end > begin) words.push_back({begin, end});
  };
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (is_white_space(characters[i])) {
      end_word(i);
      begin = i + 1;
    } else if (is_punctuation(characters[i])) {
      end_word(i);
      words.push_back({i, i + 1});
      begin = i + 1;
    }
  }
  end_word(characters.size());
  return words;
}

}  // namespace octet::text
