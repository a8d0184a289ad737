/// Words as the pieces that they are joined to by now. A piece lies where its bytes lay: a bit marks its first byte,
/// and its id stands in as many of its bytes as it needs, so words take an eighth more than their letters and nothing
/// moves when pieces are joined. Internal to octet.text.
export module octet.text:piece_words;
import octet.standard;
import :word_arena;

export namespace octet::text {

class PieceWords {
 public:
  using Place = WordArena::Place;
  struct Piece {
    std::uint32_t id;
    std::uint32_t size;  // bytes that it covers
  };

  /// Adds a word of two pieces at least.
  Place add(std::span<const Piece> pieces, std::uint64_t count);
  /// Adds a word of two bytes at least, each of which is a piece: that of byte b has the id `ids[b]`. However long the
  /// word is, nothing is held beside it.
  Place add_bytes(std::string_view word, std::span<const std::uint32_t, 256> ids, std::uint64_t count);
  const WordArena& arena() const { return words_; }
  std::size_t bytes() const { return words_.bytes(); }
  std::size_t longest() const { return longest_; }  ///< word, in bytes

  /// A way through the pieces of a word.
  class Cursor {
   public:
    inline Cursor(const PieceWords& words, Place place) : words_{words}, word_{words.words_.word(place)} { read(); }
    inline bool done() const { return at_ == word_.size; }
    inline std::uint32_t id() const { return id_; }
    inline std::uint32_t size() const { return static_cast<std::uint32_t>(end_ - at_); }
    inline std::uint64_t count() const { return word_.count; }
    inline void next() {
      at_ = end_;
      read();
    }
    /// Joins this piece and the next one, which becomes this one. `code` is what `code_of` gives for the joined piece.
    inline void join_next(std::uint32_t id, std::uint32_t next_size, std::uint32_t code) {
      const std::size_t mark = word_.first_mark + end_;
      word_.marks[mark / 8] = static_cast<unsigned char>(word_.marks[mark / 8] & ~(1u << mark % 8));
      end_ += next_size;
      id_ = id;
      write(word_.bytes + at_, end_ - at_, code);
    }

   private:
    inline void read() {
      if (done()) return;
      end_ = words_.piece_end(word_, at_);
      id_ = words_.id_at(word_.bytes + at_, end_ - at_);
    }

    const PieceWords& words_;
    WordArena::Word word_;
    std::size_t at_ = 0, end_ = 0;
    std::uint32_t id_ = 0;
  };

  /// What stands for a piece in a place of so many bytes.
  std::uint32_t code_of(std::uint32_t id, std::size_t size);
  /// Makes it safe to go through words while another thread asks for so many codes.
  void reserve_codes(std::size_t more);

 private:
  static constexpr std::size_t short_sizes = 3;  // of pieces whose id may not fit: those have numbers of their own

  static inline std::size_t piece_end(const WordArena::Word& word, std::size_t at) {
    const std::size_t end = word.first_mark + word.size;
    static_assert(std::endian::native == std::endian::little && sizeof(std::uint64_t) == WordArena::marks_ahead);
    for (std::size_t mark = word.first_mark + at + 1; mark < end; mark = (mark | 7) + 57) {
      std::uint64_t marks = 0;
      std::memcpy(&marks, word.marks + mark / 8, sizeof marks);
      if (const std::uint64_t rest = marks >> mark % 8; rest != 0)
        return std::min(mark + static_cast<std::size_t>(std::countr_zero(rest)), end) - word.first_mark;
    }
    return word.size;
  }
  inline std::uint32_t id_at(const unsigned char* at, std::size_t size) const {
    std::uint32_t code = at[0];
    if (size >= 2) code |= std::uint32_t{at[1]} << 8;
    if (size >= 3) code |= std::uint32_t{at[2]} << 16;
    if (size <= short_sizes) return by_code_[size - 1][code];
    return code | std::uint32_t{at[3]} << 24;
  }
  static inline void write(unsigned char* at, std::size_t size, std::uint32_t code) {
    for (std::size_t i = 0; i < std::min<std::size_t>(size, 4); ++i)
      at[i] = static_cast<unsigned char>(code >> (8 * i));
  }

  WordArena words_{true};
  std::vector<std::uint32_t> ids_[short_sizes];  // by code
  const std::uint32_t* by_code_[short_sizes]{};  // where those are: a vector may not be asked while it gets another
  std::unordered_map<std::uint32_t, std::uint32_t> codes_[short_sizes];
  std::string blank_;  // for words of pieces
  std::size_t longest_ = 0;
};

}  // namespace octet::text
