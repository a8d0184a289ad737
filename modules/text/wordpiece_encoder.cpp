module octet.text;
import octet.standard;
import :encoding;
import :normalize;
import :special_names;
import :unicode;
import :utf8;
import :word_cache;
import :wordpiece;
import :wordpiece_encoder;

namespace octet::text {

namespace {

enum class Role : std::uint8_t { inside, blank, alone, unknown };

constexpr auto byte_roles = [] {
  std::array<Role, 256> result{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool is_punctuation = (byte > 0x20 && byte < 0x30) || (byte > 0x39 && byte < 0x41) ||
                                (byte > 0x5A && byte < 0x61) || (byte > 0x7A && byte < 0x7F);
    // Other control characters may be parts of a word: clean-up takes them out, and their neighbours are one word then.
    const bool is_blank = byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
    result[byte] = byte >= 0x80 ? Role::unknown : is_punctuation ? Role::alone : is_blank ? Role::blank : Role::inside;
  }
  return result;
}();

// How many of the eight bytes at `from` are letters and digits of ASCII, up to the first that is none. Each byte of a
// number of eight is compared by adding to it what carries into its upper bit.
std::size_t plain_letters(const char* from) {
  constexpr std::uint64_t each = 0x0101010101010101u, upper = 0x80 * each;
  std::uint64_t bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  const auto is_from_to = [](std::uint64_t seven_bits, char first, char last) {
    const std::uint64_t first_on = seven_bits + (0x80u - static_cast<unsigned char>(first)) * each;
    const std::uint64_t beyond = seven_bits + (0x7Fu - static_cast<unsigned char>(last)) * each;
    return first_on & ~beyond;
  };
  const std::uint64_t low = bytes & ~upper;
  const std::uint64_t plain = (is_from_to(low | 0x20 * each, 'a', 'z') | is_from_to(low, '0', '9')) & ~bytes;
  return static_cast<std::size_t>(std::countr_zero(~plain & upper)) / 8;
}

bool is_control(Category c) { return c == Category::Cc || c == Category::Cf || c == Category::Co; }

// Where every clean-up leaves it blank, or a word of its own.
Role role_of(const CharacterFacts& facts, bool parts_chinese) {
  if (facts.is_chinese) return parts_chinese ? Role::alone : Role::inside;
  if (facts.is_marked || facts.has_lowercase) return Role::inside;
  if (facts.category_in_8 >= Category::Pc && facts.category_in_8 <= Category::Po) return Role::alone;
  if (facts.category >= Category::Zs && facts.category <= Category::Zp && !is_control(facts.category_in_8))
    return Role::blank;
  return Role::inside;
}

}  // namespace

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
      if (byte <= ' ' || byte == 0x7F || (byte_roles[byte] == Role::alone && part.size() > 1)) return false;
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

// Calls `add` with the id and the range of each piece of a part, which begins at `begin`.
template <class Add>
void WordPieceEncoder::encode_part(std::string_view part, std::size_t begin, Add add) {
  if (const WordCache::Numbers* known = parts_.find(part)) {
    const Piece* piece = cached_.data() + known->begin;
    for (const Piece* const end = piece + known->size; piece != end; ++piece)
      add(piece->id, Span{begin + piece->begin, begin + piece->end});
    return;
  }
  encoding_.ids.clear();
  encoding_.offsets.clear();
  if (!is_clean_word(part))
    tokenizer_->append_segment(part, 0, encoding_);
  else if (!tokenizer_->append_word(word_, 0, encoding_))
    tokenizer_->append_unknown({0, part.size()}, encoding_);
  const std::size_t size = encoding_.ids.size();
  for (std::size_t i = 0; i < size; ++i)
    add(encoding_.ids[i], Span{begin + encoding_.offsets[i].begin, begin + encoding_.offsets[i].end});
  if (part.size() > WordCache::longest_word) return;
  if (parts_.is_full()) {
    parts_.clear();
    cached_.clear();
  }
  parts_.add(part, {static_cast<std::uint32_t>(cached_.size()), static_cast<std::uint16_t>(size)});
  for (std::size_t i = 0; i < size; ++i)
    cached_.push_back({encoding_.ids[i], static_cast<std::uint16_t>(encoding_.offsets[i].begin),
                       static_cast<std::uint16_t>(encoding_.offsets[i].end)});
}

template <class Add>
void WordPieceEncoder::encode_plain(std::string_view text, std::size_t begin, Add add) {
  const bool parts_chinese = tokenizer_->options().clean_up.handle_chinese_chars;
  const auto encode_segment = [&](std::string_view segment, std::size_t segment_begin) {
    const auto encode_from = [&](std::size_t first, std::size_t last) {
      if (last > first) encode_part(segment.substr(first, last - first), begin + segment_begin + first, add);
    };
    std::size_t first = 0;  // of the part that is growing
    for (std::size_t at = 0; at < segment.size();) {
      if (std::endian::native == std::endian::little && segment.size() - at >= 8) {
        const std::size_t letters = plain_letters(segment.data() + at);
        at += letters;
        if (letters == 8) continue;
      }
      Role role = byte_roles[static_cast<unsigned char>(segment[at])];
      std::size_t length = 1;
      if (role == Role::unknown) {
        const CodePoint point = decode_code_point(segment, at);
        role = role_of(facts(point.value), parts_chinese);
        length = point.length;
      }
      at += length;
      if (role == Role::inside) continue;
      encode_from(first, at - length);
      if (role == Role::alone) encode_from(at - length, at);
      first = at;
    }
    encode_from(first, segment.size());
  };
  for_each_segment(text, std::ref(encode_segment));
}

Encoding WordPieceEncoder::encode(std::string_view text, const EncodeOptions& options) {
  return tokenizer_->encode_between_special(text, options,
                                            [&](std::string_view plain, std::size_t begin, Encoding& to) {
                                              encode_plain(plain, begin, [&](std::int32_t id, Span span) {
                                                to.ids.push_back(id);
                                                to.offsets.push_back(span);
                                              });
                                            });
}

void WordPieceEncoder::append_ids(std::string_view text, std::vector<std::int32_t>& to) {
  encode_plain(text, 0, [&](std::int32_t id, Span) { to.push_back(id); });
}

}  // namespace octet::text
