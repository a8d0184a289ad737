/// Pair counts are kept up to date as pieces are joined; a heap that may hold outdated counts gives the next pair.
module;
#include <cstdint>
module octet.text;
import octet.base;
import octet.standard;
import :pair_table;

namespace octet::text {

namespace {

constexpr std::size_t byte_count = 256;

// The pieces found so far and what files call them.
class Names {
 public:
  std::uint32_t add(const std::string& name) {
    const auto [at, added] = ids_.emplace(name, static_cast<std::uint32_t>(list_.size()));
    if (added) list_.push_back(name);
    return at->second;
  }
  const std::string& operator[](std::uint32_t id) const { return list_[id]; }
  const std::vector<std::string>& list() const { return list_; }
  std::size_t size() const { return list_.size(); }

 private:
  std::vector<std::string> list_;
  std::unordered_map<std::string, std::uint32_t> ids_;
};

struct CountedWord {
  std::size_t begin;  // of its pieces
  std::uint32_t size;
  std::uint64_t count;
};

// The words as pieces, and how often each pair of neighbours stands in them.
//
// A piece can arise in two ways ("a" with "bc", "ab" with "c"), so a pair may come up again after it was joined. The
// rule for that is part of what is learned: the count of a joined pair is not taken back to zero, and each time a pair
// comes up it is queued once more with the words it came up in, which alone are then joined.
class Words {
 public:
  void add(std::string_view word, std::uint64_t count, const std::uint32_t (&ids)[byte_count]) {
    words_.push_back({pieces_.size(), static_cast<std::uint32_t>(word.size()), count});
    occurrences_ += count;
    tokens_ += count * word.size();
    for (const char byte : word) pieces_.push_back(ids[static_cast<unsigned char>(byte)]);
    const std::uint32_t* pieces = pieces_.data() + words_.back().begin;
    for (std::size_t i = 0; i + 1 < word.size(); ++i) more(id_pair(pieces[i], pieces[i + 1]), words_.size() - 1);
  }

  // Queues the pairs that came up since the last call.
  void queue_pairs() {
    for (const std::uint32_t pair : came_up_) {
      Pair& entry = pairs_[pair];
      if (entry.count > 0) queue_.push({entry.count, entry.ids, pair, entry.words});
      entry.words = none;
    }
    came_up_.clear();
  }

  // The most frequent pair, taken out of the queue; a count of 0 where there is none left.
  struct Best {
    std::uint64_t count = 0;
    IdPair ids = 0;
    std::uint32_t pair = 0, words = 0;
    bool operator<(const Best& other) const {
      if (count != other.count) return count < other.count;
      return ids != other.ids ? ids > other.ids : words > other.words;
    }
  };
  Best take_best() {
    while (!queue_.empty()) {
      Best best = queue_.top();
      queue_.pop();
      if (best.count == pairs_[best.pair].count) return best;
      best.count = pairs_[best.pair].count;
      queue_.push(best);
    }
    return {};
  }

  void join(const Best& best, std::uint32_t joined) {
    const std::vector<std::uint32_t> words = std::move(lists_[best.words]);
    lists_[best.words] = {};
    for (const std::uint32_t word : words) join(word, best.ids, joined);
    queue_pairs();
  }

