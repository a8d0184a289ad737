/// Pair counts are kept up to date as pieces are joined; a heap that may hold outdated counts gives the next pair.
module octet.text;
import octet.base;
import octet.standard;

namespace octet::text {

namespace {

using Pair = std::uint64_t;  // the left id above the right one
constexpr Pair pair_of(std::uint32_t left, std::uint32_t right) { return static_cast<Pair>(left) << 32 | right; }
constexpr std::uint32_t left_of(Pair pair) { return static_cast<std::uint32_t>(pair >> 32); }
constexpr std::uint32_t right_of(Pair pair) { return static_cast<std::uint32_t>(pair); }

struct CountedWord {
  std::vector<std::uint32_t> pieces;
  std::uint64_t count;
};

// The pieces found so far and what they are called.
class Pieces {
 public:
  std::uint32_t add(const std::string& name) {
    const auto [at, added] = ids_.emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (added) names_.push_back(name);
    return at->second;
  }
  const std::string& name(std::uint32_t id) const { return names_[id]; }
  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> ids_;
};

class PairCounts {
 public:
  PairCounts() = default;
  explicit PairCounts(std::span<const CountedWord> words) {
    for (std::size_t word = 0; word < words.size(); ++word)
      for (std::size_t i = 0; i + 1 < words[word].pieces.size(); ++i)
        add(pair_of(words[word].pieces[i], words[word].pieces[i + 1]), words[word].count, word);
    push_added();
  }

  void add(Pair pair, std::uint64_t count, std::size_t word) {
    Entry& entry = entries_[pair];
    entry.count += count;
    if (entry.words.empty() || entry.words.back() != word) entry.words.push_back(static_cast<std::uint32_t>(word));
    added_.push_back(pair);
  }
  // The pair that was just taken out has no count to lessen (it overlaps itself in a word like "aaa").
  void remove(Pair pair, std::uint64_t count) {
    if (const auto at = entries_.find(pair); at != entries_.end()) at->second.count -= count;
  }

  // Pairs whose count grew are offered anew, once the join that made them is done.
  void push_added() {
    std::ranges::sort(added_);
    added_.erase(std::ranges::unique(added_).begin(), added_.end());
    for (Pair pair : added_)
      if (const std::uint64_t count = entries_[pair].count) heap_.push({count, pair});
    added_.clear();
  }

  // The most frequent pair with its words, taken out; a count of 0 where there is none left.
  struct Best {
    Pair pair = 0;
    std::uint64_t count = 0;
    std::vector<std::uint32_t> words = {};
  };
  Best take_best() {
    while (!heap_.empty()) {
      const Candidate top = heap_.top();
      heap_.pop();
      const auto at = entries_.find(top.pair);
      if (at == entries_.end()) continue;
      if (at->second.count != top.count) {
        if (at->second.count > 0) heap_.push({at->second.count, top.pair});
        continue;
      }
      Best best{top.pair, top.count, std::move(at->second.words)};
      entries_.erase(at);
      return best;
    }
    return {};
  }

