#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

import octet.text;

using namespace octet::text;

TEST_CASE("characters have the category of the Unicode tables") {
  CHECK(category(U'A') == Category::Lu);
  CHECK(category(U'z') == Category::Ll);
  CHECK(category(U'\u00AA') == Category::Lo);
  CHECK(category(U'\uD55C') == Category::Lo);  // inside a block listed by its first and last only
  CHECK(category(U'\u4E00') == Category::Lo);
  CHECK(category(U'\u9FFF') == Category::Lo);
  CHECK(category(U'\u0301') == Category::Mn);
  CHECK(category(U'\u3002') == Category::Po);
  CHECK(category(U'\U0001F600') == Category::So);
  CHECK(category(U'\u200D') == Category::Cf);
  CHECK(category(U'\uE123') == Category::Co);
  CHECK(category(0xD800) == Category::Cs);
  CHECK(category(U'\u0378') == Category::Cn);
  CHECK(category(0x10FFFF) == Category::Cn);
  CHECK(category(0x110000) == Category::Cn);
}

TEST_CASE("a character younger than the version of Unicode in use is unassigned") {
  CHECK(category(0x31350) == Category::Lo);  // extension H came with 15.0
  CHECK(category(0x2EBF0) == Category::Lo);  // extension I with 15.1
  CHECK(category(0x1CCFC) == Category::Cn);  // with 17.0, between others of 16.0
  CHECK(category(0x1CCF9) == Category::Nd);
  CHECK(category(0x16EA0) == Category::Cn);
  std::u32string lower;
  for (const char32_t character : {0xA7CB, 0xA7CD, 0x10D65, 0x16EA0, 0x16EB8, 0x16EB9})
    append_lowercase(lower, character);
  CHECK(lower == U"\u0264\uA7CD\U00010D85\U00016EBB\U00016ED3\U00016EB9");  // lowercase forms are of 17.0
  CHECK(decompose(U"\U00011938") == U"\U00011938");                         // decompositions of 9.0: it came with 13.0
  CHECK(decompose(U"a\u0345\u1DFB") == U"a\u1DFB\u0345");                   // a mark that came with 9.0
  CHECK(decompose(U"a\u0345\u1DF6") == U"a\u0345\u1DF6");                   // and one with 10.0
}

TEST_CASE("white space, control characters and punctuation are BERT's") {
  for (char32_t c : {U' ', U'\t', U'\v', U'\u0085', U'\u00A0', U'\u2003', U'\u2028', U'\u3000'})
    CHECK(is_white_space(c));
  for (char32_t c : {U'a', U'\u200B', U'\u001C', U'\u180E'}) CHECK_FALSE(is_white_space(c));
  for (char32_t c : {char32_t{0}, char32_t{7}, char32_t{0x7F}, U'\u0085', U'\u00AD', U'\u200B', U'\uFEFF'})
    CHECK(is_control(c));
  for (char32_t c : {U'\t', U'\n', U'\r', U' ', U'a'}) CHECK_FALSE(is_control(c));
  for (char32_t c : {U'$', U'+', U'<', U'=', U'^', U'`', U'|', U'~', U'-', U'\u3001', U'\u00BF', U'\u2014', U'\uFF01'})
    CHECK(is_punctuation(c));
  for (char32_t c : {U'0', U'a', U' ', U'\u20AC', U'\u00D7', U'\u30FC', U'\U0001F600'}) CHECK_FALSE(is_punctuation(c));
}

TEST_CASE("Chinese characters are ideographs, not kana and not Hangul") {
  for (char32_t c : {U'\u4E2D', U'\u3400', U'\uF900', U'\U00020000', U'\U0002F800'}) CHECK(is_chinese_character(c));
  for (char32_t c : {U'\u3042', U'\u30A2', U'\uD55C', U'\u3005', U'a'}) CHECK_FALSE(is_chinese_character(c));
}

TEST_CASE("Hangul syllables decompose to jamo and compose again") {
  CHECK(decompose(U"\uD55C\uAD6D") == U"\u1112\u1161\u11AB\u1100\u116E\u11A8");
  CHECK(compose(U"\u1112\u1161\u11AB\u1100\u116E\u11A8") == U"\uD55C\uAD6D");
  CHECK(compose(U"\uAC00\u11A8") == U"\uAC01");
  CHECK(compose(U"\u1161\u11A8") == U"\u1161\u11A8");  // jamo that make no syllable stay
}

