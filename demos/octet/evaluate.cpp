/// octet evaluate: the loss of a model on data that it is not trained on.
#include "json.hpp"
#include "output.hpp"

#include "any_model.hpp"
#include "command.hpp"
#include "example_files.hpp"
#include "messages.hpp"
#include "second_loss.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace fs = std::filesystem;
namespace data = octet::data;
namespace train = octet::train;

struct EvaluateCommand {
  std::string model;
  ExampleFiles files;
  train::TrainOptions options;
  long long threads = 1;
  const CLI::App* sub = nullptr;
  std::vector<CLI::Option*> given;  ///< of those that a saved run tells, too

  bool has(const std::string& option) const { return sub->get_option(option)->count() > 0; }
};

using AnyModel = std::variant<train::Model, train::ElectraModel, train::CausalModel>;

std::int64_t positions_of(const auto& config) { return config.positions; }
std::int64_t positions_of(const octet::nn::ElectraConfig& config) { return config.discriminator.positions; }

/// X735 for those of `names` that were given.
void require_not_given(const EvaluateCommand& command, const std::vector<const char*>& names, const char* data,
                       const char* why) {
  std::vector<octet::Diagnostic> faults;
  for (const char* name : names)
    if (command.has(name)) faults.push_back(without_effect(as_written(*command.sub->get_option(name)), data, why));
  if (!faults.empty()) throw octet::Error{std::move(faults)};
}

/// What the run of the model was told, where there was one, and the command line instead of it.
train::TrainOptions options_of(const EvaluateCommand& command, const auto& config, bool electra) {
  train::TrainOptions options;
  options.batch = command.options.batch;
  options.seq = std::numeric_limits<std::int64_t>::max();  // as many as the model takes
  const fs::path record = fs::path{command.model} / "training.json";
  std::error_code unknown;
  if (fs::exists(record, unknown))
    options = train::parse_training(octet::text::read_file(record), record.string()).options;
  else if (electra)
    options.masking = train::electra_masking;
  const train::TrainOptions& asked = command.options;
  if (command.has("--seq")) options.seq = asked.seq;
  if (command.has("--batch")) options.batch = asked.batch;
  if (command.has("--seed")) options.seed = asked.seed;
  if (command.has("--precision")) options.precision = asked.precision, options.passes = 1;
  if (command.has("--mask-probability")) options.masking.probability = asked.masking.probability;
  options.accumulate = 1;
  options.pad_batch = true;
  options.fitted_programs = 0;
  const std::int64_t seq = options.seq;
  options.positions = positions_of(config);
  options.seq = std::min(seq, options.positions);
  if (command.has("--seq") && options.seq < seq)
    refuse_option("--seq is " + std::to_string(seq) + ", and the model has embeddings for " +
                      std::to_string(options.seq) + " positions.",
                  "choose " + std::to_string(options.seq) + " or less");
  std::vector<TrainChoice> choices;
  for (CLI::Option* each : command.given) choices.push_back({each->get_name(), each, {}});
  validate_as_given(choices, options);
  return options;
}

/// Takes from the first record what all were made with.
void settle_records(train::TrainOptions& options, const ExampleFiles& files, bool judges_pairs) {
  const data::RecordSizes sizes = data::record_sizes(files.record_files().front());
  if (sizes.max_seq_length > std::max(options.seq, options.positions))
    refuse_option("The records hold sequences of up to " + std::to_string(sizes.max_seq_length) +
                      " tokens, and the model has embeddings for " + std::to_string(options.positions) + " positions.",
                  "write shorter ones with octet data bert");
  options.seq = sizes.max_seq_length;
  options.max_predictions = sizes.max_predictions;
  options.next_sentence = judges_pairs && sizes.pairs;
}

