/// octet tokenizer: learns a WordPiece vocabulary from text, and turns text into ids and back.
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "command.hpp"
#include "json.hpp"
#include "output.hpp"
#include "progress.hpp"

#include "messages.hpp"
import octet;

namespace program {

namespace {

namespace fs = std::filesystem;
namespace text = octet::text;

struct TokenizerTrainCommand {
  std::vector<std::string> text;
  std::string out;
  bool overwrite = false, strip_accents = false;
  long long vocab_size = 30000, min_frequency = 2, limit_alphabet = 1000;
  text::WordPieceTraining training;
};

int learn(TokenizerTrainCommand& command, bool json) {
  require_at_least("--vocab-size", command.vocab_size, 6);
  require_at_least("--min-frequency", command.min_frequency, 1);
  require_at_least("--limit-alphabet", command.limit_alphabet, 1);
  std::error_code unknown;  // what cannot be looked at cannot be written either, and that has a message of its own
  if (!command.overwrite && fs::exists(fs::path{command.out} / "vocab.txt", unknown))
    octet::fail({.number = 707,
                 .sentence = command.out + " holds a vocabulary already (vocab.txt is there).",
                 .where = {command.out, 0, ""},
                 .rule = "Ids mean what the vocabulary says; with another one, the model beside it would be lost.",
                 .fix = {"name another directory", "write over it: add --overwrite"}});
  command.training.vocab_size = static_cast<std::size_t>(command.vocab_size);
  command.training.min_frequency = static_cast<std::uint64_t>(command.min_frequency);
  command.training.limit_alphabet = static_cast<std::size_t>(command.limit_alphabet);
  command.training.clean_up.strip_accents = command.strip_accents;

  std::optional<Progress> progress{std::in_place, progress_style(json), 0};
  progress->status("counting words");
  text::WordPieceTrainer trainer{command.training};
  std::vector<octet::Diagnostic> faults;
  for (const std::string& file : command.text) {
    try {
      octet::data::for_each_line(file, [&](std::string_view line, std::size_t) { trainer.add(line); });
    } catch (const octet::Error& error) {
      faults.insert(faults.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!faults.empty()) throw octet::Error{std::move(faults)};
  progress->status("joining pieces of " + grouped(static_cast<long long>(trainer.words())) + " words");
  const text::WordPiece tokenizer = trainer.train();
  progress.reset();
  tokenizer.save(command.out);
  const std::size_t size = tokenizer.vocabulary().size();
  if (json) {
    print(JsonObject{}.add("vocabulary", size).add("words", trainer.words()).add("out", command.out).text());
  } else {
    print(grouped(static_cast<long long>(size)) + " WordPieces, saved in " + command.out + ".");
  }
  return 0;
}

/// Calls `function` with each of `given`, or with each line of standard input where there are none.
void for_each_input(const std::vector<std::string>& given, const std::function<void(const std::string&)>& function) {
  for (const std::string& line : given) function(line);
  if (!given.empty()) return;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.ends_with('\r')) line.pop_back();
    function(line);
  }
}

struct EncodeCommand {
  std::string model;
  std::vector<std::string> text;
  bool ids = false;
  text::EncodeOptions options;
};

int encode(const EncodeCommand& command, bool json) {
  const text::WordPiece tokenizer = text::load_wordpiece(command.model);
  for_each_input(command.text, [&](const std::string& line) {
    const text::Encoding encoding = tokenizer.encode(line, command.options);
    std::vector<std::string> pieces;
    std::string words, numbers;
    for (const std::int32_t id : encoding.ids) {
      pieces.push_back(tokenizer.vocabulary().piece(id));
      words += (words.empty() ? "" : " ") + text::compose_utf8(pieces.back());
      numbers += (numbers.empty() ? "" : " ") + std::to_string(id);
    }
    if (!json) return print(command.ids ? numbers : words);
    std::vector<std::vector<std::size_t>> offsets;
    for (const text::Span& span : encoding.offsets) offsets.push_back({span.begin, span.end});
    print(JsonObject{}
              .add("text", line)
              .add("ids", encoding.ids)
              .add("pieces", pieces)
              .add("byte_offsets", offsets)
              .text());
  });
  return 0;
}

struct DecodeCommand {
  std::string model;
  std::vector<std::string> ids;
  bool keep_special = false;
};

/// The numbers in `line`, between blanks or commas; throws X709 where one is none.
std::vector<std::int32_t> parse_ids(std::string_view line) {
  std::vector<std::int32_t> ids;
  constexpr std::string_view between = " \t,[]";
  while (true) {
    const std::size_t begin = line.find_first_not_of(between);
    if (begin == line.npos) return ids;
    line.remove_prefix(begin);
    const std::string_view word = line.substr(0, line.find_first_of(between));
    std::int32_t id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc{} || end != word.data() + word.size())
      refuse_option("'" + std::string{word} + "' is not the id of a piece.",
                    "give whole numbers: octet tokenizer encode "
                    "--ids prints some");
    ids.push_back(id);
    line.remove_prefix(word.size());
  }
}

int decode(const DecodeCommand& command, bool json) {
  const text::WordPiece tokenizer = text::load_wordpiece(command.model);
  std::vector<std::string> lines;
  if (!command.ids.empty()) lines.emplace_back();
  for (const std::string& id : command.ids) lines[0] += id + " ";
  for_each_input(lines, [&](const std::string& line) {
    const std::vector<std::int32_t> ids = parse_ids(line);
    const std::string decoded = tokenizer.decode(ids, {.skip_special = !command.keep_special});
    print(json ? JsonObject{}.add("ids", ids).add("text", decoded).text() : decoded);
  });
  return 0;
}

void add_model(CLI::App* sub, std::string& model) {
  sub->add_option("--model", model, "directory with vocab.txt and tokenizer_config.json")->required()->type_name("DIR");
}

}  // namespace

