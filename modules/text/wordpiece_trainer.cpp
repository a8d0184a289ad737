/// Pair counts are kept up to date as pieces are joined; a heap that may hold outdated counts gives the next pair.
module;
#include <cstdint>
module octet.text;
import octet.base;
import octet.standard;
import :pair_list;
import :pair_table;
import :word_lists;

namespace octet::text {

namespace {

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

// The words of two pieces and more, and how often each pair of neighbours stands in them. Pieces are `Id`s, of 16 bits
// where that is enough.
template <class Id>
class Words {
 public:
  Words(SharedWordCounts counted, std::uint64_t min_frequency)
      : counted_{std::move(counted)}, min_frequency_{std::max<std::uint64_t>(min_frequency, 1)} {}

  // Adds what is counted as the word `index`; its pairs are queued by `queue_pairs`.
  void add(std::size_t index, std::span<const std::uint32_t> pieces) {
    const auto word = static_cast<std::uint32_t>(words_.size());
    words_.push_back({pieces_.size(), static_cast<std::uint32_t>(pieces.size()), static_cast<std::uint32_t>(index)});
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      pieces_.push_back(static_cast<Id>(pieces[i]));
      if (i > 0) more(id_pair(pieces[i - 1], pieces[i]), word);
    }
  }

  // Queues the pairs whose count grew, once the join that made them is done; one that is too rare when its count grows
  // last is never joined.
  void queue_pairs() {
    for (const std::uint32_t pair : grew_) {
      pairs_[pair].grew = false;
      if (pairs_[pair].count >= min_frequency_) queue_.push({pairs_[pair].count, pairs_[pair].ids, pair});
    }
    grew_.clear();
  }

  // The most frequent pair, taken out of the queue; a count of 0 where there is none left.
  struct Best {
    std::uint64_t count = 0;
    IdPair ids = 0;
    std::uint32_t pair = 0;
    bool operator<(const Best& other) const { return count != other.count ? count < other.count : ids > other.ids; }
  };
  Best take_best() {
    while (!queue_.empty()) {
      Best best = queue_.top();
      queue_.pop();
      const std::uint64_t count = pairs_[best.pair].count;
      if (count == best.count) return best;
      best.count = count;
      if (count >= min_frequency_) queue_.push(best);
    }
    return {};
  }

  // Joins the pair in every word; where it comes up again it counts from nothing. Returns by how many pieces the text
  // gets shorter.
  std::uint64_t join(const Best& best, std::uint32_t joined) {
    pairs_[best.pair].count = 0;
    std::uint64_t fewer = 0;
    for (const std::uint32_t word : lists_.take(std::exchange(pairs_[best.pair].words, WordLists::none)))
      fewer += join(word, best.ids, joined);
    queue_pairs();
    return fewer;
  }

 private:
  struct Word {
    std::uint64_t begin;  // of its pieces
    std::uint32_t size, index;
  };
  struct Pair {
    IdPair ids;
    std::uint64_t count = 0;
    std::uint32_t words = WordLists::none;  // that hold the pair, or held it once
    bool grew = false;
  };

  std::uint64_t count(std::uint32_t word) const { return counted_->count(words_[word].index); }

  void more(IdPair ids, std::uint32_t word) {
    const std::uint32_t index = pairs_.insert(ids);
    Pair& pair = pairs_[index];
    pair.count += count(word);
    lists_.add(pair.words, word);
    if (!std::exchange(pair.grew, true)) grew_.push_back(index);
  }

  // Joins the pair wherever it stands in a word, from the left, and keeps the counts of the neighbouring pairs right.
  std::uint64_t join(std::uint32_t index, IdPair ids, std::uint32_t joined) {
    Word& word = words_[index];
    Id* pieces = pieces_.data() + word.begin;
    // The pair itself has no count to lessen (it overlaps itself in a word like "aaa").
    const auto less = [&](IdPair pair) {
      if (pair != ids) pairs_[pairs_.find(pair)].count -= count(index);
    };
    std::uint32_t to = 0;
    for (std::uint32_t from = 0; from < word.size;) {
      if (from + 1 == word.size || id_pair(pieces[from], pieces[from + 1]) != ids) {
        pieces[to++] = pieces[from++];
        continue;
      }
      if (to > 0) {
        less(id_pair(pieces[to - 1], left_of(ids)));
        more(id_pair(pieces[to - 1], joined), index);
      }
      if (from + 2 < word.size) {
        less(id_pair(right_of(ids), pieces[from + 2]));
        more(id_pair(joined, pieces[from + 2]), index);
      }
      pieces[to++] = static_cast<Id>(joined);
      from += 2;
    }
    const std::uint64_t fewer = (word.size - to) * count(index);
    word.size = to;
    return fewer;
  }

