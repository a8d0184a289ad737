/// Work whose first half is shared out by where it is found, and whose second half by what it is on. Internal to
/// octet.text.
export module octet.text:exchange;
import octet.base;
import octet.standard;

export namespace octet::text {

/// Shares of a thread each; what one finds it hands to the owner, in rounds of so much that little is held.
template <class Item>
class Exchange {
  struct alignas(64) Bin {  // a cache line of its own: threads write to several at a time
    std::vector<Item> items;
  };

 public:
  Exchange(Threads& threads, std::size_t shares) : threads_{threads}, shares_{shares}, found_(shares * shares) {}

  class Found {
   public:
    /// Puts an item down for its owner.
    inline void add(std::size_t owner, const Item& item) {
      first_[owner].items.push_back(item);
      ++count_;
    }
    inline bool full() const { return count_ >= most; }

   private:
    friend class Exchange;
    static constexpr std::size_t most = 1 << 14;
    inline explicit Found(Bin* first) : first_{first} {}
    Bin* first_;
    std::size_t count_ = 0;
  };

  /// `find(share, found)` puts items down until it is full, and gives whether there are more; `take(owner, item)` is
  /// called for each.
  template <class Find, class Take>
  void run(Find find, Take take) {
    std::vector<std::size_t> more(shares_, 1);
    while (std::ranges::any_of(more, [](std::size_t each) { return each != 0; })) {
      threads_.for_each(shares_, [&](std::size_t share) {
        if (more[share] == 0) return;
        Found found{&found_[share * shares_]};
        more[share] = find(share, found) ? 1 : 0;
      });
      threads_.for_each(shares_, [&](std::size_t owner) {
        for (std::size_t share = 0; share < shares_; ++share) {
          std::vector<Item>& items = found_[share * shares_ + owner].items;
          for (const Item& item : items) take(owner, item);
          items.clear();
        }
      });
    }
  }

 private:
  Threads& threads_;
  std::size_t shares_;
  std::vector<Bin> found_;  // by share, then by owner
};

}  // namespace octet::text
