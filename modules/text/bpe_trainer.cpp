module;
#include <cstdint>
module octet.text;
import octet.base;
import octet.standard;
import :pair_table;
import :piece_joiner;
import :piece_names;
import :piece_words;
import :word_arena;
import :word_counts;

namespace octet::text {

namespace {

constexpr std::size_t byte_count = 256;

// Each pair once, at the last place where it was joined: the one that counts in a list of merges.
std::vector<BpeMerge> without_repeats(const std::vector<IdPair>& merges) {
  PairTable seen{merges.size()};
  std::vector<BpeMerge> result;
  for (std::size_t i = merges.size(); i-- > 0;)
    if (seen.insert(merges[i], 0).second)
      result.push_back({static_cast<std::int32_t>(left_of(merges[i])), static_cast<std::int32_t>(right_of(merges[i]))});
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
    const char* const fault = token->empty()                ? " is empty"
                              : bytes && bytes->size() == 1 ? " is the name of a single byte"
                              : find_invalid_utf8(*token)   ? " is not UTF-8"
                              : std::find(options_.special.begin(), token, *token) != token ? " is named twice"
                                                                                            : nullptr;
    if (fault)
      refuse("the special token \"" + replace_invalid_utf8(*token) + "\"" + fault,
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
  std::vector<BpeTrainer> counted;  // each with counts of its own: copies would share them at first
  for (std::size_t share = 0; share + 1 < bounds.size(); ++share) counted.emplace_back(options_);
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
  PieceNames names = {};
  std::optional<PieceJoiner> joiner = {};
  std::uint64_t occurrences = 0, tokens = 0;
  std::vector<IdPair> merges = {};

  BpeModel model(std::vector<std::string> pieces) const;
};

BpeLearner::BpeLearner(BpeTrainer&& trainer, Threads* threads) : state_{new State{std::move(trainer.options_)}} {
  if (trainer.counts_->empty())
    fail({.number = 706, .sentence = "the text has no word to learn a vocabulary from", .where = {}});

  State& state = *state_;
  for (const std::string& token : state.options.special) state.names.add(token);
  std::vector<std::pair<char32_t, unsigned char>> alphabet;
  for (std::size_t byte = 0; byte < byte_count; ++byte)
    alphabet.emplace_back(character_of_byte(static_cast<unsigned char>(byte)), byte);
  std::ranges::sort(alphabet);
  std::uint32_t ids[byte_count];
  for (const auto& [character, byte] : alphabet) ids[byte] = state.names.add(encode_utf8({&character, 1}));

  const std::uint64_t text_bytes = trainer.counts_->text_bytes();
  PieceWords words;
  trainer.counts_.take_each([&](std::string_view word, std::uint64_t count) {
    state.occurrences += count;
    state.tokens += count * word.size();
    if (word.size() > 1) words.add_bytes(word, ids, count);
  });
  const std::size_t room = state.options.room > 0 ? state.options.room : joining_room(text_bytes, words.bytes());
  state.joiner.emplace(
      std::move(words),
      Joining{.min_frequency = state.options.min_frequency, .keeps_counts = true, .room = room, .threads = threads});
}

BpeLearner::~BpeLearner() = default;
BpeLearner::BpeLearner(BpeLearner&&) noexcept = default;
BpeLearner& BpeLearner::operator=(BpeLearner&&) noexcept = default;

bool BpeLearner::learn(std::size_t pairs) {
  auto& [options, names, joiner, occurrences, tokens, merges] = *state_;
  for (; names.size() < options.vocab_size; --pairs) {
    if (pairs == 0) return true;
    const PieceJoiner::Best best = joiner->take_best();
    if (best.count == 0 || best.count < options.min_frequency) break;
    const std::uint32_t joined = names.add(std::string{names[left_of(best.ids)]}.append(names[right_of(best.ids)]));
    merges.push_back(best.ids);
    tokens -= joiner->join(best, joined);
  }
  return false;
}

const PieceNames& BpeLearner::pieces() const { return state_->names; }
std::uint64_t BpeLearner::occurrences() const { return state_->occurrences; }
std::uint64_t BpeLearner::tokens() const { return state_->tokens; }
Bpe BpeLearner::tokenizer() const { return Bpe{state_->model(pieces().list())}; }

BpeModel BpeLearner::State::model(std::vector<std::string> pieces) const {
  return {std::move(pieces), without_repeats(merges), options.special, {.add_prefix_space = options.add_prefix_space}};
}

Bpe BpeTrainer::train(const TrainingProgress& progress, Threads* threads) const& {
  return BpeTrainer{*this}.train(progress, threads);
}
Bpe BpeTrainer::train(const TrainingProgress& progress, Threads* threads) && {
  return Bpe{std::move(*this).learn(progress, threads)};
}

BpeModel BpeTrainer::learn(const TrainingProgress& progress, Threads* threads) && {
  BpeLearner learner{std::move(*this), threads};
  constexpr std::size_t report_every = 64;
  while ((!progress || progress(learner.pieces().size())) && learner.learn(report_every)) {
  }
  BpeLearner::State& state = *learner.state_;
  state.joiner.reset();
  return state.model(state.names.list());
}

}  // namespace octet::text
