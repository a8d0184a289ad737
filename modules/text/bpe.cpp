module octet.text;
import octet.base;
import octet.standard;
import :json;
import :pair_table;
import :piece_finder;
import :whole_characters;

namespace octet::text {

namespace {

[[noreturn]] void refuse(const std::string& file, const std::vector<unsigned>& lines, std::size_t index,
                         const std::string& sentence) {
  fail([&] {
    return Diagnostic{
        .number = 720, .sentence = sentence, .where = {file, index < lines.size() ? lines[index] : 0u, ""}};
  });
}

}  // namespace

BpeModel::BpeModel(std::vector<std::string> pieces, std::vector<BpeMerge> merges,
                   const std::vector<std::string>& special, BpeOptions options)
    : pieces_{std::move(pieces)}, merges_{std::move(merges)}, special_{special}, options_{options} {
  special_ids_.resize(special_.size());
  std::iota(special_ids_.begin(), special_ids_.end(), 0);
}

const std::string& BpeModel::piece(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= pieces_.size())
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "there is no piece with id " + std::to_string(id) + " in a vocabulary of " +
                                    std::to_string(pieces_.size()),
                        .where = {}};
    });
  return pieces_[static_cast<std::size_t>(id)];
}

bool BpeModel::is_special(std::int32_t id) const { return std::ranges::find(special_ids_, id) != special_ids_.end(); }

Bpe::Bpe(BpeParts parts) : BpeModel{std::move(parts.pieces), {}, {}, parts.options} {
  find_pieces(parts);
  add_merges(parts);
  add_special(parts);
}

Bpe::Bpe(BpeModel learned) : BpeModel{std::move(learned)} {
  find_pieces({.special = special_});
  reserve_merges(merges_.size());
  for (const BpeMerge& merge : merges_) find_merge(merge, *id(piece(merge.left) + piece(merge.right)));
}

void Bpe::find_pieces(const BpeParts& parts) {
  const auto refuse_piece = [&](std::size_t id, const std::string& sentence) {
    refuse(parts.pieces_file, parts.piece_lines, id, sentence);
  };
  if (pieces_.empty()) refuse_piece(0, parts.pieces_file + " holds no piece");
  finder_ = PieceFinder{pieces_.size()};
  for (std::size_t id = 0; id < pieces_.size(); ++id) {
    if (pieces_[id].empty())
      refuse_piece(id, parts.pieces_file + " has no piece with the id " + std::to_string(id) + ", but later ones");
    if (const auto before = this->id(pieces_[id]))
      refuse_piece(id, parts.pieces_file + " holds the piece " + json_string(pieces_[id]) + " twice, as ids " +
                           std::to_string(*before) + " and " + std::to_string(id));
    finder_.add(PieceFinder::hash(pieces_[id]), static_cast<std::int32_t>(id));
    byte_begin_.push_back(bytes_.size());
    const bool special = std::ranges::find(parts.special, pieces_[id]) != parts.special.end();
    bytes_ += special ? pieces_[id] : from_byte_alphabet(pieces_[id]).value_or(pieces_[id]);
  }
  byte_begin_.push_back(bytes_.size());
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char letter = static_cast<char>(byte);
    byte_ids_[byte] = id(to_byte_alphabet({&letter, 1})).value_or(-1);
  }
  has_all_bytes_ = std::ranges::all_of(byte_ids_, [](std::int32_t id) { return id >= 0; });
}

void Bpe::reserve_merges(std::size_t count) {
  ranks_ = PairTable{count};
  first_use_.assign(pieces_.size(), WholeCharacters::never);
  results_.reserve(count);
}

std::optional<std::uint32_t> Bpe::find_merge(const BpeMerge& merge, std::int32_t result) {
  const auto rank = static_cast<std::uint32_t>(results_.size());
  const auto [first, added] =
      ranks_.insert(id_pair(static_cast<std::uint32_t>(merge.left), static_cast<std::uint32_t>(merge.right)), rank);
  if (!added) return first;
  const auto left = from_byte_alphabet(piece(merge.left)), right = from_byte_alphabet(piece(merge.right));
  if (left && right) whole_.add(*left, *right, rank);
  for (const std::int32_t part : {merge.left, merge.right}) {
    std::uint32_t& first_use = first_use_[static_cast<std::size_t>(part)];
    first_use = std::min(first_use, rank);
  }
  results_.push_back(result);
  return {};
}

void Bpe::add_merges(const BpeParts& parts) {
  reserve_merges(parts.merges.size());
  merges_.reserve(parts.merges.size());
  for (std::size_t rank = 0; rank < parts.merges.size(); ++rank) {
    const auto& [left, right] = parts.merges[rank];
    const auto refuse_merge = [&](const std::string& why) {
      refuse(parts.merges_file, parts.merge_lines, rank,
             "merge " + std::to_string(rank + 1) + " of " + parts.merges_file + " joins " + json_string(left) +
                 " and " + json_string(right) + why);
    };
    const auto required = [&](const std::string& piece) {
      const auto found = id(piece);
      if (!found) refuse_merge(": " + parts.pieces_file + " has no piece " + json_string(piece));
      return *found;
    };
    const BpeMerge merge{required(left), required(right)};
    if (const auto first = find_merge(merge, required(left + right)))
      refuse_merge(", as merge " + std::to_string(*first + 1) + " does");
    merges_.push_back(merge);
  }
}

void Bpe::add_special(const BpeParts& parts) {
  for (const std::string& token : parts.special) {
    const auto found = id(token);
    if (!found)
      refuse(parts.pieces_file, {}, 0, parts.pieces_file + " has no piece " + json_string(token) + ", a special token");
    if (is_special(*found)) continue;
    special_.push_back(token);
    special_ids_.push_back(*found);
  }
}

std::string_view Bpe::bytes(std::int32_t id) const {
  static_cast<void>(piece(id));
  const auto index = static_cast<std::size_t>(id);
  return std::string_view{bytes_}.substr(byte_begin_[index], byte_begin_[index + 1] - byte_begin_[index]);
}

std::optional<std::int32_t> Bpe::id(std::string_view piece) const {
  return finder_.find(PieceFinder::hash(piece),
                      [&](std::int32_t id) { return pieces_[static_cast<std::size_t>(id)] == piece; });
}

std::string Bpe::missing_bytes() const {
  std::string missing;
  for (unsigned byte = 0; byte < 256; ++byte)
    if (byte_ids_[byte] < 0) missing += static_cast<char>(byte);
  return missing;
}

Encoding Bpe::encode(std::string_view text, const EncodeOptions& options) const {
  return BpeEncoder{*this}.encode(text, options);
}

std::string Bpe::decode(std::span<const std::int32_t> ids, bool skip_special) const {
  std::string text;
  for (const std::int32_t id : ids) {
    const std::string_view piece = bytes(id);
    if (!(skip_special && is_special(id))) text += piece;
  }
  return text;
}

}  // namespace octet::text