  SharedWordCounts counted_;
  std::vector<Id> pieces_;
  std::vector<Word> words_;
  PairList<Pair> pairs_;
  WordLists lists_;
  std::vector<std::uint32_t> grew_;  // pairs
  std::priority_queue<Best> queue_;
  std::uint64_t min_frequency_;
};

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
  WordCounts& counts = counts_.own();
  std::string word;
  for_each_segment(line, [&](std::string_view segment, std::size_t) {
    const CleanText clean = clean_up(segment, options_.clean_up);
    for (const Span span : split_words(clean.characters)) {
      if (span.end - span.begin > options_.max_characters_per_word) continue;
      word.clear();
      for (std::size_t i = span.begin; i < span.end; ++i) append_utf8(word, clean.characters[i]);
      counts.add(word);
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
  for (WordPieceTrainer& each : counted) counts_.own().add(*each.counts_);
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
  Pieces pieces;
  std::variant<Words<std::uint16_t>, Words<std::uint32_t>> words;
  std::uint64_t occurrences = 0, tokens = 0;

  std::string joined_name(IdPair pair) const {
    std::string name = pieces.name(left_of(pair));
    const std::string& right = pieces.name(right_of(pair));
    return name +=
           right.starts_with(options.wordpieces_prefix) ? right.substr(options.wordpieces_prefix.size()) : right;
  }
};

WordPieceLearner::WordPieceLearner(const WordPieceTrainer& trainer) {
  const WordCounts& counted = *trainer.counts_;
  if (counted.empty())
    fail({.number = 706, .sentence = "the text has no word to learn a vocabulary from", .where = {}});

  std::unordered_map<char32_t, CharacterCount> character_counts;
  for (std::size_t word = 0; word < counted.size(); ++word) {
    bool continues = false;
    for (char32_t character : decode_utf8(counted[word])) {
      CharacterCount& entry =
          character_counts.try_emplace(character, CharacterCount{character, 0, false}).first->second;
      entry.count += counted.count(word);
      entry.continues = entry.continues || continues;
      continues = true;
    }
  }
  std::vector<CharacterCount> listed;
  for (const auto& [character, entry] : character_counts) listed.push_back(entry);

  const WordPieceTraining& options = trainer.options_;
  if (options.vocab_size <= std::size_t{1} << 16)
    state_.reset(new State{options, {}, Words<std::uint16_t>{trainer.counts_, options.min_frequency}});
  else
    state_.reset(new State{options, {}, Words<std::uint32_t>{trainer.counts_, options.min_frequency}});
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
  const auto add_words = [&](auto& words) {
    std::vector<std::uint32_t> ids;
    for (std::size_t word = 0; word < counted.size(); ++word) {
      ids.clear();
      bool continues = false;
      for (char32_t character : decode_utf8(counted[word])) {
        const auto& of_character = continues ? continuing : initial;
        if (const auto at = of_character.find(character); at != of_character.end()) ids.push_back(at->second);
        continues = true;
      }
      state_->occurrences += counted.count(word);
      state_->tokens += counted.count(word) * ids.size();
      if (ids.size() > 1) words.add(word, ids);
    }
    words.queue_pairs();
  };
  std::visit(add_words, state_->words);
}

WordPieceLearner::~WordPieceLearner() = default;
WordPieceLearner::WordPieceLearner(WordPieceLearner&&) noexcept = default;
WordPieceLearner& WordPieceLearner::operator=(WordPieceLearner&&) noexcept = default;

bool WordPieceLearner::learn(std::size_t pairs) {
  State& state = *state_;
  const auto learn_with = [&](auto& words) {
    for (; state.pieces.size() < state.options.vocab_size; --pairs) {
      if (pairs == 0) return true;
      const auto best = words.take_best();
      if (best.count == 0 || best.count < state.options.min_frequency) break;
      state.tokens -= words.join(best, state.pieces.add(state.joined_name(best.ids)));
    }
    return false;
  };
  return std::visit(learn_with, state.words);
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
