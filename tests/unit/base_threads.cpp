#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#ifndef __wasm__
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#endif

import octet.base;

using octet::Threads;

// Catch's assertions are not safe on several threads: what the threads find is asserted afterwards.

TEST_CASE("one thread starts no others and runs indexes in order on the caller") {
  Threads threads;
  REQUIRE(threads.count() == 1);
  std::vector<std::size_t> seen;
  const auto caller = std::this_thread::get_id();
  bool elsewhere = false;
  threads.for_each(5, [&](std::size_t index) {
    seen.push_back(index);
    elsewhere |= std::this_thread::get_id() != caller;
  });
  REQUIRE(seen == std::vector<std::size_t>{0, 1, 2, 3, 4});
  REQUIRE_FALSE(elsewhere);
  REQUIRE(Threads{0}.count() == 1);
}

TEST_CASE("each index is visited once, for any number of threads and indexes") {
  for (unsigned count : {1u, 2u, 3u, 8u}) {
    Threads threads{count};
    REQUIRE(threads.count() <= count);
    for (std::size_t n = 0; n < 300; ++n) {
      std::vector<int> visits(n);
      threads.for_each(n, [&](std::size_t index) { ++visits[index]; });
      REQUIRE(visits == std::vector<int>(n, 1));
    }
  }
}

TEST_CASE("threads wake again after they have slept") {
  for (const unsigned count : {2u, 4u}) {
    Threads threads{count};
    for (int round = 0; round < 5; ++round) {
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
      std::atomic<int> sum{0};
      threads.for_each(100, [&](std::size_t index) { sum += static_cast<int>(index); });
      REQUIRE(sum == 4950);
    }
  }
}

TEST_CASE("threads that are woken too late for a loop do not miss the next, nor their end") {
  for (const unsigned count : {2u, 4u})
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> calls{0};
      {
        Threads threads{count};
        for (int loop = 0; loop < 5; ++loop) {
          threads.for_each(2, [](std::size_t) {});  // over before anyone else is there
          std::this_thread::sleep_for(std::chrono::milliseconds{1});
          threads.for_each(2, [&](std::size_t) { ++calls; });
        }
      }  // ends them, some awake and some on their way
      REQUIRE(calls == 10);
    }
}

