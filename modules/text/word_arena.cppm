/// Words side by side in memory, each with a count, in pages that never move and can be given back one by one: a text
/// in a script without blanks has nearly as many bytes of distinct words as it has bytes, and learning is to fit beside
/// it. Internal to octet.text.
export module octet.text:word_arena;
import octet.standard;

export namespace octet::text {

class WordArena {
 public:
  using Place = std::uint32_t;  ///< of a word; it stays where it is

  static constexpr std::size_t marks_ahead = 8;
  struct Word {
    std::uint64_t count;
    unsigned char* bytes;
    std::size_t size;
    unsigned char* marks;  ///< where the arena has them: bits, of which bit `first_mark` is that of the first byte;
                           ///< `marks_ahead` bytes behind the last can be read
    std::size_t first_mark;
    std::string_view text() const { return {reinterpret_cast<const char*>(bytes), size}; }
  };

  /// With marks, there is a bit for each byte; all are zero at first.
  explicit WordArena(bool with_marks) : with_marks_{with_marks} {}

  /// Throws X739 where words and counts take more than 4 GB.
  Place add(std::string_view bytes, std::uint64_t count);
  inline Word word(Place place) const {
    const Page& page = pages_[place >> page_bits];
    const std::size_t at = place & (page_size - 1);
    const Header head = header(page.bytes + at);
    return {head.count, page.bytes + at + head.length, head.size, page.marks, at + head.length};
  }
  /// Adds to the count of a word, which may have to move for it: its place then.
  Place count_on(Place place, std::uint64_t more);

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }    ///< words
  std::size_t bytes() const { return bytes_; }  ///< that they take, with what is kept of each

  /// Calls `function(place)` for each word in the order in which they were added, those that moved at their later
  /// place.
  template <class Function>
  void for_each(Function function) const {
    for_each(0, pages_.size(), function);
  }
  template <class Function>
  void for_each(std::size_t begin, std::size_t end, Function function) const {
    for (std::size_t page = begin; page < end; ++page) for_each_of(page, function);
  }
  std::size_t pages() const { return pages_.size(); }
  /// Where a way through the words is. A word's place is below that of each word of later pages.
  struct Position {
    std::size_t page = 0, at = 0;
  };
  static Place first_place(std::size_t page) { return static_cast<Place>(page << page_bits); }
  /// Calls `function(place)` for each word from a position on that is before page `end`, until it gives false. Gives
  /// whether there are more, which the position leads to.
  template <class Function>
  bool for_some(Position& from, std::size_t end, Function function) const {
    std::size_t page = from.page, at = from.at;
    for (; page < end; ++page, at = 0) {
      const Page& of = pages_[page];
      while (at < of.used) {
        const Header head = header(of.bytes + at);
        const auto place = static_cast<Place>(page << page_bits | at);
        at += head.length + head.size;
        if (head.moved || function(place)) continue;
        from = {page, at};
        return true;
      }
    }
    return false;
  }
  /// The same, and gives back what was gone through on the way. The arena is empty afterwards, even where `function`
  /// throws: the rest of the words could no longer be told from those that are gone.
  template <class Function>
  void take_each(Function function) {
    struct Emptied {
      WordArena& arena;
      ~Emptied() { arena = WordArena{arena.with_marks_}; }
    } emptied{*this};
    for (std::size_t page = 0; page < pages_.size(); ++page) {
      for_each_of(page, function);
      if (pages_[page].memory) free_from_ = page;
      if (page + 1 == pages_.size() || pages_[page + 1].memory) pages_[free_from_].memory.reset();
    }
  }

 private:
  static constexpr unsigned page_bits = 18;
  static constexpr std::size_t page_size = std::size_t{1} << page_bits;

  // A long word has pages of its own that follow each other in memory; only the first of them owns it.
  struct Page {
    std::unique_ptr<unsigned char[]> memory;
    unsigned char* bytes;
    unsigned char* marks;
    std::size_t used;
  };

  // What stands before a word: a byte whose lower half is the word's size and whose upper half is its count; or they
  // say that more bytes follow, of the count first, then of the size, seven bits a byte. Of a word that has moved the
  // upper half still says how much to pass over.
  struct Header {
    std::uint64_t count;
    std::size_t size, length;  // of the word, of the header
    bool moved;
  };
  enum Upper : unsigned char { moved = 0, most_direct = 12, moved_of_two, two_bytes, eight_bytes };
  static constexpr unsigned char long_size = 15;
  static inline Header header(const unsigned char* at) {
    const unsigned char upper = at[0] >> 4, lower = at[0] & 15;
    if (upper > most_direct) return header_of_more(at);
    if (lower != long_size) return {upper, lower, 1, upper == moved};
    return at[1] < 0x80 ? Header{upper, at[1], 2, upper == moved} : header_of_more(at);
  }
  static Header header_of_more(const unsigned char* at);
  static std::size_t header_size(std::size_t bytes, std::uint64_t count);
  unsigned char* reserve(std::size_t size, Place& place);

  template <class Function>
  void for_each_of(std::size_t page, Function& function) const {
    const Page& of = pages_[page];
    for (std::size_t at = 0; at < of.used;) {
      const Header head = header(of.bytes + at);
      const std::size_t next = at + head.length + head.size;
      if (!head.moved) function(static_cast<Place>(page << page_bits | at));
      at = next;
    }
  }

  std::vector<Page> pages_;
  std::size_t size_ = 0, bytes_ = 0, free_from_ = 0;
  bool with_marks_;
};

}  // namespace octet::text
