#include "json.hpp"

#include "command.hpp"
#include "messages.hpp"
#include "padding_option.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

using octet::Precision;
using octet::data::Packing;
using octet::train::TrainOptions;

std::string padding_text(const TrainOptions& options) { return words_of({options.padding, options.fitted_programs}); }

void set_padding(TrainOptions& options, const std::string& words) {
  auto [padding, fitted] = padding_of(words, true);
  options.fitted_programs = fitted;
  if (fitted == 0) options.padding = std::move(padding);
}

std::string text_of(bool value) { return value ? "yes" : "no"; }
std::string text_of(Precision value) { return value == Precision::bf16 ? "bf16" : "f32"; }
std::string text_of(octet::DType value) { return value == octet::DType::bf16 ? "bf16" : "f32"; }
std::string text_of(Packing value) { return value == Packing::lines ? "lines" : "none"; }
std::string text_of(const std::string& value) { return value; }
template <class T>
  requires(std::is_arithmetic_v<T>)
std::string text_of(T value) {
  return json(value);
}

/// A choice among names.
template <class T>
CLI::Option* add_named(CLI::App* app, const std::string& name, T& value, std::vector<std::pair<std::string, T>> names,
                       const std::string& description) {
  std::vector<std::string> known;
  for (const auto& each : names) known.push_back(each.first);
  return app
      ->add_option_function<std::string>(
          name,
          [&value, names](const std::string& given) {
            for (const auto& each : names)
              if (each.first == given) value = each.second;
          },
          description)
      ->check(CLI::IsMember(known).description(""))
      ->take_last()
      ->default_str(text_of(value))
      ->type_name(CLI::detail::join(known, "|"));
}

}  // namespace

CLI::Option* add_precision(CLI::App* app, Precision& precision) {
  return add_named<Precision>(app, "--precision", precision, {{"bf16", Precision::bf16}, {"f32", Precision::f32}},
                              "what products round their operands to: bf16, as a TPU does, or nothing");
}

/// `f32` or `bf16`.
static CLI::Option* add_storage(CLI::App* app, const std::string& name, octet::DType& dtype,
                                const std::string& description) {
  return add_named<octet::DType>(app, name, dtype, {{"f32", octet::DType::f32}, {"bf16", octet::DType::bf16}},
                                 description);
}

CLI::Option* add_threads(CLI::App* app, long long& threads) {
  threads = std::max(1u, std::thread::hardware_concurrency());
  return option(app, "--threads", threads, "threads to compute on; the results do not depend on them");
}

unsigned thread_count(long long threads) {
  constexpr long long most = 1024;
  if (threads < 1 || threads > most)
    refuse_option(
        "--threads is " + std::to_string(threads) + ", and must be between 1 and " + std::to_string(most) + ".",
        "leave it out: all threads of this machine are the default");
  return static_cast<unsigned>(threads);
}

