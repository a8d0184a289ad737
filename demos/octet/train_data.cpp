#include "output.hpp"

#include "any_model.hpp"
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
const std::vector<const char*> of_words{"--vocab-size", "--lowercase", "--strip-accents"};
const std::vector<const char*> of_model{"--layers",     "--hidden",    "--heads",         "--intermediate",
                                        "--vocab-size", "--lowercase", "--strip-accents", "--generator-size"};

}  // namespace

void TrainData::add_to(CLI::App* sub) {
  app_ = sub;
  option(sub, "--kind", kind,
         "masked: a BERT guesses blanks; electra: an ELECTRA tells replaced tokens from real ones; causal: a GPT-2 "
         "guesses "
         "what comes next")
      ->check(CLI::IsMember({"masked", "electra", "causal"}).description(""))
      ->type_name("masked|electra|causal");
  ExampleFiles::add_to(sub,
                       "; where they hold several passes, the held-out loss is measured on text that is also trained "
                       "on, under other masks, and comes out too low");
  add_files(sub, "--held-out", held_out,
            "files to measure the loss on, of the same kind, instead of one line, record or document in "
            "--held-out-one-in; but for lines, their first 4,096 examples")
      ->type_name("FILE");
  CLI::Option* const words =
      sub->add_option("--tokenizer", tokenizer,
                      "directory with the vocabulary of --records or --tokens, or for a text instead of learning one")
          ->type_name("DIR");
  sub->add_option(
         "--from", from,
         "directory of a model to train further, Octet's or another tool's: its weights, words and sizes, with "
         "a new optimizer")
      ->type_name("DIR")
      ->excludes(words);
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

void TrainData::settle(train::TrainOptions& options) {
  const bool of_text = !text.files.empty();
  if (causal() && !records.empty())
    refuse_option("--records are read as masked examples, and --kind causal guesses what comes next.",
                  "write a file of tokens with octet data causal, and name it with --tokens");
  const TrainedOn trained_on = causal()           ? of_text ? TrainedOn::text_blocks : TrainedOn::token_blocks
                               : of_text          ? TrainedOn::lines
                               : !records.empty() ? TrainedOn::records
                                                  : TrainedOn::tokens;
  std::vector<octet::Diagnostic> faults = unfit_options(
      trained_on,
      [this](const std::string& option) -> std::string {
        if (!given(option) || (electra() && option == "--next-sentence")) return "";  // see below
        return as_written(*app_->get_option(option));
      },
      {text_line(), tokenizer.empty() ? "" : octet::text::shell_quoted(tokenizer), electra() ? " --kind electra" : ""});
  const auto refuse_by_kind = [&](const char* option, const std::string& why, std::vector<std::string> fix = {}) {
    if (given(option))
      faults.push_back(
          without_effect(as_written(*app_->get_option(option)), "for --kind " + kind, why, std::move(fix)));
  };
  if (!electra())
    for (const char* each : of_electra)
      refuse_by_kind(each, "Only an ELECTRA has a generator and a discriminator.", {"train one: --kind electra"});
  else
    refuse_by_kind("--next-sentence", "An ELECTRA judges tokens, and is asked about no pairs.");
  if (of_text && given("--tokenizer"))
    for (const char* each : {"--vocab-size", "--lowercase", "--strip-accents"})
      if (given(each) && (!causal() || each == of_words.front()))
        faults.push_back(without_effect(as_written(*app_->get_option(each)), "beside --tokenizer",
                                        "Words are learned from the text only where no tokenizer is named.",
                                        {"leave --tokenizer out, to learn words from the text"}));
  if (!from.empty())
    for (const char* each : of_model)
      if (given(each))
        faults.push_back(without_effect(as_written(*app_->get_option(each)), "beside --from",
                                        "Sizes and words are those of the model.",
                                        {"leave --from out, to begin a model of these sizes"}));
  if (!held_out.empty() && given("--held-out-one-in"))
    faults.push_back(without_effect("--held-out-one-in", "beside --held-out",
                                    "The loss is measured on the files that are named, and all else is trained on.",
                                    {"leave one of the two out"}));
  if (held_out.size() > 1 && !tokens.empty())
    refuse_option("--held-out names " + std::to_string(held_out.size()) + " files, and tokens are one file.",
                  "name one file of tokens");
  if (!causal() && !of_text && options.fitted_programs > 0)
    faults.push_back(
        {.number = 735,
         .sentence = "--padding fitted:" + std::to_string(options.fitted_programs) + " does nothing for " +
                     said(trained_on) + ".",
         .rule = "Lengths are fitted to the batches of an epoch, and of data that is read as it is needed "
                 "they are not known before.",
         .fix = {"name the lengths: --padding doubling_then_linear:BOUND,STEP, or lengths:N,N,... as octet check "
                 "--padding fitted:N finds them",
                 "train on lines of a text: --text"}});
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
  if (causal() && !tokens.empty() && !given("--seq"))
    if (const auto told = data::context_length_of(tokens)) options.seq = *told;
  if (!records.empty()) {
    data::RecordSizes sizes = data::record_sizes(record_files().front());
    if (!held_out.empty()) {
      const data::RecordSizes others = data::record_sizes(held_out.front());
      sizes.max_seq_length = std::max(sizes.max_seq_length, others.max_seq_length);
      sizes.max_predictions = std::max(sizes.max_predictions, others.max_predictions);
      if (sizes.pairs != others.pairs)
        refuse_option("--records hold " + std::string{sizes.pairs ? "pairs" : "single segments"} + ", and --held-out " +
                          (others.pairs ? "pairs." : "single segments."),
                      "write both with octet data bert and the same options");
    }
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
  if (of_text) text.beside = held_out;
  if (!from.empty()) begin_from(options);
}

void TrainData::begin_from(train::TrainOptions& options) {
  const auto take = [&](auto model) {
    const std::int64_t asked = options.seq;
    options = train::sized_as(model.config, std::move(options));
    if (options.seq < asked && (given("--seq") || !records.empty()))
      refuse_option("--seq is " + std::to_string(asked) + ", and " + from + " has embeddings for " +
                        std::to_string(options.seq) + " positions.",
                    records.empty() ? "choose " + std::to_string(options.seq) + " or less"
                                    : "write shorter records with octet data bert");
    begun = octet::shared<const BegunWith>(std::move(model));
  };
  try {
    if (causal())
      take(train::load_causal_model(from));
    else if (electra())
      take(train::load_electra(from));
    else
      take(train::load_model(from));
  } catch (const octet::Error& error) {
    if (error.number() != other_kind) throw;
    octet::Diagnostic fault = error.diagnostics().front();
    const std::string held = fault.sentence.substr(fault.sentence.rfind("' holds "));  // behind the directory's name
    const auto is = [&](const char* name) { return held.find(name) != std::string::npos; };
    fault.fix = {std::string{"train it as what it is: --kind "} + (is("GPT-2")     ? "causal"
                                                                   : is("ELECTRA") ? "electra"
                                                                                   : "masked"),
                 "name another directory"};
    octet::fail(std::move(fault));
  }
  if (const auto* model = std::get_if<train::Model>(begun.get()); model && model->of_electra) {
    if (std::filesystem::exists(std::filesystem::path{from} / "generator"))
      refuse_option(from + " holds an ELECTRA, whose models are trained together.", "add --kind electra");
    refuse_option(from + " is the generator of an ELECTRA, which is trained with its discriminator.",
                  "name the directory around it, and --kind electra");
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

train::Lines TrainData::all_lines() const {
  if (held_out.empty()) return text.lines();
  std::vector<std::string> measured = with(held_out).text.lines();
  if (measured.empty())
    octet::fail({.number = 706,
                 .sentence = "There is no line of text in " + held_out.front() + " to measure the loss on.",
                 .where = {held_out.front(), 0, ""},
                 .fix = {"name files with text: --held-out FILE", "leave --held-out out: lines are held out then"}});
  return {text.lines(), std::move(measured)};
}

text::WordPiece TrainData::wordpiece() const {
  if (begun) {
    if (const auto* model = std::get_if<train::Model>(begun.get())) return model->tokenizer;
    return std::get<train::ElectraModel>(*begun).tokenizer;
  }
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
  if (begun) return std::get<train::CausalModel>(*begun).tokenizer;
  if (tokenizer.empty()) {
    if (!tokens.empty())
      refuse_option("the tokens are ids, and the vocabulary that they are of is not named.",
                    "add --tokenizer DIR, the directory that the file was written with");
    const text::BpeTraining learning{.vocab_size = static_cast<std::size_t>(options.vocab_size)};
    require_at_least("--vocab-size", options.vocab_size, 256 + std::ssize(learning.special));
    require_read_again(text.files, "Texts are read to learn words from, then for the tokens that they make.");
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
  try {
    if (!held_out.empty())
      return train::masked_data(source(words, options), with(held_out).source(words, options), options);
    require_ids_of(words);
    return records.empty() ? train::document_data(data::TokenFile{fs::path{tokens}}, words, options)
                           : train::record_data(record_files(), words, options);
  } catch (const octet::Error& error) {
    throw by_option(error, {"--whole-word-mask"});
  }
}

train::TrainingData TrainData::data(const text::Bpe& words, const train::TrainOptions& options,
                                    octet::Threads& threads) const {
  const std::string& named = from.empty() ? tokenizer : from;
  const bool of_model = !from.empty();
  const data::TokenFile own = tokens_of(words, named, threads, of_model);
  if (held_out.empty()) return train::block_data(own, words, options);
  return train::causal_data(train::block_source(own, words, options),
                            train::block_source(with(held_out).tokens_of(words, named, threads, of_model), words,
                                                options, {}, data::Remainder::keep));
}

namespace {

void add_to_line(std::string& line, const std::string& option, const std::vector<std::string>& values) {
  if (values.empty() || values.front().empty()) return;
  line += option;
  for (const std::string& value : values) line += " " + octet::text::shell_quoted(value);
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
  add_to_line(line, " --held-out", held_out);
  return line;
}

std::string TrainData::run_line() const {
  std::string line;
  for (const char* option : {"--threads", "--loaders", "--eval-every", "--save-every", "--save-total-limit",
                             "--logging-dir", "--precision-report", "--json"}) {
    if (!given(option)) continue;
    line += std::string{" "} + option;
    if (const CLI::Option* const asked = app_->get_option(option); asked->get_expected_max() > 0)
      line += " " + octet::text::shell_quoted(asked->reduced_results().back());
  }
  return line;
}

}  // namespace program
