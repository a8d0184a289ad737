#include "output.hpp"

#include "command.hpp"
#include "messages.hpp"
#include "patterns.hpp"
#include "train_data.hpp"
#include "unfit_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace fs = std::filesystem;
namespace data = octet::data;
namespace text = octet::text;
namespace train = octet::train;

namespace {

const std::vector<const char*> of_electra{"--generator-size", "--discriminator-weight"};

const std::string separator_piece = "<|endoftext|>";

}  // namespace

void TrainData::add_to(CLI::App* sub) {
  app_ = sub;
  option(sub, "--kind", kind,
         "masked: a BERT guesses blanks; electra: an ELECTRA tells replaced tokens from real ones; causal: a GPT-2 "
         "guesses "
         "what comes next")
      ->check(CLI::IsMember({"masked", "electra", "causal"}).description(""))
      ->type_name("masked|electra|causal");
  CLI::Option* texts =
      add_files(sub, "--text", text.files,
                "files of text: plain, .csv, .tsv or .jsonl; names of special tokens in it are plain text")
          ->type_name("FILE");
  CLI::Option* in_records =
      add_files(sub, "--records", records,
                "files of examples, as octet data bert and BERT's own script write them; where they hold several "
                "passes, the held-out loss is measured on text that is also trained on, under other masks, and comes "
                "out too low")
          ->type_name("FILE");
  CLI::Option* in_tokens =
      sub->add_option("--tokens", tokens, "a file of tokens, from octet data bert --on-the-fly or octet data causal")
          ->type_name("FILE");
  texts->excludes(in_records)->excludes(in_tokens);
  in_records->excludes(in_tokens);
  sub->add_option("--tokenizer", tokenizer, "directory with the vocabulary of --records or --tokens")->type_name("DIR");
  option(sub, "--format", text.format, "what the texts are, whatever their names: txt, csv or jsonl")
      ->check(CLI::IsMember({"txt", "csv", "jsonl"}).description(""));
  text.add_fields(sub);
  option(sub, "--documents", text.documents,
         "causal, txt: a separator follows each of these: paragraphs (lines up to an empty one), lines or files")
      ->check(CLI::IsMember({"paragraphs", "lines", "files"}).description(""));
  sub->add_option(
      "--epochs", epochs,
      "passes over records or blocks, instead of --steps: as many steps as their number makes full batches, "
      "though what a --window holds beyond its last full batch is passed over");
  sub->add_option("--batch-per-replica", batch_per_replica, "sequences of a step on each replica, instead of --batch");
}

bool TrainData::given(const std::string& option) const {
  const CLI::Option* found = app_->get_option_no_throw(option);
  return found && found->count() > 0;
}

std::vector<fs::path> TrainData::record_files() const { return {records.begin(), records.end()}; }