 private:
  struct Entry {
    std::uint64_t count = 0;
    std::vector<std::uint32_t> words;  // that hold the pair, or held it once
  };
  struct Candidate {
    std::uint64_t count;
    Pair pair;
    bool operator<(const Candidate& other) const {
      return count != other.count ? count < other.count : pair > other.pair;
    }
  };
  std::unordered_map<Pair, Entry> entries_;
  std::priority_queue<Candidate> heap_;
  std::vector<Pair> added_;
};

// Joins every occurrence of `pair` in a word, from the left, and keeps the counts of the neighbouring pairs right.
void join(CountedWord& word, std::size_t index, Pair pair, std::uint32_t joined, PairCounts& counts) {
  auto& pieces = word.pieces;
  std::size_t to = 0;
  for (std::size_t from = 0; from < pieces.size();) {
    if (from + 1 < pieces.size() && pair_of(pieces[from], pieces[from + 1]) == pair) {
      if (to > 0) {
        counts.remove(pair_of(pieces[to - 1], pieces[from]), word.count);
        counts.add(pair_of(pieces[to - 1], joined), word.count, index);
      }
      if (from + 2 < pieces.size()) {
        counts.remove(pair_of(pieces[from + 1], pieces[from + 2]), word.count);
        counts.add(pair_of(joined, pieces[from + 2]), word.count, index);
      }
      pieces[to++] = joined;
      from += 2;
    } else {
      pieces[to++] = pieces[from++];
    }
  }
  pieces.resize(to);
}

}  // namespace

WordPieceTrainer::WordPieceTrainer(WordPieceTraining options) : options_{std::move(options)} {
  const auto refuse = [](const std::string& sentence, const std::string& fix) {
    fail({.number = 709, .sentence = sentence, .where = {}, .fix = {fix}});
  };
  const std::vector<std::string> special = options_.special.all();
  if (options_.vocab_size <= special.size())
    refuse("a vocabulary of " + std::to_string(options_.vocab_size) + " pieces has no room beside the " +
               std::to_string(special.size()) + " special tokens",
           "choose a vocab_size of some hundreds at least; 2048 suits a text of a few megabytes");
  if (options_.vocab_size > 0x7fffffff)
    refuse("vocab_size " + std::to_string(options_.vocab_size) + " does not fit a 32-bit id",
           "choose a smaller vocab_size");
  if (options_.limit_alphabet == 0)
    refuse("limit_alphabet is 0, which leaves no character to learn from", "leave limit_alphabet at 1000");
  for (std::size_t i = 0; i < special.size(); ++i)
    if (special[i].empty() || std::find(special.begin(), special.begin() + static_cast<std::ptrdiff_t>(i),
                                        special[i]) != special.begin() + static_cast<std::ptrdiff_t>(i))
      refuse("the special token \"" + special[i] + "\" is empty or named twice",
             "give each special token a name of its own");
}

void WordPieceTrainer::add(std::string_view line) {
  std::string word;
  for_each_segment(line, [&](std::string_view segment, std::size_t) {
    const CleanText clean = clean_up(segment, options_.clean_up);
    for (const Span span : split_words(clean.characters)) {
      if (span.end - span.begin > options_.max_characters_per_word) continue;
      word.clear();
      for (std::size_t i = span.begin; i < span.end; ++i) append_utf8(word, clean.characters[i]);
      if (const auto at = counts_.find(word); at != counts_.end())
        ++at->second;
      else
        counts_.emplace(word, 1);
    }
  });
}

void WordPieceTrainer::add(std::span<const std::string_view> lines, Threads& threads) {
  if (threads.count() == 1) {
    for (const std::string_view line : lines) add(line);
    return;
  }
  const std::vector<std::size_t> bounds = shares_of(lines, threads.count());
  std::vector<WordPieceTrainer> counted(bounds.size() - 1, WordPieceTrainer{options_});
  threads.for_each(counted.size(), [&](std::size_t share) {
    for (std::size_t i = bounds[share]; i < bounds[share + 1]; ++i) counted[share].add(lines[i]);
  });
  for (WordPieceTrainer& each : counted)
    for (auto& [word, count] : each.counts_) counts_[word] += count;
}

namespace {

struct CharacterCount {
  char32_t character;
  std::uint64_t count;
  bool continues;  // whether it stands anywhere but at the beginning of a word
};

// The characters to begin with, by code point: at most `limit`, and at most as many as leave `room` for their pieces.
std::u32string choose_alphabet(std::vector<CharacterCount> counts, std::size_t limit, std::size_t room) {
  std::ranges::sort(counts, [](const CharacterCount& a, const CharacterCount& b) {
    return a.count != b.count ? a.count > b.count : a.character < b.character;
  });
  std::u32string alphabet;
  for (const CharacterCount& entry : counts) {
    const std::size_t pieces = entry.continues ? 2 : 1;
    if (alphabet.size() == limit || room < pieces) break;
    alphabet += entry.character;
    room -= pieces;
  }
  std::ranges::sort(alphabet);
  return alphabet;
}

}  // namespace

struct WordPieceLearner::State {
  WordPieceTraining options;
  Pieces pieces = {};
  std::vector<CountedWord> words = {};  // of two pieces and more
  PairCounts pairs = {};
  std::uint64_t occurrences = 0, tokens = 0;

