/// octet tokenizer: turns text into ids and back; what it does so with is learned in tokenizer_train.cpp.
#include <cerrno>
#include <cstdio>
#include <iostream>

#include "json.hpp"
#include "output.hpp"

#include "command.hpp"
#include "messages.hpp"
#include "tokenizer.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace text = octet::text;

/// Calls `function` with each of `given`, or with each line of standard input where there are none, of which messages
/// then tell the number; no more where nobody reads what is printed.
void for_each_input(const std::vector<std::string>& given, const std::function<void(const std::string&)>& function) {
  for (const std::string& line : given) function(line);
  if (!given.empty()) return;
  // Counted behind the call: in WebAssembly, Clang 19 may move what comes before a call behind it, where a catch that
  // reads it too finds what was there before (WebAssemblyRegStackify).
  unsigned number = 1;
  for (std::string line; !output_failed() && std::getline(std::cin, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    try {
      function(line);
    } catch (const octet::Error& error) {
      std::vector<octet::Diagnostic> faults = error.diagnostics();
      for (octet::Diagnostic& fault : faults) fault.where = {"standard input", number, ""};
      throw octet::Error{std::move(faults)};
    }
  }
  const int error = errno;
  if (std::ferror(stdin))
    octet::fail({.number = 701,
                 .sentence = "cannot read standard input: " + std::generic_category().message(error),
                 .where = {"standard input", number, ""}});
}

struct EncodeCommand {
  std::string model, truncation = "longest_first";
  std::vector<std::string> text;
  bool tokens = false, pairs = false, cuts_as_told = false;
  long long max_length = 0, pad_to = 0, pad_to_multiple_of = 0;
  text::EncodeOptions options;

  bool for_a_model() const { return pairs || max_length != 0 || pad_to != 0 || pad_to_multiple_of != 0; }
};

// What the two kinds of tokenizer call differently.
text::WordPieceEncoder encoder_of(const text::WordPiece& tokenizer) { return text::WordPieceEncoder{tokenizer}; }
text::BpeEncoder encoder_of(const text::Bpe& tokenizer) { return text::BpeEncoder{tokenizer}; }
const std::string& piece(const text::WordPiece& tokenizer, std::int32_t id) { return tokenizer.vocabulary().piece(id); }
const std::string& piece(const text::Bpe& tokenizer, std::int32_t id) { return tokenizer.piece(id); }
std::string decoded(const text::WordPiece& tokenizer, const std::vector<std::int32_t>& ids, bool skip_special) {
  return tokenizer.decode(ids, {.skip_special = skip_special});
}
std::string decoded(const text::Bpe& tokenizer, const std::vector<std::int32_t>& ids, bool skip_special) {
  return tokenizer.decode(ids, skip_special);
}

void warn_of_missing_bytes(const text::WordPiece&) {}
void warn_of_missing_bytes(const text::Bpe& tokenizer) {
  if (const std::size_t count = tokenizer.missing_bytes().size())
    std::fprintf(stderr, "note: the vocabulary has no piece for %zu of the 256 bytes; they are left out.\n", count);
}

/// Says what the directory's tokenizer.json asks for beside the ids of a text, and how that is asked for here.
void note_parts_passed_over(const EncodeCommand& command, bool is_wordpiece) {
  const auto file = std::filesystem::path{command.model} / "tokenizer.json";
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) return;
  const auto note = [&](const std::string& part, const std::string& what) {
    std::fprintf(stderr, "note: \"%s\" of %s is passed over: %s.\n", part.c_str(), harmless(file.string()).c_str(),
                 what.c_str());
  };
  for (const std::string& part : text::parts_passed_over(text::read_file(file), file.string())) {
    if (part == "truncation" && command.max_length == 0)
      note(part, is_wordpiece ? "texts are cut with --max-length" : "all tokens are printed");
    if (part == "padding" && command.pad_to == 0 && command.pad_to_multiple_of == 0)
      note(part, is_wordpiece ? "texts are padded with --pad-to and --pad-to-multiple-of" : "nothing is padded");
    if (part == "post_processor" && (command.options.add_special || command.for_a_model()))
      note(part, "[CLS] is put first and [SEP] last, as BERT takes texts");
  }
}

