#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

using namespace octet;

namespace {

Signature on(std::int64_t extent) { return {.names = {"x"}, .types = {{DType::f32, {extent}}}}; }

/// A program that adds `x` to itself.
CachedProgram doubling(const Signature& signature) {
  Graph graph;
  const ValueId x = graph.parameter(signature.types.front(), "x");
  graph.set_results(graph.append(Op::add, {x, x}));
  return {compile(graph)};
}

std::shared_ptr<const CachedProgram> ask(ProgramCache& cache, std::int64_t extent) {
  return cache.get(on(extent), [&] { return doubling(on(extent)); });
}

/// Long enough for other threads to come in between, where there are any.
void dawdle() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds{20};
  while (std::chrono::steady_clock::now() < until) {
  }
}

}  // namespace

TEST_CASE("a program is compiled for the first call and found for the next") {
  ProgramCache cache;
  const auto first = ask(cache, 3), second = ask(cache, 3);
  CHECK(first == second);
  Threads threads;
  CHECK(first->executable.run({Tensor::of<float>({3}, {1, 2, 3})}, threads).front() ==
        Tensor::of<float>({3}, {2, 4, 6}));
  ask(cache, 4);
  const CacheStatistics statistics = cache.statistics();
  CHECK(statistics.hits == 1);
  CHECK(statistics.misses == 2);
  CHECK(statistics.evictions == 0);
  CHECK(statistics.failures == 0);
  CHECK(statistics.programs == 2);
  CHECK(statistics.bytes == weight(first->executable) + weight(ask(cache, 4)->executable));
  CHECK(statistics.compile_milliseconds > 0);
}

TEST_CASE("the least recently used program goes first") {
  std::vector<std::string> evicted;
  ProgramCache cache{
      {.max_programs = 2, .on_evict = [&](const EvictEvent& event) { evicted.push_back(to_string(event.signature)); }}};
  ask(cache, 1);
  ask(cache, 2);
  ask(cache, 1);
  ask(cache, 3);
  CHECK(evicted == std::vector<std::string>{"x f32[2]"});
  ask(cache, 1);
  CHECK(cache.statistics().misses == 3);
  ask(cache, 2);
  CHECK(evicted.back() == "x f32[3]");
  CHECK(cache.statistics().programs == 2);
  CHECK(cache.statistics().evictions == 2);
}

TEST_CASE("programs are dropped until their weight fits, but never the one in use") {
  const std::size_t one = weight(ask(*std::make_unique<ProgramCache>(), 1)->executable);
  ProgramCache cache{{.max_bytes = 2 * one}};
  ask(cache, 1);
  ask(cache, 2);
  CHECK(cache.statistics().programs == 2);
  ask(cache, 3);
  CHECK(cache.statistics().programs == 2);
  CHECK(cache.statistics().bytes <= 2 * one);

  std::size_t left = 9;
  ProgramCache tiny{{.max_bytes = 1, .on_evict = [&](const EvictEvent& event) { left = event.programs; }}};
  const auto held = ask(tiny, 1);
  CHECK(tiny.statistics().programs == 1);
  ask(tiny, 2);
  CHECK(tiny.statistics().programs == 1);
  CHECK(left == 1);
  Threads threads;
  CHECK(held->executable.run({Tensor::scalar(2.0f).reshaped({1})}, threads).front().item() == 4);
}

TEST_CASE("constants, and buffers for each replica, count as weight, and what programs run in does not") {
  Graph graph;
  const ValueId x = graph.parameter({DType::f32, {64, 64}}, "x");
  const ValueId c = graph.constant(Tensor::full<float>({64, 64}, 1.5f));
  const DotAttributes product{{}, {}, {1}, {0}};
  const ValueId y = graph.append(Op::dot_general, {x, c}, product).front();
  graph.set_results(graph.append(Op::dot_general, {y, x}, product));
  const Executable executable = compile(graph);
  const ExecutableStatistics statistics = executable.statistics();
  CHECK(statistics.thread_bytes >= 64 * 64 * 4);
  CHECK(weight(executable) == statistics.constant_bytes + statistics.arena_bytes + statistics.kept_bytes +
                                  statistics.kept_shared_bytes + 1024 * statistics.nodes);
  CHECK(weight(executable, 8) - weight(executable) == 7 * statistics.arena_bytes);
}

