/// octet tokenizer train: learns a WordPiece or BPE vocabulary from text.
#include "json.hpp"
#include "output.hpp"
#include "progress.hpp"

#include "command.hpp"
#include "data.hpp"
#include "interruption.hpp"
#include "messages.hpp"
#include "patterns.hpp"
#include "resident.hpp"
#include "run_directory.hpp"
#include "tokenizer.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace fs = std::filesystem;
namespace text = octet::text;

struct TokenizerTrainCommand {
  std::string kind = "wordpiece";
  TextOptions text;
  std::string out;
  bool overwrite = false, strip_accents = false;
  long long vocab_size = 30000, min_frequency = 2, limit_alphabet = 1000, threads = 1;
  text::WordPieceTraining wordpiece;
  text::BpeTraining bpe;
  std::vector<std::string> special;

  bool is_bpe() const { return kind == "bpe"; }
};

void require_free_directory(const TokenizerTrainCommand& command) {
  require_writable(command.out, "a vocabulary");
  const auto holds = [&](const char* name) {
    std::error_code unknown;  // what cannot be looked at cannot be written either, and that has a message of its own
    return fs::exists(fs::path{command.out} / name, unknown);
  };
  const auto refuse = [&](const std::string& what, std::vector<std::string> fix) {
    octet::fail({.number = 707,
                 .sentence = command.out + " holds a vocabulary already (" + what + " is there).",
                 .where = {command.out, 0, ""},
                 .rule = "Ids mean what the vocabulary says; with another one, the model beside it would be lost.",
                 .fix = std::move(fix)});
  };
  for (const char* name : {"vocab.txt", "vocab.json", "merges.txt"}) {
    const bool of_this_kind = command.is_bpe() != (std::string_view{name} == "vocab.txt");
    if (holds(name) && !of_this_kind) refuse(std::string{name} + ", of another kind,", {"name another directory"});
  }
  for (const char* name : {"vocab.txt", "vocab.json", "merges.txt", "tokenizer.json"})
    if (holds(name) && !command.overwrite) refuse(name, {"name another directory", "write over it: add --overwrite"});
  for (const char* name : {"vocab.txt", "vocab.json", "merges.txt", "tokenizer.json", "tokenizer_config.json"})
    require_not_read(command.text.files, fs::path{command.out} / name, "where the vocabulary is written");
}

/// Lines for threads to count the words of.
template <class Trainer>
class Counting {
 public:
  Counting(Trainer& trainer, octet::Threads& threads) : trainer_{trainer}, threads_{threads} {}

  void add(std::string_view line) {
    block_.add(line);
    if (block_.full()) flush();
  }
  void flush() {
    trainer_.add(block_.texts(), threads_);
    block_.clear();
  }

 private:
  Trainer& trainer_;
  octet::Threads& threads_;
  octet::data::TextBlock block_;
};

void add_line(std::string_view line, Counting<text::BpeTrainer>& to) { to.add(std::string{line} + "\n"); }
void add_line(std::string_view line, Counting<text::WordPieceTrainer>& to) { to.add(line); }

/// BPE is given the lines of a file with their ends, as they are there, and without a byte-order mark; long ones in
/// parts, between words.
void add_lines(const std::string& file, Counting<text::BpeTrainer>& to) {
  octet::data::LineReader check{file, [](std::string_view, std::size_t) {}, {.in_parts = true}};
  std::string rest;
  bool begun = false;
  octet::data::for_each_block(file, [&](std::string_view block) {
    check.add(block);
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (!std::exchange(begun, true) && block.starts_with(byte_order_mark)) block.remove_prefix(byte_order_mark.size());
    for (std::size_t end; (end = block.find('\n')) != block.npos; block.remove_prefix(end + 1)) {
      rest += block.substr(0, end + 1);
      to.add(rest);
      rest.clear();
    }
    rest += block;
    if (rest.size() > 2 * text::longest_gpt2_word) {
      const std::size_t words = text::gpt2_words_in_full(rest);
      to.add(std::string_view{rest}.substr(0, words));
      rest.erase(0, words);
    }
  });
  check.finish();
  to.add(rest);
}

void add_lines(const std::string& file, Counting<text::WordPieceTrainer>& to) {
  octet::data::for_each_line(file, [&](std::string_view line, std::size_t) { to.add(line); }, {.in_parts = true});
}

void save(const text::WordPieceModel& learned, const std::string& out) { learned.save(out); }
void save(const text::BpeModel& learned, const std::string& out) { text::save_bpe(learned, out); }
std::size_t size_of(const text::WordPieceModel& learned) { return learned.vocabulary().size(); }
std::size_t size_of(const text::BpeModel& learned) { return learned.size(); }

template <class Trainer>
void count_words(const TextOptions& texts, Trainer& trainer, octet::Threads& threads) {
  Counting counting{trainer, threads};
  read_all(texts.sources(), [&](const octet::data::TextSource& source) {
    if (octet::data::format_of(source) == octet::data::TextFormat::txt)
      add_lines(source.path.string(), counting);
    else
      octet::data::for_each_document(source,
                                     {[&](std::string_view line, std::size_t) { add_line(line, counting); }, [] {}});
    return octet::data::TextCount{};
  });
  counting.flush();
}

