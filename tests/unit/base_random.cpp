#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

import octet.base;

using namespace octet;

TEST_CASE("Threefry gives the known answers of Random123") {
  using Block = std::array<std::uint32_t, 2>;
  REQUIRE(threefry(Key{0, 0}, 0u, 0u) == Block{0x6b20'0159, 0x99ba'4efe});
  REQUIRE(threefry(Key{~0u, ~0u}, ~0u, ~0u) == Block{0x1cb9'96fc, 0xbb00'2be7});
  REQUIRE(threefry(Key{0x1319'8a2e, 0x0370'7344}, 0x243f'6a88u, 0x85a3'08d3u) == Block{0xc492'3a9c, 0x483d'f7a0});
}

TEST_CASE("keys split as JAX's keys do") {
  REQUIRE(Key::of_seed(42) == Key{0, 42});
  REQUIRE(Key::of_seed(0x1'0000'0002) == Key{1, 2});
  REQUIRE(split(Key::of_seed(42), 0) == Key{1832780943, 270669613});
  REQUIRE(split(Key::of_seed(42), 1) == Key{64467757, 2916123636});
  REQUIRE(fold_in(Key::of_seed(42), 1) == split(Key::of_seed(42), 1));
  STATIC_REQUIRE(split(Key{}, 1) == Key{928981903, 3453687069});
}

TEST_CASE("numbers are those that JAX documents for the same key") {
  REQUIRE(std::abs(uniform(Key::of_seed(0), 0) - 0.947667f) < 1e-6f);
  REQUIRE(std::abs(uniform(split(Key::of_seed(0), 1), 0) - 0.00729382f) < 1e-7f);
  REQUIRE(std::abs(normal(Key::of_seed(42), 0) - -0.028304616f) < 1e-8f);
}

TEST_CASE("counters above 2^32 give numbers of their own") {
  const Key key = Key::of_seed(1);
  REQUIRE(bits(key, 5) != bits(key, 5 + (std::uint64_t{1} << 32)));
  REQUIRE(split(key, 5) != split(key, 5 + (std::uint64_t{1} << 32)));
}

TEST_CASE("uniform numbers are at least 0 and less than 1, with mean 1/2 and variance 1/12") {
  const Key key = Key::of_seed(7);
  constexpr int n = 200'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const float x = uniform(key, static_cast<std::uint64_t>(i));
    REQUIRE((x >= 0 && x < 1));
    sum += x;
    squares += static_cast<double>(x) * x;
  }
  REQUIRE(std::abs(sum / n - 0.5) < 5 * 0.2887 / std::sqrt(n));
  REQUIRE(std::abs(squares / n - 1.0 / 3) < 0.005);
}

TEST_CASE("normal numbers have mean 0, variance 1 and the tails of the normal distribution") {
  const Key key = Key::of_seed(7);
  constexpr int n = 200'000;
  double sum = 0, squares = 0;
  int beyond_two = 0, beyond_three = 0;
  for (int i = 0; i < n; ++i) {
    const double x = normal(key, static_cast<std::uint64_t>(i));
    REQUIRE(std::abs(x) < 5.43);
    sum += x;
    squares += x * x;
    beyond_two += std::abs(x) > 2;
    beyond_three += std::abs(x) > 3;
  }
  REQUIRE(std::abs(sum / n) < 5 / std::sqrt(n));
  REQUIRE(std::abs(squares / n - 1) < 5 * std::sqrt(2.0 / n));
  REQUIRE(std::abs(beyond_two - 0.0455003 * n) < 5 * std::sqrt(0.0455 * n));
  REQUIRE(std::abs(beyond_three - 0.0026998 * n) < 5 * std::sqrt(0.0027 * n));
}

TEST_CASE("normal numbers are the same one by one and several at once, across 2^32 too") {
  const Key key = Key::of_seed(11);
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{5}, (std::uint64_t{1} << 32) - 9}) {
    std::vector<float> numbers(37);
    normal(key, first, numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) REQUIRE(numbers[i] == normal(key, first + i));
  }
}

