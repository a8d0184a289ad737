/// octet check: whether a program is ready for a TPU, as a checklist with a verdict for each line.
#include "output.hpp"

#include "batch_options.hpp"
#include "check_lengths.hpp"
#include "check_padding.hpp"
#include "check_report.hpp"
#include "command.hpp"
#include "data_bytes.hpp"
#include "messages.hpp"
#include "padding_option.hpp"
#include "patterns.hpp"
#include "sharding_cure.hpp"
#include "transformer_options.hpp"
#include "unfit_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace nn = octet::nn;
namespace tpu = octet::tpu;

struct CheckCommand {
  TransformerOptions transformer;
  BatchOptions batch;
  TextOptions text;
  std::string slice, program, lengths, tokenizer, data, host, precision = "bf16", activations = "f32";
  double examples_per_second = 0;
  PaddingChoice padding{.padding = octet::data::pad_to_longest()};
  std::vector<std::string> batch_arguments, sharded_arguments, donated_arguments;
  bool calls_back = false, megacore = false, shard_optimizer = false, gradient_checkpointing = false;
  long long data_bytes = 0;
  CLI::Option *rate_given = nullptr, *padding_given = nullptr, *data_bytes_given = nullptr;
};

octet::CheckOptions options_of(const CheckCommand& command) {
  octet::CheckOptions options;
  options.jit.compile.precision = command.precision == "f32" ? octet::Precision::f32 : octet::Precision::bf16;
  options.activations = command.activations == "bf16" ? octet::DType::bf16 : octet::DType::f32;
  if (command.rate_given->count()) {
    options.examples_per_second = command.examples_per_second;
    if (!(options.examples_per_second >= 1e-6 && std::isfinite(options.examples_per_second)))
      refuse_option("--examples-per-second is " + said_number(options.examples_per_second) + ".",
                    "choose 0.000001 or more, such as 0.5 or 1000");
  }
  if (!command.data.empty() || !command.host.empty()) {
    if (command.data.empty() || command.host.empty())
      refuse_option(
          command.data.empty() ? "--host is given, and --data is not." : "--data is given, and --host is not.",
          "give both: --data memory|disk|bucket --host node|vm");
    options.data = {.place = command.data == "disk"     ? tpu::DataPlace::disk
                             : command.data == "bucket" ? tpu::DataPlace::bucket
                                                        : tpu::DataPlace::memory,
                    .host = command.host == "node" ? tpu::HostKind::node : tpu::HostKind::vm,
                    .calls_back = command.calls_back};
    if (command.data_bytes_given->count()) options.data->bytes = data_bytes(command.data_bytes, *options.data);
  } else if (command.data_bytes_given->count()) {
    refuse_option("--data-bytes is given, and where the data lie is not.",
                  "give --data memory and --host node|vm as well");
  } else if (command.calls_back) {
    refuse_option("How the pipeline works is told, and where the data lie is not.",
                  "give --data memory|disk|bucket and --host node|vm as well");
  }
  return options;
}

/// What is known of the data.
struct DataLengths {
  Lengths given;  ///< none where neither a text nor lengths are given
  nn::BatchLengths batches;
};

DataLengths lengths_of(const CheckCommand& command, const nn::TransformerConfig& config, const BatchSizes& sizes) {
  DataLengths lengths;
  if (!command.lengths.empty())
    lengths.given = lengths_of_numbers(command.lengths, sizes.length);
  else if (!command.text.files.empty())
    lengths.given =
        lengths_of_text(command.text,
                        {.directory = command.tokenizer.empty() ? command.transformer.directory() : command.tokenizer,
                         .bytes = config.kind == nn::TransformerKind::gpt2,
                         .vocabulary = config.vocabulary},
                        sizes.length);
  if (!lengths.given.each.empty()) lengths.batches = nn::batch_lengths(lengths.given.each, sizes.sequences);
  return lengths;
}

/// Throws X735 for --padding beside a text that is cut into blocks, as octet train does.
void require_padded(const CheckCommand& command, const nn::TransformerConfig& config) {
  if (config.kind != nn::TransformerKind::gpt2 || command.text.files.empty()) return;
  const auto given = [&](const std::string& option) -> std::string {
    return option == "--padding" && command.padding_given->count() ? as_written(*command.padding_given) : "";
  };
  std::vector<octet::Diagnostic> faults = unfit_options(TrainedOn::text_blocks, given, {});
  if (!faults.empty()) throw octet::Error{std::move(faults)};
}

