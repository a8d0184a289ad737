/// octet data bert: masked examples and next-sentence pairs, written N-fold in record files, or the tokens that they
/// are made of on the fly.
#include <unistd.h>

#include "json.hpp"
#include "output.hpp"
#include "progress.hpp"

#include "command.hpp"
#include "data.hpp"
#include "messages.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace data = octet::data;
namespace text = octet::text;

/// What writing out BERT's ten passes stores with TensorFlow's tools, as guides to TPUs tell, as a multiple of the
/// text.
constexpr double source_storage = 24;

struct BertCommand {
  TextOptions text;
  OutputOptions out;
  std::string model;
  data::BertExampleOptions options;
  long long dupe_factor = 10, lines_per_shard = 256'000, threads = 1;
  bool on_the_fly = false;
  /// Of those given that say how examples are made: as it was written, and what `octet train` calls it.
  std::vector<std::pair<std::string, std::string>> of_examples;
};

const text::WordPiece& masked_tokenizer(const text::Tokenizer& tokenizer, const std::string& model) {
  if (const auto* wordpiece = std::get_if<text::WordPiece>(&tokenizer)) return *wordpiece;
  octet::fail({.number = 721,
               .sentence = model + " holds a BPE tokenizer, which has no [MASK]",
               .where = {model, 0, ""},
               .rule = "BERT's examples have [CLS], [SEP] and [MASK], which a WordPiece vocabulary has.",
               .fix = {"train one: octet tokenizer train --kind wordpiece", "use octet data causal for BPE"}});
}

void require_valid(const data::BertExampleOptions& options, const auto&... tokenizer) {
  try {
    data::validate(options, tokenizer...);
  } catch (const octet::Error& error) {
    throw by_option(error, {"--max-seq-length", "--max-predictions-per-seq", "--masked-lm-prob", "--short-seq-prob",
                            "--whole-word-mask"});
  }
}

/// Files of examples for so many lines. Examples go to all of them in turn, so all are open at once.
std::uint64_t shards_for(std::uint64_t lines, std::uint64_t lines_of_each) {
  constexpr std::uint64_t others = 32;  // that the program and its system have open
  const std::uint64_t shards = (lines + lines_of_each - 1) / lines_of_each;
  const long most = sysconf(_SC_OPEN_MAX);
  const std::uint64_t room = most < 0 ? shards : std::max(static_cast<std::uint64_t>(most), others + 1) - others;
  if (shards > room)
    refuse_option("--lines-per-shard is " + std::to_string(lines_of_each) + ", which makes " +
                      grouped(static_cast<long long>(shards)) + " files of " +
                      counted(static_cast<long long>(lines), "line") + ", and " +
                      grouped(static_cast<long long>(room)) + " can be open at once.",
                  "choose " + std::to_string((lines + room - 1) / room) + " or more");
  return shards;
}

/// Where one answer is so frequent that a model need not look at the pairs.
void warn_of_unequal_answers(double true_next_share, std::uint64_t pairs) {
  constexpr double least = 1.0 / 3, most = 2.0 / 3;
  constexpr std::uint64_t enough = 100;  // fewer are unequal by chance
  if (pairs < enough || (true_next_share >= least && true_next_share <= most)) return;
  note("warning: " + fixed(100 * true_next_share, 1) +
       " % of the pairs follow each other, where half of them should: to give one answer to all would be right for " +
       fixed(100 * std::max(true_next_share, 1 - true_next_share), 1) +
       " %. A line that is alone in a segment, which it fills or where its document ends, gets a stranger beside it, "
       "as in BERT's own script: choose a larger --max-seq-length, or give shorter lines in longer documents.");
}

/// With --on-the-fly examples are made where they are trained on.
void require_none_of_examples(const BertCommand& command) {
  std::vector<octet::Diagnostic> faults;
  for (const auto& [written, in_training] : command.of_examples)
    faults.push_back(
        without_effect(written, "with --on-the-fly",
                       "Tokens alone are written, and examples are made of them while they are trained on.",
                       {"say it there: octet train --tokens ... " + in_training}));
  if (command.on_the_fly && !faults.empty()) throw octet::Error{std::move(faults)};
}

