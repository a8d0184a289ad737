/// Byte-level BPE: each word of the text begins as its bytes, and the pairs that training learned are joined, the
/// earliest learned first. Every text has pieces, and decoding gives its bytes back. (Sennrich et al. 2016; Radford et
/// al. 2019. The ids are those of Hugging Face's tokenizers for the same files.)
export module octet.text:bpe;
import octet.standard;
import :encoding;
import :pair_table;
import :piece_finder;
import :whole_characters;
import :word_cache;

export namespace octet::text {

struct BpeOptions {
  /// Whether a blank is put before a text that begins without one, so that its first word is like the others.
  bool add_prefix_space = false;
  bool trim_offsets = false;       ///< leaves blanks at either end of a piece out of its range
  bool trim_first_offsets = true;  ///< with `trim_offsets`: also the blank before the first piece
  friend bool operator==(const BpeOptions&, const BpeOptions&) = default;
};

/// Two pieces that are joined.
struct BpeMerge {
  std::int32_t left, right;
  friend bool operator==(const BpeMerge&, const BpeMerge&) = default;
};

/// What a tokenizer is made of, by name and with the lines that messages tell; the lines may be left out.
struct BpeParts {
  /// By id, in the alphabet of `to_byte_alphabet`; special tokens as they are.
  std::vector<std::string> pieces = {};
  std::vector<std::pair<std::string, std::string>> merges = {};  ///< in the order in which they are made
  std::vector<std::string> special = {};                         ///< pieces that stand for no text
  BpeOptions options = {};

  std::string pieces_file = "vocab.json", merges_file = "merges.txt";  ///< what messages call them
  std::vector<unsigned> piece_lines = {}, merge_lines = {};
};

/// Pieces, merges and options: what files hold. A value; safe to use from several threads.
class BpeModel {
 public:
  std::size_t size() const { return pieces_.size(); }
  const std::vector<std::string>& pieces() const { return pieces_; }
  /// The piece of `id` as files show it; throws X709 where there is none.
  const std::string& piece(std::int32_t id) const;
  const std::vector<BpeMerge>& merges() const { return merges_; }
  const std::vector<std::string>& special() const { return special_; }
  /// Of the special tokens, in their order.
  const std::vector<std::int32_t>& special_ids() const { return special_ids_; }
  bool is_special(std::int32_t id) const;
  const BpeOptions& options() const { return options_; }

  friend bool operator==(const BpeModel& a, const BpeModel& b) {
    return a.pieces_ == b.pieces_ && a.merges_ == b.merges_ && a.special_ == b.special_ && a.options_ == b.options_;
  }

 protected:
  friend class BpeLearner;
  /// Special tokens are pieces, and the first ones.
  BpeModel(std::vector<std::string> pieces, std::vector<BpeMerge> merges, const std::vector<std::string>& special,
           BpeOptions options);

  std::vector<std::string> pieces_;
  std::vector<BpeMerge> merges_;
  std::vector<std::string> special_;
  std::vector<std::int32_t> special_ids_;
  BpeOptions options_;
};

/// A model, and beside it what finds its pieces and merges. A value; safe to use from several threads.
class Bpe : public BpeModel {
 public:
  /// Throws X720 for an id without a piece, a piece or a merge that stands there twice, a merge of or into what is no
  /// piece, and a special token that is no piece.
  explicit Bpe(BpeParts parts);

  /// The bytes that it stands for; throws X709 where there is none.
  std::string_view bytes(std::int32_t id) const;
  /// The id of a piece as files show it.
  std::optional<std::int32_t> id(std::string_view piece) const;
  /// Bytes without a piece of their own, which encoding passes over; the ranges of a word that has one are not exact.
  /// None in a vocabulary that began with all 256.
  std::string missing_bytes() const;

  /// For many texts, a BpeEncoder is faster.
  Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
  /// The bytes of all pieces, one after another. Throws X709 for an id outside the vocabulary.
  std::string decode(std::span<const std::int32_t> ids, bool skip_special = true) const;

 private:
  friend class BpeEncoder;
  friend class BpeLearner;
  friend class BpeTrainer;
  /// What was learned.
  explicit Bpe(BpeModel learned);
  void find_pieces(const BpeParts& parts);
  void add_merges(const BpeParts& parts);
  void reserve_merges(std::size_t count);
  /// Has the next merge found; the rank of the same one, where there is one already.
  std::optional<std::uint32_t> find_merge(const BpeMerge& merge, std::int32_t result);
  void add_special(const BpeParts& parts);

  PieceFinder finder_;
  PairTable ranks_;                      // of the merges
  std::vector<std::int32_t> results_;    // by rank
  std::string bytes_;                    // of all pieces
  std::vector<std::size_t> byte_begin_;  // by id, and the end of the last
  std::int32_t byte_ids_[256];           // -1 where the byte is missing
  bool has_all_bytes_ = false;
  WholeCharacters whole_;
  std::vector<std::uint32_t> first_use_;  // by id: rank of the first pair that it is a part of
};

/// Encodes text after text, and remembers the words it has seen: some tens of thousands, then it begins anew. For one
/// thread. The tokenizer must outlive it.
class BpeEncoder {
 public:
  explicit BpeEncoder(const Bpe& tokenizer);

  Encoding encode(std::string_view text, const EncodeOptions& options = {});
  /// The same, given out in parts of some ten thousand tokens, so that a text of any length takes little beside it.
  void encode(std::string_view text, const EncodeOptions& options, const EncodingFunction& take);
  /// Appends the ids of a text, special names taken as plain text: the fast way for whole corpora.
  void append_ids(std::string_view text, std::vector<std::int32_t>& to);
  /// The same of a text that goes on where another ended: before it no blank is put.
  void append_further_ids(std::string_view text, std::vector<std::int32_t>& to);

 private:
  struct Symbol {
    std::int32_t id;
    std::uint32_t previous, next;  // positions; `none` at the ends
  };
  struct Candidate {
    std::uint32_t rank, position;
    std::int32_t left, right;
    bool operator<(const Candidate& other) const {  // the first of a heap has the lowest rank, then position
      return rank != other.rank ? rank > other.rank : position > other.position;
    }
  };
  static constexpr std::uint32_t few = 64;  // symbols of a word
  void encode_to(Encoding& result, std::string_view text, const EncodeOptions& options, const EncodingFunction& take);
  template <class Add>
  void encode_plain(std::string_view text, Add add);
  template <class Add>
  void add_side_by_side(std::string_view word, Add add);
  void join_pairs(std::string_view word);
  void join_few();
  void join_many();
  WholeCharacter& character(std::uint32_t point);
  std::int32_t whole_character_at(std::string_view word, std::size_t at, std::size_t& length);
  WholeCharacter whole_character_of(std::string_view bytes) const;
  const std::uint32_t* rank_at(std::uint32_t position) const;
  Symbol& join(std::uint32_t position, std::uint32_t rank);

  const Bpe* tokenizer_;
  WordCache words_;
  std::vector<std::int32_t> cached_;
  std::vector<Symbol> symbols_;
  std::vector<Candidate> candidates_;
  std::vector<std::int32_t> pieces_;        // of the word last joined
  std::vector<std::uint16_t> pages_;        // of characters below 0x10000, 64 on each: its place from 1 on, or 0
  std::vector<WholeCharacter> characters_;  // on the pages that were asked for
};

}  // namespace octet::text
