module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace {

constexpr std::uint32_t bert_stream = 0x6265'7274;  // "bert"; see order.cpp

using Ids = std::vector<std::int32_t>;

// Random numbers one after another.
class Draws {
 public:
  explicit Draws(Key key) : key_{key} {}
  bool with_probability(double probability) { return uniform(key_, counter_++) < probability; }
  std::uint64_t below(std::uint64_t bound) { return octet::below(key_, counter_++, bound); }
  // Between the two, both included.
  std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }

 private:
  Key key_;
  std::uint64_t counter_ = 0;
};

std::size_t total(std::span<const Ids> sentences) {
  std::size_t size = 0;
  for (const Ids& sentence : sentences) size += sentence.size();
  return size;
}

Ids joined(std::span<const Ids> sentences) {
  Ids result;
  result.reserve(total(sentences));
  for (const Ids& sentence : sentences) result.insert(result.end(), sentence.begin(), sentence.end());
  return result;
}

// Takes tokens from the longer of the two until both have `room` together, from the front or the back by chance.
void truncate_pair(std::span<const std::int32_t>& a, std::span<const std::int32_t>& b, std::size_t room, Draws& draws) {
  while (a.size() + b.size() > room) {
    auto& longer = a.size() > b.size() ? a : b;
    longer = draws.with_probability(0.5) ? longer.subspan(1) : longer.first(longer.size() - 1);
  }
}

}  // namespace

void validate(const BertExampleOptions& options) {
  std::vector<Diagnostic> faults;
  const auto refuse = [&](const std::string& sentence, const std::string& fix) {
    faults.push_back({.number = 709, .sentence = sentence, .where = {}, .fix = {fix}});
  };
  if (options.max_seq_length < 5 || options.max_seq_length > 1'000'000)
    refuse("max_seq_length is " + std::to_string(options.max_seq_length) +
               (options.max_seq_length < 5 ? ", and a pair with [CLS] and two [SEP] has 5 tokens at least"
                                           : ", and no model takes so many tokens"),
           "choose 5 to 1,000,000, such as 128");
  if (options.max_predictions_per_seq < 1 || options.max_predictions_per_seq > options.max_seq_length)
    refuse("max_predictions_per_seq is " + std::to_string(options.max_predictions_per_seq),
           "choose 1 to max_seq_length, about max_seq_length times masked_lm_prob");
  if (!(options.masked_lm_prob > 0 && options.masked_lm_prob <= 1))
    refuse("masked_lm_prob is " + shortest_decimal(options.masked_lm_prob),
           "choose above 0 and at most 1, such as 0.15");
  if (!(options.replaced_by_mask >= 0 && options.replaced_by_random >= 0 &&
        options.replaced_by_mask + options.replaced_by_random <= 1 + 1e-9))
    refuse("replaced_by_mask is " + shortest_decimal(options.replaced_by_mask) + " and replaced_by_random " +
               shortest_decimal(options.replaced_by_random),
           "choose shares that are 1 together at the most, such as 0.8 and 0.1");
  if (!(options.short_seq_prob >= 0 && options.short_seq_prob <= 1))
    refuse("short_seq_prob is " + shortest_decimal(options.short_seq_prob), "choose 0 to 1, such as 0.1");
  if (!faults.empty()) throw Error{std::move(faults)};
}

void validate(const BertExampleOptions& options, const text::WordPiece& tokenizer) {
  validate(options);
  if (options.whole_word_mask && tokenizer.options().wordpieces_prefix.empty())
    fail([&] {
      return Diagnostic{
          .number = 709,
          .sentence =
              "whole_word_mask masks all pieces of a word, and this vocabulary marks none that continues one: "
              "its wordpieces_prefix is empty",
          .where = {},
          .fix = {"leave whole_word_mask out", "train a vocabulary that marks them, such as by ##"}};
    });
}

// Makes the examples of one document in one pass.
class BertExamples::Maker {
 public:
  Maker(const BertExamples& owner, std::uint64_t index, std::uint64_t pass)
      : owner_{owner},
        options_{owner.options_},
        index_{index},
        draws_{split(split(fold_in(Key::of_seed(options_.random_seed), bert_stream), pass), owner.number(index))} {}

