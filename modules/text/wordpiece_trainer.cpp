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

WordPieceTrainer::WordPieceTrainer(WordPieceTraining options) : options_{std::move(options)} {
  const auto refuse = [](const std::string& sentence, const std::string& fix) {
    fail({.number = 709, .sentence = sentence, .where = {}, .fix = {fix}});
  };
  const std::vector<std::string> special = options_.special.first_pieces();
  if (options_.vocab_size <= special.size())
    refuse("a vocabulary of " + std::to_string(options_.vocab_size) + " pieces has no room beside the " +
               std::to_string(special.size()) + " special tokens",
           "choose a vocab_size of some hundreds at least; 2048 suits a text of a few megabytes");
  if (options_.vocab_size > 0x7fffffff)
    refuse("vocab_size " + std::to_string(options_.vocab_size) + " does not fit a 32-bit id",
           "choose a smaller vocab_size");
  if (options_.limit_alphabet == 0)
    refuse("limit_alphabet is 0, which leaves no character to learn from", "leave limit_alphabet at 1000");
  if (find_invalid_utf8(options_.wordpieces_prefix))
    refuse("the prefix of pieces that continue a word is not UTF-8", "leave wordpieces_prefix at \"##\"");
  for (std::string_view rest = options_.wordpieces_prefix; !rest.empty();) {
    const CodePoint point = decode_code_point(rest, 0);
    if (is_white_space(point.value) || is_control(point.value))
      refuse(
          "the prefix of pieces that continue a word holds white space or a control character, which ends a line "
          "of vocab.txt or cannot be seen in it",
          "leave wordpieces_prefix at \"##\"");
    rest.remove_prefix(point.length);
  }
  for (std::size_t i = 0; i < special.size(); ++i) {
    if (special[i].find_first_of("\n\r") != std::string::npos || find_invalid_utf8(special[i]))
      refuse("a special token is not UTF-8, or does not fit a line of vocab.txt", "give each special token a name");
    if (special[i].empty() || std::find(special.begin(), special.begin() + static_cast<std::ptrdiff_t>(i),
                                        special[i]) != special.begin() + static_cast<std::ptrdiff_t>(i))
      refuse("the special token \"" + special[i] + "\" is empty or named twice",
             "give each special token a name of its own");
  }
}

namespace {

// Where clean-up may part a text, so that it works on some kilobytes at a time, which take forty times their size:
// before a character that stays and begins what is brought into order with it.
std::size_t clean_up_end(std::string_view text) {
  constexpr std::size_t usual = 1 << 13;
  for (std::size_t at = usual; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= ' ' && byte < 0x7F) return at;
    if (byte >= 0xC0 && is_letter(category(decode_code_point(text, at).value))) return at;
  }
  return text.size();
}

}  // namespace

void WordPieceTrainer::add(std::string_view line) {
  WordCounts& counts = counts_.own();
  std::string word;
  std::size_t characters = 0;  // of the word
  const auto append = [&](char32_t character) {
    if (++characters <= options_.max_characters_per_word) append_utf8(word, character);
  };
  const auto end_word = [&] {
    if (characters > options_.max_characters_per_word)
      ++longer_words_;
    else if (characters > 0)
      counts.add(word);
    word.clear();
    characters = 0;
  };
  for_each_segment(line, [&](std::string_view segment, std::size_t) {
    for (std::string_view part; !segment.empty(); segment.remove_prefix(part.size())) {
      part = segment.substr(0, clean_up_end(segment));
      for (const char32_t character : clean_up(part, options_.clean_up).characters) {
        const bool blank = is_white_space(character), alone = !blank && is_punctuation(character);
        if (blank || alone) end_word();
        if (!blank) append(character);
        if (alone) end_word();
      }
    }
    end_word();
  });
}

