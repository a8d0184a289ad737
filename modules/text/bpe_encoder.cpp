module;
#include <cstdint>
module octet.text;
import octet.base;
import octet.standard;
import :pair_table;
import :special_names;
import :whole_characters;
import :word_cache;

namespace octet::text {

namespace {

constexpr std::uint32_t none = UINT32_MAX;

std::size_t next_character(std::string_view text, std::size_t at) {
  return at < text.size() ? at + decode_code_point(text, at).length : at;
}

std::size_t previous_character(std::string_view text, std::size_t at) {
  if (at == 0) return 0;
  std::size_t begin = at;
  do --begin;
  while (begin > 0 && at - begin < 4 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80);
  return next_character(text, begin) == at ? begin : at - 1;
}

// Leaves out of `span` as many characters at either end as the piece has blanks there.
Span trimmed(std::string_view text, Span span, std::string_view piece, bool keep_first) {
  const std::size_t first = piece.find_first_not_of(' '), last = piece.find_last_not_of(' ');
  std::size_t leading = first == piece.npos ? piece.size() : first;
  std::size_t trailing = last == piece.npos ? piece.size() : piece.size() - 1 - last;
  if (keep_first && span.begin == 0 && leading == 1) leading = 0;
  for (; leading > 0 && span.begin < span.end; --leading) span.begin = next_character(text, span.begin);
  span.end = std::max(span.end, span.begin);
  for (; trailing > 0 && span.end > span.begin; --trailing)
    span.end = std::max(previous_character(text, span.end), span.begin);
  return span;
}

}  // namespace

BpeEncoder::BpeEncoder(const Bpe& tokenizer) : tokenizer_{&tokenizer} {}

// The rank of the pair that begins at `position`; null where it is none that is joined.
const std::uint32_t* BpeEncoder::rank_at(std::uint32_t position) const {
  const Symbol& symbol = symbols_[position];
  if (symbol.next == none) return nullptr;
  const std::int32_t right = symbols_[symbol.next].id;
  return tokenizer_->ranks_.find(id_pair(static_cast<std::uint32_t>(symbol.id), static_cast<std::uint32_t>(right)));
}

// Joins the pair that begins at `position`, which has this rank.
BpeEncoder::Symbol& BpeEncoder::join(std::uint32_t position, std::uint32_t rank) {
  Symbol& left = symbols_[position];
  Symbol& right = symbols_[left.next];
  left.id = tokenizer_->results_[rank];
  left.next = right.next;
  right.id = -1;
  if (left.next != none) symbols_[left.next].previous = position;
  return left;
}

// Joins the pairs of a short word: rank and position of each are one number, and the least one is looked for anew.
void BpeEncoder::join_few() {
  std::uint32_t pairs[few];
  std::ranges::fill(pairs, none);
  const std::size_t looked_at = (symbols_.size() + 7) / 8 * 8;
  const auto offer = [&](std::uint32_t position) {
    const std::uint32_t* const rank = rank_at(position);
    pairs[position] = rank ? *rank * few + position : none;
  };
  for (std::uint32_t position = 0; position < symbols_.size(); ++position) offer(position);
  while (true) {
    std::uint32_t least = none;
    for (std::size_t i = 0; i < looked_at; ++i) least = std::min(least, pairs[i]);
    if (least == none) return;
    const std::uint32_t position = least % few;
    pairs[symbols_[position].next] = none;
    const Symbol& joined = join(position, least / few);
    offer(position);
    if (joined.previous != none) offer(joined.previous);
  }
}

// Joins the pairs of a word of any length.
void BpeEncoder::join_many() {
  candidates_.clear();
  const auto offer = [&](std::uint32_t position) {
    const std::uint32_t* const rank = rank_at(position);
    if (!rank) return false;
    const Symbol& symbol = symbols_[position];
    candidates_.push_back({*rank, position, symbol.id, symbols_[symbol.next].id});
    return true;
  };
  for (std::uint32_t position = 0; position + 1 < symbols_.size(); ++position) offer(position);
  std::make_heap(candidates_.begin(), candidates_.end());
  const auto offer_now = [&](std::uint32_t position) {
    if (offer(position)) std::push_heap(candidates_.begin(), candidates_.end());
  };
  while (!candidates_.empty()) {
    std::pop_heap(candidates_.begin(), candidates_.end());
    const Candidate best = candidates_.back();
    candidates_.pop_back();
    const Symbol& symbol = symbols_[best.position];
    if (symbol.id != best.left || symbol.next == none || symbols_[symbol.next].id != best.right) continue;
    const Symbol& joined = join(best.position, best.rank);
    if (joined.previous != none) offer_now(joined.previous);
    offer_now(best.position);
  }
}

// What two or three bytes become where nothing is beside them.
WholeCharacter BpeEncoder::whole_character_of(std::string_view bytes) const {
  WholeCharacter result{.id = WholeCharacter::none};
  std::int32_t ids[3] = {};
  std::size_t size = bytes.size();
  for (std::size_t i = 0; i < size; ++i) ids[i] = tokenizer_->byte_ids_[static_cast<unsigned char>(bytes[i])];
  for (; size > 1; --size) {
    std::uint32_t least = none;
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < size; ++i) {
      const std::uint32_t* const rank =
          tokenizer_->ranks_.find(id_pair(static_cast<std::uint32_t>(ids[i]), static_cast<std::uint32_t>(ids[i + 1])));
      if (!rank || *rank >= least) continue;
      least = *rank;
      at = i;
    }
    if (least == none) return result;
    result.last_rank = std::max(result.last_rank, least);
    ids[at] = tokenizer_->results_[least];
    if (at == 0) ids[1] = ids[2];
  }
  if (tokenizer_->first_use_[static_cast<std::size_t>(ids[0])] > result.last_rank) result.id = ids[0];
  return result;
}

