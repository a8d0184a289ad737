module octet.text;
import octet.standard;
import :encoding;
import :normalize;
import :special_names;
import :text_parts;
import :unicode;
import :utf8;
import :word_cache;
import :wordpiece;
import :wordpiece_encoder;

namespace octet::text {

namespace {

constexpr std::size_t known_letters = 0x10000;

}  // namespace

WordPieceEncoder::WordPieceEncoder(const WordPiece& tokenizer)
    : tokenizer_{&tokenizer},
      parts_{tokenizer.options().clean_up.handle_chinese_chars},
      letters_(known_letters),
      alone_ids_(known_letters, -1) {}

WordPieceEncoder::Letter WordPieceEncoder::letter_of(char32_t character) {
  const CleanUp& options = tokenizer_->options().clean_up;
  std::string bytes;
  append_utf8(bytes, character);
  const std::u32string clean = clean_up(bytes, options).characters;
  for (const char32_t each : clean)
    if (is_white_space(each) || is_punctuation(each) || (options.strips_accents() && facts_of(each).is_marked))
      return {.is_known = true};  // it parts words, or may change its place
  Letter letter{.characters = static_cast<std::uint32_t>(clean.size()), .is_known = true};
  if (clean.size() == 1) {
    letter.value = clean.front();
  } else {
    letter.value = static_cast<std::uint32_t>(expanded_.size());
    expanded_ += clean;
  }
  return letter;
}

// Whether the part is one word, each character of which clean-up takes by itself: then it is in `word_`.
bool WordPieceEncoder::take_letters(std::string_view part) {
  word_.clear();
  sources_.clear();
  for (std::size_t at = 0; at < part.size();) {
    const auto byte = static_cast<unsigned char>(part[at]);
    const CodePoint point = byte < 0x80 ? CodePoint{byte, 1} : decode_code_point(part, at);
    if (point.value >= known_letters) return false;
    Letter& letter = letters_[point.value];
    if (!letter.is_known) letter = letter_of(point.value);
    if (letter.characters == 0) return false;
    const Span span{at, at + point.length};
    if (letter.characters == 1) {
      word_ += static_cast<char32_t>(letter.value);
      sources_.push_back(span);
    } else {
      word_.append(expanded_, letter.value, letter.characters);
      sources_.resize(word_.size(), span);
    }
    at += point.length;
  }
  return true;
}

// Encodes a part into `encoding_`, and remembers what came of it.
void WordPieceEncoder::encode_anew(std::string_view part) {
  std::vector<std::int32_t>& ids = encoding_.ids;
  std::vector<Span>& offsets = encoding_.offsets;
  ids.clear();
  offsets.clear();
  if (take_letters(part))
    tokenizer_->append_word(word_, sources_.data(), 0, encoding_);
  else
    tokenizer_->append_segment(part, 0, encoding_);
  if (part.size() > WordCache::longest_word) return;
  if (words_.is_full()) {
    words_.clear();
    cached_.clear();
  }
  if (ids.size() == 1 && offsets.front() == Span{0, part.size()}) {
    words_.add(part, {.begin = static_cast<std::uint32_t>(ids.front()), .is_one = true});
    return;
  }
  words_.add(part, {static_cast<std::uint32_t>(cached_.size()), static_cast<std::uint16_t>(ids.size())});
  for (std::size_t i = 0; i < ids.size(); ++i)
    cached_.push_back(
        {ids[i], static_cast<std::uint16_t>(offsets[i].begin), static_cast<std::uint16_t>(offsets[i].end)});
}

// Appends the ids of a text without special names, and their ranges, counted from `begin`, where they are asked for.
void WordPieceEncoder::encode_plain(std::string_view text, std::size_t begin, std::vector<std::int32_t>& ids,
                                    std::vector<Span>* offsets) {
  const auto encode_segment = [&](std::string_view given, std::size_t segment_begin) {
    if (segment_.size() < given.size() + TextParts::room) segment_.resize(given.size() + TextParts::room);
    std::memcpy(segment_.data(), given.data(), given.size());
    const std::string_view segment{segment_.data(), given.size()};
    const char* const readable_end = segment_.data() + segment_.size();
    const std::size_t from = begin + segment_begin;
    const auto add = [&](std::int32_t id, std::size_t first, std::size_t last) {
      ids.push_back(id);
      if (offsets) offsets->push_back({from + first, from + last});
    };
    const auto encode_part = [&](std::size_t first, std::size_t last) {
      const std::string_view part = segment.substr(first, last - first);
      const WordCache::Numbers* const known = words_.find(part, readable_end);
      if (!known) {
        encode_anew(part);
        for (std::size_t i = 0; i < encoding_.ids.size(); ++i)
          add(encoding_.ids[i], first + encoding_.offsets[i].begin, first + encoding_.offsets[i].end);
      } else if (known->is_one) {
        add(static_cast<std::int32_t>(known->begin), first, last);
      } else {
        const Piece* piece = cached_.data() + known->begin;
        for (const Piece* const end = piece + known->size; piece != end; ++piece)
          add(piece->id, first + piece->begin, first + piece->end);
      }
    };
    parts_.for_each(segment, encode_part, [&](std::size_t first, std::size_t last, char32_t character) {
      const bool is_usual = character < alone_ids_.size();
      if (is_usual && alone_ids_[character] >= 0) return add(alone_ids_[character], first, last);
      encode_part(first, last);
      const WordCache::Numbers* const known = words_.find(segment.substr(first, last - first), readable_end);
      if (is_usual && known->is_one) alone_ids_[character] = static_cast<std::int32_t>(known->begin);
    });
  };
  for_each_segment(text, std::ref(encode_segment));
}

Encoding WordPieceEncoder::encode(std::string_view text, const EncodeOptions& options) {
  return tokenizer_->encode_between_special(text, options,
                                            [&](std::string_view plain, std::size_t begin, Encoding& to) {
                                              encode_plain(plain, begin, to.ids, &to.offsets);
                                            });
}

void WordPieceEncoder::append_ids(std::string_view text, std::vector<std::int32_t>& to) {
  encode_plain(text, 0, to, nullptr);
}

}  // namespace octet::text