TEST_CASE("below reaches every number below its bound equally often, and none else") {
  const Key key = Key::of_seed(3);
  for (std::uint64_t bound : {1u, 2u, 3u, 7u, 1000u}) {
    std::vector<int> count(bound);
    const int n = 1000 * static_cast<int>(bound < 10 ? 10 : bound) / 10;
    for (int i = 0; i < n; ++i) ++count.at(below(key, static_cast<std::uint64_t>(i), bound));
    const double each = static_cast<double>(n) / static_cast<double>(bound);
    double chi_squared = 0;
    for (int c : count) chi_squared += (c - each) * (c - each) / each;
    const double freedom = static_cast<double>(bound) - 1;
    REQUIRE(chi_squared <= freedom + 5 * std::sqrt(2 * freedom));
  }
  REQUIRE(below(key, 0, 0) == 0);
}

TEST_CASE("below multiplies all 64 bits") {
  const Key key = Key::of_seed(11);
  for (std::uint64_t counter = 0; counter < 1000; ++counter) {
    const auto [high, low] = threefry(key, counter);
    const std::uint64_t number = static_cast<std::uint64_t>(high) << 32 | low;
    for (std::uint64_t bound :
         {std::uint64_t{1} << 63, ~std::uint64_t{0}, (std::uint64_t{1} << 32) + 1, std::uint64_t{10'000'000'019}}) {
      __extension__ using Wide = unsigned __int128;
      REQUIRE(below(key, counter, bound) == static_cast<std::uint64_t>(static_cast<Wide>(number) * bound >> 64));
    }
  }
}

TEST_CASE("a shuffle sends every index to a place of its own") {
  for (std::uint64_t size : {1, 2, 3, 4, 5, 8, 9, 31, 32, 33, 1000, 4096, 4097}) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      std::vector<bool> taken(size);
      for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t place = permuted(Key::of_seed(seed), size, i);
        REQUIRE(place < size);
        REQUIRE_FALSE(taken[place]);
        taken[place] = true;
      }
    }
  }
}

TEST_CASE("a shuffle stays in range where the size is close to 2^64") {
  for (std::uint64_t size : {~std::uint64_t{0}, (std::uint64_t{1} << 63) + 1, (std::uint64_t{1} << 32) + 1})
    for (std::uint64_t i = 0; i < 100; ++i) {
      REQUIRE(permuted(Key::of_seed(1), size, i) < size);
      REQUIRE(permuted(Key::of_seed(1), size, size - 1 - i) < size);
    }
}

TEST_CASE("over many keys an index comes to each place equally often, and every order of three occurs") {
  constexpr std::uint64_t size = 6;
  constexpr int keys = 12'000;
  int count[size][size] = {};
  int orders[27] = {};
  for (std::uint64_t seed = 0; seed < keys; ++seed) {
    for (std::uint64_t i = 0; i < size; ++i) ++count[i][permuted(Key::of_seed(seed), size, i)];
    std::uint64_t order = 0;
    for (std::uint64_t i = 0; i < 3; ++i) order = order * 3 + permuted(Key::of_seed(seed), 3, i);
    ++orders[order];
  }
  for (const auto& row : count)
    for (int c : row) REQUIRE(std::abs(c - keys / 6.0) < 5 * std::sqrt(keys / 6.0));
  REQUIRE(std::ranges::count_if(orders, [](int c) { return c > 0; }) == 6);
  for (int c : orders) REQUIRE((c == 0 || std::abs(c - keys / 6.0) < 5 * std::sqrt(keys / 6.0)));
}

TEST_CASE("neighbours do not stay neighbours in a shuffle") {
  int neighbours = 0;
  for (std::uint64_t i = 0; i + 1 < 10'000; ++i)
    neighbours += permuted(Key::of_seed(5), 10'000, i) + 1 == permuted(Key::of_seed(5), 10'000, i + 1);
  REQUIRE(neighbours < 10);
}
