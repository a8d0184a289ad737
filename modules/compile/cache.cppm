/// The cache of compiled programs: bounded, shared by threads, and able to say why it had to compile.
module;
#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>
export module octet.compile:cache;
import octet.base;
import :buckets;
import :executable;
export import :signature;

export namespace octet {

/// What the cache keeps for one signature.
struct CachedProgram {
  Executable executable;
  std::any structure = {};  ///< of the results, for whoever put it there
};

/// The host memory that a program is reckoned to take, in bytes: its constants, the intermediate buffers of one
/// thread, of each replica and of all in common, and for each node, those in regions too, one KiB for the node itself, its place and its kernel.
std::size_t weight(const Executable& executable, std::size_t replicas = 1);

/// A program was compiled, and why none of the known ones would do.
struct CompileEvent {
  std::string function = {};  ///< the name given in CacheOptions
  Signature signature = {};
  std::optional<Signature> nearest = {};              ///< the known program that differs least; none for the first
  std::vector<SignatureDifference> differences = {};  ///< from `nearest`; none where that very program had been evicted
  double milliseconds = 0;                            ///< tracing included
  std::size_t programs = 0;                           ///< in the cache now, this one included
  std::uint64_t compiles = 0;                         ///< so far, this one included

  /// Whether this very program had been compiled before and was evicted since.
  bool was_evicted() const { return nearest && differences.empty(); }
  /// One line: `step compiled in 41.0 ms: dimension 1 of batch.tokens is 128, before 64 (and 2 more)`.
  std::string text() const;
};

/// A program was dropped to keep the cache within its bounds.
struct EvictEvent {
  std::string function = {};
  Signature signature = {};
  std::size_t bytes = 0;     ///< what it weighed
  std::size_t programs = 0;  ///< left
  std::string text() const;
};

struct CacheOptions {
  std::size_t max_programs = 64;                 ///< at least 1
  std::size_t max_bytes = std::size_t{1} << 30;  ///< by `weight`; the program in use stays, however heavy
  std::size_t replicas = 1;                      ///< how many run at once, each with its own buffers
  std::string function = {};                     ///< whose programs these are, for events
  /// Called on the thread that compiled, outside the cache's lock; may be called by several threads at once.
  std::function<void(const CompileEvent&)> on_compile = {};
  std::function<void(const EvictEvent&)> on_evict = {};
};

struct CacheStatistics {
  std::uint64_t hits = 0;      ///< those who waited for another thread to compile included
  std::uint64_t misses = 0;    ///< each began to compile
  std::uint64_t failures = 0;  ///< misses whose compiling threw
  std::uint64_t evictions = 0;
  double compile_milliseconds = 0;  ///< of all misses, tracing included
  PaddedElements elements = {};     ///< of the arrays that a bucket names, over all calls
  std::size_t programs = 0;         ///< in the cache now
  std::size_t bytes = 0;            ///< their weight
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
  /// themselves. Throws X404 where `compile` asks for the program that it is making.
  std::shared_ptr<const CachedProgram> get(const Signature& signature, const std::function<CachedProgram()>& compile);

  /// Adds to the count of elements in the statistics.
  void count(const PaddedElements& elements);
  CacheStatistics statistics() const;
  /// Drops all programs that are not in the making; not counted as evictions.
  void clear();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace octet