TEST_CASE("a loop is shared among the threads") {
  Threads threads{2};
  if (threads.count() < 2) SKIP("this build has no threads");
  std::atomic<int> arrived{0};
  bool together = false;
  // Each call waits for the other, which only another thread can make.
  threads.for_each(2, [&](std::size_t index) {
    ++arrived;
    for (int i = 0; i < 10'000 && arrived < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    if (index == 0) together = arrived == 2;
  });
  REQUIRE(together);
}

TEST_CASE("a loop within a loop runs on the thread that began it") {
  Threads threads{3};
  std::vector<int> visits(60 * 7);
  std::atomic<int> strays{0};
  threads.for_each(60, [&](std::size_t outer) {
    const auto own = std::this_thread::get_id();
    threads.for_each(7, [&](std::size_t inner) {
      ++visits[outer * 7 + inner];
      strays += std::this_thread::get_id() != own;
    });
  });
  REQUIRE(visits == std::vector<int>(60 * 7, 1));
  REQUIRE(strays == 0);
}

TEST_CASE("loops that two callers begin at the same time both finish") {
  Threads threads{3};
  std::atomic<int> sum{0};
  const auto caller = [&] {
    for (int round = 0; round < 200; ++round) threads.for_each(10, [&](std::size_t) { ++sum; });
  };
  Threads callers{2};
  callers.for_each(2, [&](std::size_t) { caller(); });
  REQUIRE(sum == 2 * 200 * 10);
}

TEST_CASE("the exception of the lowest index that throws comes out, for any number of threads") {
  for (unsigned count : {1u, 2u, 8u}) {
    Threads threads{count};
    for (std::size_t low = 0; low < 40; ++low) {
      std::string caught;
      std::atomic<int> calls{0};
      try {
        threads.for_each(1000, [&](std::size_t index) {
          ++calls;
          if (index >= low && index % 2 == low % 2) throw std::runtime_error{std::to_string(index)};
        });
      } catch (const std::runtime_error& error) {
        caught = error.what();
      }
      REQUIRE(caught == std::to_string(low));
      REQUIRE(calls < 1000);
    }
    int after = 0;
    threads.for_each(1, [&](std::size_t) { ++after; });
    REQUIRE(after == 1);
  }
}

TEST_CASE("shares cover a range once, in order, none empty, and begin at whole units") {
  for (unsigned count : {1u, 2u, 3u, 8u}) {
    Threads threads{count};
    for (const std::int64_t extent : {0, 1, 2, 7, 16, 17, 1000})
      for (const std::int64_t unit : {1, 3, 16})
        for (const std::int64_t most : {1, 2, 100}) {
          struct Share {
            std::int64_t begin = -1, end = -1;
          };
          std::vector<Share> shares(count);
          std::atomic<int> calls{0};
          threads.share({.extent = extent, .unit = unit, .most = most},
                        [&](std::size_t share, std::int64_t begin, std::int64_t end) {
                          ++calls;
                          shares.at(share) = {begin, end};
                        });
          const auto units = static_cast<unsigned>((extent + unit - 1) / unit);
          REQUIRE(calls == static_cast<int>(std::min({threads.count(), static_cast<unsigned>(most), units})));
          std::int64_t covered = 0;
          for (int i = 0; i < calls; ++i) {
            const Share& share = shares[static_cast<std::size_t>(i)];
            REQUIRE(share.begin == covered);
            REQUIRE(share.end > share.begin);
            REQUIRE(share.begin % unit == 0);
            covered = share.end;
          }
          REQUIRE(covered == extent);
        }
  }
}

TEST_CASE("each thread has a share of its own") {
  Threads threads{3};
  if (threads.count() < 3) SKIP("this build has no threads");
  std::vector<std::thread::id> first;
  for (int loop = 0; loop < 10; ++loop) {
    std::vector<std::thread::id> owners(3);
    std::atomic<int> arrived{0};
    // Each waits for the others: none has the time to take another's share.
    threads.share({.extent = 3, .most = 3}, [&](std::size_t share, std::int64_t, std::int64_t) {
      owners[share] = std::this_thread::get_id();
      ++arrived;
      for (int i = 0; i < 10'000 && arrived < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    });
    if (first.empty()) first = owners;
    REQUIRE(owners[0] == std::this_thread::get_id());
    REQUIRE(owners == first);
  }
}

TEST_CASE("a thread that is slow is given less, but something") {
  for (const std::size_t slow : {0u, 1u}) {
    Threads threads{2};
    if (threads.count() < 2) SKIP("this build has no threads");
    const auto caller = std::this_thread::get_id();
    // A tenth is what the slow one should have. How soon that is learnt depends on what else this machine does.
    bool learnt = false;
    for (int loop = 0; loop < 2000 && !learnt; ++loop) {
      std::array<std::atomic<std::int64_t>, 2> sizes{};
      threads.share({.extent = 100, .most = 2}, [&](std::size_t share, std::int64_t begin, std::int64_t end) {
        sizes[share] = end - begin;
        const bool is_slow = (std::this_thread::get_id() == caller ? 0u : 1u) == slow;
        std::this_thread::sleep_for((is_slow ? 9 : 1) * (end - begin) * std::chrono::microseconds{20});
      });
      learnt = sizes[slow] < 22;
    }
    REQUIRE(learnt);
    for (const std::int64_t extent : {2, 3, 4}) {
      std::atomic<int> shares{0};
      threads.share({.extent = extent, .most = 2},
                    [&](std::size_t, std::int64_t begin, std::int64_t end) { shares += end > begin; });
      REQUIRE(shares == 2);
    }
  }
}

TEST_CASE("what small loops cost beside their work teaches nothing about threads") {
  Threads threads{2};
  if (threads.count() < 2) SKIP("this build has no threads");
  // Of 33 in units of 16 one share has 32 and the other 1, for which it takes as long: both are equally fast.
  for (int loop = 0; loop < 50; ++loop)
    threads.share({.extent = 33, .unit = 16, .most = 2}, [](std::size_t, std::int64_t, std::int64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    });
  std::array<std::atomic<std::int64_t>, 2> sizes{};
  threads.share({.extent = 100, .most = 2},
                [&](std::size_t share, std::int64_t begin, std::int64_t end) { sizes[share] = end - begin; });
  REQUIRE(sizes[0] == 50);
  REQUIRE(sizes[1] == 50);
}

TEST_CASE("a range that is shared within a loop is one share") {
  Threads threads{3};
  std::atomic<int> calls{0}, wrong{0};
  threads.for_each(5, [&](std::size_t) {
    threads.share({.extent = 9, .most = 3}, [&](std::size_t share, std::int64_t begin, std::int64_t end) {
      ++calls;
      wrong += share != 0 || begin != 0 || end != 9;
    });
  });
  REQUIRE(calls == 5);
  REQUIRE(wrong == 0);
}

TEST_CASE("the exception of the lowest share that throws comes out, and the others are done") {
  for (unsigned count : {1u, 2u, 3u}) {
    Threads threads{count};
    for (int round = 0; round < 50; ++round) {
      std::atomic<unsigned> calls{0};
      std::string caught;
      try {
        threads.share({.extent = 100, .most = 100}, [&](std::size_t share, std::int64_t, std::int64_t) {
          ++calls;
          throw std::runtime_error{std::to_string(share)};
        });
      } catch (const std::runtime_error& error) {
        caught = error.what();
      }
      REQUIRE(caught == "0");
      REQUIRE(calls == threads.count());
    }
  }
}

TEST_CASE("threads that never worked can be taken down") {
  for (int round = 0; round < 50; ++round) Threads threads{3};
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Threads>);
  STATIC_REQUIRE_FALSE(std::is_move_constructible_v<Threads>);
}

#ifndef __wasm__
TEST_CASE("a process that is forked off does its loops alone and can end") {
  std::optional<Threads> threads{3};
  std::atomic<int> sum{0};
  const auto add = [&sum](std::size_t index) { sum += static_cast<int>(index); };
  threads->for_each(5, add);
  std::this_thread::sleep_for(std::chrono::milliseconds{5});  // the workers sleep
  const pid_t child = fork();
  if (child == 0) {
    threads->for_each(5, add);
    threads->share({.extent = 100, .most = 3},
                   [&](std::size_t, std::int64_t begin, std::int64_t end) { sum += static_cast<int>(end - begin); });
    threads.reset();
    _exit(sum == 120 ? 0 : 1);
  }
  int status = -1;
  pid_t ended = 0;
  for (int tries = 0; tries < 20'000 && (ended = waitpid(child, &status, WNOHANG)) == 0; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  if (ended == 0) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  CHECK(status == 0);
  threads->for_each(5, add);
  CHECK(sum == 20);
}
#endif

TEST_CASE("a constant function object can be called") {
  Threads threads{2};
  std::atomic<int> sum{0};
  const auto add = [&sum](std::size_t index) { sum += static_cast<int>(index); };
  threads.for_each(5, add);
  REQUIRE(sum == 10);
}