TEST_CASE("accents decompose in canonical order and compose again") {
  CHECK(decompose(U"\u1E69") == U"s\u0323\u0307");
  CHECK(decompose(U"s\u0307\u0323") == U"s\u0323\u0307");
  CHECK(compose(U"s\u0307\u0323") == U"\u1E69");
  CHECK(decompose(U"\u304C") == U"\u304B\u3099");
  CHECK(compose(U"\u304B\u3099") == U"\u304C");
  CHECK(compose(U"\u0958") == U"\u0915\u093C");  // a composition exclusion
  CHECK(compose(U"\u212B") == U"\u00C5");        // a singleton
  CHECK(compose(U"a\u0345\u0301") == U"\u00E1\u0345");
  CHECK(decompose(U"") == U"");
  CHECK(compose(U"\u0301") == U"\u0301");
}

TEST_CASE("a long run of marks is sorted as a short one is, and takes no longer for each mark") {
  const auto sorted = [](std::size_t pairs, std::vector<std::size_t>* origins = nullptr) {
    std::u32string run = U"e";
    for (std::size_t i = 0; i < pairs; ++i) run += U"\u0301\u0323";
    const std::u32string expected =
        U"e" + std::u32string(pairs, U'\u0323') + std::u32string(pairs, U'\u0301');  // classes 220 and 230
    CHECK(decompose(run, origins) == expected);
    CHECK(compose(run) == U"\u1EB9" + expected.substr(2));
  };
  sorted(10);
  sorted(500'000);  // minutes, where each mark passes all before it
  std::vector<std::size_t> origins;
  decompose(U"a" + std::u32string(20, U'\u0344') + std::u32string(20, U'\u0316'), &origins);  // two marks, one below
  REQUIRE(origins.size() == 61);
  CHECK(origins[1] == 1);
  CHECK(origins[60] == 40);
}

TEST_CASE("decomposition tells which character each part came from") {
  std::vector<std::size_t> origins;
  CHECK(decompose(U"x\uAC01s\u0307\u0323", &origins) == U"x\u1100\u1161\u11A8s\u0323\u0307");
  CHECK(origins == std::vector<std::size_t>{0, 1, 1, 1, 2, 3, 4});
  // A mark that comes before one that its character was taken apart into.
  CHECK(decompose(U"\u01F0\U0001D165m", &origins) == U"j\U0001D165\u030Cm");
  CHECK(origins == std::vector<std::size_t>{0, 1, 1, 2});
}

TEST_CASE("lowercase follows the Unicode tables, beyond one character where it must") {
  const auto lower = [](char32_t character) {
    std::u32string result;
    append_lowercase(result, character);
    return result;
  };
  CHECK(lower(U'A') == U"a");
  CHECK(lower(U'\u00C9') == U"\u00E9");
  CHECK(lower(U'\u0410') == U"\u0430");
  CHECK(lower(U'\uFF21') == U"\uFF41");
  CHECK(lower(U'\U00010400') == U"\U00010428");
  CHECK(lower(U'\u0130') == U"i\u0307");
  CHECK(lower(U'\u1E9E') == U"\u00DF");
  CHECK(lower(U'\uD55C') == U"\uD55C");
}

TEST_CASE("composing a text is composing its characters, whichever they are") {
  const auto check = [](const std::u32string& characters) {
    const std::string text = encode_utf8(characters);
    if (compose_utf8(text) != encode_utf8(compose(characters))) FAIL("not so for " << text);
  };
  // With what may be composed with the character before it.
  for (const char32_t mark :
       {U'\u0301', U'\u0323', U'\u3099', U'\u11A8', U'\u1161', U'\u09BE', U'a', U'\u304B', U'\uAC00'})
    for (char32_t character = 1; character < 0x30000; character += character < 0x10000 ? 1 : 17)
      if (character < 0xD800 || character > 0xDFFF) check({character, mark, character});
  for (char32_t character = 1; character < 0x10000; ++character)
    if (character < 0xD800 || character > 0xDFFF) check({U'\u3042', character});
  SUCCEED();
}
