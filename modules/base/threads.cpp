/// How a loop is shared. One word, `gate`, tells the number of the current loop, whether it may still be entered, and
/// how many workers are in it. A worker touches the loop only between entering and leaving, and the caller returns once
/// the gate is shut and nobody is in: a worker that wakes late is not waited for.
///
/// Of a loop over shares each thread takes its own first, then those that nobody has taken. How long a thread took for
/// its own is measured, and the next shares are cut by it: where two processors are equally fast on paper, one of them
/// may reach three quarters of the other for minutes, because of another machine's work on it.
module;
#ifndef __wasm__
#include <pthread.h>
#endif
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

/// How many forks led to this process. It has no threads of those before: a pool of theirs is but memory.
std::uint32_t forks = 0;

void count_forks() {
#ifndef __wasm__
  static const int counted = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  static_cast<void>(counted);
#endif
}

}  // namespace

struct Threads::Pool {
  static std::int64_t units_of(const Cuttable& range) { return (range.extent - 1) / range.unit + 1; }

  /// A thread, and the share of its number. Each in a line of the cache of its own.
  struct alignas(64) Place {
    std::atomic<std::uint64_t> taken{0};  ///< the loop in which somebody took the share last
    double seconds = 0;                   ///< how long its own thread took for it in this loop; 0 where another ran it
    double speed = 1;                     ///< beside the others', as learnt
  };

  // The current loop. Written by the caller while the gate is shut and nobody is within.
  std::size_t n = 0;
  Body body{};
  bool shares = false;  ///< whether its indexes are shares
  std::atomic<std::size_t> next{0};
  std::exception_ptr exception;
  std::size_t exception_index = 0;

  std::atomic<std::uint64_t> gate{0};
  std::atomic<bool> busy{false};
  std::atomic<bool> stopping{false};
  std::atomic<bool> lost{false};  // a thread left a loop unfinished
  std::atomic<int> sleeping{0};   // workers asleep, and the caller where it waits for the last of them
  std::mutex mutex;
  std::condition_variable wake;      // one for both: they never sleep for long at the same time
  std::uint32_t process = forks;     ///< the one whose threads these are
  bool spins;                        ///< whether there is a processor for each thread
  std::vector<Place> places;         ///< the caller's, then the workers'
  std::vector<std::int64_t> bounds;  ///< of shares
  std::vector<std::thread> workers;

  std::size_t threads() const { return workers.size() + 1; }
  /// Whether the caller may begin a loop here: no other one is running, and the workers are of this process.
  bool take() { return process == forks && !busy.exchange(true, std::memory_order_acquire); }

  explicit Pool(unsigned count)
      : spins{count <= std::thread::hardware_concurrency()}, places(count), bounds(count + std::size_t{1}) {}