  std::vector<TrainingExample> make() {
    const std::vector<Ids> sentences = owner_.documents_.document(owner_.number(index_));
    if (options_.next_sentence)
      make_pairs(sentences);
    else
      make_single(joined(sentences));
    return std::move(examples_);
  }

 private:
  std::size_t target(std::size_t room) {
    return draws_.with_probability(options_.short_seq_prob) ? static_cast<std::size_t>(draws_.between(2, room)) : room;
  }

  // Sentences are gathered until they are as long as asked for; the first few of them are segment A, and B is the rest
  // or as much from another document. What B did not use is gathered again.
  void make_pairs(std::span<const Ids> sentences) {
    const auto room = static_cast<std::size_t>(options_.max_seq_length) - 3;
    const std::size_t aim = target(room);
    for (std::size_t begin = 0, end = 0, length = 0; end < sentences.size();) {
      length += sentences[end++].size();
      if (end < sentences.size() && length < aim) continue;
      const auto chunk = sentences.subspan(begin, end - begin);
      const auto split_at =
          chunk.size() < 2 ? chunk.size() : static_cast<std::size_t>(draws_.between(1, chunk.size() - 1));
      const Ids a = joined(chunk.first(split_at));
      const bool random_next = chunk.size() == 1 || draws_.with_probability(0.5);
      const Ids b = random_next ? random_segment(aim > a.size() ? aim - a.size() : 0) : joined(chunk.subspan(split_at));
      if (random_next) end = begin + split_at;
      std::span<const std::int32_t> of_a = a, of_b = b;
      truncate_pair(of_a, of_b, room, draws_);
      add(of_a, of_b, random_next);
      begin = end;
      length = 0;
    }
  }

  // Sentences of another document, from a random one on, until there are `least` tokens or no more.
  Ids random_segment(std::size_t least) {
    const std::vector<Ids> sentences = owner_.documents_.document(another_document());
    Ids result;
    for (auto at = static_cast<std::size_t>(draws_.below(sentences.size())); at < sentences.size(); ++at) {
      result.insert(result.end(), sentences[at].begin(), sentences[at].end());
      if (result.size() >= least) break;
    }
    return result;
  }

  // Of the part; where it has one alone, which only the one to measure on may, of all.
  std::uint64_t another_document() {
    const bool alone = owner_.size() == 1;
    const std::uint64_t self = alone ? owner_.number(index_) : index_;
    std::uint64_t other = draws_.below((alone ? owner_.documents_.documents() : owner_.size()) - 1);
    if (other >= self) ++other;
    return alone ? other : owner_.number(other);
  }

  void make_single(std::span<const std::int32_t> tokens) {
    const auto room = static_cast<std::size_t>(options_.max_seq_length) - 2;
    while (!tokens.empty()) {
      const std::size_t size = std::min(target(room), tokens.size());
      add(tokens.first(size), {}, false);
      tokens = tokens.subspan(size);
    }
  }

  void add(std::span<const std::int32_t> a, std::span<const std::int32_t> b, bool random_next) {
    TrainingExample example;
    const text::SpecialIds& special = owner_.special_;
    example.ids.push_back(special.classification);
    example.ids.insert(example.ids.end(), a.begin(), a.end());
    example.ids.push_back(special.separator);
    example.first_segment = static_cast<std::int64_t>(example.ids.size());
    if (!b.empty()) {
      example.ids.insert(example.ids.end(), b.begin(), b.end());
      example.ids.push_back(special.separator);
    }
    example.random_next = random_next;
    mask(example);
    examples_.push_back(std::move(example));
  }

