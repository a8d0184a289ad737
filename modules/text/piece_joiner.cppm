/// The pairs of neighbouring pieces, and joining the most frequent one. Internal to octet.text.
///
/// A pair that is seen often has an exact count and a list of the words it stands in, kept up to date as pieces are
/// joined. Most pairs are rare, and to list them all takes many times the text: those below a bar have no entry, but an
/// upper bound that many of them share. The bar is a count and, since many pairs may be alike in that, ids. When no
/// pair above it is left, the words are gone through and the bar is set lower; where entries grow beyond what they may
/// take, it is set higher. A list may take a thousand times what a count does: of the pairs that have entries, those
/// down to another bar have lists, and when the others' turn comes, the words are gone through once to list as many as
/// there is room for. A pair that is in nearly every word has no list: joining it goes through all words. What is
/// joined, and in which order, does not depend on the bars.
///
/// Given threads, each goes through a share of the words, and what it finds of a pair goes to the one that the pair
/// belongs to: counts add up to the same in any order, so threads make no difference to what is joined either.
export module octet.text:piece_joiner;
import octet.base;
import octet.standard;
import :pair_counts;
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
  Threads* threads = nullptr;  // to go through words on; only the calling one where there are none
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
    std::uint32_t queued = 0;  // the how-manieth time anything was queued with a list
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
  using Pair = PairCounts::Pair;
  static constexpr std::uint32_t everywhere = WordLists::none - 1;  // in place of a list

  // How a pair with the piece that is being made has changed.
  struct Change {
    IdPair ids;
    std::int64_t count = 0;
    std::uint32_t places = 0, list = WordLists::none;
    bool came_up = false, listed = false;
  };
  // What a thread finds while a piece is made.
  struct alignas(64) Changes {
    std::vector<Change> all;
    // By the piece before, or after, the one that is being made: where its pair stands in `all`, counted from 1.
    std::vector<std::uint32_t> before, after;
    std::uint32_t codes[4] = {};  // of the piece that is being made, by size
    std::uint64_t fewer = 0;      // pieces in the text
  };
  // The words to go through: those listed, or all.
  struct Listed {
    std::vector<Place> places;
    bool all = false;
  };
  // The last pair, in the order in which they are joined, of those that have entries, or lists.
  struct Bar {
    std::uint64_t count = ~std::uint64_t{0};
    IdPair ids = 0;
    bool admits(std::uint64_t its_count, IdPair its_ids) const {
      return its_count != count ? its_count > count : its_ids <= ids;
    }
    bool admits(const Pair& pair) const { return admits(pair.count, pair.ids); }
  };
  static constexpr IdPair all_ids = ~IdPair{0};
  struct Found {  // of a pair in a word
    IdPair ids;
    std::uint64_t value;
  };

  template <class Function>
  void for_each_word(const Listed& listed, Function function) const {
    if (listed.all)
      words_.arena().for_each(function);
    else
      for (const Place place : listed.places) function(place);
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
  template <class Chosen, class Take>
  void for_each_pair(Chosen chosen, Take take);

  // Of the words, by pages.
  std::size_t first_page(std::size_t share) const { return words_.arena().pages() * share / shares_; }
  inline std::size_t bucket(IdPair ids) const {
    return static_cast<std::size_t>(hash_of(ids) >> 8) & (bounds_.size() - 1);
  }
  inline std::size_t owner(IdPair ids) const { return bucket(ids) * shares_ >> bucket_bits_; }

  inline bool stays(const Pair& pair) const { return options_.keeps_counts && pair.joined; }
  inline void add_bound(IdPair ids, std::uint64_t more) {
    std::uint16_t& bound = bounds_[bucket(ids)];
    bound = more >= static_cast<std::uint64_t>(any - bound) ? any : static_cast<std::uint16_t>(bound + more);
  }

  void queue(const Best& entry);
  inline std::vector<Place> take_list(IdPair ids, std::uint32_t list) { return lists_[owner(ids)].take(list); }
  inline void give_back(IdPair ids, std::uint32_t list) {
    if (list != everywhere) take_list(ids, list);
  }
  std::size_t bytes_of_lists() const;
  template <class Keep>
  void keep_queued(Keep keep);

  void join_words(const Listed& listed, IdPair ids, std::uint32_t joined);
  void join_word(Place place, IdPair ids, std::uint32_t joined, Changes& changes, bool shared);
  static Change& change(Changes& changes, IdPair ids, std::uint32_t joined);
  static void forget(Changes& changes);
  void settle(Change& change, bool is_new);
  void list_changes(const Listed& listed, std::uint32_t joined);
  bool count_from(Bar bar);
  double pairs_in_buckets(const Bar& bar) const;
  bool count_share(const Bar& bar, std::uint64_t from, std::uint64_t until, std::vector<PairCounts>& counted);
  bool raise_to_fit(Bar& bar, std::vector<PairCounts>& counted);
  void give_lists_back();
  void set_bar();
  void raise_bar();
  std::vector<Pair*> in_order(bool listed_ones);
  void list_pairs();
  void unlist_rarer();
  void unlist(std::span<Pair* const> pairs);
  std::size_t room_for_pairs() const { return std::max<std::size_t>(options_.room / 384, 8); }
  /// Pairs that are counted at a time, by owner. Where the words are few, to go through them again takes little.
  std::size_t most_counted() const {
    return std::max<std::size_t>(std::min(5 * room_for_pairs(), words_.bytes() / 48) / shares_, 256);
  }
  std::size_t many_places() const { return std::max<std::size_t>(words_.bytes() / 32, 1 << 12); }

  PieceWords words_;
  Joining options_;
  std::size_t shares_;  // of the words, a thread each
  std::size_t most_pairs_, most_bytes_of_lists_;
  Bar bar_, list_bar_;
  static constexpr std::uint64_t all_shares = std::uint64_t{1} << 32;
  std::uint64_t share_ = all_shares;  // of the pairs, by their hash, that are counted at a time
  PairCounts pairs_;
  std::size_t staying_ = 0;  // of them
  static constexpr std::uint16_t any = 0xFFFF;
  std::vector<std::uint16_t> bounds_;  // by bucket; the highest number means any
  int bucket_bits_;
  std::vector<Best> queue_;  // a heap
  std::uint32_t queued_ = 0;
  std::vector<WordLists> lists_;  // by owner of the pair
  std::vector<Changes> changes_;  // by share; all of them in the first in the end
  std::mutex codes_;              // of pieces
  std::uint32_t known_ids_ = 0;
};

}  // namespace octet::text
