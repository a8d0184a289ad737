// Which pieces a blank is filled with: at the beginning of a word those that begin one.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <string>
#include <vector>

import octet.base;
import octet.nn;
import octet.text;
import octet.trace;
import octet.train;

using namespace octet;
using namespace octet::train;

TEST_CASE("where a blank begins a word, pieces that go on with one are left out") {
  const text::WordPiece words{text::Vocabulary{
      {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "god", "a", "##s", "##a", "(", ",", "\u65E5", "\uD55C"}}};
  Threads threads{2};
  const Filler fill{
      nn::initialize(nn::bert({.vocabulary = 13, .hidden = 4, .layers = 1, .heads = 2, .intermediate = 4}),
                     Key::of_seed(1), nn::normal_initializer(1)),
      words, threads};
  const auto offered = [&](const std::string& sentence) {
    std::vector<std::size_t> counts;
    for (const Blank& blank : fill(sentence, 100)) counts.push_back(blank.candidates.size());
    return counts;
  };
  using Counts = std::vector<std::size_t>;
  const Counts beginning{6}, any{8};
  for (const char* sentence : {"[MASK]", "god [MASK]", "god\t[MASK]", "god\n[MASK]", "god\u00A0[MASK]",
                               "god\u3000[MASK]", "([MASK]", "god,[MASK]", "\u65E5[MASK]"}) {
    INFO(sentence);
    CHECK(offered(sentence) == beginning);
  }
  for (const char* sentence : {"god[MASK]", "gods[MASK]", "\uD55C[MASK]", "xyz[MASK]"}) {
    INFO(sentence);
    CHECK(offered(sentence) == any);
  }
  CHECK(offered("god [MASK][MASK]") == Counts{6, 8});
}
