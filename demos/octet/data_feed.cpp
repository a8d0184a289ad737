/// octet data feed: batches as a trainer gets them, to see what a padding policy costs and how long a replica would
/// wait.
#include "json.hpp"
#include "output.hpp"

#include "command.hpp"
#include "data.hpp"
#include "messages.hpp"
#include "padding_option.hpp"
#include "patterns.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace fs = std::filesystem;
namespace data = octet::data;
namespace text = octet::text;

struct FeedCommand {
  std::vector<std::string> files;
  std::string model, from;
  data::BertExampleOptions bert;
  data::PipelineOptions pipeline;
  long long steps = 100, depth = 16, threads = 1, window = data::usual_window, context_length = 1024;
  double step_milliseconds = 0;
  const CLI::App* app = nullptr;
};

enum class Fed { records, tokens, blocks };

/// Throws X735 for options that are about other data than what is fed.
void require_effect(const FeedCommand& command, Fed fed) {
  const struct {
    Fed fed;
    const char *option, *where, *rule;
  } without[] = {
      {Fed::records, "--context-length", "for records", "Only a stream of tokens is cut into blocks of one length."},
      {Fed::tokens, "--context-length", "for BERT's tokens",
       "Only a stream of tokens, from octet data causal, is cut into blocks of one length."},
      {Fed::blocks, "--max-seq-length", "for a stream of tokens", "Its blocks have the length of --context-length."},
      {Fed::blocks, "--max-predictions-per-seq", "for a stream of tokens",
       "Each token is guessed, and none is masked."},
  };
  std::vector<octet::Diagnostic> faults;
  for (const auto& [data, option, where, rule] : without)
    if (data == fed && command.app->get_option(option)->count() > 0)
      faults.push_back(without_effect(option, where, rule));
  if (!faults.empty()) throw octet::Error{std::move(faults)};
}

data::WindowSource source_of(FeedCommand& command) {
  const auto window = static_cast<std::uint64_t>(command.window);
  const std::vector<fs::path> files{command.files.begin(), command.files.end()};
  std::optional<text::Tokenizer> tokenizer;
  if (!command.model.empty()) {
    tokenizer = text::load_tokenizer(command.model);
    data::require_tokenizer_of(files, *tokenizer);
  }
  data::require_whole(files);
  if (fs::path{command.files[0]}.extension() != ".tokens") {
    require_effect(command, Fed::records);
    data::WindowSource records = data::record_windows(files, command.pipeline.seed, window);
    if (!tokenizer) return records;
    return data::checked(std::move(records), command.files[0] + (command.files.size() > 1 ? " and others" : ""),
                         data::size_of(*tokenizer));
  }
  if (command.files.size() > 1)
    refuse_option("there are " + std::to_string(command.files.size()) + " files, and tokens come from one.",
                  "name one .tokens file");
  data::TokenFile tokens{fs::path{command.files[0]}};
  require_effect(command, tokens.documents() == 0 ? Fed::blocks : Fed::tokens);
  if (tokens.documents() == 0) {
    if (command.app->get_option("--context-length")->count() == 0)
      command.context_length = data::context_length_of(files.front()).value_or(command.context_length);
    command.pipeline.max_length = command.context_length;
    command.pipeline.max_predictions = 0;
    return data::causal_windows(
        data::CausalBlocks{std::move(tokens),
                           {.context_length = command.context_length, .seed = command.pipeline.seed}},
        window);
  }
  if (!tokenizer)
    refuse_option("examples are made of " + command.files[0] + " with a vocabulary, and none is named.",
                  "add --model DIR, the tokenizer that the file was written with");
  const auto* wordpiece = std::get_if<text::WordPiece>(&*tokenizer);
  if (!wordpiece)
    refuse_option(command.model + " holds no WordPiece vocabulary.", "name the one the file was written with");
  command.bert.random_seed = command.pipeline.seed;
  command.bert.max_seq_length = command.pipeline.max_length;
  command.bert.max_predictions_per_seq = command.pipeline.max_predictions;
  command.pipeline.padding_id = wordpiece->special_ids().padding;
  return data::bert_windows(data::BertExamples{std::move(tokens), *wordpiece, command.bert}, window);
}

std::string hash_of(const data::PipelineBatch& batch, const std::string& before) {
  octet::Hasher hasher;
  hasher.add(std::string_view{before});
  for (const octet::Tensor* tensor : {&batch.input_ids, &batch.attention_mask, &batch.token_type_ids,
                                      &batch.masked_positions, &batch.masked_labels, &batch.next_sentence_labels})
    hasher.add(tensor->bytes());
  return hasher.text();
}