void WordPieceTrainer::add(std::span<const std::string_view> lines, Threads& threads) {
  if (threads.count() == 1) {
    for (const std::string_view line : lines) add(line);
    return;
  }
  const std::vector<std::size_t> bounds = shares_of(lines, threads.count());
  std::vector<WordPieceTrainer> counted;  // each with counts of its own: copies would share them at first
  for (std::size_t share = 0; share + 1 < bounds.size(); ++share) counted.emplace_back(options_);
  threads.for_each(counted.size(), [&](std::size_t share) {
    for (std::size_t i = bounds[share]; i < bounds[share + 1]; ++i) counted[share].add(lines[i]);
  });
  for (WordPieceTrainer& each : counted) {
    counts_.own().add(*each.counts_);
    longer_words_ += each.longer_words_;
  }
}

namespace {

struct CharacterCount {
  static constexpr std::uint32_t no_piece = ~std::uint32_t{0};

  char32_t character;
  std::uint64_t count = 0;
  std::uint64_t continued = 0;                              // words where it stands anywhere but at the beginning
  std::uint64_t last_continued = 0;                         // the number of the last of them
  std::uint32_t initial = no_piece, continuing = no_piece;  // its pieces, where it is of the alphabet
};

// The characters to begin with, by code point: at most `limit`, and at most as many as leave `room` for their pieces.
std::u32string choose_alphabet(std::vector<const CharacterCount*> counts, std::size_t limit, std::size_t room) {
  // By a heap: a quarter of the code of the other sort, for which whoever opens the page would wait.
  const auto earlier = [](const CharacterCount* a, const CharacterCount* b) {
    return a->count != b->count ? a->count > b->count : a->character < b->character;
  };
  std::make_heap(counts.begin(), counts.end(), earlier);
  std::sort_heap(counts.begin(), counts.end(), earlier);
  std::u32string alphabet;
  for (const CharacterCount* entry : counts) {
    const std::size_t pieces = entry->continued > 0 ? 2 : 1;
    if (alphabet.size() == limit || room < pieces) break;
    alphabet += entry->character;
    room -= pieces;
  }
  std::make_heap(alphabet.begin(), alphabet.end());
  std::sort_heap(alphabet.begin(), alphabet.end());
  return alphabet;
}

}  // namespace

struct WordPieceLearner::State {
  WordPieceTraining options;
  PieceNames pieces = {};
  std::optional<PieceJoiner> joiner = {};
  std::uint64_t occurrences = 0, tokens = 0;

  std::string joined_name(IdPair pair) const {
    std::string_view right = pieces[right_of(pair)];
    if (right.starts_with(options.wordpieces_prefix)) right.remove_prefix(options.wordpieces_prefix.size());
    return std::string{pieces[left_of(pair)]}.append(right);
  }
  WordPieceModel model(std::vector<std::string> names) const;
};