  std::uint64_t occurrences() const { return occurrences_; }
  std::uint64_t tokens() const { return tokens_; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Pair {
    IdPair ids;
    std::uint64_t count;
    std::uint32_t words;  // the list of those it came up in since it was queued, or `none`
  };

  Pair& entry(IdPair ids) {
    const auto [index, added] = table_.insert(ids, static_cast<std::uint32_t>(pairs_.size()));
    if (added) pairs_.push_back({ids, 0, none});
    return pairs_[index];
  }

  void more(IdPair ids, std::size_t word) {
    Pair& pair = entry(ids);
    pair.count += words_[word].count;
    if (pair.words == none) {
      pair.words = static_cast<std::uint32_t>(lists_.size());
      lists_.emplace_back();
      came_up_.push_back(static_cast<std::uint32_t>(&pair - pairs_.data()));
    }
    std::vector<std::uint32_t>& list = lists_[pair.words];
    if (list.empty() || list.back() != word) list.push_back(static_cast<std::uint32_t>(word));
  }

  void less(IdPair ids, std::size_t word) { entry(ids).count -= words_[word].count; }

  // Joins the pair wherever it stands in a word, from the left.
  void join(std::size_t word, IdPair ids, std::uint32_t joined) {
    std::uint32_t* pieces = pieces_.data() + words_[word].begin;
    const std::size_t size = words_[word].size;
    std::size_t to = 0;
    for (std::size_t from = 0; from < size;) {
      if (from + 1 == size || id_pair(pieces[from], pieces[from + 1]) != ids) {
        pieces[to++] = pieces[from++];
        continue;
      }
      if (to > 0) {
        less(id_pair(pieces[to - 1], left_of(ids)), word);
        more(id_pair(pieces[to - 1], joined), word);
      }
      if (from + 2 < size) {
        less(id_pair(right_of(ids), pieces[from + 2]), word);
        more(id_pair(joined, pieces[from + 2]), word);
      }
      pieces[to++] = joined;
      from += 2;
    }
    tokens_ -= (size - to) * words_[word].count;
    words_[word].size = static_cast<std::uint32_t>(to);
  }

  std::vector<std::uint32_t> pieces_;
  std::vector<CountedWord> words_;
  std::uint64_t occurrences_ = 0, tokens_ = 0;
  PairTable table_;  // to the index in `pairs_`
  std::vector<Pair> pairs_;
  std::vector<std::vector<std::uint32_t>> lists_;  // of words
  std::vector<std::uint32_t> came_up_;             // pairs
  std::priority_queue<Best> queue_;
};

// Each pair once, at the last place where it was joined: the one that counts in a list of merges.
std::vector<IdPair> without_repeats(const std::vector<IdPair>& merges) {
  PairTable seen{merges.size()};
  std::vector<IdPair> result;
  for (std::size_t i = merges.size(); i-- > 0;)
    if (seen.insert(merges[i], 0).second) result.push_back(merges[i]);
  std::ranges::reverse(result);
  return result;
}

}  // namespace

BpeTrainer::BpeTrainer(BpeTraining options) : options_{std::move(options)} {
  const auto refuse = [](const std::string& sentence, const std::string& fix) {
    fail({.number = 709, .sentence = sentence, .where = {}, .fix = {fix}});
  };
  const std::size_t least = byte_count + options_.special.size();
  if (options_.vocab_size < least)
    refuse("a vocabulary of " + std::to_string(options_.vocab_size) + " pieces has no room for the 256 bytes and " +
               std::to_string(options_.special.size()) + " special tokens",
           "choose a vocab_size of " + std::to_string(least) + " at least; 8000 suits a text of a few megabytes");
  if (options_.vocab_size > 0x7fffffff)
    refuse("vocab_size " + std::to_string(options_.vocab_size) + " does not fit a 32-bit id",
           "choose a smaller vocab_size");
  for (auto token = options_.special.begin(); token != options_.special.end(); ++token) {
    const auto bytes = from_byte_alphabet(*token);
    if (token->empty() || (bytes && bytes->size() == 1) || find_invalid_utf8(*token) ||
        std::find(options_.special.begin(), token, *token) != token)
      refuse("the special token \"" + *token + "\" is empty, a single byte, not UTF-8 or named twice",
             "give each special token a name of its own, such as <|endoftext|>");
  }
}

void BpeTrainer::add(std::string_view text) {
  if (options_.add_prefix_space && !text.empty() && text.front() != ' ')
    count(" " + std::string{text});
  else
    count(text);
}

void BpeTrainer::add(std::span<const std::string_view> texts, Threads& threads) {
  if (threads.count() == 1) {
    for (const std::string_view text : texts) add(text);
    return;
  }
  const std::vector<std::size_t> bounds = shares_of(texts, threads.count());
  std::vector<BpeTrainer> counted(bounds.size() - 1, BpeTrainer{options_});
  threads.for_each(counted.size(), [&](std::size_t share) {
    for (std::size_t i = bounds[share]; i < bounds[share + 1]; ++i) counted[share].add(texts[i]);
  });
  for (BpeTrainer& each : counted)
    for (auto& [word, count] : each.counts_) counts_[word] += count;
}

void BpeTrainer::count(std::string_view text) {
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = gpt2_word_end(text, begin);
    const std::string_view word = text.substr(begin, end - begin);
    if (const auto at = counts_.find(word); at != counts_.end())
      ++at->second;
    else
      counts_.emplace(word, 1);
  }
}

struct BpeLearner::State {
  BpeTraining options;
  Names names = {};
  Words words = {};
  std::vector<IdPair> merges = {};
};

BpeLearner::BpeLearner(const BpeTrainer& trainer) : state_{new State{.options = trainer.options_}} {
  if (trainer.counts_.empty())
    fail({.number = 706, .sentence = "the text has no word to learn a vocabulary from", .where = {}});

  Names& names = state_->names;
  for (const std::string& token : state_->options.special) names.add(token);
  std::vector<std::pair<char32_t, unsigned char>> alphabet;
  for (std::size_t byte = 0; byte < byte_count; ++byte)
    alphabet.emplace_back(character_of_byte(static_cast<unsigned char>(byte)), byte);
  std::ranges::sort(alphabet);
  std::uint32_t ids[byte_count];
  for (const auto& [character, byte] : alphabet) ids[byte] = names.add(encode_utf8({&character, 1}));

  for (const auto& [word, count] : trainer.counts_) state_->words.add(word, count, ids);
  state_->words.queue_pairs();
}

BpeLearner::~BpeLearner() = default;
BpeLearner::BpeLearner(BpeLearner&&) noexcept = default;
BpeLearner& BpeLearner::operator=(BpeLearner&&) noexcept = default;

bool BpeLearner::learn(std::size_t pairs) {
  auto& [options, names, words, merges] = *state_;
  for (; names.size() < options.vocab_size; --pairs) {
    if (pairs == 0) return true;
    const Words::Best best = words.take_best();
    if (best.count == 0 || best.count < options.min_frequency) break;
    merges.push_back(best.ids);
    words.join(best, names.add(names[left_of(best.ids)] + names[right_of(best.ids)]));
  }
  return false;
}

const std::vector<std::string>& BpeLearner::pieces() const { return state_->names.list(); }
std::uint64_t BpeLearner::occurrences() const { return state_->words.occurrences(); }
std::uint64_t BpeLearner::tokens() const { return state_->words.tokens(); }

Bpe BpeLearner::tokenizer() const {
  const auto& [options, names, words, merges] = *state_;
  BpeParts parts{.pieces = names.list(),
                 .merges = {},
                 .special = options.special,
                 .options = {.add_prefix_space = options.add_prefix_space}};
  for (const IdPair pair : without_repeats(merges))
    parts.merges.emplace_back(names[left_of(pair)], names[right_of(pair)]);
  return Bpe{std::move(parts)};
}

Bpe BpeTrainer::train(const TrainingProgress& progress) const {
  BpeLearner learner{*this};
  constexpr std::size_t report_every = 64;
  while ((!progress || progress(learner.pieces().size())) && learner.learn(report_every)) {
  }
  return learner.tokenizer();
}

}  // namespace octet::text