void TrainData::settle(train::TrainOptions& options) {
  const bool of_text = !text.files.empty();
  if (causal() && !records.empty())
    refuse_option("--records are masked examples, and --kind causal guesses what comes next.",
                  "write a file of tokens with octet data causal, and name it with --tokens");
  const TrainedOn trained_on = causal()           ? of_text ? TrainedOn::text_blocks : TrainedOn::token_blocks
                               : of_text          ? TrainedOn::lines
                               : !records.empty() ? TrainedOn::records
                                                  : TrainedOn::tokens;
  std::vector<octet::Diagnostic> faults = unfit_options(
      trained_on,
      [this](const std::string& option) {
        return given(option) && !(electra() && option == "--next-sentence");  // see below
      },
      {text_line(), tokenizer.empty() ? "" : shell_quoted(tokenizer), electra() ? " --kind electra" : ""});
  const auto refuse_by_kind = [&](const char* option, const std::string& why, std::vector<std::string> fix = {}) {
    if (given(option)) faults.push_back(without_effect(option, "for --kind " + kind, why, std::move(fix)));
  };
  if (!electra())
    for (const char* each : of_electra)
      refuse_by_kind(each, "Only an ELECTRA has a generator and a discriminator.", {"train one: --kind electra"});
  else
    refuse_by_kind("--next-sentence", "An ELECTRA judges tokens, and is asked about no pairs.");
  if (causal() && of_text && given("--tokenizer") && given("--vocab-size"))
    faults.push_back(without_effect("--vocab-size", "beside --tokenizer",
                                    "Words are learned from the text only where no tokenizer is named.",
                                    {"leave --tokenizer out, to learn words from the text"}));
  if (!causal() && !of_text && options.fitted_programs > 0)
    faults.push_back(
        {.number = 735,
         .sentence = "--padding fitted:" + std::to_string(options.fitted_programs) + " does nothing for " +
                     said(trained_on) + ".",
         .rule = "Lengths are fitted to the batches of an epoch, and of data that is read as it is needed "
                 "they are not known before.",
         .fix = {"name the lengths: --padding doubling_then_linear:BOUND,STEP", "train on lines of a text: --text"}});
  if (!faults.empty()) throw octet::Error{std::move(faults)};

  if (given("--epochs")) {
    require_at_least("--epochs", epochs, 1);
    if (given("--steps")) refuse_option("--epochs and --steps both say how long to train.", "leave one of them out");
  }
  if (given("--batch-per-replica")) {
    require_at_least("--batch-per-replica", batch_per_replica, 1);
    if (given("--batch")) refuse_option("--batch-per-replica and --batch both say how many.", "leave one of them out");
    options.batch = std::min<long long>(batch_per_replica, 1LL << 32) * octet::tpu::slice(options.slice).replicas;
  }
  if (!given("--attention-dropout")) options.attention_dropout = options.dropout;
  if (electra() && records.empty()) {
    octet::data::Masking& masking = options.masking;
    if (!given("--replaced-by-random")) masking.replaced_by_random = train::electra_masking.replaced_by_random;
    if (!given("--replaced-by-mask"))  // as much as a share of random ones leaves
      masking.replaced_by_mask =
          std::min(train::electra_masking.replaced_by_mask, std::max(0.0, 1 - masking.replaced_by_random));
  }
  if (!records.empty()) {
    const data::RecordSizes sizes = data::record_sizes(record_files().front());
    if (!given("--seq")) options.seq = sizes.max_seq_length;
    if (options.seq < sizes.max_seq_length)
      refuse_option("--seq is " + std::to_string(options.seq) + ", and the records hold sequences of up to " +
                        std::to_string(sizes.max_seq_length) + " tokens.",
                    "leave it out, or write shorter ones with octet data bert");
    if (!given("--max-predictions-per-seq")) options.max_predictions = sizes.max_predictions;
    if (!given("--next-sentence")) options.next_sentence = sizes.pairs && !electra();
    if (options.next_sentence && !sizes.pairs)
      refuse_option("--next-sentence asks about pairs, and the records hold single segments.",
                    "leave it out, or write pairs with octet data bert");
  } else if (!causal() && !electra() && !of_text && !given("--next-sentence")) {
    options.next_sentence = true;
  }
}

void TrainData::require_same_batch(const train::TrainOptions& saved) const {
  const std::int64_t replicas = octet::tpu::slice(saved.slice).replicas;
  if (batch_per_replica < 1 || (saved.batch % replicas == 0 && saved.batch / replicas == batch_per_replica)) return;
  octet::fail({.number = 709,
               .sentence = "The run was begun with --batch " + std::to_string(saved.batch) + " on " +
                           std::to_string(replicas) + " replicas, and cannot go on with --batch-per-replica " +
                           std::to_string(batch_per_replica) + ".",
               .rule = "A run that goes on is the same run, to the bit; its options are saved with it.",
               .fix = {"leave --batch-per-replica out, or begin a new run in another directory"}});
}

void TrainData::settle_steps(train::TrainOptions& options, const train::TrainingData& data) const {
  if (epochs < 1 || options.batch < 1) return;
  const auto examples = static_cast<double>(data.training.examples);
  const double steps = std::max(1.0, static_cast<double>(epochs) * examples / static_cast<double>(options.batch));
  if (steps > 1e15) refuse_option("--epochs " + std::to_string(epochs) + " would take for ever.", "choose fewer");
  options.steps = static_cast<std::int64_t>(steps);
}

std::vector<std::string> TrainData::lines() const {
  std::vector<std::string> lines;
  read_all(text.sources(), [&](const data::TextSource& source) {
    if (data::format_of(source) == data::TextFormat::txt) {
      data::Corpus corpus = data::read_corpus({source.path});
      std::ranges::move(corpus.lines, std::back_inserter(lines));
    } else {
      const auto add = [&](std::string_view line, std::size_t) {
        if (line.find_first_not_of(" \t\r\n") != line.npos) lines.emplace_back(line);
      };
      data::for_each_document(source, {add, [] {}});
    }
    return data::TextCount{};
  });
  return lines;
}

text::WordPiece TrainData::wordpiece() const {
  if (tokenizer.empty())
    refuse_option("the data holds ids, and the vocabulary that they are of is not named.",
                  "add --tokenizer DIR, the directory that the data was written with");
  text::Tokenizer loaded = text::load_tokenizer(tokenizer);
  if (auto* words = std::get_if<text::WordPiece>(&loaded)) return std::move(*words);
  octet::fail({.number = 721,
               .sentence = tokenizer + " holds a BPE tokenizer, which has no [MASK].",
               .where = {tokenizer, 0, ""},
               .fix = {"name the WordPiece vocabulary that the data was written with", "add --kind causal"}});
}