/// WordPiece takes a byte that is not UTF-8 for U+FFFD, and cleaning leaves that out: the texts where it did so are
/// counted, because nothing in their ids shows it. (Byte pairs keep all bytes.)
class ReplacedBytes {
 public:
  void look_at(std::string_view input) {
    ++inputs_;
    if (!text::find_invalid_utf8(input)) return;
    if (replaced_++ == 0) first_ = inputs_;
  }
  void note() const {
    if (replaced_ == 0) return;
    std::fprintf(stderr,
                 "note: %zu of %zu texts, number %zu the first, are not UTF-8: a wrong byte counts as U+FFFD, which "
                 "cleaning leaves out; iconv converts other encodings.\n",
                 replaced_, inputs_, first_);
  }

 private:
  std::size_t inputs_ = 0, replaced_ = 0, first_ = 0;
};

/// A line as a BERT takes it: two texts with a tab between them, cut and padded.
int encode_for_model(const EncodeCommand& command, bool json) {
  check_all({[&] { require_at_least("--max-length", command.max_length, 0); },
             [&] { require_at_least("--pad-to", command.pad_to, 0); },
             [&] { require_at_least("--pad-to-multiple-of", command.pad_to_multiple_of, 0); },
             [&] {
               if (std::max(command.pad_to, command.pad_to_multiple_of) > 1'000'000)
                 refuse_option("More than a million tokens of padding are asked for.", "choose 1,000,000 or less");
             },
             [&] {
               if (command.cuts_as_told && command.max_length == 0)
                 refuse_option("--truncation tells what is cut, and without --max-length nothing is.",
                               "choose a --max-length, or leave --truncation out");
             }});
  const text::Tokenizer loaded = text::load_tokenizer(command.model);
  const auto* const words = std::get_if<text::WordPiece>(&loaded);
  if (!words)
    refuse_option(command.model + " holds a BPE tokenizer, and pairs, cutting and padding are for WordPiece.",
                  "leave --pairs, --max-length, --pad-to and --pad-to-multiple-of out");
  note_parts_passed_over(command, true);
  text::ModelInputOptions options{.truncation = command.truncation == "only_first"    ? text::Truncation::only_first
                                                : command.truncation == "only_second" ? text::Truncation::only_second
                                                                                      : text::Truncation::longest_first,
                                  .pad_to = static_cast<std::size_t>(command.pad_to),
                                  .pad_to_multiple_of = static_cast<std::size_t>(command.pad_to_multiple_of)};
  if (command.max_length > 0) options.max_length = static_cast<std::size_t>(command.max_length);
  ReplacedBytes replaced;
  for_each_input(command.text, [&](const std::string& line) {
    replaced.look_at(line);
    std::string_view first = line;
    std::optional<std::string_view> second;
    if (const std::size_t tab = line.find('\t'); command.pairs) {
      if (tab == line.npos)
        refuse_option("The line \"" + harmless(line.substr(0, 60)) + "\" has no tab between two texts.",
                      "write the two texts of a pair in one line, with a tab between them");
      if (line.find('\t', tab + 1) != line.npos)
        refuse_option("The line \"" + harmless(line.substr(0, 60)) + "\" has more than one tab.",
                      "write the two texts of a pair in one line, with one tab, which is between them");
      first = std::string_view{line}.substr(0, tab);
      second = std::string_view{line}.substr(tab + 1);
    }
    const text::ModelInput input = text::model_input(*words, first, second, options);
    std::vector<std::string> tokens;
    for (const std::int32_t id : input.ids) tokens.push_back(piece(*words, id));
    if (!json) {
      std::string shown;
      for (std::size_t i = 0; i < input.ids.size(); ++i)
        shown += (i ? " " : "") + (command.tokens ? text::compose_utf8(tokens[i]) : std::to_string(input.ids[i]));
      return print(shown);
    }
    // Offsets are of the text that a token is of.
    std::vector<text::Span> of_first, of_second;
    for (std::size_t i = 0; i < input.offsets.size(); ++i) {
      of_first.push_back(input.type_ids[i] == 0 ? input.offsets[i] : text::Span{0, 0});
      of_second.push_back(input.type_ids[i] == 1 ? input.offsets[i] : text::Span{0, 0});
    }
    of_first = text::in_characters(first, of_first);
    if (second) of_second = text::in_characters(*second, of_second);
    std::vector<std::vector<std::size_t>> offsets;
    for (std::size_t i = 0; i < input.offsets.size(); ++i) {
      const auto [begin, end] = input.type_ids[i] == 0 ? of_first[i] : of_second[i];
      offsets.push_back({begin, end});
    }
    print(JsonObject{}
              .add("ids", input.ids)
              .add("tokens", tokens)
              .add("offsets", offsets)
              .add("type_ids", input.type_ids)
              .add("attention_mask", input.attention_mask)
              .text());
  });
  replaced.note();
  return 0;
}