  // Tokens that are masked together: each alone, or those of a word.
  std::vector<std::pair<std::size_t, std::size_t>> candidates(const Ids& ids) const {
    std::vector<std::pair<std::size_t, std::size_t>> words;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::int32_t id = ids[i];
      if (id == owner_.special_.classification || id == owner_.special_.separator) continue;
      const bool continues = !owner_.continues_word_.empty() && owner_.continues_word_[static_cast<std::size_t>(id)];
      if (continues && !words.empty() && words.back().second == i)
        ++words.back().second;
      else
        words.emplace_back(i, i + 1);
    }
    return words;
  }

  void mask(TrainingExample& example) {
    const Ids original = example.ids;
    auto words = candidates(original);
    // Half to even, as Python rounds.
    const auto share =
        static_cast<std::int64_t>(std::nearbyint(static_cast<double>(original.size()) * options_.masked_lm_prob));
    const auto most =
        static_cast<std::size_t>(std::min(options_.max_predictions_per_seq, std::max<std::int64_t>(1, share)));
    for (std::size_t i = 0; i < words.size() && example.positions.size() < most; ++i) {
      std::swap(words[i], words[i + static_cast<std::size_t>(draws_.below(words.size() - i))]);
      const auto [begin, end] = words[i];
      if (example.positions.size() + end - begin > most) continue;
      for (std::size_t at = begin; at < end; ++at) {
        example.positions.push_back(static_cast<std::int32_t>(at));
        if (draws_.with_probability(options_.replaced_by_mask))
          example.ids[at] = owner_.special_.mask;
        else if (draws_.with_probability(random_of_the_rest_))
          example.ids[at] = owner_.ordinary_[static_cast<std::size_t>(draws_.below(owner_.ordinary_.size()))];
      }
    }
    std::ranges::sort(example.positions);
    for (const std::int32_t at : example.positions) example.labels.push_back(original[static_cast<std::size_t>(at)]);
  }

  const BertExamples& owner_;
  const BertExampleOptions& options_;
  std::uint64_t index_;
  Draws draws_;
  // Rounded, as 0.1 of 0.2 is a half.
  float random_of_the_rest_ = options_.replaced_by_mask < 1
                                  ? static_cast<float>(options_.replaced_by_random / (1 - options_.replaced_by_mask))
                                  : 0.0f;
  std::vector<TrainingExample> examples_;
};

BertExamples::BertExamples(TokenFile documents, const text::WordPiece& tokenizer, BertExampleOptions options)
    : documents_{std::move(documents)}, options_{options}, special_{tokenizer.special_ids()} {
  validate(options_, tokenizer);
  const text::Vocabulary& vocabulary = tokenizer.vocabulary();
  if (documents_.vocabulary() != vocabulary.size())
    fail([&] {
      return Diagnostic{.number = 726,
                        .sentence = documents_.name() + " holds ids of " + std::to_string(documents_.vocabulary()) +
                                    " pieces, and the vocabulary has " + std::to_string(vocabulary.size()),
                        .where = {documents_.name(), 0, ""},
                        .fix = {"use the tokenizer that the file was written with"}};
    });
  const bool measured = options_.part.kind == Part::Kind::held_out;
  const std::string part = options_.part.kind == Part::Kind::training ? " to train on"
                           : measured                                 ? " to measure on"
                                                                      : "";
  if (size() == 0)
    fail([&] {
      return Diagnostic{
          .number = 706,
          .sentence = documents_.name() + " has no document" + part + " to make examples of; in all it has " +
                      std::to_string(documents_.documents()),
          .where = {documents_.name(), 0, ""},
          .fix = {format_of({.path = documents_.name()}) == TextFormat::txt
                      ? "part the text into documents: empty lines between them, or octet data bert --documents lines"
                      : "choose a column or field that holds text: each of its values is a document",
                  "give more text"}};
    });
  if (options_.next_sentence && (measured ? documents_.documents() : size()) < 2)
    fail([&] {
      return Diagnostic{.number = 727,
                        .sentence = documents_.name() + " has a single document" + part +
                                    ": no sentence but the next one could follow",
                        .where = {documents_.name(), 0, ""}};
    });
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    const auto piece = static_cast<std::int32_t>(id);
    if (!vocabulary.is_special(piece)) ordinary_.push_back(piece);
    if (options_.whole_word_mask) continues_word_.push_back(tokenizer.continues_word(piece));
  }
  if (ordinary_.empty())
    fail([&] { return Diagnostic{.number = 708, .sentence = "the vocabulary has special tokens alone", .where = {}}; });
}

std::vector<TrainingExample> BertExamples::of_document(std::uint64_t index, std::uint64_t pass) const {
  return Maker{*this, index, pass}.make();
}

}  // namespace octet::data
