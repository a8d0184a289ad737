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
constexpr std::size_t longest_part = 1 << 10;  // that is encoded as a word
constexpr std::size_t usual_pieces = 1 << 15;  // of what is remembered of a text of a megabyte

}  // namespace

WordPieceEncoder::WordPieceEncoder(const WordPiece& tokenizer)
    : tokenizer_{&tokenizer},
      parts_{tokenizer.options().clean_up.handle_chinese_chars},
      letters_(known_letters),
      alone_ids_(known_letters, -1) {
  cached_.reserve(usual_pieces);
}

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

// The characters of a part that is one word, each of which clean-up takes by itself: they are in `word_`, and where
// each came from in `sources_`. None where it is no such part.
std::size_t WordPieceEncoder::take_letters(std::string_view part) {
  const auto make_room = [&](std::size_t characters) {
    if (word_.size() >= characters) return;
    word_.resize(2 * characters);
    sources_.resize(2 * characters);
  };
  make_room(part.size());
  std::size_t count = 0;
  for (std::size_t at = 0; at < part.size();) {
    const auto byte = static_cast<unsigned char>(part[at]);
    const CodePoint point = byte < 0x80 ? CodePoint{byte, 1} : decode_code_point(part, at);
    if (point.value >= known_letters) return 0;
    Letter& letter = letters_[point.value];
    if (!letter.is_known) letter = letter_of(point.value);
    if (letter.characters == 0) return 0;
    const Span span{at, at + point.length};
    at += point.length;
    if (letter.characters == 1) {
      word_[count] = static_cast<char32_t>(letter.value);
      sources_[count++] = span;
      continue;
    }
    make_room(count + letter.characters + part.size() - at);
    for (std::size_t i = 0; i < letter.characters; ++i) {
      word_[count] = expanded_[letter.value + i];
      sources_[count++] = span;
    }
  }
  return count;
}

// Encodes a part into the last of `cached_`, and remembers what came of it where it is no longer than words that are.
// Gives how many pieces it has.
std::size_t WordPieceEncoder::encode_anew(std::string_view part) {
  if (words_.is_full()) {
    words_.clear();
    cached_.clear();
  }
  const std::size_t begin = cached_.size();
  const auto add = [&](std::int32_t id, std::size_t first, std::size_t end) {
    cached_.push_back({id, static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(end)});
  };
  if (const std::size_t letters = take_letters(part); letters > 0) {
    const bool is_known = tokenizer_->for_each_piece(std::u32string_view{word_}.substr(0, letters),
                                                     [&](std::int32_t id, std::size_t first, std::size_t end) {
                                                       add(id, sources_[first].begin, sources_[end - 1].end);
                                                     });
    if (!is_known) {
      cached_.resize(begin);
      add(tokenizer_->special_ids().unknown, 0, part.size());
    }
  } else {
    Encoding encoding;
    tokenizer_->append_segment(part, 0, encoding);
    for (std::size_t i = 0; i < encoding.ids.size(); ++i)
      add(encoding.ids[i], encoding.offsets[i].begin, encoding.offsets[i].end);
  }
  const std::size_t size = cached_.size() - begin;
  if (part.size() > WordCache::longest_word) return size;
  if (size == 1 && cached_.back().begin == 0 && cached_.back().end == part.size())
    words_.add(part, {.begin = static_cast<std::uint32_t>(cached_.back().id), .is_one = true});
  else
    words_.add(part, {static_cast<std::uint32_t>(begin), static_cast<std::uint16_t>(size)});
  return size;
}

// Appends the ids of a text without special names, and their ranges, counted from `begin`, where they are asked for.
void WordPieceEncoder::encode_plain(std::string_view text, std::size_t begin, std::vector<std::int32_t>& ids,
                                    std::vector<Span>* offsets, const std::function<void()>& end_segment) {
  if (text.size() > surely_one_segment) return encode_segments<true>(text, begin, ids, offsets, end_segment);
  encode_segments<false>(text, begin, ids, offsets, end_segment);
}