// What is known of a character below 0x10000. One text has those of few scripts: it pays for these alone.
WholeCharacter& BpeEncoder::character(std::uint32_t point) {
  constexpr std::size_t page_size = 64;
  if (pages_.empty()) pages_.resize(0x10000 / page_size);
  std::uint16_t& page = pages_[point / page_size];
  if (page == 0) {
    characters_.resize(characters_.size() + page_size);
    page = static_cast<std::uint16_t>(characters_.size() / page_size);
  }
  return characters_[(page - 1u) * page_size + point % page_size];
}

// The piece and the length of a character of a word that is joined to it before all else; none where there is none.
std::int32_t BpeEncoder::whole_character_at(std::string_view word, std::size_t at, std::size_t& length) {
  if (static_cast<unsigned char>(word[at]) < 0xC2 || !tokenizer_->has_all_bytes_) return WholeCharacter::none;
  const CodePoint point = decode_code_point(word, at);
  if (point.value >= 0x10000 || point.value == replacement_character) return WholeCharacter::none;
  WholeCharacter& whole = character(point.value);
  length = point.length;
  if (whole.id == WholeCharacter::unknown) whole = whole_character_of(word.substr(at, length));
  if (whole.id < 0) return WholeCharacter::none;
  const std::size_t end = at + length;
  const bool is_parted = (at > 0 && tokenizer_->whole_.parts(word[at - 1], word[at], whole.last_rank)) ||
                         (end < word.size() && tokenizer_->whole_.parts(word[end - 1], word[end], whole.last_rank));
  return is_parted ? WholeCharacter::none : whole.id;
}

void BpeEncoder::join_pairs(std::string_view word) {
  symbols_.clear();
  for (std::size_t at = 0, length = 1; at < word.size(); at += std::exchange(length, 1)) {
    std::int32_t id = whole_character_at(word, at, length);
    if (id < 0) {
      length = 1;
      id = tokenizer_->byte_ids_[static_cast<unsigned char>(word[at])];
      if (id < 0) continue;
    }
    const auto position = static_cast<std::uint32_t>(symbols_.size());
    symbols_.push_back({id, position - 1, position + 1});
  }
  pieces_.clear();
  if (symbols_.empty()) return;
  symbols_.front().previous = none;
  symbols_.back().next = none;

  if (symbols_.size() <= few && tokenizer_->merges_.size() < none / few)
    join_few();
  else
    join_many();
  for (std::uint32_t position = 0; position != none; position = symbols_[position].next)
    pieces_.push_back(symbols_[position].id);
}

// The ranges of the pieces of a word that lacks some of its bytes: they are laid side by side over the word as the byte
// alphabet writes it, as if no byte were missing. Other tools do so.
template <class Add>
void BpeEncoder::add_side_by_side(std::string_view word, Add add) {
  const auto width = [&](std::size_t byte) {
    return byte < word.size() && character_of_byte(static_cast<unsigned char>(word[byte])) >= 0x80 ? 2u : 1u;
  };
  std::size_t byte = 0, end = width(0);  // `end`: of that byte, as written
  const auto byte_at = [&](std::size_t written) {
    while (end <= written) end += width(++byte);
    return byte;
  };
  std::size_t written = 0;
  for (const std::int32_t id : pieces_) {
    const std::size_t begin = byte_at(written);
    written += tokenizer_->pieces_[static_cast<std::size_t>(id)].size();
    add(id, begin, byte_at(written - 1) + 1);
  }
}