  void work(std::size_t thread) {
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
    if (shares) {
      const std::uint64_t loop = gate / one_loop;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t share = (thread + i) % n;
        if (places[share].taken.exchange(loop, std::memory_order_relaxed) == loop) continue;
        const auto start = std::chrono::steady_clock::now();
        call(share);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        places[share].seconds = share == thread ? time.count() : 0;
      }
    } else {
      for (std::size_t index; (index = next.fetch_add(1, std::memory_order_relaxed)) < n;) call(index);
    }
    watch.finished = true;
  }
  void call(std::size_t index) {
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

  /// Where shares begin, and where the last one ends: each as large as its thread is fast, or all alike where there are
  /// more threads than shares, of which nobody knows who will take them.
  void cut(const Cuttable& range, std::span<std::int64_t> bounds) const {
    const std::size_t count = bounds.size() - 1;
    const std::int64_t units = units_of(range);
    const auto speed = [&](std::size_t i) { return count == threads() ? places[i].speed : 1; };
    double all = 0, before = 0;
    for (std::size_t i = 0; i < count; ++i) all += speed(i);
    std::int64_t least = 0;  // no share is empty
    for (std::size_t i = 0; i < count; ++i) {
      const auto fair = static_cast<std::int64_t>(static_cast<double>(units) * before / all + 0.5);
      const std::int64_t begin = std::clamp(fair, least, units - static_cast<std::int64_t>(count - i));
      bounds[i] = begin * range.unit;
      before += speed(i);
      least = begin + 1;
    }
    bounds[count] = range.extent;
  }
  /// From the times of shares that were so cut, if they were cut finely enough to be as large as they should. Long
  /// loops tell more than short ones, none tells all: a thread may have been stopped in the middle of one.
  void learn(const Cuttable& range, std::span<const std::int64_t> bounds) {
    constexpr std::int64_t fine = 8;  // units for each thread
    constexpr double memory = 2e-3;   // seconds of work that are remembered
    constexpr double most_at_once = 1.0 / 8, slowest = 1.0 / 8;
    const std::size_t count = threads();
    if (exception || bounds.size() - 1 != count) return;
    if (units_of(range) < fine * static_cast<std::int64_t>(count)) return;
    double all = 0, longest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (places[i].seconds <= 0) return;
      all += static_cast<double>(bounds[i + 1] - bounds[i]) / places[i].seconds;
      longest = std::max(longest, places[i].seconds);
    }
    const double weight = std::min(longest / memory, most_at_once);
    for (std::size_t i = 0; i < count; ++i) {
      const double rate = static_cast<double>(bounds[i + 1] - bounds[i]) / places[i].seconds;
      const double seen = rate / all * static_cast<double>(count);
      places[i].speed = std::max(places[i].speed + weight * (seen - places[i].speed), slowest);
    }
  }

  /// Returns when `ready()` holds: after a spin, or after a sleep that wake_sleepers() ends. Who was woken, for
  /// whatever reason, spins again before it sleeps: it may have come too late for one loop, and the next one may be
  /// near.
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

  void serve(std::size_t thread) {
    std::uint64_t last = 0;
    while (true) {
      std::uint64_t seen = 0;
      wait([&] { return stopping || ((seen = gate) & open && seen / one_loop != last); });
      if (stopping) return;
      if (!gate.compare_exchange_strong(seen, seen + 1)) continue;
      last = seen / one_loop;
      const Leaving leaving{*this};
      work(thread);
    }
  }
  /// Tells the caller, in any case, that this worker is no longer within the loop.
  struct Leaving {
    Pool& pool;
    ~Leaving() {
      if ((--pool.gate & (open | inside)) == 0) pool.wake_sleepers();
    }
  };

  void run(std::size_t count, Body function, bool of_shares) {
    n = count;
    body = function;
    shares = of_shares;
    next.store(0, std::memory_order_relaxed);
    exception = nullptr;
    gate = (gate / one_loop + 1) * one_loop | open;
    wake_sleepers();
    {
      const Shutting shutting{*this};
      work(0);
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
  /// Ends the caller's use of the pool and rethrows what the loop threw.
  void give_back() {
    const std::exception_ptr thrown = std::move(exception);
    busy.store(false, std::memory_order_release);
    if (thrown) std::rethrow_exception(thrown);
  }
};

Threads::Threads(unsigned count) {
  if (count < 2) return;
  count_forks();
  count = std::min(count, 4096u);  // more than any machine makes use of
  auto pool = std::make_unique<Pool>(count);
  pool->workers.reserve(count - 1);
  try {
    for (std::size_t thread = 1; thread < count; ++thread)
      pool->workers.emplace_back([&pool = *pool, thread] { pool.serve(thread); });
  } catch (const std::exception&) {
    // The system gives no more threads, or no memory for them, or a page none at all; those there are will do the work.
  }
  if (!pool->workers.empty()) pool_ = std::move(pool);
}

Threads::~Threads() {
  if (!pool_) return;
  if (pool_->process != forks) {
    static_cast<void>(pool_.release());  // nobody is there to be waited for, and what was locked stays so
    return;
  }
  pool_->stopping = true;
  pool_->wake_sleepers();
  for (std::thread& worker : pool_->workers) worker.join();
}

unsigned Threads::count() const { return pool_ ? static_cast<unsigned>(pool_->threads()) : 1; }

void Threads::run(std::size_t n, Body body) {
  if (!pool_ || n < 2 || !pool_->take()) {
    for (std::size_t index = 0; index < n; ++index) body(index);
    return;
  }
  pool_->run(n, body, false);
  pool_->give_back();
}

void Threads::run(const Cuttable& range, ShareBody body) {
  if (range.extent <= 0) return;
  const std::int64_t shares = std::min({std::int64_t{count()}, range.most, Pool::units_of(range)});
  if (shares < 2 || !pool_->take()) return body(0, 0, range.extent);
  const std::span<std::int64_t> bounds = std::span{pool_->bounds}.first(static_cast<std::size_t>(shares) + 1);
  pool_->cut(range, bounds);
  const auto do_share = [&](std::size_t index) { body(index, bounds[index], bounds[index + 1]); };
  using Callee = decltype(do_share);
  pool_->run(bounds.size() - 1,
             {const_cast<void*>(static_cast<const void*>(&do_share)),
              [](void* callee, std::size_t index) { (*static_cast<Callee*>(callee))(index); }},
             true);
  pool_->learn(range, bounds);
  pool_->give_back();
}

}  // namespace octet
