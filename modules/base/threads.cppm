/// The threads a caller gives to the library, which starts none by itself.
export module octet.base:threads;
import octet.standard;

export namespace octet {

/// A fixed set of threads that share loops. Between loops they spin for a fifth of a millisecond, then sleep.
class Threads {
 public:
  /// `count` includes the calling thread: 1 starts none. Where the system gives fewer, or none, count() is
  /// what there is.
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

 private:
  struct Body {
    void* callee;
    void (*call)(void* callee, std::size_t index);
    void operator()(std::size_t index) const { call(callee, index); }
  };
  struct Pool;

  void run(std::size_t n, Body body);

  std::unique_ptr<Pool> pool_;  ///< null where the caller is alone
};

}  // namespace octet