TEST_CASE("results that come back count as weight, so that a cache of many shapes stays within its bytes") {
  constexpr std::int64_t rows = 1 << 18;  // of f32: 1 MiB
  const auto twice = jit([](Array x) { return x * 2.0; }, {.max_bytes = std::size_t{4} << 20});
  for (std::int64_t n = 1; n <= 10; ++n) twice(Tensor{DType::f32, {rows + n}});
  CHECK(twice.statistics().programs <= 3);
  CHECK(twice.statistics().bytes <= std::size_t{4} << 20);
  const auto small = jit([](Array x) { return x * 2.0; }, {.max_bytes = std::size_t{4} << 20});
  for (std::int64_t n = 1; n <= 10; ++n) small(Tensor{DType::f32, {n}});
  CHECK(small.statistics().programs == 10);
  const auto donated = jit([](Array x) { return x * 2.0; }, {.argument_names = {"x"}, .donated = {"x"}});
  donated(Tensor{DType::f32, {rows}});
  CHECK(donated.statistics().bytes < std::size_t{1} << 20);
}

TEST_CASE("a cache for nothing is refused") {
  CHECK_THROWS_AS(ProgramCache({.max_programs = 0}), Error);
  CHECK_THROWS_AS(ProgramCache({.replicas = 0}), Error);
}

TEST_CASE("several threads that ask for one program compile it once and get the same one") {
  ProgramCache cache;
  std::atomic<int> compiled{0};
  std::vector<std::shared_ptr<const CachedProgram>> programs(32);
  Threads threads{4};
  threads.for_each(programs.size(), [&](std::size_t i) {
    programs[i] = cache.get(on(5), [&] {
      ++compiled;
      dawdle();
      return doubling(on(5));
    });
  });
  CHECK(compiled == 1);
  for (const auto& program : programs) CHECK(program == programs.front());
  CHECK(cache.statistics().misses == 1);
  CHECK(cache.statistics().hits == programs.size() - 1);
}

TEST_CASE("threads that ask for many programs of a small cache each get the right one") {
  ProgramCache cache{{.max_programs = 2}};
  std::atomic<int> wrong{0};
  Threads threads{4};
  threads.for_each(120, [&](std::size_t i) {
    const auto extent = static_cast<std::int64_t>(i * i % 5 + 1);
    const auto program = ask(cache, extent);
    Threads alone;
    const Tensor x = Tensor::full<float>({extent}, 3);
    if (program->executable.run({x}, alone).front() != Tensor::full<float>({extent}, 6)) ++wrong;
  });
  CHECK(wrong == 0);
  const CacheStatistics statistics = cache.statistics();
  CHECK(statistics.hits + statistics.misses == 120);
  CHECK(statistics.programs == 2);
  CHECK(statistics.misses - statistics.evictions == 2);
}

TEST_CASE("a compile that fails is forgotten, and those who waited try for themselves") {
  ProgramCache cache;
  std::atomic<int> tried{0}, failed{0};
  Threads threads{4};
  threads.for_each(6, [&](std::size_t) {
    try {
      cache.get(on(5), [&]() -> CachedProgram {
        ++tried;
        dawdle();
        fail({.number = 401, .sentence = "no"});
      });
    } catch (const Error& error) {
      if (error.number() == 401) ++failed;
    }
  });
  CHECK(tried == 6);
  CHECK(failed == 6);
  CHECK(cache.statistics().failures == 6);
  CHECK(cache.statistics().programs == 0);
  CHECK(ask(cache, 5));
  CHECK(cache.statistics().hits == 0);
}

TEST_CASE("a program that asks for itself while it is made is refused") {
  ProgramCache cache;
  try {
    cache.get(on(1), [&] { return *ask(cache, 1); });
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(error.number() == 404);
  }
  CHECK(cache.get(on(1), [&] { return *ask(cache, 2); }));
  CHECK(cache.statistics().programs == 2);
}

