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

// The words as pieces, and how often each pair of neighbours stands in them.
//
// A piece can arise in two ways ("a" with "bc", "ab" with "c"), so a pair may come up again after it was joined. The
// rule for that is part of what is learned: the count of a joined pair is not taken back to zero, and each time a pair
// comes up it is queued once more with the words it came up in, which alone are then joined.
//
// The words that a pair of bytes stands in are looked up in the text when it is to be joined: lists of them all would
// take a multiple of the text. Pieces are `Id`s, of 16 bits where that is enough, laid over the bytes that they cover.
template <class Id>
class Words {
 public:
  Words(SharedWordCounts counted, std::uint64_t min_frequency, const std::uint32_t (&ids)[byte_count])
      : counted_{std::move(counted)}, min_frequency_{std::max<std::uint64_t>(min_frequency, 1)} {
    const std::string_view bytes = counted_->bytes();
    pieces_.resize(bytes.size());
    sizes_.resize(counted_->size());
    byte_pairs_.resize(byte_count * byte_count, none);
    for (std::size_t word = 0; word < sizes_.size(); ++word) {
      const std::size_t begin = counted_->begin(word), end = counted_->end(word);
      const std::uint64_t count = counted_->count(word);
      sizes_[word] = static_cast<std::uint32_t>(end - begin);
      occurrences_ += count;
      tokens_ += count * (end - begin);
      for (std::size_t i = begin; i < end; ++i) {
        pieces_[i] = static_cast<Id>(ids[static_cast<unsigned char>(bytes[i])]);
        if (i == begin) continue;
        std::uint32_t& index = byte_pairs_[byte_pair(bytes, i)];
        if (index == none) {
          index = pairs_.insert(id_pair(pieces_[i - 1], pieces_[i]));
          lists_of_bytes_.push_back({none, 0, false});
        }
        pairs_[index].count += count;
        ++lists_of_bytes_[index].size;
      }
    }
    for (std::uint32_t pair = 0; pair < pairs_.size(); ++pair)
      queue_.push({pairs_[pair].count, pairs_[pair].ids, pair, none, 0});
  }

  // The most frequent pair, taken out of the queue; a count of 0 where there is none left.
  struct Best {
    std::uint64_t count = 0;
    IdPair ids = 0;
    std::uint32_t pair = 0, words = none;
    std::uint32_t queued = 0;  // the how-manieth time anything was queued; 0 for the pairs of bytes to begin with
    bool operator<(const Best& other) const {
      if (count != other.count) return count < other.count;
      return ids != other.ids ? ids > other.ids : queued > other.queued;
    }
  };
  Best take_best() {
    while (true) {
      if (queue_.empty() || queue_.top().count < min_frequency_) queue_rare_pairs();
      if (queue_.empty()) return {};
      Best best = queue_.top();
      queue_.pop();
      if (best.count == pairs_[best.pair].count) return best;
      best.count = pairs_[best.pair].count;
      queue_.push(best);
    }
  }

  void join(const Best& best, std::uint32_t joined) {
    if (best.queued == 0 && !lists_of_bytes_[best.pair].read) read_lists(best.pair);
    const std::uint32_t list = best.queued == 0 ? lists_of_bytes_[best.pair].words : best.words;
    for (const std::uint32_t word : lists_.take(list)) join(word, best.ids, joined);
    queue_pairs();
  }

  std::uint64_t occurrences() const { return occurrences_; }
  std::uint64_t tokens() const { return tokens_; }

 private:
  static constexpr std::uint32_t none = WordLists::none;
  struct Pair {
    IdPair ids;
    std::uint64_t count = 0;
    std::uint32_t words = none;  // the list of those it came up in since it was queued
  };
  struct Rare {
    std::uint32_t count, pair, words, queued;
  };
  struct ListOfBytes {
    std::uint32_t words;
    std::uint64_t size;  // at most
    bool read;
  };

  static std::size_t byte_pair(std::string_view bytes, std::size_t last) {
    return static_cast<unsigned char>(bytes[last - 1]) * byte_count + static_cast<unsigned char>(bytes[last]);
  }