template <bool several>
void WordPieceEncoder::encode_segments(std::string_view text, std::size_t begin, std::vector<std::int32_t>& ids,
                                       std::vector<Span>* offsets, const std::function<void()>& end_segment) {
  const auto encode_segment = [&](std::string_view given, std::size_t segment_begin) {
    if (segment_.size() < given.size() + TextParts::room) segment_.resize(given.size() + TextParts::room);
    std::memcpy(segment_.data(), given.data(), given.size());
    const std::string_view segment{segment_.data(), given.size()};
    const char* const readable_end = segment_.data() + segment_.size();
    const std::size_t from = begin + segment_begin;
    const bool goes_on = several && tokenizer_->goes_on_at(text, segment_begin);
    const auto add = [&](std::int32_t id, std::size_t first, std::size_t last) {
      ids.push_back(id);
      if (offsets) offsets->push_back({from + first, from + last});
    };
    // What is rare stays out of the loop over the parts, and what is rarer out of that.
    const auto encode_long_part = [&](std::string_view part, std::size_t first) __attribute__((noinline)) {
      Encoding encoding;
      encoding.ids.resize(goes_on);  // what stands for the word that goes on
      encoding.offsets.resize(goes_on);
      tokenizer_->append_segment(part, 0, encoding, goes_on);
      if (goes_on && offsets) offsets->back().end += encoding.offsets[0].end;
      for (std::size_t i = goes_on; i < encoding.ids.size(); ++i)
        add(encoding.ids[i], first + encoding.offsets[i].begin, first + encoding.offsets[i].end);
    };
    const auto encode_new_part = [&](std::string_view part, std::size_t first) __attribute__((noinline)) {
      if (goes_on || part.size() > longest_part) return encode_long_part(part, first);
      const std::size_t size = encode_anew(part), from = cached_.size() - size;
      for (std::size_t i = from; i < cached_.size(); ++i)
        add(cached_[i].id, first + cached_[i].begin, first + cached_[i].end);
      if (part.size() > WordCache::longest_word) cached_.resize(from);
    };
    const auto encode_part = [&](std::size_t first, std::size_t last) {
      const std::string_view part = segment.substr(first, last - first);
      const WordCache::Numbers* const known = words_.find(part, readable_end);
      if (!known) {
        encode_new_part(part, first);
      } else if (known->is_one) {
        add(static_cast<std::int32_t>(known->begin), first, last);
      } else {
        const Piece* piece = cached_.data() + known->begin;
        for (const Piece* const end = piece + known->size; piece != end; ++piece)
          add(piece->id, first + piece->begin, first + piece->end);
      }
    };
    const auto encode_alone = [&](std::size_t first, std::size_t last, char32_t character) {
      const bool is_usual = character < alone_ids_.size();
      if (is_usual && alone_ids_[character] >= 0) return add(alone_ids_[character], first, last);
      encode_part(first, last);
      const WordCache::Numbers* const known = words_.find(segment.substr(first, last - first), readable_end);
      if (is_usual && known->is_one) alone_ids_[character] = static_cast<std::int32_t>(known->begin);
    };
    if (goes_on)
      encode_new_part(segment, 0);
    else
      parts_.for_each(segment, encode_part, encode_alone);
    const std::size_t end = segment_begin + given.size();
    if (end_segment && (!several || end == text.size() || !tokenizer_->goes_on_at(text, end))) end_segment();
  };
  if constexpr (several)
    for_each_segment(text, std::ref(encode_segment));
  else
    encode_segment(text, 0);
}

void WordPieceEncoder::encode_to(Encoding& result, std::string_view text, const EncodeOptions& options,
                                 const EncodingFunction& take) {
  tokenizer_->encode_between_special(text, options, result, [&](std::string_view plain, std::size_t begin) {
    encode_plain(plain, begin, result.ids, &result.offsets, [&] { give_part(result, take); });
  });
}

Encoding WordPieceEncoder::encode(std::string_view text, const EncodeOptions& options) {
  Encoding result;
  encode_to(result, text, options, {});
  return result;
}

void WordPieceEncoder::encode(std::string_view text, const EncodeOptions& options, const EncodingFunction& take) {
  Encoding rest;
  encode_to(rest, text, options, take);
  take(rest);
}

void WordPieceEncoder::append_ids(std::string_view text, std::vector<std::int32_t>& to) {
  encode_plain(text, 0, to, nullptr, {});
}

}  // namespace octet::text