int encode(const EncodeCommand& command, bool json) {
  if (command.for_a_model()) return encode_for_model(command, json);
  const text::Tokenizer loaded = text::load_tokenizer(command.model);
  std::visit(
      [&](const auto& tokenizer) {
        if (std::is_same_v<decltype(tokenizer), const text::Bpe&> && command.options.add_special)
          refuse_option(command.model + " holds a BPE tokenizer, which has no [CLS] and [SEP].",
                        "leave --add-special out");
        warn_of_missing_bytes(tokenizer);
        note_parts_passed_over(command, std::is_same_v<decltype(tokenizer), const text::WordPiece&>);
        auto encoder = encoder_of(tokenizer);
        ReplacedBytes replaced;
        for_each_input(command.text, [&](const std::string& line) {
          if constexpr (std::is_same_v<decltype(tokenizer), const text::WordPiece&>) replaced.look_at(line);
          // A line may be larger than memory has room for its tokens: it is encoded anew for each list of them.
          std::string shown;
          const auto list = [&](std::string_view before, char between, std::string_view after, const auto& add_part) {
            shown += before;
            bool any = false;
            encoder.encode(line, command.options, [&](const text::Encoding& part) {
              add_part(part, [&](const std::string& each) {
                if (std::exchange(any, true)) shown += between;
                shown += each;
              });
              if (shown.size() < 1 << 16) return;
              if (!output_failed()) print_part(shown);
              shown.clear();
            });
            shown += after;
          };
          const auto ids = [&](const text::Encoding& part, const auto& add) {
            for (const std::int32_t id : part.ids) add(std::to_string(id));
          };
          const auto pieces = [&](const text::Encoding& part, const auto& add) {
            for (const std::int32_t id : part.ids)
              add(json ? json_text(piece(tokenizer, id)) : text::compose_utf8(piece(tokenizer, id)));
          };
          text::CharacterRanges ranges{line};
          const auto offsets = [&](const text::Encoding& part, const auto& add) {
            for (const auto [begin, end] : ranges.of(part.offsets))
              add("[" + std::to_string(begin) + "," + std::to_string(end) + "]");
          };
          if (json) {
            list("{\"ids\":[", ',', "],", ids);
            list("\"tokens\":[", ',', "],", pieces);
            list("\"offsets\":[", ',', "]}", offsets);
          } else if (command.tokens) {
            list("", ' ', "", pieces);
          } else {
            list("", ' ', "", ids);
          }
          print(shown);
        });
        replaced.note();
      },
      loaded);
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
                    "give whole numbers: octet tokenizer encode prints some");
    ids.push_back(id);
    line.remove_prefix(word.size());
  }
}

