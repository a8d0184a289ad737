module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :buckets;
import :cache;
import :executable;
import :explanation;
import :signature;
import :trace_difference;

namespace octet {

namespace {

constexpr std::size_t bytes_per_node = 1024;

std::size_t node_count(const Graph& graph) {
  std::size_t count = graph.nodes().size();
  for (const Node& node : graph.nodes())
    for (const Graph& region : node.regions) count += node_count(region);
  return count;
}

/// How far apart two signatures are: a different extent is less than a different anything else.
std::pair<std::size_t, std::size_t> distance(const std::vector<SignatureDifference>& differences) {
  const auto extents = static_cast<std::size_t>(
      std::ranges::count(differences, SignatureDifference::Kind::extent, &SignatureDifference::kind));
  return {differences.size() - extents, extents};
}

}  // namespace

std::size_t weight(const Executable& executable, std::size_t replicas) {
  const ExecutableStatistics statistics = executable.statistics();
  return statistics.constant_bytes + replicas * (statistics.arena_bytes + statistics.kept_bytes) +
         statistics.kept_shared_bytes + bytes_per_node * node_count(executable.graph());
}

std::string EvictEvent::text() const {
  return (function.empty() ? "" : function + " ") + "evicted a program of " + std::to_string(bytes) + " bytes for " +
         to_string(signature) + "; " + std::to_string(programs) + " left";
}

struct ProgramCache::State {
  struct Entry {
    Signature signature;
    std::uint64_t hash = 0;
    std::shared_ptr<const CachedProgram> program;  // null while it is made
    std::size_t bytes = 0;
    std::thread::id maker;
    bool over = false;  // making it has ended, well or badly
  };
  using Entries = std::list<std::shared_ptr<Entry>>;  // the most recently used first

  CacheOptions options;
  mutable std::mutex mutex;
  std::condition_variable made;
  Entries entries;
  std::unordered_multimap<std::uint64_t, Entries::iterator> by_hash;
  struct Evicted {
    Signature signature;
    TraceDigest trace;
  };
  std::deque<Evicted> evicted;  // the latest ones, to explain a recompile by
  unsigned forbidden = 0;
  std::uint64_t compiled = 0;
  CacheStatistics statistics;

  Entries::iterator find(const Signature& signature, std::uint64_t hash) {
    const auto [begin, end] = by_hash.equal_range(hash);
    for (auto at = begin; at != end; ++at)
      if ((*at->second)->signature == signature) return at->second;
    return entries.end();
  }

  void erase(Entries::iterator entry) {
    const auto [begin, end] = by_hash.equal_range((*entry)->hash);
    for (auto at = begin; at != end; ++at)
      if (at->second == entry) {
        by_hash.erase(at);
        break;
      }
    if ((*entry)->program) {
      --statistics.programs;
      statistics.bytes -= (*entry)->bytes;
    }
    entries.erase(entry);
  }

  /// Fills in what `event` differs from: the least different program that is or was here.
  void explain(CompileEvent& event, const Entry* self) const {
    const Signature* nearest = nullptr;
    const auto consider = [&](const Signature& signature) {
      auto found = differences(event.signature, signature);
      if (nearest && distance(found) >= distance(event.differences)) return;
      nearest = &signature;
      event.differences = std::move(found);
    };
    for (const auto& entry : entries)
      if (entry->program && entry.get() != self) consider(entry->signature);
    for (const Evicted& each : evicted) consider(each.signature);
    if (nearest) event.nearest = *nearest;
  }