template <class Model>
train::Evaluation measured(const EvaluateCommand& command, const Model& model, octet::Threads& threads) {
  const ExampleFiles& files = command.files;
  constexpr bool causal = std::same_as<Model, train::CausalModel>, electra = std::same_as<Model, train::ElectraModel>;
  if (!causal && !files.records.empty())
    require_not_given(command, {"--seq", "--mask-probability"}, "for records",
                      "Records hold examples that are made and masked already.");
  if (!causal && !electra && !files.records.empty())  // an ELECTRA draws its replacements
    require_not_given(command, {"--seed"}, "for records", "Their masks are drawn already.");
  if (files.text.files.empty())
    require_not_given(command, text_option_names, files.records.empty() ? "for tokens" : "for records",
                      "They hold ids: how the text was read is settled.");
  else if (!causal)
    require_not_given(command, {"--documents"}, "for lines of a text",
                      "Lines are joined, whatever documents they are of; only a causal model is told where one ends.");
  train::TrainOptions options = options_of(command, model.config, electra);
  if constexpr (causal) {
    if (!files.records.empty())
      refuse_option(
          "--records are read as masked examples, and " + command.model + " is a GPT-2, which guesses what comes next.",
          "name a text, or tokens that octet data causal wrote");
    require_not_given(command, {"--seed", "--mask-probability"}, "for a GPT-2",
                      "It guesses what comes next, and nothing is masked.");
    return train::evaluate(model,
                           train::block_source(files.tokens_of(model.tokenizer, command.model, threads, true),
                                               model.tokenizer, options, {}, octet::data::Remainder::keep),
                           options, threads);
  } else {
    bool judges_pairs = false;
    if constexpr (!electra) judges_pairs = model.config.next_sentence;
    options.next_sentence = judges_pairs && !files.tokens.empty();
    if (!files.records.empty()) settle_records(options, files, judges_pairs);
    if (!files.text.files.empty()) return train::evaluate(model, files.text.lines(), options, threads);
    return train::evaluate(model, files.source(model.tokenizer, options), options, threads);
  }
}

int evaluate(const EvaluateCommand& command, bool json) {
  octet::Threads threads{thread_count(command.threads)};
  require_at_least("--batch", command.options.batch, 1);
  const std::string& from = command.model;
  const AnyModel model =
      model_by<AnyModel>({[&] { return train::load_electra(from); },  // has a model that fills, too
                          [&] { return train::load_model(from); }, [&] { return train::load_causal_model(from); }});
  const bool causal = std::holds_alternative<train::CausalModel>(model);
  const train::Evaluation found = std::visit([&](const auto& each) { return measured(command, each, threads); }, model);
  const double perplexity = std::exp(found.loss);
  if (json) {
    JsonObject line;
    line.add("loss", found.loss)
        .add("perplexity", perplexity)
        .add(causal ? "tokens" : "masked_tokens", found.masked_tokens);
    for (const Figure& figure : second_figures(found)) line.add(figure.name, figure.value);
    print(line.text());
    return 0;
  }
  print("Loss " + fixed(found.loss, 4) + " nats over " +
        counted(found.masked_tokens, causal ? "token" : "masked token") + ": perplexity " +
        (std::isfinite(perplexity) ? fixed(perplexity, perplexity < 100 ? 2 : 0) : "beyond 10^308") + ".");
  if (const std::string second = second_sentence(found, ""); !second.empty()) print(second);
  return 0;
}

void evaluate_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<EvaluateCommand>();
  command->sub = sub;
  sub->add_option("--model", command->model, "directory of a model, that octet train --out or another tool wrote")
      ->required()
      ->type_name("DIR");
  command->files.add_to(sub);
  add_threads(sub, command->threads);
  command->options.batch = 8;
  const auto of_run = [&](CLI::Option* made, const std::string& otherwise) {
    command->given.push_back(made);
    made->default_str("")->description(made->get_description() + "; by default the run's, or " + otherwise);
  };
  of_run(option(sub, "--seq", command->options.seq, "tokens of a sequence"), "as many as the model takes");
  of_run(option(sub, "--batch", command->options.batch, "sequences that are measured at once"), "8");
  of_run(option(sub, "--seed", command->options.seed, "of the masks"), "0");
  of_run(add_precision(sub, command->options.precision), "bf16");
  of_run(option(sub, "--mask-probability", command->options.masking.probability,
                "share of the tokens that are to be guessed"),
         "0.15");
  sub->callback([command, &invocation] {
    if (!command->files.named()) throw CLI::RequiredError("--records, --tokens or --text");
    invocation.work = [command, &invocation] { return evaluate(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand evaluate_subcommand{.name = "evaluate",
                                     .description = "Measure a model's loss on data that it was not trained on.",
                                     .example =
                                         "octet evaluate --model model --text other.txt\n"
                                         "  octet evaluate --model gpt --text 'other/*.jsonl' --field body --json\n"
                                         "A text's lines are all measured, by a GPT-2 all but the first token of each "
                                         "sequence. The same seed masks the same tokens.",
                                     .add_options = evaluate_options};

}  // namespace program
