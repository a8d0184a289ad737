#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

import octet.base;
import octet.data;
import octet.text;

#include "refusal.hpp"

using namespace octet;
using namespace octet::data;

namespace {

using Ids = std::vector<std::int32_t>;
using Sentences = std::vector<Ids>;

constexpr std::int32_t cls = 2, sep = 3, mask = 4;

// Every third of the pieces from 5 on continues a word.
text::WordPiece tokenizer(int pieces = 1000) {
  std::vector<std::string> all{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (int i = 5; i < pieces; ++i) all.push_back((i % 3 == 0 ? "##w" : "w") + std::to_string(i));
  return text::WordPiece{text::Vocabulary{all}};
}

TokenFile file_of(const std::vector<Sentences>& documents, std::size_t vocabulary = 1000) {
  std::string bytes;
  TokenWriter writer{[&](std::string_view part) { bytes += part; }, vocabulary};
  for (const Sentences& sentences : documents) {
    for (const Ids& ids : sentences) {
      writer.add(ids);
      writer.end_sentence();
    }
    writer.end_document();
  }
  writer.finish();
  return {bytes, "some.tokens"};
}

// Documents of sentences of 5 to 24 tokens; document d has the ids 5 + 20 d to 24 + 20 d alone.
std::vector<Sentences> made_up(int documents, int sentences) {
  std::vector<Sentences> result;
  std::uint64_t counter = 0;
  const Key key = Key::of_seed(99);
  for (int d = 0; d < documents; ++d) {
    Sentences document;
    for (int s = 0; s < sentences; ++s) {
      Ids ids(5 + static_cast<std::size_t>(below(key, counter++, 20)));
      for (std::int32_t& id : ids) id = 5 + 20 * d + static_cast<std::int32_t>(below(key, counter++, 20));
      document.push_back(ids);
    }
    result.push_back(document);
  }
  return result;
}

Ids original(const TrainingExample& example) {
  Ids ids = example.ids;
  for (std::size_t i = 0; i < example.positions.size(); ++i)
    ids[static_cast<std::size_t>(example.positions[i])] = example.labels[i];
  return ids;
}

int document_of(std::int32_t id) { return (id - 5) / 20; }

}  // namespace

TEST_CASE("a pair is CLS A SEP B SEP, no longer than asked for, with A of the document and B of it or of another one") {
  const BertExamples source{
      file_of(made_up(20, 30)), tokenizer(), {.max_seq_length = 64, .max_predictions_per_seq = 10}};
  std::size_t pairs = 0, random = 0, full = 0;
  for (std::uint64_t pass = 0; pass < 20; ++pass)
    for (std::uint64_t document = 0; document < 20; ++document)
      for (const TrainingExample& example : source.of_document(document, pass)) {
        const Ids ids = original(example);
        const auto middle = static_cast<std::size_t>(example.first_segment) - 1;
        REQUIRE(ids.size() <= 64);
        REQUIRE(ids.size() >= 5);
        REQUIRE((ids.front() == cls && ids.back() == sep && ids[middle] == sep));
        CHECK(std::ranges::count(ids, sep) == 2);
        CHECK(document_of(ids[1]) == static_cast<int>(document));
        CHECK((document_of(ids[middle + 1]) != static_cast<int>(document)) == example.random_next);
        ++pairs;
        random += example.random_next;
        full += ids.size() == 64;
      }
  // Half of them, and all where a single sentence is left to a pair.
  const double share = static_cast<double>(random) / static_cast<double>(pairs);
  CHECK((share > 0.5 && share < 0.56));
  CHECK(full > pairs / 2);  // the others are of the 10 % that aim shorter, or ends of documents, or B was too short
}

TEST_CASE("the true next segment follows its first one, and all of a document is used where nothing is cut") {
  // A sentence is one token, so no pair is longer than asked for and nothing is cut off.
  Sentences one, two;
  for (std::int32_t i = 0; i < 300; ++i) one.push_back({5 + i});
  for (std::int32_t i = 0; i < 300; ++i) two.push_back({500 + i});
  const BertExamples source{
      file_of({one, two}), tokenizer(), {.max_seq_length = 19, .max_predictions_per_seq = 5, .short_seq_prob = 0}};
  double pairs = 0, random = 0;
  for (std::uint64_t pass = 0; pass < 500; ++pass) {
    std::int32_t expected = 5;
    for (const TrainingExample& example : source.of_document(0, pass)) {
      const Ids ids = original(example);
      for (std::size_t i = 1; i + 1 < ids.size(); ++i) {
        const bool second = static_cast<std::int64_t>(i) >= example.first_segment;
        if (ids[i] == sep || (second && example.random_next)) continue;
        CHECK(ids[i] == expected++);
      }
      if (example.random_next) CHECK(ids[static_cast<std::size_t>(example.first_segment)] >= 500);
      if (expected == 305) continue;  // the last pair may be of a single sentence, which nothing follows
      ++pairs;
      random += example.random_next;
    }
    CHECK(expected == 305);
  }
  CHECK(std::abs(random / pairs - 0.5) < 0.02);  // four standard deviations
}

TEST_CASE("random next sentences come from the other documents, each equally often, never from the same") {
  const BertExamples source{file_of(made_up(6, 1)), tokenizer(), {.max_seq_length = 64}};
  std::map<int, int> from;
  for (std::uint64_t pass = 0; pass < 10'000; ++pass)
    for (const TrainingExample& example : source.of_document(2, pass)) {
      CHECK(example.random_next);  // a single sentence is followed by none
      ++from[document_of(original(example)[static_cast<std::size_t>(example.first_segment)])];
    }
  CHECK(from.size() == 5);
  CHECK(from.count(2) == 0);
  for (const auto& [document, count] : from) CHECK(std::abs(count - 2000) < 160);  // four standard deviations
}

TEST_CASE(
    "of the tokens the asked share is to be guessed, at most so many: 80 % masked, 10 % random, 10 % as they were") {
  Sentences sentences;
  for (int i = 0; i < 60; ++i) sentences.push_back(Ids(20, 5 + i));
  const BertExamples source{
      file_of({sentences}),
      tokenizer(),
      {.max_seq_length = 102, .max_predictions_per_seq = 20, .short_seq_prob = 0, .next_sentence = false}};
  double masked = 0, random = 0, same = 0;
  std::vector<double> at(102);
  std::set<std::int32_t> drawn;
  constexpr int passes = 2000;
  std::size_t examples = 0;
  for (std::uint64_t pass = 0; pass < passes; ++pass)
    for (const TrainingExample& example : source.of_document(0, pass)) {
      ++examples;
      REQUIRE(example.ids.size() == 102);
      REQUIRE(example.positions.size() == 15);  // 102 times 0.15 is 15.3
      CHECK(std::ranges::is_sorted(example.positions));
      for (std::size_t i = 0; i < 15; ++i) {
        const std::int32_t now = example.ids[static_cast<std::size_t>(example.positions[i])];
        ++at[static_cast<std::size_t>(example.positions[i])];
        ++(now == mask ? masked : now == example.labels[i] ? same : random);
        if (now != mask && now != example.labels[i]) drawn.insert(now);
      }
    }
  const double total = 15.0 * static_cast<double>(examples);
  CHECK(examples == 12 * passes);
  CHECK(std::abs(masked / total - 0.8) < 0.003);
  CHECK(std::abs(random / total - 0.1 * 994 / 995) < 0.0025);
  CHECK(std::abs(same / total - 0.1 * 996 / 995) < 0.0025);
  CHECK(at[0] + at[101] == 0);
  for (std::size_t i = 1; i < 101; ++i) CHECK(std::abs(at[i] / static_cast<double>(examples) - 0.15) < 0.01);
  CHECK(drawn.size() == 995);
  CHECK(*drawn.begin() == 5);  // special tokens are no random ones
}

TEST_CASE("what stands in a masked token's place is shared out as asked, as an ELECTRA's is") {
  Sentences sentences;
  for (int i = 0; i < 60; ++i) sentences.push_back(Ids(20, 5 + i));
  for (const auto& [by_mask, by_random] : {std::pair{0.85, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {0.5, 0.25}}) {
    INFO(by_mask << " and " << by_random);
    const BertExamples source{file_of({sentences}),
                              tokenizer(),
                              {.max_seq_length = 102,
                               .replaced_by_mask = by_mask,
                               .replaced_by_random = by_random,
                               .short_seq_prob = 0,
                               .next_sentence = false}};
    double masked = 0, same = 0, total = 0;
    for (std::uint64_t pass = 0; pass < 400; ++pass)
      for (const TrainingExample& example : source.of_document(0, pass))
        for (std::size_t i = 0; i < example.positions.size(); ++i, ++total) {
          const std::int32_t now = example.ids[static_cast<std::size_t>(example.positions[i])];
          masked += now == mask;
          same += now == example.labels[i];
        }
    CHECK(std::abs(masked / total - by_mask) < 0.01);
    CHECK(std::abs(same / total - (1 - by_mask - by_random * 994 / 995)) < 0.01);
  }
}

TEST_CASE("the number of predictions is rounded as Python rounds, one at least and no more than allowed") {
  const auto predictions = [](std::size_t tokens, BertExampleOptions options) {
    options.next_sentence = false;
    options.short_seq_prob = 0;
    const BertExamples source{file_of({{Ids(tokens, 7)}}), tokenizer(), options};
    return source.of_document(0, 0).at(0).positions.size();
  };
  CHECK(predictions(1, {}) == 1);
  CHECK(predictions(8, {}) == 2);     // 10 with the special ones: 1.5 to the even 2
  CHECK(predictions(28, {}) == 4);    // 30: 4.5 to the even 4
  CHECK(predictions(126, {}) == 19);  // 19.2
  CHECK(predictions(126, {.max_predictions_per_seq = 7}) == 7);
  CHECK(predictions(10, {.masked_lm_prob = 1.0}) == 10);
}

TEST_CASE("whole words are not masked where no piece is marked as a word's second") {
  const text::WordPiece words = tokenizer(), unmarked{words.vocabulary(), {.wordpieces_prefix = ""}};
  CHECK(number_of([&] { BertExamples{file_of(made_up(2, 5)), unmarked, {.whole_word_mask = true}}; }) == 709);
  CHECK(number_of([&] { BertExamples{file_of(made_up(2, 5)), unmarked}; }) == 0);
}

TEST_CASE("whole words are masked whole, and never more pieces than allowed") {
  Sentences sentences;
  for (int i = 0; i < 40; ++i)
    sentences.push_back({7, 6, 9, 12, 8, 10, 11, 15, 13});  // words: 7 6 9 12, 8, 10, 11 15, 13
  const BertExamples source{
      file_of({sentences}),
      tokenizer(),
      {.max_seq_length = 66, .max_predictions_per_seq = 9, .whole_word_mask = true, .next_sentence = false}};
  std::size_t longest = 0;
  for (std::uint64_t pass = 0; pass < 200; ++pass)
    for (const TrainingExample& example : source.of_document(0, pass)) {
      const Ids ids = original(example);
      std::set<std::int32_t> chosen(example.positions.begin(), example.positions.end());
      CHECK(chosen.size() <= 9);
      for (std::int32_t i = 2; i + 1 < static_cast<std::int32_t>(ids.size()); ++i)
        if (ids[static_cast<std::size_t>(i)] % 3 == 0) CHECK(chosen.contains(i) == chosen.contains(i - 1));
      longest = std::max(longest, chosen.size());
    }
  CHECK(longest == 9);
}

TEST_CASE("without next sentences no token is lost, and short examples come as often as asked for") {
  Sentences sentences;
  for (std::int32_t i = 0; i < 500; ++i) sentences.push_back({5 + i, 6 + i});
  const BertExamples source{
      file_of({sentences}), tokenizer(), {.max_seq_length = 34, .short_seq_prob = 0.2, .next_sentence = false}};
  std::size_t shorter = 0, all = 0;
  for (std::uint64_t pass = 0; pass < 100; ++pass) {
    Ids tokens;
    for (const TrainingExample& example : source.of_document(0, pass)) {
      const Ids ids = original(example);
      CHECK(example.first_segment == static_cast<std::int64_t>(ids.size()));
      tokens.insert(tokens.end(), ids.begin() + 1, ids.end() - 1);
      ++all;
      shorter += ids.size() < 34;
    }
    Ids expected;
    for (const Ids& sentence : sentences) expected.insert(expected.end(), sentence.begin(), sentence.end());
    CHECK(tokens == expected);
  }
  CHECK(std::abs(static_cast<double>(shorter) / static_cast<double>(all) - 0.2) < 0.03);
}

TEST_CASE("the examples are these on every machine, others in another pass and for another seed") {
  const auto hash = [](std::uint64_t seed, std::uint64_t pass) {
    const BertExamples source{file_of(made_up(10, 20)), tokenizer(), {.max_seq_length = 40, .random_seed = seed}};
    Hasher hasher;
    for (std::uint64_t document = 0; document < 10; ++document)
      for (const TrainingExample& example : source.of_document(document, pass))
        for (const std::int32_t id : example.ids) hasher.add(static_cast<std::uint64_t>(id));
    return hasher.text();
  };
  CHECK(hash(1, 0) == "012529cc5363967d");
  CHECK(hash(1, 0) == hash(1, 0));
  CHECK(hash(1, 0) != hash(1, 1));
  CHECK(hash(1, 0) != hash(2, 0));
}

TEST_CASE("an example becomes the features that BERT's data script writes, and comes back") {
  const TrainingExample example{.ids = {cls, 10, mask, sep, mask, 13, sep},
                                .first_segment = 4,
                                .positions = {2, 4},
                                .labels = {11, 12},
                                .random_next = true};
  const Features features = bert_features(example, 9, 3);
  const Features expected{{"input_ids", Int64List{2, 10, 4, 3, 4, 13, 3, 0, 0}},
                          {"input_mask", Int64List{1, 1, 1, 1, 1, 1, 1, 0, 0}},
                          {"segment_ids", Int64List{0, 0, 0, 0, 1, 1, 1, 0, 0}},
                          {"masked_lm_positions", Int64List{2, 4, 0}},
                          {"masked_lm_ids", Int64List{11, 12, 0}},
                          {"masked_lm_weights", FloatList{1, 1, 0}},
                          {"next_sentence_labels", Int64List{1}}};
  CHECK(features == expected);
  CHECK(bert_example(features) == example);
  CHECK(bert_example(decode_example(encode_example(features))) == example);

  const auto altered = [&](const char* name, Feature feature) {
    Features other = features;
    other[name] = std::move(feature);
    return number_of([&] { bert_example(other); });
  };
  CHECK(altered("more", BytesList{"of no concern"}) == 0);
  CHECK(altered("input_ids", Int64List{1, 2}) == 723);
  CHECK(altered("input_ids", FloatList(9)) == 723);
  CHECK(altered("input_ids", Int64List{2, -1, 4, 3, 4, 13, 3, 0, 0}) == 723);
  CHECK(altered("input_ids", Int64List{2, 1ll << 31, 4, 3, 4, 13, 3, 0, 0}) == 723);
  CHECK(altered("input_mask", Int64List{1, 1, 0, 1, 1, 1, 1, 0, 0}) == 723);
  CHECK(altered("input_mask", Int64List(9)) == 723);
  CHECK(altered("segment_ids", Int64List{0, 0, 1, 0, 1, 1, 1, 0, 0}) == 723);
  CHECK(altered("masked_lm_positions", Int64List{4, 2, 0}) == 723);
  CHECK(altered("masked_lm_positions", Int64List{2, 7, 0}) == 723);
  CHECK(altered("masked_lm_weights", FloatList{1}) == 723);
  for (const float wrong : {std::nanf(""), 0.5f, -1.0f})
    CHECK(altered("masked_lm_weights", FloatList{1, 1, wrong}) == 723);
  CHECK(altered("next_sentence_labels", Int64List{2}) == 723);
  CHECK(number_of([] { bert_example({}); }) == 723);
}

TEST_CASE("options and documents that no example can be made of are refused") {
  const auto make = [](BertExampleOptions options) {
    return number_of([&] { BertExamples{file_of(made_up(2, 2)), tokenizer(), options}; });
  };
  CHECK(make({}) == 0);
  CHECK(make({.max_seq_length = 4}) == 709);
  CHECK(make({.max_seq_length = 5, .max_predictions_per_seq = 5}) == 0);
  CHECK(make({.max_seq_length = 1'000'001}) == 709);
  CHECK(make({.max_predictions_per_seq = 0}) == 709);
  CHECK(make({.max_predictions_per_seq = 129}) == 709);
  for (const double wrong : {0.0, -1.0, 1.01, std::nan("")}) CHECK(make({.masked_lm_prob = wrong}) == 709);
  for (const double wrong : {-0.1, 1.01, std::nan("")}) CHECK(make({.short_seq_prob = wrong}) == 709);
  for (const double wrong : {-0.1, 0.91, std::nan("")}) CHECK(make({.replaced_by_mask = wrong}) == 709);
  for (const double wrong : {-0.1, 0.21, std::nan("")}) CHECK(make({.replaced_by_random = wrong}) == 709);
  CHECK(number_of([] { BertExamples{file_of({}), tokenizer()}; }) == 706);
  CHECK(number_of([] { BertExamples{file_of({{{7}}}), tokenizer()}; }) == 727);
  CHECK(number_of([] { BertExamples{file_of({{{7}}, {{8}}}), tokenizer(900)}; }) == 726);
}

TEST_CASE("a sentence of a million tokens is cut to its example and not walked through for ever") {
  const BertExamples source{file_of({{Ids(1'000'000, 7)}, {Ids(1'000'000, 8), {9}}}), tokenizer(), {}};
  for (std::uint64_t document = 0; document < 2; ++document)
    for (const TrainingExample& example : source.of_document(document, 0)) CHECK(example.ids.size() == 128);
}
