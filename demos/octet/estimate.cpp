/// octet estimate: how long a training step takes on a slice of a TPU, what bounds it and whether it fits.
#include "json.hpp"
#include "output.hpp"

#include "batch_options.hpp"
#include "command.hpp"
#include "estimate_input.hpp"
#include "estimate_report.hpp"
#include "messages.hpp"
#include "transformer_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace nn = octet::nn;
namespace tpu = octet::tpu;

constexpr nn::UpdateRule update_rules[] = {nn::UpdateRule::adamw, nn::UpdateRule::lamb, nn::UpdateRule::adafactor};

struct EstimateCommand {
  TransformerOptions transformer;
  std::string slice, code = "mlperf-bf16", activations, optimizer;
  BatchOptions batch;
  long long compiles = 0, steps = 0;
  double dropout = 0, attention_dropout = 0, compile_seconds = nn::Compiles{}.seconds;
  std::vector<std::string> constants;
  std::string all_reduce;
  bool pad_batch = false, shard_optimizer = false, clip = false, gradient_checkpointing = false;
  InputOptions input;
  CLI::Option *shard_given = nullptr, *dropout_given = nullptr, *attention_dropout_given = nullptr,
              *clip_given = nullptr, *compiles_given = nullptr;
};

nn::TrainingJob job_of(const EstimateCommand& command) {
  nn::TrainingJob job;
  job.model = sizes_of(command.transformer, command.batch.seq);
  job.slice = tpu::slice(command.slice);
  job.code = *nn::find_code_style(command.code);
  const BatchSizes sizes = batch_sizes(command.batch, job.model, nn::shares_of(job));
  job.accumulate = sizes.parts;
  job.batch = sizes.sequences;
  job.length = sizes.length;
  job.predictions = sizes.predictions;
  if (!command.all_reduce.empty()) job.code.joined_all_reduce = command.all_reduce == "joined";
  if (!command.activations.empty())
    job.code.activations = command.activations == "bf16" ? octet::DType::bf16 : octet::DType::f32;
  for (const auto rule : update_rules)
    if (nn::name(rule) == command.optimizer) job.code.update = rule;
  if (command.shard_given->count()) job.code.sharded_update = command.shard_optimizer;
  if (command.clip_given->count()) job.code.clips = command.clip;
  const auto rate = [](const char* option, double value) {
    if (!(value >= 0 && value < 1))
      refuse_option(std::string{option} + " is " + said_number(value) + ", and is a share of the activations.",
                    "choose 0 or more, below 1; 0: none");
    return value;
  };
  nn::ProgramStyle& program = job.code.program;
  program.gradient_checkpointing = command.gradient_checkpointing;
  if (const auto rates = dropout_of(command.transformer))
    program.dropout = rates->hidden, program.attention_dropout = rates->attention;
  if (command.dropout_given->count()) {
    program.dropout = rate("--dropout", command.dropout);
    program.attention_dropout.reset();
  }
  if (command.attention_dropout_given->count())
    program.attention_dropout = rate("--attention-dropout", command.attention_dropout);
  for (const std::string& text : command.constants) {
    const auto at = text.find('=');
    double* const constant = tpu::find_constant(job.constants, text.substr(0, at));
    const double value = constant && at != text.npos ? octet::read_decimal(text.substr(at + 1)) : 0;
    constexpr double least = 1e-12, most = 1e12;  // beyond, times are none that a report can tell
    if (!(value >= least && value <= most)) {
      std::string names;
      for (const std::string_view name : tpu::constant_names())
        names += (names.empty() ? "" : ", ") + std::string{name};
      refuse_option("--constant " + text + " is not NAME=VALUE with a known name and a number from 1e-12 to 1e12.",
                    "use one of " + names);
    }
    *constant = value;
  }
  if (command.pad_batch) job = nn::padded_evenly(std::move(job));
  return job;
}

/// What was said of recompiling.
std::optional<nn::Compiles> compiles_of(const EstimateCommand& command) {
  if (!command.compiles_given->count()) return std::nullopt;
  constexpr long long most = 1ll << 40;
  require_at_least("--compiles", command.compiles, 1);
  require_at_least("--steps", command.steps, 1);
  if (command.compiles > most || command.steps > most)
    refuse_option("No run takes so many steps.", "choose " + std::to_string(most) + " or less");
  if (command.compiles > command.steps)
    refuse_option("--compiles is " + std::to_string(command.compiles) + ", and a run of " +
                      std::to_string(command.steps) + (command.steps == 1 ? " step" : " steps") +
                      " calls no more programs than that.",
                  "choose " + std::to_string(command.steps) + " or less");
  if (!(command.compile_seconds >= 0 && command.compile_seconds <= longest_seconds))
    refuse_option("--compile-seconds is " + said_number(command.compile_seconds) + ", and no compiler takes so long.",
                  "choose 0 or more, and a year's " + fixed(longest_seconds, 0) + " or less");
  return nn::Compiles{command.compiles, command.steps, command.compile_seconds};
}

