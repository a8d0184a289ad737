/// The pairs of neighbouring pieces, and joining the most frequent one. Internal to octet.text.
///
/// A pair that is seen often has an exact count and a list of the words it stands in, kept up to date as pieces are
/// joined. Most pairs are rare, and to list them all takes many times the text: those below a bar have no entry, but an
/// upper bound that many of them share. When no pair above the bar is left, the words are gone through and the bar is
/// set lower; where entries grow beyond what they may take, it is set higher. A pair that is in nearly every word has
/// no list: joining it goes through all words. What is joined, and in which order, does not depend on the bar.
export module octet.text:piece_joiner;
import octet.standard;
import :pair_table;
import :piece_words;
import :word_lists;

export namespace octet::text {

struct Joining {
  std::uint64_t min_frequency = 1;
  /// The rule of Hugging Face's BpeTrainer for pieces that arise in two ways ("a" with "bc", "ab" with "c"): the count
  /// of a joined pair is not taken back, and when the pair comes up again it is queued once more with the words it came
  /// up in, which alone are then joined. Without it, a pair that comes up again counts from nothing.
  bool keeps_counts = false;
  /// About what pairs and lists may take, in bytes.
  std::size_t room = std::size_t{1} << 20;
};

class PieceJoiner {
 public:
  PieceJoiner(PieceWords words, const Joining& options);

  /// The most frequent pair, taken out of the queue; a count of 0 where none is left. Ties: the lower id of the left
  /// piece, then of the right one.
  struct Best {
    std::uint64_t count = 0;
    IdPair ids = 0;
    std::uint32_t list = WordLists::none;
    std::uint32_t queued = 0;  // the how-manieth time anything was queued
    bool operator<(const Best& other) const {
      if (count != other.count) return count < other.count;
      return ids != other.ids ? ids > other.ids : queued > other.queued;
    }
  };
  Best take_best();

  /// Joins the pair in the words that are queued with it. Returns by how many pieces the text gets shorter.
  std::uint64_t join(const Best& best, std::uint32_t joined);

 private:
  using Place = PieceWords::Place;
  static constexpr std::uint32_t everywhere = WordLists::none - 1;  // in place of a list
  static constexpr IdPair unused = ~IdPair{0};

  struct Pair {
    IdPair ids = unused;
    std::uint64_t count = 0;
    std::uint32_t list = WordLists::none;  // of the words it stands in; those that keep counts have lists in the queue
    std::uint32_t places : 30 = 0;         // how many those are, at most
    bool exact : 1 = true;                 // or the count is an upper bound
    bool joined : 1 = false;               // once
  };
  // How a pair with the piece that is being made has changed.
  struct Change {
    IdPair ids;
    std::int64_t count = 0;
    std::uint32_t places = 0, list = WordLists::none;
    bool came_up = false, listed = false;
  };

  template <class Function>
  void for_each_word(const std::vector<Place>& listed, bool all, Function function) const {
    if (all)
      words_.for_each(function);
    else
      for (const Place place : listed) function(place);
  }
  /// Calls `function(ids, count, place)` for each pair of neighbours.
  template <class Function>
  void for_each_pair(Function function) const {
    words_.for_each([&](Place place) {
      for_each_pair_of(place, [&](IdPair ids, std::uint64_t count) { function(ids, count, place); });
    });
  }
  template <class Function>
  void for_each_pair_of(Place place, Function function) const {
    PieceWords::Cursor at{words_, place};
    std::uint32_t left = at.id();
    for (at.next(); !at.done(); at.next()) {
      function(id_pair(left, at.id()), at.count());
      left = at.id();
    }
  }

  bool stays(const Pair& pair) const { return options_.keeps_counts && pair.joined; }
  std::size_t slot(IdPair ids) const;
  Pair* find(IdPair ids);
  Pair& insert(const Pair& pair);
  template <class Keep>
  void keep_pairs(Keep keep);
  std::uint16_t& bound(IdPair ids);
  void add_bound(IdPair ids, std::uint64_t more);

  void queue(const Best& entry);
  void give_back(std::uint32_t list);
  template <class Keep>
  void keep_queued(Keep keep);

  std::uint64_t join_word(Place place, IdPair ids, std::uint32_t joined);
  Change& change(IdPair ids, std::uint32_t joined);
  void settle(Change& change, bool is_new);
  void list_changes(const std::vector<Place>& listed, bool all, std::uint32_t joined);
  bool count_from(std::uint64_t bar);
  void raise_to_fit(std::uint64_t& bar, std::size_t& places) const;
  void set_bar();
  void raise_bar();
  std::size_t many_places() const { return std::max<std::size_t>(words_.bytes() / 32, 1 << 12); }

  PieceWords words_;
  Joining options_;
  std::size_t most_pairs_, most_places_;
  std::uint64_t bar_ = ~std::uint64_t{0};  // pairs of this count have entries
  static constexpr std::uint64_t all_shares = std::uint64_t{1} << 32;
  std::uint64_t share_ = all_shares;    // of the pairs, by their hash, that are counted at a time
  std::vector<Pair> pairs_;             // open addressing
  std::size_t used_ = 0, staying_ = 0;  // of them
  std::vector<std::uint16_t> bounds_;   // by bucket; the highest number means any
  std::vector<Best> queue_;             // a heap
  std::uint32_t queued_ = 0;
  WordLists lists_;
  std::vector<Change> changes_;
  // By the piece before, or after, the one that is being made: where its pair stands in `changes_`, counted from 1.
  std::vector<std::uint32_t> change_before_, change_after_;
  std::uint32_t codes_[4] = {};  // of the piece that is being made, by size
  std::uint32_t known_ids_ = 0;
};

}  // namespace octet::text