  /// Why a program for `signature` must not be compiled now, as far as that is known under the lock.
  std::optional<Diagnostic> refusal(const Signature& signature, CompileEvent& event) const {
    const bool full = options.when_full == WhenFull::refuse && entries.size() >= options.max_programs;
    if (forbidden == 0 && !full) return std::nullopt;
    return refused(signature, event);
  }
  /// Apart from what each new program asks.
  [[gnu::noinline]] Diagnostic refused(const Signature& signature, CompileEvent& event) const {
    event.function = options.function;
    event.signature = signature;
    event.programs = statistics.programs;
    event.compiles = compiled;
    explain(event, nullptr);
    const std::string whose = options.function.empty() ? "A compiled function" : options.function;
    Diagnostic diagnostic{.number = forbidden != 0 ? 303 : 304,
                          .sentence = forbidden != 0
                                          ? whose + " would have to compile a program while compiling is forbidden"
                                          : whose + " would need program " + std::to_string(entries.size() + 1) +
                                                ", and may have " + std::to_string(options.max_programs)};
    diagnostic.sentence += event.differences.empty() ? "." : ": " + to_string(event.differences.front()) + ".";
    for (std::size_t i = 1; i < std::min<std::size_t>(event.differences.size(), 6); ++i)
      diagnostic.because.push_back({to_string(event.differences[i]), {}});
    return diagnostic;
  }

  /// Drops the least recently used programs but `keep` until the bounds hold.
  std::vector<EvictEvent> evict(const Entry& keep) {
    std::vector<EvictEvent> events;
    for (auto at = entries.end(); at != entries.begin();) {
      if (statistics.programs <= options.max_programs && statistics.bytes <= options.max_bytes) break;
      --at;
      if (!(*at)->program || at->get() == &keep) continue;
      const std::shared_ptr<Entry> entry = *at;
      const auto next = std::next(at);
      erase(at);
      at = next;
      ++statistics.evictions;
      events.push_back({options.function, entry->signature, entry->bytes, statistics.programs});
      evicted.push_front({std::move(entry->signature), entry->program->trace});
      if (evicted.size() > options.max_programs) evicted.pop_back();
    }
    return events;
  }
};

CacheStatistics& CacheStatistics::operator+=(const CacheStatistics& other) {
  hits += other.hits, misses += other.misses, failures += other.failures, evictions += other.evictions;
  compile_milliseconds += other.compile_milliseconds, run_milliseconds += other.run_milliseconds;
  elements += other.elements;
  programs += other.programs, bytes += other.bytes;
  return *this;
}

ProgramCache::ProgramCache(CacheOptions options) : state_{std::make_unique<State>()} {
  if (options.max_programs == 0 || options.replicas == 0)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "A cache of " + std::to_string(options.max_programs) + " programs for " +
                                    std::to_string(options.replicas) + " replicas can run nothing.",
                        .fix = {"keep at least one program, for at least one replica"}};
    });
  state_->options = std::move(options);
}

ProgramCache::~ProgramCache() = default;