std::vector<TrainChoice> add_train_options(CLI::App* app, TrainOptions& options) {
  std::vector<TrainChoice> choices;
  const auto choice = [&](CLI::Option* made, auto read) {
    choices.push_back({made->get_name(), made, [read](const TrainOptions& run) { return text_of(read(run)); }});
  };
  const auto add = [&]<class T>(const std::string& name, T TrainOptions::* member, const std::string& description) {
    choice(option(app, name, options.*member, description), [member](const TrainOptions& run) { return run.*member; });
  };
  const auto add_masking = [&](const std::string& name, double octet::data::Masking::* member,
                               const std::string& description) {
    choice(option(app, name, options.masking.*member, description),
           [member](const TrainOptions& run) { return run.masking.*member; });
  };

  auto group = [&, first = std::size_t{0}](const std::string& name) mutable {
    for (; first < choices.size(); ++first) choices[first].option->group(name);
  };
  add("--steps", &TrainOptions::steps,
      "updates; the learning rate falls to zero after the last, unless --warmup-steps is as many");
  add("--seed", &TrainOptions::seed, "of the weights, the order of the text and the masks");
  add("--batch", &TrainOptions::batch, "sequences of a step, over all replicas");
  add("--accumulate", &TrainOptions::accumulate, "parts of a batch whose gradients are added up before an update");
  choice(app->add_flag("--pad-batch,!--no-pad-batch", options.pad_batch,
                       "where replicas cannot share a batch equally, fill it up with sequences of weight zero"),
         [](const TrainOptions& run) { return run.pad_batch; });
  choice(app->add_flag("--shard-optimizer,!--no-shard-optimizer", options.shard_optimizer,
                       "each replica keeps and updates only its share of the optimizer's state; the same bits"),
         [](const TrainOptions& run) { return run.shard_optimizer; });
  choice(
      app->add_flag("--gradient-checkpointing,!--no-gradient-checkpointing", options.gradient_checkpointing,
                    "compute what is within a layer again on the way back: less memory, more time; the same bits, but "
                    "for those of --activations bf16"),
      [](const TrainOptions& run) { return run.gradient_checkpointing; });
  add("--seq,--context-length", &TrainOptions::seq, "tokens of a sequence, [CLS] and [SEP] included");
  add("--slice", &TrainOptions::slice, "the TPU slice to simulate: v2-8, v3-8, v4-8, ...");
  choice(add_precision(app, options.precision), [](const TrainOptions& run) { return run.precision; });
  add("--passes", &TrainOptions::passes, "of the matrix unit for each product: 1, or 3 or 6 for products near f32");
  choice(add_storage(app, "--activations", options.activations, "what tensors between operations are stored as"),
         [](const TrainOptions& run) { return run.activations; });
  choice(
      add_storage(app, "--parameters", options.parameters,
                  "what weights are kept as after each update: f32, the master copy, or the nearest numbers of bf16"),
      [](const TrainOptions& run) { return run.parameters; });
  choice(app->add_flag("--check-replicas,!--no-check-replicas", options.check_replicas,
                       "see after each step that all replicas are equal to the bit (on by default)"),
         [](const TrainOptions& run) { return run.check_replicas; });
  group("Run");
  add("--layers", &TrainOptions::layers, "encoder layers");
  add("--hidden", &TrainOptions::hidden, "hidden size");
  add("--heads", &TrainOptions::heads, "attention heads of a layer; must divide the hidden size");
  add("--intermediate", &TrainOptions::intermediate, "size of the feed-forward networks");
  add("--dropout", &TrainOptions::dropout,
      "rate of the dropout of embeddings and of what each half of a layer adds; 0: none");
  add("--attention-dropout", &TrainOptions::attention_dropout,
      "of the shares that attention gives; that of --dropout where not given");
  group("Model");
  add("--learning-rate", &TrainOptions::learning_rate, "at its peak");
  add("--warmup-steps", &TrainOptions::warmup_steps, "steps in which the learning rate rises to its peak");
  add("--weight-decay", &TrainOptions::weight_decay, "of AdamW; not on biases and layer norms");
  add("--epsilon", &TrainOptions::epsilon, "of AdamW");
  add("--clip-norm", &TrainOptions::clip_norm, "largest global norm of a gradient; 0: no clipping");
  group("Optimizer");
  add("--vocab-size", &TrainOptions::vocab_size,
      "most WordPieces, of a causal model most byte pairs, to learn from the text");
  choice(app->add_flag("--lowercase,!--no-lowercase", options.lowercase, "lower-case the text (on by default)"),
         [](const TrainOptions& run) { return run.lowercase; });
  choice(app->add_flag("--strip-accents,!--no-strip-accents", options.strip_accents,
                       "take accents off (off by default: it takes Korean syllables and Japanese kana apart)"),
         [](const TrainOptions& run) { return run.strip_accents; });
  add_masking("--mask-probability", &octet::data::Masking::probability, "share of the tokens that are to be guessed");
  add_masking("--replaced-by-mask", &octet::data::Masking::replaced_by_mask,
              "share of those that become [MASK]; 0.85 for an ELECTRA, which takes no random ones");
  add_masking("--replaced-by-random", &octet::data::Masking::replaced_by_random,
              "share of those that become a random token; none for an ELECTRA; the rest stays");
  choice(add_named<Packing>(app, "--packing", options.packing, {{"lines", Packing::lines}, {"none", Packing::none}},
                            "lines: join lines into full sequences; none: each line is a sequence"),
         [](const TrainOptions& run) { return run.packing; });
  choice(app->add_option_function<std::string>(
                "--padding", [&options](const std::string& text) { set_padding(options, text); },
                "what length a batch is padded to: " + padding_words(true) +
                    ", the N lengths that pad this text least: multiples of 8, and --seq")
             ->take_last()
             ->default_str(padding_text(options))
             ->type_name("POLICY"),
         [](const TrainOptions& run) { return padding_text(run); });
  add("--held-out-one-in", &TrainOptions::held_out_one_in, "one line in so many is held out to measure the loss on");
  group("Text");
  add("--max-predictions-per-seq", &TrainOptions::max_predictions,
      "tokens to be guessed in an example, at most; 0: as many as the masks have");
  choice(app->add_flag("--next-sentence,!--no-next-sentence", options.next_sentence,
                       "learn whether the second segment follows the first, too (on by default for pairs)"),
         [](const TrainOptions& run) { return run.next_sentence; });
  add("--short-seq-prob", &TrainOptions::short_seq_prob, "tokens: share of documents whose examples are shorter");
  choice(app->add_flag("--whole-word-mask", options.whole_word_mask, "tokens: mask all pieces of a word"),
         [](const TrainOptions& run) { return run.whole_word_mask; });
  add("--window", &TrainOptions::window, "examples that are held and shuffled at once");
  group("Records and tokens");
  add("--generator-size", &TrainOptions::generator_size, "the generator's width, as a share of the discriminator's");
  add("--discriminator-weight", &TrainOptions::discriminator_weight,
      "of the discriminator's loss, beside the generator's");
  group("ELECTRA");
  return choices;
}

