/// How a loop is shared. One word, `gate`, tells the number of the current loop, whether it may still be entered, and
/// how many workers are in it. A worker touches the loop only between entering and leaving, and the caller returns once
/// the gate is shut and nobody is in: a worker that wakes late is not waited for.
module octet.base;
import octet.standard;

namespace octet {

namespace {

/// How long a thread spins before it sleeps: longer than what one thread does alone between two kernels of a program.
/// Falling asleep and being woken takes tens of microseconds, and as much again where processors are virtual.
constexpr std::chrono::microseconds spin_time{200};
/// Between two looks at the clock.
constexpr int spins_at_once = 64;

void spin_once() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

constexpr std::uint64_t open = 1u << 16;  // below it: the number of workers within
constexpr std::uint64_t inside = open - 1;
constexpr std::uint64_t one_loop = open << 1;  // from here on up: the number of the loop

}  // namespace

struct Threads::Pool {
  // The current loop. Written by the caller while the gate is shut and nobody is within.
  std::size_t n = 0;
  Body body{};
  std::atomic<std::size_t> next{0};
  std::exception_ptr exception;
  std::size_t exception_index = 0;

  std::atomic<std::uint64_t> gate{0};
  std::atomic<bool> busy{false};
  std::atomic<bool> stopping{false};
  std::atomic<bool> lost{false};  // a thread left a loop unfinished
  std::atomic<int> sleeping{0};   // workers asleep, and the caller where it waits for the last of them
  std::mutex mutex;
  std::condition_variable wake;  // one for both: they never sleep for long at the same time
  bool spins = false;            ///< whether there is a processor for each thread
  std::vector<std::thread> workers;

  void work() {
    // What is thrown through here, past any catch, comes from the host and not from C++: a page's engine, or the end of
    // a thread. Nobody may go on as if this loop had been finished.
    struct Watch {
      Pool& pool;
      bool finished = false;
      ~Watch() {
        if (finished) return;
        pool.next.store(pool.n, std::memory_order_relaxed);
        pool.lost = true;
      }
    } watch{*this};
    for (std::size_t index; (index = next.fetch_add(1, std::memory_order_relaxed)) < n;) {
      try {
        body(index);
      } catch (...) {
        next.store(n, std::memory_order_relaxed);
        const std::scoped_lock lock{mutex};
        if (!exception || index < exception_index) {
          exception = std::current_exception();
          exception_index = index;
        }
        if (!std::current_exception()) lost = true;  // the host's, where it can be caught
      }
    }
    watch.finished = true;
  }

  /// Returns when `ready()` holds: after a spin, or after a sleep that wake_sleepers() ends. Who was woken, for whatever
  /// reason, spins again before it sleeps: it may have come too late for one loop, and the next one may be near.
  template <class Ready>
  void wait(Ready ready) {
    while (true) {
      if (spins) {
        const auto end = std::chrono::steady_clock::now() + spin_time;
        do {
          for (int i = 0; i < spins_at_once; ++i) {
            if (ready()) return;
            spin_once();
          }
        } while (std::chrono::steady_clock::now() < end);
      }
      std::unique_lock lock{mutex};
      ++sleeping;
      const bool done = ready();
      if (!done) wake.wait(lock);
      --sleeping;
      if (done) return;
    }
  }
  /// To be called after the change that somebody may wait for. The change and `sleeping` are both sequentially
  /// consistent: either the sleeper sees the change or we see the sleeper, who holds the mutex until it truly sleeps.
  void wake_sleepers() {
    if (sleeping == 0) return;
    {
      const std::scoped_lock lock{mutex};
    }
    wake.notify_all();
  }

  void serve() {
    std::uint64_t last = 0;
    while (true) {
      std::uint64_t seen = 0;
      wait([&] { return stopping || ((seen = gate) & open && seen / one_loop != last); });
      if (stopping) return;
      if (!gate.compare_exchange_strong(seen, seen + 1)) continue;
      last = seen / one_loop;
      const Leaving leaving{*this};
      work();
    }
  }
  /// Tells the caller, in any case, that this worker is no longer within the loop.
  struct Leaving {
    Pool& pool;
    ~Leaving() {
      if ((--pool.gate & (open | inside)) == 0) pool.wake_sleepers();
    }
  };

  void run(std::size_t count, Body function) {
    n = count;
    body = function;
    next.store(0, std::memory_order_relaxed);
    exception = nullptr;
    gate = (gate / one_loop + 1) * one_loop | open;
    wake_sleepers();
    {
      const Shutting shutting{*this};
      work();
    }
    if (lost) fail({.number = 409, .sentence = "A thread was ended by its host while it had a part of a loop to do."});
  }
  /// Waits, in any case, until no worker is within the loop, whose body is about to end.
  struct Shutting {
    Pool& pool;
    ~Shutting() {
      if ((pool.gate &= ~open) & inside) pool.wait([this] { return (pool.gate & inside) == 0; });
    }
  };
};

Threads::Threads(unsigned count) {
  if (count < 2) return;
  auto pool = std::make_unique<Pool>();
  pool->spins = count <= std::thread::hardware_concurrency();
  pool->workers.reserve(count - 1);
  try {
    while (pool->workers.size() < count - 1) pool->workers.emplace_back([&pool = *pool] { pool.serve(); });
  } catch (const std::system_error&) {
    // The system gives no more threads, or a page none at all; those there are will do the work.
  }
  if (!pool->workers.empty()) pool_ = std::move(pool);
}

Threads::~Threads() {
  if (!pool_) return;
  pool_->stopping = true;
  pool_->wake_sleepers();
  for (std::thread& worker : pool_->workers) worker.join();
}

unsigned Threads::count() const { return pool_ ? static_cast<unsigned>(pool_->workers.size()) + 1 : 1; }

void Threads::run(std::size_t n, Body body) {
  if (!pool_ || n < 2 || pool_->busy.exchange(true, std::memory_order_acquire)) {
    for (std::size_t index = 0; index < n; ++index) body(index);
    return;
  }
  pool_->run(n, body);
  const std::exception_ptr exception = std::move(pool_->exception);
  pool_->busy.store(false, std::memory_order_release);
  if (exception) std::rethrow_exception(exception);
}

}  // namespace octet