/// The same policy, as a compiled function's: as in training, nothing is padded beyond the longest there can be.
octet::BucketPolicy policy_of(const PaddingChoice& choice, const BatchSizes& sizes, const nn::BatchLengths& batches) {
  const octet::data::Padding& padding = choice.padding;
  if (choice.fitted > 0) {
    if (batches.each.empty())
      refuse_option("--padding " + words_of(choice) + " fits lengths to batches, and none are known.",
                    "give --text FILE or --lengths FILE as well");
    return fitted_policy(batches, sizes.length, static_cast<std::size_t>(choice.fitted));
  }
  switch (padding.kind) {
    case octet::data::Padding::Kind::max_length:
      return octet::max_length(sizes.length);
    case octet::data::Padding::Kind::longest:
      return octet::exact();
    case octet::data::Padding::Kind::multiple_of:
      return capped(octet::multiple_of(padding.multiple), sizes.length);
    case octet::data::Padding::Kind::lengths:
      return capped(octet::one_of(padding.lengths), sizes.length);
    case octet::data::Padding::Kind::doubling_then_linear:
      return capped(octet::doubling_then_linear(padding.lengths[0], padding.lengths[1]), sizes.length);
  }
  return octet::exact();
}

tpu::Slice slice_of(const CheckCommand& command) {
  const tpu::Slice slice = tpu::slice(command.slice);
  if (!command.megacore) return slice;
  if (slice.chip.cores == 1)
    octet::fail(without_effect("--megacore", "for " + slice.name, "Its chips have one core, which is their one device.",
                               {"take a v4 or v5p slice"}));
  return tpu::megacore(slice);
}

/// Throws X709 where a replica's share of the batch cannot be taken in equal parts. (One that replicas cannot share is
/// told in a line of its own.)
void require_equal_parts(const BatchSizes& sizes, std::int64_t replicas) {
  const std::int64_t shares = replicas * sizes.parts, over = sizes.sequences % shares;
  if (sizes.parts == 1 || over == 0) return;
  refuse_option("--batch is " + std::to_string(sizes.sequences) + ", which " + std::to_string(replicas) +
                    " replicas cannot take in " + std::to_string(sizes.parts) + " equal parts each.",
                (sizes.sequences > shares ? "choose " + std::to_string(sizes.sequences - over) + " or "
                                          : std::string{"choose "}) +
                    std::to_string(sizes.sequences - over + shares));
}

octet::Readiness readiness_of(const CheckCommand& command) {
  octet::CheckOptions options = options_of(command);
  const tpu::Slice slice = slice_of(command);
  if (!command.program.empty()) {
    options.batch = command.batch_arguments;
    options.sharded = command.sharded_arguments;
    options.jit.donated = command.donated_arguments;
    options.jit.name = command.program;
    return octet::check_stablehlo(octet::text::read_file(command.program), command.program, slice, options);
  }
  options.jit.name = "a training step of " + command.transformer.name();
  options.jit.argument_names = {"batch", "state"};
  options.jit.donated = {"state"};
  options.recompute_option = "--gradient-checkpointing";
  options.accumulate_option = "--accumulate";
  const nn::TransformerConfig config = sizes_of(command.transformer, command.batch.seq);
  const BatchSizes sizes = batch_sizes(command.batch, config, slice.replicas);
  require_equal_parts(sizes, slice.replicas);
  require_padded(command, config);
  const DataLengths lengths = lengths_of(command, config, sizes);
  const octet::BucketPolicy policy = policy_of(command.padding, sizes, lengths.batches);
  nn::ProgramStyle style;
  style.gradient_checkpointing = command.gradient_checkpointing;
  style.keyed_bits = true;  // as the line on memory says of random bits
  if (const auto rates = dropout_of(command.transformer))
    style.dropout = rates->hidden, style.attention_dropout = rates->attention;
  const auto candidate_of = [&](const nn::ProgramStyle& written, bool sharded) {
    return nn::training_candidate(
        config, slice,
        {.sequences = sizes.sequences,
         .predictions = sizes.predictions,
         .lengths = lengths.given.each.empty() ? std::vector{sizes.length} : lengths.batches.each,
         .parts = sizes.parts},
        written, sharded);
  };
  const octet::Candidate candidate = candidate_of(style, command.shard_optimizer);
  if (command.shard_optimizer) options.sharded = nn::sharded_moments();
  if (policy != octet::exact())
    for (const std::string& name : nn::sequence_arguments(config, candidate))
      options.jit.buckets.push_back({name, 1, policy});
  nn::TrainingJob job{.model = config,
                      .slice = slice,
                      .batch = sizes.sequences,
                      .length = sizes.length,
                      .predictions = sizes.predictions,
                      .accumulate = sizes.parts,
                      .code = {}};
  job.code.activations = options.activations;
  job.code.program = style;
  job.code.sharded_update = command.shard_optimizer;
  octet::Readiness readiness = octet::check(candidate, slice, options);
  for (octet::CheckLine& line : readiness.lines) {
    if (line.id == "rule_3" && !lengths.given.each.empty())
      judge_lengths(line, lengths.given, lengths.batches, sizes, policy);
    if (line.id == "rule_3" && command.padding.fitted > 0 && lengths.given.blocks == 0)
      line.evidence.push_back("the lengths found: --padding " +
                              words_of({octet::data::pad_to_one_of(policy.extents())}));
    if (line.id == "rule_3" && lengths.given.blocks > 0) judge_blocks(line, lengths.given, sizes.length);
    if (line.id == "matrix_unit") judge_padding(line, job);
    if (line.id == "memory" && line.verdict != octet::Verdict::not_judged) {
      line.evidence.push_back(dropout_text(style.dropout, style.attention_dropout.value_or(style.dropout)));
      propose_sharding(line, job, [&] {
        nn::ProgramStyle asking = style;
        asking.gradient_checkpointing = true;
        octet::CheckOptions sharing = options;
        sharing.sharded = nn::sharded_moments();
        sharing.look_for_batches = false;
        return octet::check(candidate_of(asking, true), slice, sharing).line("memory");
      });
    }
  }
  return readiness;
}