TEST_CASE("a compile is explained by the program that differs least") {
  std::vector<CompileEvent> events;
  ProgramCache cache{{.function = "step", .on_compile = [&](const CompileEvent& event) { events.push_back(event); }}};
  const auto with = [&](std::int64_t seq, DType labels, std::string rate) {
    Signature signature{.names = {"batch.tokens", "batch.labels"},
                        .types = {{DType::i32, {8, seq}}, {labels, {8, seq}}},
                        .statics = {{"rate", rate}}};
    cache.get(signature, [&] { return doubling(signature); });
  };
  with(64, DType::i32, "0.1");
  with(64, DType::i64, "0.5");
  with(128, DType::i32, "0.1");
  REQUIRE(events.size() == 3);

  CHECK_FALSE(events[0].nearest);
  CHECK(events[0].text().starts_with("step compiled in "));
  CHECK(events[0].text().ends_with(" ms: its first program"));
  using Kind = SignatureDifference::Kind;
  CHECK(events[1].differences == std::vector<SignatureDifference>{{Kind::dtype, "batch.labels", -1, "i64", "i32"},
                                                                  {Kind::static_value, "rate", -1, "0.5", "0.1"}});
  CHECK(events[2].differences == std::vector<SignatureDifference>{{Kind::extent, "batch.tokens", 1, "128", "64"},
                                                                  {Kind::extent, "batch.labels", 1, "128", "64"}});
  CHECK(events[2].text().ends_with(" ms: dimension 1 of batch.tokens is 128, before 64 (and 1 more)"));
  CHECK(events[2].milliseconds > 0);
  CHECK(events[2].programs == 3);
  CHECK(events[2].compiles == 3);
}

TEST_CASE("a program that was evicted and is needed again is called that") {
  std::vector<CompileEvent> compiles;
  std::vector<EvictEvent> evictions;
  ProgramCache cache{{.max_programs = 1,
                      .function = "step",
                      .on_compile = [&](const CompileEvent& event) { compiles.push_back(event); },
                      .on_evict = [&](const EvictEvent& event) { evictions.push_back(event); }}};
  ask(cache, 1);
  ask(cache, 2);
  ask(cache, 1);
  REQUIRE(compiles.size() == 3);
  CHECK_FALSE(compiles[1].was_evicted());
  CHECK(compiles[2].was_evicted());
  CHECK(compiles[2].text().ends_with("this program had been evicted from the cache"));
  REQUIRE(evictions.size() == 2);
  CHECK(evictions[0].text() ==
        "step evicted a program of " + std::to_string(evictions[0].bytes) + " bytes for x f32[1]; 1 left");
}

TEST_CASE("clearing drops programs, and the statistics go on") {
  ProgramCache cache;
  ask(cache, 1);
  cache.count({30, 10});
  cache.count({30, 10});
  cache.clear();
  CHECK(cache.statistics().programs == 0);
  CHECK(cache.statistics().bytes == 0);
  CHECK(cache.statistics().evictions == 0);
  ask(cache, 1);
  CHECK(cache.statistics().misses == 2);
  CHECK(cache.statistics().elements.share() == 0.25);
}

TEST_CASE("signatures differ by what their programs differ by") {
  const Signature base{.names = {"a", "b"},
                       .types = {{DType::f32, {2, 3}}, {DType::f32, {}}},
                       .statics = {{"n", "1"}},
                       .structure = "s"};
  std::vector<Signature> others(6, base);
  others[0].names[0] = "c";
  others[1].types[0].shape = {3, 2};
  others[2].types[1].dtype = DType::bf16;
  others[3].statics[0].value = "2";
  others[4].structure = "t";
  others[5].types[1].shape = {1};
  for (const Signature& other : others) {
    CHECK(hash(other) != hash(base));
    CHECK_FALSE(differences(other, base).empty());
  }
  CHECK(hash(Signature{base}) == hash(base));
  CHECK(differences(base, base).empty());
  CHECK(to_string(base) == "a f32[2, 3], b f32[], n = 1");
  CHECK(to_string(differences(others[0], base)[0]) == "c is new (f32[2, 3])");
  CHECK(to_string(differences(others[0], base)[1]) == "a is missing (before f32[2, 3])");
  CHECK(to_string(differences(others[2], base)[0]) == "the element type of b is bf16, before f32");
  CHECK(to_string(differences(others[3], base)[0]) == "n is 2, before 1");
  CHECK(to_string(differences(others[4], base)[0]) == "the arguments are of other C++ types");
  CHECK(to_string(differences(others[5], base)[0]) == "the shape of b is [1], before []");
}
