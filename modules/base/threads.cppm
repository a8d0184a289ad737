/// The threads a caller gives to the library, which starts none by itself. They take a loop's indexes one by one, or
/// cut a range into a share for each thread, as large as that thread is fast.
export module octet.base:threads;
import octet.standard;

export namespace octet {

/// A range to be cut into shares, one for each thread.
struct Cuttable {
  std::int64_t extent;    ///< the range is [0, extent)
  std::int64_t unit = 1;  ///< shares begin at multiples of it; 1 or more
  std::int64_t most;      ///< more shares than this are not worth their cost
};

/// A fixed set of threads that share loops. Between loops they spin for a fifth of a millisecond, then sleep.
class Threads {
 public:
  /// `count` includes the calling thread: 1 starts none. Where the system gives fewer, or none, count() is
  /// what there is. A process that was forked off has none of them, and does alone what they would do.
  explicit Threads(unsigned count = 1);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  unsigned count() const;

  /// Calls `function(index)` for each index in [0, n) and returns when all calls have returned. The caller takes part;
  /// indexes are handed out one by one in increasing order. A call from within `function`, or while another thread's
  /// loop is running, runs its indexes in order on the calling thread.
  ///
  /// Where calls throw, indexes not yet handed out are left out, and the exception of the lowest index is rethrown:
  /// the same one for any number of threads.
  template <class Function>
  void for_each(std::size_t n, Function&& function) {
    using Callee = std::remove_reference_t<Function>;
    run(n, {const_cast<void*>(static_cast<const volatile void*>(std::addressof(function))),
            [](void* callee, std::size_t index) { (*static_cast<Callee*>(callee))(index); }});
  }

  /// Cuts a range into shares, no more than count() and, if that is 1 or more, `range.most`, and calls
  /// `function(share, begin, end)` for each: its number, from 0 in the order of the range, and its part, which is not
  /// empty. Where there are as many shares as threads, each thread has one of its own; another takes it if the owner
  /// comes late.
  ///
  /// How large shares are is learnt: processors are not equally fast, least of all where other programs use them too,
  /// and all shares should end at the same time. So no result may depend on where a range is cut. A call while a shared
  /// loop is running makes one share. Where calls throw, the other shares are done still, and the exception of the
  /// lowest is rethrown.
  template <class Function>
  void share(const Cuttable& range, Function&& function) {
    using Callee = std::remove_reference_t<Function>;
    run(range, {const_cast<void*>(static_cast<const volatile void*>(std::addressof(function))),
                [](void* callee, std::size_t share, std::int64_t begin, std::int64_t end) {
                  (*static_cast<Callee*>(callee))(share, begin, end);
                }});
  }

 private:
  struct Body {
    void* callee;
    void (*call)(void* callee, std::size_t index);
    void operator()(std::size_t index) const { call(callee, index); }
  };
  struct ShareBody {
    void* callee;
    void (*call)(void* callee, std::size_t share, std::int64_t begin, std::int64_t end);
    void operator()(std::size_t share, std::int64_t begin, std::int64_t end) const { call(callee, share, begin, end); }
  };
  struct Pool;

  void run(std::size_t n, Body body);
  void run(const Cuttable& range, ShareBody body);

  std::unique_ptr<Pool> pool_;  ///< null where the caller is alone
};

}  // namespace octet
