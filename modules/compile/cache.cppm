/// The cache of compiled programs: bounded, shared by threads, and able to say why it had to compile.
export module octet.compile:cache;
import octet.base;
import octet.standard;
import :buckets;
import :executable;
export import :explanation;
export import :signature;
export import :trace_difference;

export namespace octet {

/// What the cache keeps for one signature.
struct CachedProgram {
  Executable executable;
  std::any structure = {};  ///< of the results, for whoever put it there
  TraceDigest trace = {};   ///< of the program before any pass; empty where it is not to be compared
};

/// The host memory that a program is reckoned to keep, in bytes: its constants, the intermediate buffers of each
/// replica, results that come back, and for each node, those in regions too, one KiB for the node itself, its place and
/// its kernel. Not the intermediate buffers of threads, and of all replicas in common: programs that run one after
/// another share those.
std::size_t weight(const Executable& executable, std::size_t replicas = 1);

/// A program was dropped to keep the cache within its bounds.
struct EvictEvent {
  std::string function = {};
  Signature signature = {};
  std::size_t bytes = 0;     ///< what it weighed
  std::size_t programs = 0;  ///< left
  std::string text() const;
};

/// What a cache does with one program more than it may keep.
enum class WhenFull : std::uint8_t {
  evict,   ///< drops the least recently used one
  refuse,  ///< compiles no further one: X304
};

struct CacheOptions {
  std::size_t max_programs = 64;                 ///< at least 1
  WhenFull when_full = WhenFull::evict;          ///< by number; the bound on bytes always evicts
  std::size_t max_bytes = std::size_t{1} << 30;  ///< by `weight`; the program in use stays, however heavy
  std::size_t replicas = 1;                      ///< how many run at once, each with its own buffers
  std::string function = {};                     ///< whose programs these are, for events
  /// Called on the thread that compiled, outside the cache's lock; may be called by several threads at once.
  std::function<void(const CompileEvent&)> on_compile = {};
  std::function<void(const EvictEvent&)> on_evict = {};
  /// Asked, outside the lock, for the cures of a compile or of its refusal.
  std::function<std::vector<Cure>(const CompileEvent&)> cures = {};
};

struct CacheStatistics {
  std::uint64_t hits = 0;      ///< those who waited for another thread to compile included
  std::uint64_t misses = 0;    ///< each began to compile
  std::uint64_t failures = 0;  ///< misses whose compiling threw
  std::uint64_t evictions = 0;
  double compile_milliseconds = 0;  ///< of all misses, tracing included
  double run_milliseconds = 0;      ///< of all runs of the programs
  PaddedElements elements = {};     ///< of the arrays that a bucket names, over all calls
  std::size_t programs = 0;         ///< in the cache now
  std::size_t bytes = 0;            ///< their weight

  CacheStatistics& operator+=(const CacheStatistics& other);
};

/// Programs by signature, the least recently used dropped first. All functions may be called by several threads at
/// once.
class ProgramCache {
 public:
  /// Throws X709 where `max_programs` or `replicas` is 0.
  explicit ProgramCache(CacheOptions options = {});
  ~ProgramCache();
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  /// The program of `signature`; `compile` makes it where there is none. Threads that ask for it meanwhile wait for
  /// that one. Where `compile` throws, nothing is kept, its caller gets the exception, and those who waited try for
  /// themselves. Throws X404 where `compile` asks for the program that it is making, X303 where there is none while
  /// compiling is forbidden, X304 where the cache is full and refuses more.
  std::shared_ptr<const CachedProgram> get(const Signature& signature, const std::function<CachedProgram()>& compile);

  /// Counts a hit of `program`, and `elements`. False, and counts nothing, where it is not in the cache any more.
  bool hit(const CachedProgram& program, const PaddedElements& elements);

  /// The program of `signature` where there is one now. Counts neither as a hit nor as a use.
  std::shared_ptr<const CachedProgram> find(const Signature& signature) const;

  /// From the first call on until as many calls to `allow_compiling`, each miss is refused. See NoCompiling.
  void forbid_compiling();
  void allow_compiling();

  /// Adds to the count of elements in the statistics.
  void count(const PaddedElements& elements);
  /// Adds to the time of runs in the statistics.
  void ran(double milliseconds);
  CacheStatistics statistics() const;
  /// Drops all programs that are not in the making; not counted as evictions.
  void clear();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// While it lives, a cache compiles nothing: a call that would need a new program throws X303, on whatever thread. For
/// the steps of a run that has been warmed up. Moves; several may live at once.
class [[nodiscard]] NoCompiling {
 public:
  explicit NoCompiling(std::shared_ptr<ProgramCache> cache) : cache_{std::move(cache)} { cache_->forbid_compiling(); }
  ~NoCompiling() {
    if (cache_) cache_->allow_compiling();
  }
  NoCompiling(NoCompiling&& other) noexcept = default;
  NoCompiling& operator=(NoCompiling&& other) noexcept {
    std::swap(cache_, other.cache_);
    return *this;
  }

 private:
  std::shared_ptr<ProgramCache> cache_;
};

}  // namespace octet