int make(const BertCommand& command, bool json) {
  require_none_of_examples(command);
  check_all({[&] { require_valid(command.options); },
             [&] { require_at_least("--dupe-factor", command.dupe_factor, 1); },
             [&] { require_at_least("--lines-per-shard", command.lines_per_shard, 1); }});
  const text::Tokenizer loaded = text::load_tokenizer(command.model);
  const text::WordPiece& tokenizer = masked_tokenizer(loaded, command.model);
  require_valid(command.options, tokenizer);
  octet::Threads threads{thread_count(command.threads)};
  const OutputDirectory directory{command.out, command.text.files};

  const data::BertExampleOptions& options = command.options;
  if (const std::string warning = predictions_warning(options.max_predictions_per_seq, options.max_seq_length,
                                                      options.masked_lm_prob, "--masked-lm-prob");
      !warning.empty() && !command.on_the_fly)
    note(warning);
  std::optional<Progress> progress{std::in_place, progress_style(json), 0};
  progress->status("encoding the text");
  text::FileWriter tokens{command.out.file("documents.tokens")};
  const auto write = [&](std::string_view bytes) {
    directory.go_on();
    tokens.write(bytes);
  };
  data::TokenWriter writer{write, tokenizer.vocabulary().size()};
  const data::TextCount count =
      read_all(directory.watched(command.text.sources()),
               [&](const data::TextSource& source) { return data::add_documents(source, tokenizer, writer, threads); });
  writer.finish();
  tokens.close();
  // Checked whole before anything is put in its place: the options may ask for what the text has not. To be made on
  // the fly are also examples of one segment, which ask least.
  data::BertExampleOptions asked = options;
  if (command.on_the_fly) asked.next_sentence = false;
  const data::BertExamples examples{data::TokenFile{tokens.written()}.named(command.text.name()), tokenizer, asked};

  std::uint64_t written = 0;
  std::atomic<std::uint64_t> followers = 0;
  std::vector<data::RecordWriter> shards;
  std::vector<text::FileWriter*> files;
  if (command.on_the_fly) {
    files.push_back(&tokens);
  } else {
    progress->status("making examples");
    const auto lines = static_cast<std::uint64_t>(command.lines_per_shard);
    const std::uint64_t shard_count = shards_for(count.lines, lines);
    for (std::uint64_t i = 0; i < shard_count; ++i)
      shards.emplace_back(command.out.file(shard_name("examples", i, shard_count, ".tfrecord")));
    written = data::write_records(
        data::bert_windows(examples), static_cast<std::uint64_t>(command.dupe_factor),
        [&](const data::TrainingExample& example) {
          directory.go_on();
          if (!example.random_next) ++followers;
          return data::bert_features(example, command.options.max_seq_length, command.options.max_predictions_per_seq);
        },
        shards, threads);
    for (data::RecordWriter& shard : shards) {
      shard.close();
      files.push_back(&shard.file());
    }
  }
  const auto [names, bytes, beside_bytes] = command.out.put_data_set_in_place(files, loaded);
  const std::uint64_t on_the_fly_bytes = tokens.size() + beside_bytes;
  const bool are_pairs = options.next_sentence && written > 0;
  const double true_next_share =
      static_cast<double>(followers) / static_cast<double>(std::max(written, std::uint64_t{1}));
  const double on_the_fly_times = static_cast<double>(on_the_fly_bytes) / static_cast<double>(count.bytes);
  progress.reset();
  if (are_pairs) warn_of_unequal_answers(true_next_share, written);

  if (json) {
    JsonObject line;
    line.add("kind", command.on_the_fly ? "on_the_fly" : "static")
        .add("documents", count.documents)
        .add("document_cuts", writer.cuts())
        .add("lines", count.lines)
        .add("tokens", writer.tokens());
    if (!command.on_the_fly) line.add("examples", written).add("dupe_factor", command.dupe_factor);
    if (are_pairs) line.add("true_next_share", true_next_share);
    print(line.add("files", names)
              .add("text_bytes", count.bytes)
              .add("bytes", bytes)
              .add("times_the_text", static_cast<double>(bytes) / static_cast<double>(count.bytes))
              .add("source_times_the_text", source_storage)
              .add("on_the_fly_times_the_text", on_the_fly_times)
              .text());
    return 0;
  }
  print(counted(static_cast<long long>(count.documents), "document") + ", " +
        counted(static_cast<long long>(writer.tokens()), "token") + ".");
  if (writer.cuts() > 0)
    print("After " + grouped(static_cast<long long>(data::longest_document)) +
          " tokens a document goes on as another: there " + (writer.cuts() == 1 ? "was " : "were ") +
          counted(static_cast<long long>(writer.cuts()), "cut") +
          (options.next_sentence ? ", and next sentences are judged as of " +
                                       counted(static_cast<long long>(writer.documents()), "document")
                                 : "") +
          ".");
  if (!command.on_the_fly)
    print(counted(static_cast<long long>(written), "example") + ", of " + counted(command.dupe_factor, "pass") +
          ", in " + counted(static_cast<long long>(names.size()), "file") + ".");
  if (are_pairs)
    print("In " + fixed(100 * true_next_share, 1) +
          " % of the pairs the second segment follows the first in the text.");
  print(storage(bytes, count.bytes) + ", in " + command.out.directory + ".");
  if (bytes > 2 * count.bytes && bytes > on_the_fly_bytes)
    print("With --on-the-fly it takes " +
          (on_the_fly_bytes < 2 * count.bytes ? "less than twice" : fixed(on_the_fly_times, 2) + " times") +
          " the text: " + fixed(static_cast<double>(on_the_fly_bytes) / 1e6, 2) +
          " MB, from which octet train --tokens makes examples anew in each pass.");
  return 0;
}