std::shared_ptr<const CachedProgram> ProgramCache::get(const Signature& signature,
                                                       const std::function<CachedProgram()>& compile) {
  State& state = *state_;
  const std::uint64_t number = hash(signature);
  std::unique_lock lock{state.mutex};
  for (auto found = state.find(signature, number); found != state.entries.end();
       found = state.find(signature, number)) {
    const std::shared_ptr<State::Entry> entry = *found;
    if (!entry->program) {
      if (entry->maker == std::this_thread::get_id())
        fail([&] {
          return Diagnostic{
              .number = 404,
              .sentence =
                  "A compiled function called itself, with arguments of the same types, while it was being traced.",
              .rule = "A traced function becomes part of the program it is called from; this one would contain itself.",
              .fix = {"call the function itself instead of the result of jit",
                      "write the recursion as while_loop or fori_loop"}};
        });
      state.made.wait(lock, [&] { return entry->over; });
      if (!entry->program) continue;  // it failed: try ourselves
    } else {
      state.entries.splice(state.entries.begin(), state.entries, found);
    }
    ++state.statistics.hits;
    return entry->program;
  }

  CompileEvent refused;
  if (std::optional<Diagnostic> refusal = state.refusal(signature, refused)) {
    lock.unlock();
    if (state.options.cures && refused.nearest)
      for (const Cure& cure : state.options.cures(refused)) {
        // Buckets with which the same calls would be refused again are no cure: where compiling is forbidden, this call
        // must share the program of those before it; and no bucket joins calls that differ in more than extents.
        const bool by_extents = std::ranges::all_of(refused.differences, [](const SignatureDifference& each) {
          return each.kind == SignatureDifference::Kind::extent;
        });
        const std::size_t most = refusal->number == 303 ? 1 : state.options.max_programs;
        if (cure.programs == 0 || (by_extents && cure.programs < cure.programs_now && cure.programs <= most))
          refusal->fix.push_back(cure.text());
      }
    fail(std::move(*refusal));
  }
  ++state.statistics.misses;
  const auto entry = shared<State::Entry>();
  entry->signature = signature;
  entry->hash = number;
  entry->maker = std::this_thread::get_id();
  state.entries.push_front(entry);
  state.by_hash.emplace(number, state.entries.begin());
  lock.unlock();

  const auto begin = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  };
  std::shared_ptr<const CachedProgram> program;
  std::size_t bytes = 0;
  try {
    program = shared<const CachedProgram>(compile());
    bytes = weight(program->executable, state.options.replicas);
  } catch (...) {
    lock.lock();
    state.erase(state.find(signature, number));
    entry->over = true;
    ++state.statistics.failures;
    state.statistics.compile_milliseconds += spent();
    state.made.notify_all();
    throw;
  }

  CompileEvent event{.function = state.options.function, .signature = signature, .milliseconds = spent()};
  lock.lock();
  entry->program = program;
  entry->bytes = bytes;
  entry->over = true;
  ++state.statistics.programs;
  state.statistics.bytes += bytes;
  state.statistics.compile_milliseconds += event.milliseconds;
  if (state.options.on_compile) state.explain(event, entry.get());
  const auto before = std::ranges::find(state.evicted, signature, &State::Evicted::signature);
  if (before != state.evicted.end()) {
    if (!before->trace.operations.empty() || before->trace.results != 0)
      event.retraced = first_difference(program->trace, before->trace);
    state.evicted.erase(before);
  }
  const std::vector<EvictEvent> evictions = state.evict(*entry);
  event.programs = state.statistics.programs;
  event.compiles = ++state.compiled;
  state.made.notify_all();
  lock.unlock();

  if (state.options.on_compile) {
    if (state.options.cures && event.nearest) event.cures = state.options.cures(event);
    state.options.on_compile(event);
  }
  if (state.options.on_evict)
    for (const EvictEvent& eviction : evictions) state.options.on_evict(eviction);
  return program;
}

bool ProgramCache::hit(const CachedProgram& program, const PaddedElements& elements) {
  State& state = *state_;
  const std::lock_guard lock{state.mutex};
  // The most recently used are looked at first.
  const auto found = std::ranges::find(state.entries, &program, [](const auto& entry) { return entry->program.get(); });
  if (found == state.entries.end()) return false;
  state.entries.splice(state.entries.begin(), state.entries, found);
  ++state.statistics.hits;
  state.statistics.elements += elements;
  return true;
}

void ProgramCache::count(const PaddedElements& elements) {
  const std::lock_guard lock{state_->mutex};
  state_->statistics.elements += elements;
}

void ProgramCache::ran(double milliseconds) {
  const std::lock_guard lock{state_->mutex};
  state_->statistics.run_milliseconds += milliseconds;
}

std::shared_ptr<const CachedProgram> ProgramCache::find(const Signature& signature) const {
  const std::uint64_t number = hash(signature);
  const std::lock_guard lock{state_->mutex};
  const auto found = state_->find(signature, number);
  return found == state_->entries.end() ? nullptr : (*found)->program;
}

void ProgramCache::forbid_compiling() {
  const std::lock_guard lock{state_->mutex};
  ++state_->forbidden;
}

void ProgramCache::allow_compiling() {
  const std::lock_guard lock{state_->mutex};
  if (state_->forbidden > 0) --state_->forbidden;
}

CacheStatistics ProgramCache::statistics() const {
  const std::lock_guard lock{state_->mutex};
  return state_->statistics;
}

void ProgramCache::clear() {
  const std::lock_guard lock{state_->mutex};
  for (auto at = state_->entries.begin(); at != state_->entries.end();) {
    const auto entry = at++;
    if ((*entry)->program) state_->erase(entry);
  }
  state_->evicted.clear();
}

}  // namespace octet