/// How a change of `job` that would free memory is asked for, in brackets; nothing where no option does.
std::string option_of(const nn::MemoryChoice& choice, const nn::TrainingJob& job) {
  const std::pair<std::string_view, std::string> options[] = {
      {"half_batch", "--batch " + std::to_string(job.batch / 2)},
      {"accumulate", "--accumulate " + std::to_string(2 * job.accumulate)},
      {"bf16_activations", "--activations bf16"},
      {"sharded_optimizer", "--shard-optimizer"},
      {"gradient_checkpointing", "--gradient-checkpointing"}};
  const auto option = std::ranges::find(options, choice.id, &std::pair<std::string_view, std::string>::first);
  return option == std::end(options) ? "" : " (" + option->second + ")";
}

int estimate(const EstimateCommand& command, bool json) {
  EstimateReport report;
  report.compiles = compiles_of(command);
  report.model = command.transformer.name();
  report.job = job_of(command);
  report.estimate = nn::estimate_training(report.job);
  if (command.input.given()) {
    report.feed = feed_of(command.input, report.job);
    report.fed = tpu::estimate_feed(*report.feed, report.job.slice, report.job.batch, report.estimate.device());
  }
  report.largest = nn::batch_limits(report.job);
  report.findings = nn::findings(report.job, report.estimate, report.feed, report.compiles);
  if (!command.input.timeline.empty()) write_timeline(command.input, report.job, report.estimate, *report.feed);
  print(json ? json_of(report) : text_of(report));
  if (report.estimate.memory.fits) return 0;
  std::vector<nn::MemoryChoice> choices = nn::memory_choices(report.job);
  for (nn::MemoryChoice& choice : choices) choice.what += option_of(choice, report.job);
  return program::report(
      octet::Error{{nn::does_not_fit(report.job, report.estimate, report.largest.recomputing, choices)}}, false);
}

void estimate_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<EstimateCommand>();
  std::string styles;
  std::vector<std::string> names;
  for (const auto& style : nn::code_styles()) names.emplace_back(style.name);
  for (const auto& style : nn::code_styles())
    styles += (styles.empty() ? "" : "; ") + std::string{style.name} + ": " + std::string{style.summary};

  sub->add_option("--slice", command->slice, "TPU slice: v2-8, v3-32, v4-128, v5e-16, ...")
      ->required()
      ->take_last()
      ->type_name("NAME");
  add_batch_options(sub, command->batch, "tokens of a sequence");
  command->batch.batch_given->required();
  sub->add_option("--code", command->code, "class of code. " + styles)
      ->check(CLI::IsMember(names).description(""))
      ->capture_default_str()
      ->take_last()
      ->type_name(CLI::detail::join(names, "|"));
  sub->add_option("--activations", command->activations,
                  "what activations are stored as, instead of what the code does")
      ->check(CLI::IsMember({"bf16", "f32"}).description(""))
      ->take_last()
      ->type_name("bf16|f32");
  sub->add_option("--optimizer", command->optimizer, "instead of the code's own")
      ->check(CLI::IsMember({"adamw", "lamb", "adafactor"}).description(""))
      ->take_last()
      ->type_name("adamw|lamb|adafactor");
  sub->add_option("--constant", command->constants, "another value for a fitted constant of the cost model")
      ->type_name("NAME=VALUE");

  sub->add_flag("--pad-batch", command->pad_batch,
                "where replicas cannot share a batch equally, fill it up with sequences of weight zero");
  command->shard_given = sub->add_flag("--shard-optimizer,!--no-shard-optimizer", command->shard_optimizer,
                                       "each replica keeps and updates only its share of the optimizer's state, or all "
                                       "of it, instead of what the code does");
  sub->add_flag("--gradient-checkpointing", command->gradient_checkpointing,
                "the way back computes what is within a layer again, instead of as little as makes the step fit");
  sub->add_option("--all-reduce", command->all_reduce,
                  "one of all gradients, or one for each, as tf1-f32 does (what the code does)")
      ->check(CLI::IsMember({"joined", "each"}).description(""))
      ->take_last()
      ->type_name("joined|each");

  command->clip_given =
      sub->add_flag("--clip-norm,!--no-clip-norm", command->clip,
                    "gradients are scaled down to a largest global norm, or not, instead of what the code does");
  command->dropout_given = sub->add_option("--dropout", command->dropout,
                                           "rate of the dropout in embeddings, attention and layers; 0: none (what the "
                                           "model's config.json says, else 0.1)")
                               ->take_last();
  command->attention_dropout_given =
      sub->add_option("--attention-dropout", command->attention_dropout,
                      "rate of the dropout in attention, where it is another one (that of --dropout)")
          ->take_last();
  command->compiles_given = sub->add_option("--compiles", command->compiles,
                                            "programs that a run of --steps compiles, where there are several")
                                ->take_last();
  CLI::Option* steps = sub->add_option("--steps", command->steps, "steps of that run")->take_last();
  command->compiles_given->needs(steps);
  steps->needs(command->compiles_given);
  option(sub, "--compile-seconds", command->compile_seconds, "of --compiles: seconds that compiling one takes")
      ->needs(command->compiles_given);

  add_transformer_options(sub, command->transformer);
  add_input_options(sub, command->input);

  sub->callback([command, &invocation] {
    if (!command->transformer.given()) throw CLI::RequiredError("--model, --config, or --layers and --hidden");
    invocation.work = [command, &invocation] { return estimate(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand estimate_subcommand{
    .name = "estimate",
    .description = "Say how long a training step takes on a TPU slice, what bounds it and whether it fits.",
    .example = "octet estimate --model bert-large --slice v3-32 --batch 448 --seq 512",
    .add_options = estimate_options};

}  // namespace program