  void join(const PairCounts::Best& best) {
    std::string name = pieces.name(left_of(best.pair));
    const std::string& right = pieces.name(right_of(best.pair));
    name += right.starts_with(options.wordpieces_prefix) ? right.substr(options.wordpieces_prefix.size()) : right;
    const std::uint32_t joined = pieces.add(name);
    for (std::uint32_t index : best.words) {
      CountedWord& word = words[index];
      const std::size_t before = word.pieces.size();
      octet::text::join(word, index, best.pair, joined, pairs);
      tokens -= (before - word.pieces.size()) * word.count;
    }
    pairs.push_added();
  }
};

WordPieceLearner::WordPieceLearner(const WordPieceTrainer& trainer) : state_{new State{.options = trainer.options_}} {
  if (trainer.counts_.empty())
    fail({.number = 706, .sentence = "the text has no word to learn a vocabulary from", .where = {}});

  std::unordered_map<char32_t, CharacterCount> character_counts;
  for (const auto& [word, count] : trainer.counts_) {
    bool continues = false;
    for (char32_t character : decode_utf8(word)) {
      CharacterCount& entry =
          character_counts.try_emplace(character, CharacterCount{character, 0, false}).first->second;
      entry.count += count;
      entry.continues = entry.continues || continues;
      continues = true;
    }
  }
  std::vector<CharacterCount> listed;
  for (const auto& [character, entry] : character_counts) listed.push_back(entry);

  const WordPieceTraining& options = state_->options;
  Pieces& pieces = state_->pieces;
  for (const std::string& name : options.special.all()) pieces.add(name);
  const std::u32string alphabet = choose_alphabet(listed, options.limit_alphabet, options.vocab_size - pieces.size());
  std::unordered_map<char32_t, std::uint32_t> initial, continuing;
  for (char32_t character : alphabet) {
    std::string name;
    append_utf8(name, character);
    initial[character] = pieces.add(name);
  }
  for (char32_t character : alphabet) {
    if (!character_counts.at(character).continues) continue;
    std::string name = options.wordpieces_prefix;
    append_utf8(name, character);
    continuing[character] = pieces.add(name);
  }

  // A character outside the alphabet is passed over; the word it stands in will be the unknown token, its other pairs
  // still count.
  std::vector<CountedWord>& words = state_->words;
  words.reserve(trainer.counts_.size());
  for (const auto& [word, count] : trainer.counts_) {
    CountedWord counted{{}, count};
    bool continues = false;
    for (char32_t character : decode_utf8(word)) {
      const auto& ids = continues ? continuing : initial;
      if (const auto at = ids.find(character); at != ids.end()) counted.pieces.push_back(at->second);
      continues = true;
    }
    state_->occurrences += count;
    state_->tokens += count * counted.pieces.size();
    if (counted.pieces.size() > 1) words.push_back(std::move(counted));
  }
  state_->pairs = PairCounts{words};
}

WordPieceLearner::~WordPieceLearner() = default;
WordPieceLearner::WordPieceLearner(WordPieceLearner&&) noexcept = default;
WordPieceLearner& WordPieceLearner::operator=(WordPieceLearner&&) noexcept = default;

bool WordPieceLearner::learn(std::size_t pairs) {
  for (; state_->pieces.size() < state_->options.vocab_size; --pairs) {
    if (pairs == 0) return true;
    const PairCounts::Best best = state_->pairs.take_best();
    if (best.count == 0 || best.count < state_->options.min_frequency) break;
    state_->join(best);
  }
  return false;
}

const std::vector<std::string>& WordPieceLearner::pieces() const { return state_->pieces.names(); }
std::uint64_t WordPieceLearner::occurrences() const { return state_->occurrences; }
std::uint64_t WordPieceLearner::tokens() const { return state_->tokens; }

WordPiece WordPieceLearner::tokenizer() const {
  const WordPieceTraining& options = state_->options;
  return WordPiece{Vocabulary{pieces(), options.special},
                   {.clean_up = options.clean_up,
                    .wordpieces_prefix = options.wordpieces_prefix,
                    .max_characters_per_word = options.max_characters_per_word}};
}

WordPiece WordPieceTrainer::train(const TrainingProgress& progress) const {
  WordPieceLearner learner{*this};
  constexpr std::size_t report_every = 64;
  while ((!progress || progress(learner.pieces().size())) && learner.learn(report_every)) {
  }
  return learner.tokenizer();
}

}  // namespace octet::text