WordPieceLearner::WordPieceLearner(WordPieceTrainer&& trainer, Threads* threads)
    : state_{new State{std::move(trainer.options_)}} {
  const WordCounts& counted = *trainer.counts_;
  if (counted.empty())
    fail([&] {
      Diagnostic none{.number = 706, .sentence = "the text has no word to learn a vocabulary from", .where = {}};
      if (const std::uint64_t longer = trainer.longer_words_; longer > 0) {
        // A word of megabytes was cut before it was counted: of several no number is told.
        none.sentence += std::string{longer == 1 ? ": its one word is" : ": each of its words is"} +
                         " longer than the " + std::to_string(state_->options.max_characters_per_word) +
                         " characters that are learned from";
        none.fix = {"part its words by spaces", "learn byte pairs instead: octet tokenizer train --kind bpe"};
      }
      return none;
    });

  std::unordered_map<char32_t, CharacterCount> character_counts;
  std::uint64_t number = 0;
  counted.for_each([&](std::string_view word, std::uint64_t count) {
    ++number;
    for (std::size_t at = 0; at < word.size();) {
      const CodePoint point = decode_code_point(word, at);
      CharacterCount& entry = character_counts.try_emplace(point.value, CharacterCount{point.value}).first->second;
      entry.count += count;
      if (at > 0 && std::exchange(entry.last_continued, number) != number) ++entry.continued;
      at += point.length;
    }
  });
  std::vector<const CharacterCount*> listed;
  for (const auto& [character, entry] : character_counts) listed.push_back(&entry);

  State& state = *state_;
  const WordPieceTraining& options = state.options;
  for (const std::string& name : options.special.first_pieces()) state.pieces.add(name);
  const std::u32string alphabet =
      choose_alphabet(listed, options.limit_alphabet, options.vocab_size - state.pieces.size());
  std::vector<CharacterCount*> continuing;
  for (char32_t character : alphabet) {
    std::string name;
    append_utf8(name, character);
    CharacterCount& entry = character_counts.at(character);
    entry.initial = state.pieces.add(name);
    if (entry.continued > 0) continuing.push_back(&entry);
  }
  std::ranges::stable_sort(
      continuing, [](const CharacterCount* a, const CharacterCount* b) { return a->continued > b->continued; });
  for (CharacterCount* entry : continuing) {
    std::string name = options.wordpieces_prefix;
    append_utf8(name, entry->character);
    entry->continuing = state.pieces.add(name);
  }

  // A character outside the alphabet is passed over; the word it stands in will be the unknown token, its other pairs
  // still count.
  const std::uint64_t text_bytes = counted.text_bytes();
  PieceWords words;
  std::vector<PieceWords::Piece> pieces;
  trainer.counts_.take_each([&](std::string_view word, std::uint64_t count) {
    pieces.clear();
    for (std::size_t at = 0; at < word.size();) {
      const CodePoint point = decode_code_point(word, at);
      const CharacterCount& entry = character_counts.at(point.value);
      if (const std::uint32_t piece = at == 0 ? entry.initial : entry.continuing; piece != CharacterCount::no_piece)
        pieces.push_back({piece, static_cast<std::uint32_t>(point.length)});
      at += point.length;
    }
    state.occurrences += count;
    state.tokens += count * pieces.size();
    if (pieces.size() > 1) words.add(pieces, count);
  });
  const std::size_t room = options.room > 0 ? options.room : joining_room(text_bytes, words.bytes());
  state.joiner.emplace(std::move(words),
                       Joining{.min_frequency = options.min_frequency, .room = room, .threads = threads});
}

WordPieceLearner::~WordPieceLearner() = default;
WordPieceLearner::WordPieceLearner(WordPieceLearner&&) noexcept = default;
WordPieceLearner& WordPieceLearner::operator=(WordPieceLearner&&) noexcept = default;

bool WordPieceLearner::learn(std::size_t pairs) {
  State& state = *state_;
  for (; state.pieces.size() < state.options.vocab_size; --pairs) {
    if (pairs == 0) return true;
    const PieceJoiner::Best best = state.joiner->take_best();
    if (best.count == 0 || best.count < state.options.min_frequency) break;
    state.tokens -= state.joiner->join(best, state.pieces.add(state.joined_name(best.ids)));
  }
  return false;
}

const PieceNames& WordPieceLearner::pieces() const { return state_->pieces; }
std::uint64_t WordPieceLearner::occurrences() const { return state_->occurrences; }
std::uint64_t WordPieceLearner::tokens() const { return state_->tokens; }

WordPiece WordPieceLearner::tokenizer() const { return WordPiece{state_->model(pieces().list())}; }

WordPieceModel WordPieceLearner::State::model(std::vector<std::string> names) const {
  return WordPieceModel{Vocabulary{std::move(names), options.special},
                        {.clean_up = options.clean_up,
                         .wordpieces_prefix = options.wordpieces_prefix,
                         .max_characters_per_word = options.max_characters_per_word}};
}

WordPiece WordPieceTrainer::train(const TrainingProgress& progress, Threads* threads) const& {
  return WordPieceTrainer{*this}.train(progress, threads);
}
WordPiece WordPieceTrainer::train(const TrainingProgress& progress, Threads* threads) && {
  return WordPiece{std::move(*this).learn(progress, threads)};
}

WordPieceModel WordPieceTrainer::learn(const TrainingProgress& progress, Threads* threads) && {
  WordPieceLearner learner{std::move(*this), threads};
  constexpr std::size_t report_every = 64;
  while ((!progress || progress(learner.pieces().size())) && learner.learn(report_every)) {
  }
  WordPieceLearner::State& state = *learner.state_;
  state.joiner.reset();
  return state.model(state.pieces.list());
}

}  // namespace octet::text
