// Tokenizers of the Text section that are learned from a text, a slice at a time: some bytes, then some pairs, so that
// other calls find their turn in between. web/src/workshop/text.ts gives the objects their types.
#include "text_desk.hpp"
import octet.standard;
import octet;

namespace desk {

namespace {

void forget_text() {
  desk.wordpiece.trainer.reset();
  desk.bpe.trainer.reset();
  desk.lines.reset();
  desk.rest.clear();
}

}  // namespace

void stop_training() {
  const auto stop = [](auto& place) {
    if (place.learner) tokenizer_of(place);
    place.learner.reset();
  };
  stop(desk.wordpiece);
  stop(desk.bpe);
  forget_text();
}

namespace {

using crossing::list;
using crossing::number;
using crossing::take;
using crossing::text_of;

constexpr std::size_t most_words = std::size_t{2} << 20;  // distinct ones that are counted: some hundred megabytes
constexpr std::size_t longest_line = std::size_t{64} << 20;
constexpr std::size_t shown_pieces = 12;  // of those learned last

template <class Count>
void take_count(const val& given, const char* name, Count& option) {
  std::int64_t value = static_cast<std::int64_t>(option);
  take(given, name, value);
  option = static_cast<Count>(std::max(std::int64_t{0}, value));
}

/// `{name, vocab_size, min_frequency, lowercase, strip_accents, …}` → `{}`: what follows is read as the text.
val begin_training(const val& request) {
  stop_training();
  text::WordPieceTraining wordpiece;
  take_count(request, "vocab_size", wordpiece.vocab_size);
  take_count(request, "min_frequency", wordpiece.min_frequency);
  take_count(request, "limit_alphabet", wordpiece.limit_alphabet);
  if (!request["wordpieces_prefix"].is_undefined()) wordpiece.wordpieces_prefix = text_of(request, "wordpieces_prefix");
  take(request, "lowercase", wordpiece.clean_up.lowercase);
  bool strip_accents = false;
  take(request, "strip_accents", strip_accents);
  wordpiece.clean_up.strip_accents = strip_accents;
  take(request, "clean_text", wordpiece.clean_up.clean_text);
  take(request, "handle_chinese_chars", wordpiece.clean_up.handle_chinese_chars);
  text::BpeTraining bpe;
  take_count(request, "vocab_size", bpe.vocab_size);
  take_count(request, "min_frequency", bpe.min_frequency);
  take(request, "add_prefix_space", bpe.add_prefix_space);

  text::WordPieceTrainer words{std::move(wordpiece)};
  desk.bpe.trainer.emplace(std::move(bpe));
  desk.wordpiece.trainer = std::move(words);
  octet::data::TextSource source{.path = text_of(request, "name")};
  desk.is_table = octet::data::format_of(source) != octet::data::TextFormat::txt;
  const auto add = [](std::string_view line, std::size_t) {
    desk.wordpiece.trainer->add(line);
    if (desk.is_table) desk.bpe.trainer->add(std::string{line} + "\n");
  };
  desk.lines.emplace(std::move(source), octet::data::DocumentFunctions{add, [] {}});
  return val::object();
}

/// Counts the words of `bytes`, which go on where the last ones ended. BPE takes lines of a plain text with their ends.
void count_words(std::string_view bytes) {
  desk.lines->add(bytes);
  if (desk.is_table) return;
  for (std::size_t end; (end = bytes.find('\n')) != bytes.npos; bytes.remove_prefix(end + 1)) {
    desk.rest += bytes.substr(0, end + 1);
    desk.bpe.trainer->add(desk.rest);
    desk.rest.clear();
  }
  desk.rest += bytes;
  if (desk.rest.size() > longest_line)
    octet::fail({.number = 716,
                 .sentence = "a line of the text is longer than 64 MB",
                 .where = {},
                 .fix = {"put line ends into the text", "train in a terminal: octet tokenizer train"}});
}

/// Calls `function`, and forgets the text where it turns out to be none.
template <class Function>
void reading(const Function& function) {
  if (!desk.lines) octet::fail({.number = 709, .sentence = "no text is being read", .where = {}});
  try {
    function();
  } catch (...) {
    forget_text();
    throw;
  }
}

/// `{bytes}` → `{words, full}`: the distinct words so far, or a few more, and whether there are so many that no more
/// are taken.
val read_text(const val& request) {
  reading([&] { request["bytes"].for_each_block(count_words); });
  // Asked for with every part: so what can be told at once.
  const std::size_t so_far = std::max(desk.wordpiece.trainer->words_at_most(), desk.bpe.trainer->words_at_most());
  val answer = val::object();
  // To BPE a blank is a word, too, and one that follows a blank is another.
  answer.set("words", number(static_cast<std::int64_t>(desk.wordpiece.trainer->words_at_most())));
  answer.set("full", so_far > most_words);
  return answer;
}

/// `{whole}` → `{words}`: the text ends here; where that is not its own end, its last line is left out.
val end_text(const val& request) {
  val answer = val::object();
  reading([&] {
    if (request["whole"].as<bool>()) {
      desk.lines->finish();
      if (!desk.is_table) desk.bpe.trainer->add(desk.rest);
    }
    answer.set("words", number(static_cast<std::int64_t>(desk.wordpiece.trainer->words())));
    text::WordPieceLearner learner{std::move(*desk.wordpiece.trainer)};
    desk.bpe.learner.emplace(std::move(*desk.bpe.trainer));
    desk.wordpiece.learner = std::move(learner);
    desk.bpe.outdated = desk.wordpiece.outdated = true;
  });
  forget_text();
  return answer;
}

// A piece that no tokenizer has yet.
val described(const text::WordPieceLearner&, std::string_view piece, std::int32_t id) {
  val object = val::object();
  object.set("id", id);
  object.set("text", text::compose_utf8(piece));
  object.set("bytes", std::string{});
  return object;
}

val described(const text::BpeLearner&, std::string_view piece, std::int32_t id) {
  val object = val::object();
  object.set("id", id);
  set_text(object, text::from_byte_alphabet(piece).value_or(std::string{piece}));
  return object;
}

/// `{kind, pairs, milliseconds}` → `{pieces, more, tokens_per_word, latest}`: joins so many pairs, fewer where the time
/// is over before.
template <class Kind>
val learn_pieces(Place<Kind>& place, const val& request) {
  using Clock = std::chrono::steady_clock;
  if (!place.learner) octet::fail({.number = 709, .sentence = "nothing is being learned", .where = {}});
  const auto end =
      Clock::now() + std::chrono::microseconds{static_cast<std::int64_t>(request["milliseconds"].as<double>() * 1000)};
  typename Kind::Learner& learner = *place.learner;
  bool more = true;
  for (auto left = request["pairs"].as<unsigned>(); more && left > 0 && Clock::now() < end; --left)
    more = learner.learn(1);
  place.outdated = true;

  const text::PieceNames& pieces = learner.pieces();
  std::vector<std::size_t> latest;
  for (std::size_t id = pieces.size(); id-- > 0 && latest.size() < shown_pieces;) latest.push_back(id);
  val answer = val::object();
  answer.set("pieces", number(static_cast<std::int64_t>(pieces.size())));
  answer.set("more", more);
  answer.set("tokens_per_word", static_cast<double>(learner.tokens()) / static_cast<double>(learner.occurrences()));
  answer.set("latest", list(latest, [&](std::size_t id) {
               return described(learner, pieces[id], static_cast<std::int32_t>(id));
             }));
  if (!more) {
    tokenizer_of(place);
    place.learner.reset();
  }
  return answer;
}

const crossing::Functions functions{
    {"beginTraining", begin_training},
    {"readText", read_text},
    {"endText", end_text},
    {"stopTraining",
     [](const val&) {
       stop_training();
       return val::object();
     }},
    {"learnPieces",
     [](const val& request) { return at_place(request, [&](auto& place) { return learn_pieces(place, request); }); }},
};

}  // namespace

}  // namespace desk