/// Says of chips with megacore that a replica is a core of theirs, where it is: what is said of its memory is not that
/// of JAX's devices.
void tell_cores(octet::CheckLine& line, const CheckCommand& command) {
  const tpu::Slice slice = slice_of(command);
  const auto replicas = std::ranges::find(line.figures, "replicas", &octet::Figure::name);
  if (slice.chip.megacore && replicas != line.figures.end() && replicas->value > static_cast<double>(slice.chips))
    line.evidence.push_back("a replica is one core here, and JAX and TensorFlow 2 run one on each chip of " +
                            slice.name + ": --megacore judges that");
}

int check(const CheckCommand& command, bool json) {
  octet::Readiness readiness = readiness_of(command);
  for (octet::CheckLine& line : readiness.lines) {
    if (line.id == "batch") tell_cores(line, command);
    if (line.id == "rule_3" && line.verdict == octet::Verdict::not_judged && !line.cure.empty() &&
        command.program.empty())
      line.cure = {"say what lengths the data really have: --text FILE or --lengths FILE"};
    for (std::string& cure : line.cure) cure = as_typed(std::move(cure));
    for (octet::Diagnostic& fault : line.faults)
      for (std::string& fix : fault.fix) fix = as_typed(std::move(fix));
  }
  const std::string whose = command.program.empty() ? "\n\nJudged is the training step as Octet writes it. One of "
                                                      "yours: --program FILE, its StableHLO text."
                                                    : "";
  print(json ? json_of(readiness) : to_string(readiness) + whose);
  if (readiness.ready()) return 0;
  const bool failed = readiness.count(octet::Verdict::fail) > 0;
  std::vector<octet::Diagnostic> faults;
  for (const octet::CheckLine& line : readiness.lines)
    if (line.verdict == octet::Verdict::fail || (!failed && line.number() == 410))
      faults.insert(faults.end(), line.faults.begin(), line.faults.end());
  if (!faults.empty()) report(octet::Error{std::move(faults)}, false);
  return failed ? 1 : 3;
}

