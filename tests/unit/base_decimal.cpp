// Decimal text against std::to_chars, and back.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
import octet.base;

namespace {

using namespace octet;

template <class Real>
std::string standard(Real number) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

template <class Real, class Bits>
void check_random(std::uint64_t seed) {
  std::uint64_t state = seed;
  int differ = 0;
  std::string first;
  for (int round = 0; round < 20'000; ++round) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const Real number = std::bit_cast<Real>(static_cast<Bits>(state >> (64 - 8 * sizeof(Bits))));
    if (!std::isfinite(number)) continue;
    const std::string text = shortest_decimal(number);
    if (static_cast<Real>(read_decimal(text)) != number) FAIL_CHECK(text << " does not read back");
    // std::to_chars writes all digits of a whole number that has more than the format tells apart.
    if (std::abs(number) < 1 / std::numeric_limits<Real>::epsilon() && text != standard(number) && ++differ == 1)
      first = text + " " + standard(number);
  }
  // A power of two has a nearer neighbour below: fewer digits than printf's may read back.
  INFO(first);
  CHECK(differ <= 2);
}

TEST_CASE("the shortest decimal of a number is the one that std::to_chars writes") {
  for (const double number :
       {0.0, -0.0, 1.0, 0.1, -0.5, 1e20, 1e22, 1e-5, 123456.789, 5e-324, 2.2250738585072014e-308,
        1.7976931348623157e308, 0.30000000000000004, 4294967296.0, 100000.0, 1e5, 1e6, 12345678.0})
    CHECK(shortest_decimal(number) == standard(number));
  for (const float number : {0.1f, 3.4028235e38f, 1e-45f, 16777216.0f, 0.3f, 1e10f})
    CHECK(shortest_decimal(number) == standard(number));
  for (int digits = 1; digits < 2'000'000; digits += digits < 200 ? 1 : 7919)
    for (int places = -3; places < 25; ++places) {  // what people write
      const std::string written = std::to_string(digits) + "e" + std::to_string(-places);
      const double number = std::strtod(written.c_str(), nullptr);
      const float rounded = std::strtof(written.c_str(), nullptr);
      if (shortest_decimal(number) != standard(number)) FAIL_CHECK(written);
      if (rounded < 1e7f && shortest_decimal(-rounded) != standard(-rounded)) FAIL_CHECK(written << " as f32");
    }
  check_random<double, std::uint64_t>(1);
  check_random<float, std::uint32_t>(2);
}

TEST_CASE("a decimal is plain or scientific as asked, and names what is no number") {
  CHECK(shortest_decimal(5e-4, Notation::plain) == "0.0005");
  CHECK(shortest_decimal(5e-4, Notation::scientific) == "5e-04");
  CHECK(shortest_decimal(-1234.5, Notation::scientific) == "-1.2345e+03");
  CHECK(shortest_decimal(1e300, Notation::plain).size() == 301);
  CHECK(scientific_decimal(1.5, 3) == "1.50e+00");
  CHECK(scientific_decimal(0.1f, 9) == "1.00000001e-01");
  CHECK(scientific_decimal(-0.0, 2) == "-0.0e+00");
  CHECK(shortest_decimal(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(shortest_decimal(-std::numeric_limits<float>::infinity()) == "-inf");
  CHECK(std::isinf(read_decimal("-1e999")));
  CHECK(read_decimal("1e-999") == 0);
}

TEST_CASE("a locale with a decimal comma changes no decimal") {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"})
    if (std::setlocale(LC_NUMERIC, locale)) break;  // none is there on a bare system: then this is the C locale again
  CHECK(shortest_decimal(0.25) == "0.25");
  CHECK(scientific_decimal(1.5, 3) == "1.50e+00");
  CHECK(read_decimal("-2.5e1") == -25);
  std::setlocale(LC_NUMERIC, before.c_str());
}

}  // namespace