void validate_as_given(const std::vector<TrainChoice>& choices, const TrainOptions& options) {
  try {
    octet::train::validate(options);
  } catch (const octet::Error& error) {
    std::vector<octet::Diagnostic> faults = error.diagnostics();
    std::vector<std::string> options;
    for (const TrainChoice& choice : choices) options.push_back(choice.name);
    for (octet::Diagnostic& fault : faults) {
      // The member that a sentence begins with: max_predictions of --max-predictions-per-seq.
      const std::string member = fault.sentence.substr(0, fault.sentence.find(' '));
      std::string option = "--" + member;
      std::ranges::replace(option, '_', '-');
      const auto named = [&](const TrainChoice& choice) { return choice.name == option; };
      const auto begun = [&](const TrainChoice& choice) { return choice.name.starts_with(option + "-"); };
      auto at = std::ranges::find_if(choices, named);
      if (at == choices.end()) at = std::ranges::find_if(choices, begun);
      if (at == choices.end()) continue;
      std::string names = at->name;
      for (const std::string& other : at->option->get_lnames())
        if ("--" + other != names && at->option->get_fnames().empty()) names += " (--" + other + ")";
      fault.sentence.replace(0, member.size(), names);
    }
    throw by_option(octet::Error{std::move(faults)}, options);
  }
}

void require_full_sequences_fit(const TrainOptions& options) {
  const octet::data::Padding& padding = options.padding;
  if (options.fitted_programs > 0 || padding.kind != octet::data::Padding::Kind::lengths || padding.lengths.empty() ||
      options.packing != Packing::lines)
    return;
  const std::int64_t largest = std::ranges::max(padding.lengths);
  if (largest >= options.seq) return;
  const std::string seq = std::to_string(options.seq), words = padding_text(options);
  octet::fail({.number = 301,
               .sentence = "--padding " + words + " has no length for full sequences, of --seq " + seq + " tokens.",
               .fix = {"add it: --padding " + words + "," + seq,
                       "let each line be a sequence, where all are short: --packing none"}});
}

void require_same(const std::vector<TrainChoice>& choices, const TrainOptions& given, const TrainOptions& saved) {
  std::vector<octet::Diagnostic> faults;
  for (const TrainChoice& choice : choices) {
    const std::string now = choice.value(given), before = choice.value(saved);
    if (choice.option->count() && now != before)
      faults.push_back(
          {.number = 709,
           .sentence = "The run was begun with " + choice.name + " " + before + ", and cannot go on with " + now + ".",
           .rule = "A run that goes on is the same run, to the bit; its options are saved with it.",
           .fix = {"leave " + choice.name + " out, or begin a new run in another directory"}});
  }
  if (!faults.empty()) throw octet::Error{std::move(faults)};
}

}  // namespace program