void add_tokenizer(CLI::App& app, Invocation& invocation) {
  CLI::App* tokenizer = app.add_subcommand("tokenizer", "Learn a WordPiece vocabulary; turn text into ids and back.");
  tokenizer->require_subcommand(1);
  tokenizer->footer("Example:\n  octet tokenizer train --text novel.txt --out words --vocab-size 8000");

  const auto training = std::make_shared<TokenizerTrainCommand>();
  CLI::App* sub = subcommand(*tokenizer, invocation, "train", "Learn a WordPiece vocabulary from text.",
                             "octet tokenizer train --text novel.txt --out words --vocab-size 8000");
  sub->add_option("--text", training->text, "files of plain text in UTF-8")->required()->type_name("FILE");
  sub->add_option("--out", training->out, "directory for vocab.txt and tokenizer_config.json")
      ->required()
      ->type_name("DIR");
  sub->add_flag("--overwrite", training->overwrite, "write over a vocabulary that is there");
  option(sub, "--vocab-size", training->vocab_size, "most pieces, special tokens included");
  option(sub, "--min-frequency", training->min_frequency, "a pair seen fewer times is not joined");
  option(sub, "--limit-alphabet", training->limit_alphabet, "keep so many of the most frequent characters");
  option(sub, "--wordpieces-prefix", training->training.wordpieces_prefix, "marks a piece that continues a word");
  sub->add_flag("--lowercase,!--no-lowercase", training->training.clean_up.lowercase,
                "lower-case the text (on by default)");
  sub->add_flag("--strip-accents,!--no-strip-accents", training->strip_accents,
                "take accents off (off by default: it takes Korean syllables and Japanese kana apart)");
  sub->add_flag("--clean-text,!--no-clean-text", training->training.clean_up.clean_text,
                "drop control characters (on by default)");
  sub->add_flag("--handle-chinese-chars,!--no-handle-chinese-chars", training->training.clean_up.handle_chinese_chars,
                "make each Chinese character a word (on by default)");
  sub->callback([training, &invocation] {
    invocation.work = [training, &invocation] { return learn(*training, invocation.json); };
  });

  const auto encoding = std::make_shared<EncodeCommand>();
  sub = subcommand(*tokenizer, invocation, "encode", "Text to pieces or ids; lines of standard input without TEXT.",
                   "octet tokenizer encode --model words --ids \"In the beginning\"");
  add_model(sub, encoding->model);
  sub->add_option("TEXT", encoding->text, "texts")->type_name("");
  sub->add_flag("--ids", encoding->ids, "print ids instead of pieces");
  sub->add_flag("--add-special", encoding->options.add_special, "put [CLS] first and [SEP] last");
  sub->callback([encoding, &invocation] {
    invocation.work = [encoding, &invocation] { return encode(*encoding, invocation.json); };
  });

  const auto decoding = std::make_shared<DecodeCommand>();
  sub = subcommand(*tokenizer, invocation, "decode", "Ids to text; lines of standard input without ID.",
                   "octet tokenizer decode --model words 2 98 1087 3");
  add_model(sub, decoding->model);
  sub->add_option("ID", decoding->ids, "the ids of pieces")->type_name("");
  sub->add_flag("--keep-special", decoding->keep_special, "show special tokens");
  sub->callback([decoding, &invocation] {
    invocation.work = [decoding, &invocation] { return decode(*decoding, invocation.json); };
  });
}

}  // namespace program