template <class Trainer>
int learn(const TokenizerTrainCommand& command, Trainer trainer, bool json) {
  give_back_large_tables();
  give_back_code();
  std::optional<Progress> progress{std::in_place, progress_style(json), 0};
  progress->status("counting words");
  OutputLock lock{command.out};
  octet::Threads threads{thread_count(command.threads)};
  count_words(command.text, trainer, threads);
  give_back_code();
  const std::size_t words = trainer.words();
  progress->status("joining pieces of " + grouped(static_cast<long long>(words)) + " words");
  std::size_t next = 0;  // number of pieces
  const auto give_back_at_times = [&](std::size_t pieces) {
    constexpr std::size_t pieces_between = 1024;
    if (pieces >= next) {
      give_back_code();
      next = pieces + pieces_between;
    }
    return true;
  };
  const auto learned = std::move(trainer).learn(give_back_at_times, &threads);
  progress.reset();
  give_back_code();
  uninterrupted([&] {
    lock.make([&] { require_free_directory(command); });
    save(learned, command.out);
  });
  const std::size_t size = size_of(learned);
  if (json)
    print(JsonObject{}
              .add("vocabulary", size)
              .add("words", words)
              .add("out", command.out)
              .add("kind", command.kind)
              .text());
  else
    print(grouped(static_cast<long long>(size)) + (command.is_bpe() ? " pieces of BPE" : " WordPieces") +
          ", saved in " + command.out + ".");
  return 0;
}

/// A trainer; what is wrong with its options is told by their names here.
template <class Trainer>
Trainer made(const auto& options) {
  try {
    return Trainer{options};
  } catch (const octet::Error& error) {
    throw by_option(error, {"--vocab-size", "--limit-alphabet", "--wordpieces-prefix"});
  }
}

int learn(TokenizerTrainCommand& command, bool json) {
  if (!command.special.empty()) {
    command.bpe.special = command.special;
    command.wordpiece.special.recognized = command.wordpiece.special.all();
    std::ranges::copy(command.special, std::back_inserter(*command.wordpiece.special.recognized));
  }
  const std::size_t least =
      command.is_bpe() ? 256 + command.bpe.special.size() : command.wordpiece.special.first_pieces().size() + 1;
  check_all({[&] { require_at_least("--vocab-size", command.vocab_size, static_cast<long long>(least)); },
             [&] { require_at_least("--min-frequency", command.min_frequency, 1); },
             [&] { require_at_least("--limit-alphabet", command.limit_alphabet, 1); },
             [&] { thread_count(command.threads); }, [&] { require_free_directory(command); }});
  if (command.is_bpe()) {
    command.bpe.vocab_size = static_cast<std::size_t>(command.vocab_size);
    command.bpe.min_frequency = static_cast<std::uint64_t>(command.min_frequency);
    return learn(command, made<text::BpeTrainer>(command.bpe), json);
  }
  command.wordpiece.vocab_size = static_cast<std::size_t>(command.vocab_size);
  command.wordpiece.min_frequency = static_cast<std::uint64_t>(command.min_frequency);
  command.wordpiece.limit_alphabet = static_cast<std::size_t>(command.limit_alphabet);
  command.wordpiece.clean_up.strip_accents = command.strip_accents;
  return learn(command, made<text::WordPieceTrainer>(command.wordpiece), json);
}

void tokenizer_train_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<TokenizerTrainCommand>();
  option(sub, "--kind", command->kind, "wordpiece, as BERT's, or bpe: byte-level, as GPT-2's")
      ->check(CLI::IsMember({"wordpiece", "bpe"}).description(""));
  TextOptions& texts = command->text;
  add_files(sub, "--text", texts.files, "files of text in UTF-8: plain, .csv, .tsv or .jsonl")
      ->required()
      ->type_name("FILE");
  texts.add_fields(sub);
  sub->add_option("--out", command->out, "directory for the vocabulary")->required()->type_name("DIR");
  sub->add_flag("--overwrite", command->overwrite, "write over a vocabulary that is there");
  option(sub, "--vocab-size", command->vocab_size, "most pieces, special tokens included");
  option(sub, "--min-frequency", command->min_frequency, "a pair seen fewer times is not joined");
  add_threads(sub, command->threads);

  text::CleanUp& clean = command->wordpiece.clean_up;
  const std::vector<CLI::Option*> wordpiece_only{
      option(sub, "--limit-alphabet", command->limit_alphabet,
             "wordpiece: keep so many of the most frequent characters"),
      option(sub, "--wordpieces-prefix", command->wordpiece.wordpieces_prefix,
             "wordpiece: marks a piece that continues a word"),
      sub->add_flag("--lowercase,!--no-lowercase", clean.lowercase, "wordpiece: lower-case the text (on by default)"),
      sub->add_flag("--strip-accents,!--no-strip-accents", command->strip_accents,
                    "wordpiece: take accents off (off by default: it takes Korean syllables and Japanese kana apart)"),
      sub->add_flag("--clean-text,!--no-clean-text", clean.clean_text,
                    "wordpiece: drop control characters (on by default)"),
      sub->add_flag("--handle-chinese-chars,!--no-handle-chinese-chars", clean.handle_chinese_chars,
                    "wordpiece: make each Chinese character a word (on by default)")};
  sub->add_option("--special-tokens", command->special,
                  "pieces that stand for no text. wordpiece: beside the five of BERT; bpe: instead of <|endoftext|>")
      ->type_name("TOKEN");
  const std::vector<CLI::Option*> bpe_only{sub->add_flag("--add-prefix-space", command->bpe.add_prefix_space,
                                                         "bpe: put a blank before a line that begins without one")};
  sub->callback([command, wordpiece_only, bpe_only, &invocation] {
    for (const CLI::Option* given : command->is_bpe() ? wordpiece_only : bpe_only)
      if (given->count() > 0)
        throw CLI::ValidationError(given->get_name() + " does not go with --kind " + command->kind);
    invocation.work = [command, &invocation] { return learn(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand tokenizer_train_subcommand{
    .name = "train",
    .description = "Learn a WordPiece or BPE vocabulary from text.",
    .example = "octet tokenizer train --kind bpe --text novel.txt --out words --vocab-size 8000",
    .add_options = tokenizer_train_options};

}  // namespace program
