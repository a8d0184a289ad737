module;
#include <cstdint>
module octet.text;
import octet.standard;
import :normalize;
import :unicode;
import :utf8;
import :wordpiece;
import :wordpiece_encoder;

namespace octet::text {

namespace {

constexpr std::size_t most_cached_parts = 1 << 16, longest_cached_part = 64;
constexpr std::size_t longest_line = 1 << 16;  // longer ones are cut elsewhere, too

bool is_ascii_blank(char letter) { return letter == ' ' || letter == '\t'; }

// Never a part of a word. (A control character may be: clean-up takes it out, and its neighbours are one word then.)
bool is_ascii_punctuation(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return (byte > 0x20 && byte < 0x30) || (byte > 0x39 && byte < 0x41) || (byte > 0x5A && byte < 0x61) ||
         (byte > 0x7A && byte < 0x7F);
}

}  // namespace

void WordPieceEncoder::append_part(std::string_view part, std::vector<std::int32_t>& to) {
  if (const auto known = parts_.find(part); known != parts_.end()) {
    const auto begin = cached_.begin() + known->second.begin;
    to.insert(to.end(), begin, begin + known->second.size);
    return;
  }
  const std::size_t before = to.size();
  tokenizer_->append_ids(part, to);
  if (part.size() > longest_cached_part) return;
  if (parts_.size() == most_cached_parts) {
    parts_.clear();
    cached_.clear();
  }
  parts_.emplace(part,
                 Part{static_cast<std::uint32_t>(cached_.size()), static_cast<std::uint32_t>(to.size() - before)});
  cached_.insert(cached_.end(), to.begin() + static_cast<std::ptrdiff_t>(before), to.end());
}

void WordPieceEncoder::append_ids(std::string_view line, std::vector<std::int32_t>& to) {
  if (line.size() > longest_line) return tokenizer_->append_ids(line, to);
  const bool parts_chinese = tokenizer_->options().clean_up.handle_chinese_chars;
  std::size_t begin = 0;  // of the part that is growing
  const auto end_part = [&](std::size_t end) {
    if (end > begin) append_part(line.substr(begin, end - begin), to);
  };
  for (std::size_t at = 0; at < line.size();) {
    const auto byte = static_cast<unsigned char>(line[at]);
    std::size_t length = 1;
    bool alone = is_ascii_punctuation(line[at]);
    if (parts_chinese && byte >= 0xE3 && byte <= 0xE9) {
      const CodePoint point = decode_code_point(line, at);
      alone = is_chinese_character(point.value);
      length = point.length;
    }
    if (alone || is_ascii_blank(line[at])) {
      end_part(at);
      begin = at;
      if (alone) end_part(at + length);
      begin = at + length;
    }
    at += length;
  }
  end_part(line.size());
}

}  // namespace octet::text