// Calls `add` with the id, the begin and the end of each piece of `text`.
template <class Add>
void BpeEncoder::encode_plain(std::string_view text, Add add) {
  const auto size_of = [&](std::int32_t id) {
    const auto index = static_cast<std::size_t>(id);
    return tokenizer_->byte_begin_[index + 1] - tokenizer_->byte_begin_[index];
  };
  const auto add_all = [&](std::span<const std::int32_t> pieces, std::size_t at) {
    for (const std::int32_t id : pieces) {
      const std::size_t end = at + size_of(id);
      add(id, at, end);
      at = end;
    }
  };
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = gpt2_word_end(text, begin);
    const std::string_view word = text.substr(begin, end - begin);
    if (const WordCache::Numbers* known = words_.find(word, text.data() + text.size())) {
      add_all({cached_.data() + known->begin, known->size}, begin);
      continue;
    }
    join_pairs(word);
    std::size_t covered = 0;
    for (const std::int32_t id : pieces_) covered += size_of(id);
    if (covered != word.size()) {
      add_side_by_side(
          word, [&](std::int32_t id, std::size_t first, std::size_t last) { add(id, begin + first, begin + last); });
      continue;
    }
    add_all(pieces_, begin);
    if (word.size() > WordCache::longest_word) continue;
    if (words_.is_full()) {
      words_.clear();
      cached_.clear();
    }
    const auto at = static_cast<std::uint32_t>(cached_.size());
    cached_.insert(cached_.end(), pieces_.begin(), pieces_.end());
    words_.add(word, {at, static_cast<std::uint16_t>(pieces_.size())});
  }
}

Encoding BpeEncoder::encode(std::string_view text, const EncodeOptions& options) {
  Encoding result;
  encode_to(result, text, options, {});
  return result;
}

void BpeEncoder::encode(std::string_view text, const EncodeOptions& options, const EncodingFunction& take) {
  Encoding rest;
  encode_to(rest, text, options, take);
  take(rest);
}

void BpeEncoder::encode_to(Encoding& result, std::string_view text, const EncodeOptions& options,
                           const EncodingFunction& take) {
  const BpeOptions& own = tokenizer_->options();
  const std::vector<std::string> none_special;
  const auto add = [&](std::int32_t id, Span span) {
    if (own.trim_offsets) span = trimmed(text, span, tokenizer_->bytes(id), !own.trim_first_offsets);
    result.ids.push_back(id);
    result.offsets.push_back(span);
    give_part(result, take);
  };
  for (std::size_t from = 0; from < text.size();) {
    const auto [at, name] = find_special(text, from, options.recognize_special ? tokenizer_->special() : none_special);
    const std::string_view plain = text.substr(from, at - from);
    if (own.add_prefix_space && !plain.empty() && plain.front() != ' ') {
      // The blank counts as part of the first character.
      const std::size_t first = next_character(plain, 0);
      encode_plain(" " + std::string{plain}, [&](std::int32_t id, std::size_t begin, std::size_t end) {
        add(id, {from + (begin > 0 ? begin - 1 : 0), from + (end > 1 ? end - 1 : first)});
      });
    } else {
      encode_plain(plain,
                   [&](std::int32_t id, std::size_t begin, std::size_t end) { add(id, {from + begin, from + end}); });
    }
    if (!name.empty()) add(*tokenizer_->id(name), {at, at + name.size()});
    from = at + name.size();
  }
}

void BpeEncoder::append_ids(std::string_view text, std::vector<std::int32_t>& to) {
  const auto add = [&](std::int32_t id, std::size_t, std::size_t) { to.push_back(id); };
  if (tokenizer_->options().add_prefix_space && !text.empty() && text.front() != ' ')
    encode_plain(" " + std::string{text}, add);
  else
    encode_plain(text, add);
}

void BpeEncoder::append_further_ids(std::string_view text, std::vector<std::int32_t>& to) {
  encode_plain(text, [&](std::int32_t id, std::size_t, std::size_t) { to.push_back(id); });
}

}  // namespace octet::text