int feed(FeedCommand command, bool json) {
  require_at_least("--steps", command.steps, 1);
  require_at_least("--depth", command.depth, 1);
  require_at_least("--window", command.window, 1);
  if (!(command.step_milliseconds >= 0 && command.step_milliseconds <= 60'000))
    refuse_option("--step-ms is " + said_number(command.step_milliseconds) + ".", "choose 0 to 60000");
  data::WindowSource source = source_of(command);
  const data::Pipeline pipeline{std::move(source), command.pipeline};
  const data::PipelinePosition from = command.from.empty() ? data::PipelinePosition{} : pipeline.restored(command.from);
  data::Prefetch batches{pipeline, from, static_cast<std::size_t>(command.depth)};
  octet::Threads threads{thread_count(command.threads)};
  std::string hash;
  data::PaddingCount padding;
  std::int64_t masked = 0;
  std::map<std::int64_t, std::int64_t> widths;
  data::prefetching(threads, batches, [&] {
    for (long long step = 1; step <= command.steps; ++step) {
      const data::PipelineBatch batch = batches.next();
      hash = hash_of(batch, hash);
      padding += batch.padding;
      masked += batch.masked;
      const std::int64_t width = batch.input_ids.shape()[1];
      ++widths[width];
      if (json)
        print(JsonObject{}
                  .add("step", step)
                  .add("seq", width)
                  .add("tokens", batch.padding.tokens)
                  .add("padding_share", batch.padding.share())
                  .add("hash", hash)
                  .text());
      if (command.step_milliseconds > 0)
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>{command.step_milliseconds});
    }
  });
  const data::Waiting waiting = batches.waiting();
  const std::string position = pipeline.saved(batches.position());
  if (json) {
    std::vector<std::int64_t> shapes;
    for (const auto& [width, count] : widths) shapes.push_back(width);
    print(JsonObject{}
              .add("steps", command.steps)
              .add("shapes", shapes)
              .add("padding_share", padding.share())
              .add("tokens", padding.tokens)
              .add("masked", masked)
              .add("waited_seconds", waiting.waited)
              .add("waited_share", waiting.share())
              .add("hash", hash)
              .add("position", position)
              .text());
    return 0;
  }
  std::string shapes;
  for (const auto& [width, count] : widths)
    shapes += (shapes.empty() ? "" : ", ") + std::to_string(width) + " (" + grouped(count) + ")";
  print(grouped(command.steps) + " batches of " + std::to_string(command.pipeline.batch) + ", " +
        grouped(padding.tokens) + " tokens, " + fixed(padding.share() * 100, 1) + " % of the positions padding.");
  print("Lengths, with their batches: " + shapes + ".");
  print("The trainer waited " + fixed(waiting.share() * 100, 1) + " % of " + fixed(waiting.passed, 2) + " s.");
  print("Hash " + hash + ". To go on from here: --from " + octet::text::shell_quoted(position));
  return 0;
}

void data_feed_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<FeedCommand>();
  add_files(sub, "FILE", command->files, ".tfrecord files for BERT, or a .tokens file")->required()->type_name("");
  sub->add_option("--model", command->model, "the directory of their vocabulary, which tokens of documents need")
      ->type_name("DIR");
  octet::data::PipelineOptions& pipeline = command->pipeline;
  option(sub, "--batch", pipeline.batch, "examples of a batch, over all replicas");
  option(sub, "--replicas", pipeline.replicas, "that share a batch equally");
  option(sub, "--max-seq-length", pipeline.max_length, "tokens of an example for BERT, at most");
  const CLI::Option* predictions = option(sub, "--max-predictions-per-seq", pipeline.max_predictions,
                                          "tokens to be guessed in an example, at most; no more than --max-seq-length");
  option(sub, "--context-length", command->context_length,
         "tokens of a block, where the file is a stream of them; by default what it was written for, or 1024");
  command->app = sub;
  pipeline.padding = octet::data::pad_to_longest();
  sub->add_option_function<std::string>(
         "--padding", [&pipeline](const std::string& words) { pipeline.padding = padding_of(words, false).padding; },
         "what length a batch is padded to: " + padding_words(false))
      ->take_last()
      ->default_str(words_of({pipeline.padding}))
      ->type_name("POLICY");
  sub->add_flag("--gather-lengths,!--no-gather-lengths", pipeline.gather_lengths,
                "put examples of a length into one batch (on by default)");
  option(sub, "--window", command->window, "examples that are held and shuffled at once");
  option(sub, "--seed", pipeline.seed, "seed of the order, and of examples made on the fly");
  option(sub, "--steps", command->steps, "batches to take");
  option(sub, "--step-ms", command->step_milliseconds, "milliseconds that the trainer has work for after each");
  option(sub, "--depth", command->depth, "batches made ahead, at most");
  option(sub, "--from", command->from, "position to go on from, as the last line tells");
  add_threads(sub, command->threads);
  sub->callback([command, predictions, &invocation] {
    octet::data::PipelineOptions& pipeline = command->pipeline;
    if (predictions->count() == 0 && pipeline.max_length > 0)
      pipeline.max_predictions = std::min(pipeline.max_predictions, pipeline.max_length);
    invocation.work = [command, &invocation] { return feed(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand data_feed_subcommand{
    .name = "feed",
    .description = "Batches as a trainer gets them: their padding, and how long it waits for them.",
    .example = "octet data feed examples/*.tfrecord --batch 64 --padding multiple_of:32 --step-ms 20 --threads 2",
    .add_options = data_feed_options};

}  // namespace program
