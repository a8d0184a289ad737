#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import octet.base;

using octet::Hasher;
using octet::HasherOfParts;

namespace {

std::string hash(std::string_view text) { return Hasher{}.add(text).text(); }

}  // namespace

TEST_CASE("a hash is the same number on every machine") {
  CHECK(Hasher{}.text() == "efd01f60ba992926");
  CHECK(hash("") == "bac1775082379709");
  CHECK(hash("octet") == "41a295bc15b8455a");
  CHECK(hash("In the beginning God created the heaven and the earth.") == "f5c7eed163c37441");
  CHECK(hash("태초에") == "5321cf4485208c1c");
  CHECK(Hasher{}.add(std::uint64_t{1}).text() == "ad517786ea51de2d");
}

TEST_CASE("texts that differ in one bit, in length or in trailing zeros have different hashes") {
  std::set<std::string> seen;
  std::string text(40, '\0');
  for (std::size_t length = 0; length <= text.size(); ++length)
    REQUIRE(seen.insert(hash({text.data(), length})).second);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    text[bit / 8] = static_cast<char>(1 << bit % 8);
    REQUIRE(seen.insert(hash(text)).second);
    text[bit / 8] = 0;
  }
}

TEST_CASE("a hash depends on the order of what is added and on where one text ends") {
  REQUIRE(Hasher{}.add("ab").add("c").value() != Hasher{}.add("a").add("bc").value());
  REQUIRE(Hasher{}.add("a").add("b").value() != Hasher{}.add("b").add("a").value());
}

TEST_CASE("a hash does not depend on how its bytes are aligned") {
  std::string text = "0123456789abcdef0123456789";
  const std::string wanted = hash({text.data(), 20});
  for (std::size_t shift = 1; shift < 6; ++shift) {
    const std::string moved = std::string(shift, ' ') + text.substr(0, 20);
    REQUIRE(hash({moved.data() + shift, 20}) == wanted);
  }
}

TEST_CASE("bytes that come in parts have the hash that they have together, wherever they are cut") {
  const std::string text = "In the beginning God created";
  for (std::size_t size = 0; size <= text.size(); ++size)
    for (std::size_t first = 0; first <= size; ++first)
      for (std::size_t second = first; second <= size; ++second) {
        HasherOfParts hasher{size};
        for (const auto& [begin, end] : {std::pair{std::size_t{0}, first}, {first, second}, {second, size}})
          hasher.add(std::as_bytes(std::span{text}.subspan(begin, end - begin)));
        INFO(size << " bytes, cut at " << first << " and " << second);
        REQUIRE(hasher.finished().text() == hash(text.substr(0, size)));
      }
}