  // Lists the words with that pair of bytes, and in the same go those with other frequent ones.
  void read_lists(std::uint32_t pair) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t other = 0; other < lists_of_bytes_.size(); ++other)
      if (other != pair && !lists_of_bytes_[other].read) wanted.push_back(other);
    std::ranges::sort(wanted, [&](std::uint32_t a, std::uint32_t b) {
      return pairs_[a].count != pairs_[b].count ? pairs_[a].count > pairs_[b].count : a < b;
    });
    const std::string_view bytes = counted_->bytes();
    const std::uint64_t most = std::max<std::uint64_t>(bytes.size() / 16, 1 << 14);
    lists_of_bytes_[pair].read = true;
    std::uint64_t size = lists_of_bytes_[pair].size;
    std::vector<bool> listed(lists_of_bytes_.size());
    listed[pair] = true;
    for (const std::uint32_t other : wanted) {
      size += lists_of_bytes_[other].size;
      if (size > most) break;
      lists_of_bytes_[other].read = listed[other] = true;
    }
    for (std::size_t word = 0; word < sizes_.size(); ++word) {
      if (sizes_[word] < 2) continue;
      for (std::size_t i = counted_->begin(word) + 1, end = counted_->end(word); i < end; ++i)
        if (const std::uint32_t index = byte_pairs_[byte_pair(bytes, i)]; listed[index])
          lists_.add(lists_of_bytes_[index].words, static_cast<std::uint32_t>(word));
    }
  }

  // Queues the pairs that came up since the last call.
  void queue_pairs() {
    for (const std::uint32_t pair : came_up_) {
      Pair& entry = pairs_[pair];
      if (entry.count >= min_frequency_)
        queue_.push({entry.count, entry.ids, pair, entry.words, ++queued_});
      else if (entry.count > 0)
        rare_.push_back({static_cast<std::uint32_t>(std::min<std::uint64_t>(entry.count, UINT32_MAX)), pair,
                         entry.words, ++queued_});
      else
        lists_.take(entry.words);
      entry.words = none;
    }
    came_up_.clear();
    if (rare_.size() >= 2 * rare_left_) forget_vanished_pairs();
  }

  // A rare pair that stands nowhere any more was never joined; should it come up again, that queues it anew.
  void forget_vanished_pairs() {
    std::erase_if(rare_, [&](const Rare& rare) {
      if (pairs_[rare.pair].count > 0) return false;
      lists_.take(rare.words);
      return true;
    });
    rare_left_ = std::max<std::size_t>(rare_.size(), 1 << 14);
  }

  // Those that were too rare when they came up are most of all pairs: they wait outside the queue until it holds no
  // frequent one any more, and only then can it come to them.
  void queue_rare_pairs() {
    for (const Rare& rare : rare_) queue_.push({rare.count, pairs_[rare.pair].ids, rare.pair, rare.words, rare.queued});
    rare_ = {};
  }

  void more(IdPair ids, std::uint32_t word) {
    const std::uint32_t index = pairs_.insert(ids);
    Pair& pair = pairs_[index];
    pair.count += counted_->count(word);
    if (pair.words == none) came_up_.push_back(index);
    lists_.add(pair.words, word);
  }

  void less(IdPair ids, std::uint32_t word) { pairs_[pairs_.insert(ids)].count -= counted_->count(word); }

  // Joins the pair wherever it stands in a word, from the left.
  void join(std::uint32_t word, IdPair ids, std::uint32_t joined) {
    Id* pieces = pieces_.data() + counted_->begin(word);
    const std::size_t size = sizes_[word];
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
      pieces[to++] = static_cast<Id>(joined);
      from += 2;
    }
    tokens_ -= (size - to) * counted_->count(word);
    sizes_[word] = static_cast<std::uint32_t>(to);
  }

  SharedWordCounts counted_;
  std::vector<Id> pieces_;            // of each word, from where its bytes begin
  std::vector<std::uint32_t> sizes_;  // how many those are by now
  std::uint64_t occurrences_ = 0, tokens_ = 0;
  PairList<Pair> pairs_;
  std::vector<std::uint32_t> byte_pairs_;    // to the index in `pairs_`, which begins with them
  std::vector<ListOfBytes> lists_of_bytes_;  // beside the beginning of `pairs_`
  WordLists lists_;
  std::vector<std::uint32_t> came_up_;  // pairs
  std::priority_queue<Best> queue_;
  std::vector<Rare> rare_;
  std::size_t rare_left_ = 1 << 14;  // when vanished ones were last forgotten
  std::uint64_t min_frequency_;
  std::uint32_t queued_ = 0;
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
  for (BpeTrainer& each : counted) counts_.own().add(*each.counts_);
}

void BpeTrainer::count(std::string_view text) {
  WordCounts& counts = counts_.own();
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = gpt2_word_end(text, begin);
    counts.add(text.substr(begin, end - begin));
  }
}

struct BpeLearner::State {
  BpeTraining options;
  Names names = {};
  std::variant<Words<std::uint16_t>, Words<std::uint32_t>> words;
  std::vector<IdPair> merges = {};
};

BpeLearner::BpeLearner(const BpeTrainer& trainer) {
  if (trainer.counts_->empty())
    fail({.number = 706, .sentence = "the text has no word to learn a vocabulary from", .where = {}});

  const BpeTraining& options = trainer.options_;
  Names names;
  for (const std::string& token : options.special) names.add(token);
  std::vector<std::pair<char32_t, unsigned char>> alphabet;
  for (std::size_t byte = 0; byte < byte_count; ++byte)
    alphabet.emplace_back(character_of_byte(static_cast<unsigned char>(byte)), byte);
  std::ranges::sort(alphabet);
  std::uint32_t ids[byte_count];
  for (const auto& [character, byte] : alphabet) ids[byte] = names.add(encode_utf8({&character, 1}));

  if (options.vocab_size <= std::size_t{UINT16_MAX} + 1)
    state_.reset(
        new State{options, std::move(names), Words<std::uint16_t>{trainer.counts_, options.min_frequency, ids}});
  else
    state_.reset(
        new State{options, std::move(names), Words<std::uint32_t>{trainer.counts_, options.min_frequency, ids}});
}

BpeLearner::~BpeLearner() = default;
BpeLearner::BpeLearner(BpeLearner&&) noexcept = default;
BpeLearner& BpeLearner::operator=(BpeLearner&&) noexcept = default;

bool BpeLearner::learn(std::size_t pairs) {
  auto& [options, names, any_words, merges] = *state_;
  const auto learn_with = [&](auto& words) {
    for (; names.size() < options.vocab_size; --pairs) {
      if (pairs == 0) return true;
      const auto best = words.take_best();
      if (best.count == 0 || best.count < options.min_frequency) break;
      merges.push_back(best.ids);
      words.join(best, names.add(names[left_of(best.ids)] + names[right_of(best.ids)]));
    }
    return false;
  };
  return std::visit(learn_with, any_words);
}

const std::vector<std::string>& BpeLearner::pieces() const { return state_->names.list(); }
std::uint64_t BpeLearner::occurrences() const {
  return std::visit([](const auto& words) { return words.occurrences(); }, state_->words);
}
std::uint64_t BpeLearner::tokens() const {
  return std::visit([](const auto& words) { return words.tokens(); }, state_->words);
}

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