int decode(const DecodeCommand& command, bool json) {
  const text::Tokenizer loaded = text::load_tokenizer(command.model);
  std::vector<std::string> lines;
  if (!command.ids.empty()) lines.emplace_back();
  for (const std::string& id : command.ids) lines[0] += id + " ";
  for_each_input(lines, [&](const std::string& line) {
    const std::vector<std::int32_t> ids = parse_ids(line);
    const std::string result =
        std::visit([&](const auto& tokenizer) { return decoded(tokenizer, ids, !command.keep_special); }, loaded);
    print(json ? JsonObject{}.add("ids", ids).add("text", result).text() : result);
  });
  return 0;
}

void add_model(CLI::App* sub, std::string& model) {
  sub->add_option(
         "--model", model,
         "directory with a vocabulary: vocab.txt, tokenizer.json, or vocab.json and merges.txt, which alone tell "
         "neither the special tokens (names in <> or [] that no merge makes are taken for them) nor "
         "--add-prefix-space")
      ->required()
      ->type_name("DIR");
}

void encode_options(CLI::App* sub, Invocation& invocation) {
  const auto encoding = octet::shared<EncodeCommand>();
  add_model(sub, encoding->model);
  sub->add_option("TEXT", encoding->text, "texts")->type_name("");
  sub->add_flag("--tokens", encoding->tokens, "print pieces instead of ids");
  sub->add_flag("--add-special", encoding->options.add_special,
                "put [CLS] first and [SEP] last (WordPiece); --pairs, --max-length and --pad-to always do");
  CLI::Option* pairs = sub->add_flag("--pairs", encoding->pairs,
                                     "each line is two texts with a tab between them: [CLS] a [SEP] b [SEP]");
  CLI::Option* max_length = option(sub, "--max-length", encoding->max_length,
                                   "tokens at most, [CLS] and [SEP] added and included; 0: as many as there are");
  CLI::Option* truncation = option(sub, "--truncation", encoding->truncation,
                                   "what of a pair is cut: longest_first, only_first or only_second")
                                ->needs(pairs)
                                ->needs(max_length)
                                ->check(CLI::IsMember({"longest_first", "only_first", "only_second"}).description(""));
  option(sub, "--pad-to", encoding->pad_to, "tokens at least, [PAD] added");
  option(sub, "--pad-to-multiple-of", encoding->pad_to_multiple_of, "a multiple of this, [PAD] added");
  sub->callback([encoding, truncation, &invocation] {
    encoding->cuts_as_told = truncation->count() > 0;
    invocation.work = [encoding, &invocation] { return encode(*encoding, invocation.json); };
  });
}

void decode_options(CLI::App* sub, Invocation& invocation) {
  const auto decoding = octet::shared<DecodeCommand>();
  add_model(sub, decoding->model);
  sub->add_option("ID", decoding->ids, "the ids of pieces")->type_name("");
  sub->add_flag("--keep-special", decoding->keep_special, "show special tokens");
  sub->callback([decoding, &invocation] {
    invocation.work = [decoding, &invocation] { return decode(*decoding, invocation.json); };
  });
}

constexpr Subcommand encode_subcommand{.name = "encode",
                                       .description = "Text to ids; lines of standard input without TEXT.",
                                       .example = "octet tokenizer encode --model words \"In the beginning\"",
                                       .add_options = encode_options};
constexpr Subcommand decode_subcommand{.name = "decode",
                                       .description =
                                           "Ids to text; lines of standard input without ID. Byte pairs give the "
                                           "bytes back; WordPieces are set as one writes, without blanks before "
                                           "commas or between ideographs, and composed (NFC).",
                                       .example = "octet tokenizer decode --model words 2 98 1087 3",
                                       .add_options = decode_options};
constexpr const Subcommand* below[]{&tokenizer_train_subcommand, &encode_subcommand, &decode_subcommand};

}  // namespace

const Subcommand tokenizer_subcommand{
    .name = "tokenizer",
    .description = "Learn a WordPiece or BPE vocabulary; turn text into ids and back.",
    .example = "octet tokenizer train --text novel.txt --out words --vocab-size 8000",
    .below = below};

}  // namespace program