text::Bpe TrainData::bpe(const train::TrainOptions& options, octet::Threads& threads) const {
  if (tokenizer.empty()) {
    if (!tokens.empty())
      refuse_option("the tokens are ids, and the vocabulary that they are of is not named.",
                    "add --tokenizer DIR, the directory that the file was written with");
    const text::BpeTraining learning{.vocab_size = static_cast<std::size_t>(options.vocab_size)};
    require_at_least("--vocab-size", options.vocab_size, 256 + std::ssize(learning.special));
    text::BpeTrainer trainer{learning};
    data::TextBlock block;
    const auto count = [&] {
      trainer.add(block.texts(), threads);
      block.clear();
    };
    read_all(text.sources(), [&](const data::TextSource& source) {
      const auto add = [&](std::string_view line, std::size_t) {
        block.add(std::string{line} + "\n");
        if (block.full()) count();
      };
      data::for_each_document(source, {add, [] {}});
      return data::TextCount{};
    });
    count();
    return std::move(trainer).train({}, &threads);
  }
  text::Tokenizer loaded = text::load_tokenizer(tokenizer);
  if (auto* words = std::get_if<text::Bpe>(&loaded)) return std::move(*words);
  octet::fail({.number = 721,
               .sentence = tokenizer + " holds a WordPiece tokenizer, and GPT-2's words are byte pairs.",
               .where = {tokenizer, 0, ""},
               .fix = {"train one: octet tokenizer train --kind bpe", "leave --kind causal out"}});
}

train::TrainingData TrainData::data(const text::WordPiece& words, const train::TrainOptions& options,
                                    octet::Threads&) const {
  const std::vector<fs::path> files = records.empty() ? std::vector<fs::path>{tokens} : record_files();
  for (const fs::path& file : files) data::require_tokenizer_of(file, words);
  return records.empty() ? train::document_data(data::TokenFile{fs::path{tokens}}, words, options)
                         : train::record_data(record_files(), words, options);
}

train::TrainingData TrainData::data(const text::Bpe& words, const train::TrainOptions& options,
                                    octet::Threads& threads) const {
  if (!tokens.empty()) {
    data::require_tokenizer_of(tokens, words);
    return train::block_data(data::TokenFile{fs::path{tokens}}, words, options);
  }
  std::string bytes;  // two to a token
  data::TokenWriter writer{[&](std::string_view part) { bytes += part; }, words.size()};
  if (!words.id(separator_piece))
    octet::fail({.number = 709,
                 .sentence = tokenizer + " has no <|endoftext|>, which follows each document of a text.",
                 .where = {tokenizer, 0, ""},
                 .fix = {"train a tokenizer that has it, as octet tokenizer train --kind bpe does by default",
                         "leave --tokenizer out, to learn words from the text",
                         "choose what follows a document: octet data causal --separator PIECE, then --tokens"}});
  const text::Tokenizer spoken = words;
  const std::int32_t separator = data::separator_id(spoken, separator_piece);
  note_separator_names(read_all(text.sources(),
                                [&](const data::TextSource& source) {
                                  return data::add_causal(source, spoken, separator, writer, threads);
                                }),
                       separator_piece);
  writer.finish();
  return train::block_data(data::TokenFile{std::move(bytes), text.files.front()}, words, options);
}

namespace {

void add_to_line(std::string& line, const std::string& option, const std::vector<std::string>& values) {
  if (values.empty() || values.front().empty()) return;
  line += option;
  for (const std::string& value : values) line += " " + shell_quoted(value);
}

}  // namespace

std::string TrainData::text_line() const {
  std::string line;
  add_to_line(line, "--text", text.files);
  if (given("--format")) add_to_line(line, " --format", {text.format});
  if (given("--field")) add_to_line(line, " --field", {text.field});
  add_to_line(line, " --csv-separator", {text.csv_separator});
  if (given("--header") && !text.header) line += " --no-header";
  if (given("--csv-quotes") && !text.csv_quotes) line += " --no-csv-quotes";
  if (given("--documents")) add_to_line(line, " --documents", {text.documents});
  return line;
}

std::string TrainData::command_line() const {
  std::string line = kind == "masked" ? "" : " --kind " + kind;
  if (const std::string of_text = text_line(); !of_text.empty()) line += " " + of_text;
  add_to_line(line, " --records", records);
  add_to_line(line, " --tokens", {tokens});
  return line;
}

std::string TrainData::run_line() const {
  std::string line;
  for (const char* option : {"--threads", "--loaders", "--eval-every", "--save-every", "--save-total-limit",
                             "--logging-dir", "--precision-report", "--json"}) {
    if (!given(option)) continue;
    line += std::string{" "} + option;
    if (const CLI::Option* const asked = app_->get_option(option); asked->get_expected_max() > 0)
      line += " " + shell_quoted(asked->reduced_results().back());
  }
  return line;
}

}  // namespace program