void data_bert_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<BertCommand>();
  command->text.add_to(sub);
  sub->add_option("--model", command->model, "directory with a WordPiece vocabulary")->required()->type_name("DIR");
  command->out.add_to(sub);
  octet::data::BertExampleOptions& options = command->options;
  option(sub, "--max-seq-length", options.max_seq_length, "tokens of an example");
  const CLI::Option* predictions = option(sub, "--max-predictions-per-seq", options.max_predictions_per_seq,
                                          "tokens to be guessed, at most; no more than --max-seq-length");
  option(sub, "--masked-lm-prob", options.masked_lm_prob, "share of the tokens to be guessed");
  option(sub, "--short-seq-prob", options.short_seq_prob,
         "share of documents whose examples are shorter; of examples, with --no-next-sentence");
  sub->add_flag("--whole-word-mask", options.whole_word_mask, "mask all pieces of a word");
  sub->add_flag("--next-sentence,!--no-next-sentence", options.next_sentence,
                "pairs of segments (on by default); otherwise one segment, cut without loss");
  option(sub, "--random-seed", options.random_seed, "seed of all random choices");
  CLI::Option* on_the_fly =
      sub->add_flag("--on-the-fly", command->on_the_fly,
                    "write the tokens alone: examples are made anew each epoch, and the data does not grow");
  option(sub, "--dupe-factor", command->dupe_factor, "passes over the text, each masked anew")->excludes(on_the_fly);
  option(sub, "--lines-per-shard", command->lines_per_shard, "a file for each so many lines of text")
      ->excludes(on_the_fly);
  add_threads(sub, command->threads);
  sub->callback([command, predictions, sub, &invocation] {
    octet::data::BertExampleOptions& options = command->options;
    const auto said = [](auto value) {
      if constexpr (std::integral<decltype(value)>)
        return " " + std::to_string(value);
      else
        return " " + said_number(value);
    };
    const std::pair<const char*, std::string> in_training[] = {
        {"--max-seq-length", "--seq" + said(options.max_seq_length)},
        {"--max-predictions-per-seq", "--max-predictions-per-seq" + said(options.max_predictions_per_seq)},
        {"--masked-lm-prob", "--mask-probability" + said(options.masked_lm_prob)},
        {"--short-seq-prob", "--short-seq-prob" + said(options.short_seq_prob)},
        {"--whole-word-mask", "--whole-word-mask"},
        {"--next-sentence", options.next_sentence ? "--next-sentence" : "--no-next-sentence"},
        {"--random-seed", "--seed" + said(options.random_seed)}};
    for (const auto& [name, trained] : in_training)
      if (const CLI::Option* each = sub->get_option(name); each->count() > 0)
        command->of_examples.emplace_back(as_written(*each), trained);
    if (predictions->count() == 0 && options.max_seq_length > 0)
      options.max_predictions_per_seq = std::min(options.max_predictions_per_seq, options.max_seq_length);
    invocation.work = [command, &invocation] { return make(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand data_bert_subcommand{
    .name = "bert",
    .description =
        "Masked examples and next-sentence pairs, as BERT's data script makes. Names of special tokens in the text "
        "are plain text.",
    .example = "octet data bert --text novel.txt --model words --out examples --dupe-factor 10",
    .add_options = data_bert_options};

}  // namespace program