void check_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<CheckCommand>();
  sub->add_option("--slice", command->slice, "TPU slice: v2-8, v3-32, v4-128, v5e-16, ...")
      ->required()
      ->take_last()
      ->type_name("NAME");
  sub->add_flag("--megacore", command->megacore,
                "a replica for each chip, whose cores are one device, as JAX and TensorFlow 2 use v4 and v5p");
  add_batch_options(sub, command->batch, "tokens of the longest sequence");
  const auto choice = [&](const char* name, std::string& value, std::vector<std::string> names, const char* meaning) {
    const std::string type = CLI::detail::join(names, "|");
    return sub->add_option(name, value, meaning)
        ->check(CLI::IsMember(std::move(names)).description(""))
        ->take_last()
        ->type_name(type);
  };
  choice("--precision", command->precision, {"bf16", "f32"}, "what products round their operands to")
      ->capture_default_str();
  choice("--activations", command->activations, {"f32", "bf16"}, "what activations are stored as")
      ->capture_default_str();

  sub->add_option("--program", command->program,
                  "instead of a model: a program in StableHLO text, as octet export and JAX write it")
      ->take_last()
      ->type_name("FILE")
      ->group("Program")
      ->excludes("--batch");
  sub->add_option("--batch-argument", command->batch_arguments,
                  "of such a program: a parameter that holds a replica's share of the batch, or the structure "
                  "that holds such parameters; may be repeated")
      ->type_name("NAME")
      ->group("Program")
      ->needs("--program");
  sub->add_option("--sharded-argument", command->sharded_arguments,
                  "of such a program: a parameter of which each replica keeps a part of its own, or the structure that "
                  "holds such parameters, as of an optimizer's sharded state; an exported step says so itself; may be "
                  "repeated")
      ->type_name("NAME")
      ->group("Program")
      ->needs("--program");
  sub->add_option("--donated-argument", command->donated_arguments,
                  "of such a program: a parameter whose memory its next value takes, or the structure that holds "
                  "such parameters; may be repeated")
      ->type_name("NAME")
      ->group("Program")
      ->needs("--program");
  add_transformer_options(sub, command->transformer);
  sub->add_flag("--shard-optimizer", command->shard_optimizer,
                "each replica keeps and updates only its share of the optimizer's state")
      ->group("Model");
  sub->add_flag("--gradient-checkpointing", command->gradient_checkpointing,
                "gradients compute what is within a layer again instead of keeping it")
      ->group("Model");
  // A program has its sizes.
  for (const char* name :
       {"--model", "--config", "--architecture", "--layers", "--hidden", "--heads", "--intermediate", "--embedding",
        "--vocab-size", "--seq", "--predictions", "--accumulate", "--shard-optimizer", "--gradient-checkpointing"})
    sub->get_option(name)->excludes("--program");

  CLI::Option* text =
      add_files(sub, "--text", command->text.files,
                "files of text, whose lines are the examples (GPT-2: that is cut into blocks): plain, .csv, "
                ".tsv or .jsonl; rule 3 is judged by their lengths")
          ->type_name("FILE")
          ->group("Lengths");
  command->text.add_fields(sub);
  for (const char* name : {"--format", "--field", "--header", "--csv-separator", "--csv-quotes"})
    sub->get_option(name)->needs(text)->group("Lengths");
  sub->add_option("--lengths", command->lengths, "lengths in tokens, one a line, instead of a text")
      ->take_last()
      ->type_name("FILE")
      ->group("Lengths")
      ->excludes(text);
  sub->add_option(
         "--tokenizer", command->tokenizer,
         "directory of the tokenizer that the text is measured with; by default that of --model DIR, else words "
         "learned from the text itself")
      ->take_last()
      ->type_name("DIR")
      ->group("Lengths")
      ->needs(text);
  command->padding_given =
      sub->add_option_function<std::string>(
             "--padding", [command](const std::string& words) { command->padding = padding_of(words, true); },
             "what length a batch is padded to: " + padding_words(true) +
                 ", which finds N lengths for the batches that there are")
          ->take_last()
          ->default_str(words_of(command->padding))
          ->type_name("POLICY")
          ->group("Lengths");
  refuse_padding_by_other_names(sub);
  for (const char* name : {"--text", "--lengths", "--padding"}) sub->get_option(name)->excludes("--program");

  choice("--data", command->data, {"memory", "disk", "bucket"}, "where the examples lie")->group("Host");
  choice("--host", command->host, {"vm", "node"}, "how the chips are reached: TPU VM or TPU node")->group("Host");
  command->data_bytes_given = add_data_bytes(sub, command->data_bytes)->group("Host");
  sub->add_flag("--calls-back", command->calls_back,
                "the input pipeline runs code of the program for each example, one at a time")
      ->group("Host");
  command->rate_given = sub->add_option("--examples-per-second", command->examples_per_second,
                                        "that the input pipeline makes, as measured")
                            ->take_last()
                            ->group("Host");

  sub->callback([command, &invocation] {
    if (command->program.empty() && !command->transformer.given())
      throw CLI::RequiredError("--model, --config, --layers and --hidden, or --program");
    if (command->program.empty() && !command->batch.batch_given->count()) throw CLI::RequiredError("--batch");
    invocation.work = [command, &invocation] { return check(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand check_subcommand{
    .name = "check",
    .description =
        "Say whether a program is ready for a TPU: a checklist with a verdict for each line. Exit status 1 where "
        "one failed, 3 where none did and the program holds what Octet does not know (X410).",
    .example =
        "octet check --model bert-base --slice v3-8 --batch 256 --seq 128 --text FILE.txt --padding multiple_of:64 "
        "--data bucket --host node",
    .add_options = check_options};

}  // namespace program
