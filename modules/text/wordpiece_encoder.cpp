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

bool is_control(Category c) { return c == Category::Cc || c == Category::Cf || c == Category::Co; }

}  // namespace

WordPieceEncoder::WordPieceEncoder(const WordPiece& tokenizer)
    : tokenizer_{&tokenizer},
      facts_{first_plane_facts()},
      parts_{tokenizer.options().clean_up.handle_chinese_chars},
      alone_ids_(facts_.size(), -1) {}

// Whether the part is one word that clean-up leaves as it is, but for capital letters of ASCII: then it is in `word_`.
bool WordPieceEncoder::is_clean_word(std::string_view part) {
  const WordPieceOptions& options = tokenizer_->options();
  const bool strips = options.clean_up.strips_accents(), lowers = options.clean_up.lowercase;
  const bool parts_chinese = options.clean_up.handle_chinese_chars;
  word_ = part;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < part.size(); ++characters) {
    const auto byte = static_cast<unsigned char>(part[at]);
    if (byte < 0x80) {
      if (byte <= ' ' || byte == 0x7F || (is_punctuation(byte) && part.size() > 1)) return false;
      if (lowers && byte >= 'A' && byte <= 'Z') word_[at] = static_cast<char>(byte + 32);
      ++at;
      continue;
    }
    const CodePoint point = decode_code_point(part, at);
    const CharacterFacts is = facts(point.value);
    const bool is_whole = point.length == part.size();  // and may be a word of its own
    const bool stays = point.value != replacement_character && !(strips && is.is_marked) &&
                       !(lowers && is.has_lowercase) && !(is.is_chinese && parts_chinese && !is_whole) &&
                       (is.category_in_8 < Category::Pc || is.category_in_8 == Category::Cn || is_whole ||
                        (is.category_in_8 >= Category::Sm && is.category_in_8 <= Category::So)) &&
                       !(is.category >= Category::Zs && is.category < Category::Cn) && !is_control(is.category_in_8);
    if (!stays) return false;
    at += point.length;
  }
  return characters <= options.max_characters_per_word;
}

// Encodes a part into `encoding_`, and remembers what came of it.
void WordPieceEncoder::encode_anew(std::string_view part) {
  std::vector<std::int32_t>& ids = encoding_.ids;
  std::vector<Span>& offsets = encoding_.offsets;
  ids.clear();
  offsets.clear();
  if (!is_clean_word(part))
    tokenizer_->append_segment(part, 0, encoding_);
  else if (!tokenizer_->append_word(word_, 0, encoding_))
    tokenizer_->append_unknown({0, part.size()}, encoding_);
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
