// The engine as the page's worker calls it: one class, of which nothing crosses but bytes, numbers and plain objects.
// web/src/engine/engine.ts gives those objects their types. No logic of training is here.
#include "crossing.hpp"
import octet.standard;
import octet;

namespace {

using crossing::list;
using crossing::number;
using crossing::take;
using crossing::val;

// Options --------------------------------------------------------------------------------------------------

octet::train::TrainOptions training_options(const val& given) {
  octet::train::TrainOptions options;
  take(given, "steps", options.steps);
  take(given, "seed", options.seed);
  take(given, "learning_rate", options.learning_rate);
  take(given, "warmup_steps", options.warmup_steps);
  take(given, "batch", options.batch);
  take(given, "seq", options.seq);
  take(given, "vocab_size", options.vocab_size);
  take(given, "layers", options.layers);
  take(given, "hidden", options.hidden);
  take(given, "heads", options.heads);
  take(given, "intermediate", options.intermediate);
  if (const val packing = given["packing"]; !packing.is_undefined())
    options.packing = packing.as<std::string>() == "none" ? octet::data::Packing::none : octet::data::Packing::lines;
  return options;
}

unsigned thread_count(const val& given) {
  unsigned count = 1;
  take(given, "threads", count);
  return count;
}

// Threads --------------------------------------------------------------------------------------------------

/// The threads of the page, for all its runs. A browser starts none while the worker that asked for it is busy, and
/// ending one waits until it has started: a text that is refused at once must not end those of the first run.
std::shared_ptr<octet::Threads> threads(unsigned count) {
  static std::shared_ptr<octet::Threads> shared;
  static unsigned asked = 0;
  if (asked != count) shared.reset(new octet::Threads{count});
  asked = count;
  return shared;
}

// Texts ----------------------------------------------------------------------------------------------------

constexpr std::uint64_t largest_text = std::uint64_t{32} << 20;

/// With one digit after the point.
std::string megabytes(double tenths) {
  const auto whole = static_cast<std::uint64_t>(tenths);
  return std::to_string(whole / 10) + "." + std::to_string(whole % 10);
}

void require_text_fits(double bytes) {
  if (bytes <= static_cast<double>(largest_text)) return;
  octet::fail({.number = 716,
               .sentence = "The text has " + megabytes(std::ceil(bytes / 1e5)) + " MB; the page takes " +
                           megabytes(std::floor(static_cast<double>(largest_text) / 1e5)) + ".",
               .where = {},
               .rule = "A page has no more than 2 GB of memory, which text, vocabulary, model and optimizer share.",
               .fix = {"take a part of the text", "train on it in a terminal with octet train"}});
}

/// Of a long text the loss is measured on the beginning of what is held out: the page's orders wait meanwhile. A text
/// of 10,000 lines of 130 bytes has no more.
constexpr std::size_t most_measured_lines = 512, most_measured_bytes = std::size_t{64} << 10;

octet::train::Lines lines_of(const std::string& text, const octet::train::TrainOptions& options) {
  require_text_fits(static_cast<double>(text.size()));
  octet::data::Split split = octet::data::hold_out(octet::data::corpus_of_text(text, "the text").lines,
                                                   static_cast<std::size_t>(options.held_out_one_in));
  std::vector<std::string>& measured = split.held_out;
  if (std::string& first = measured.front(); first.size() > most_measured_bytes) {
    std::size_t end = most_measured_bytes;
    while ((static_cast<unsigned char>(first[end]) & 0xc0) == 0x80) --end;
    first.resize(end);
  }
  std::size_t lines = 1, bytes = measured.front().size();
  while (lines < std::min(measured.size(), most_measured_lines) &&
         (bytes += measured[lines].size()) <= most_measured_bytes)
    ++lines;
  measured.erase(measured.begin() + static_cast<std::ptrdiff_t>(lines), measured.end());
  return {std::move(split.training), std::move(measured)};
}

// The engine -----------------------------------------------------------------------------------------------

class Engine {
 public:
  Engine(const std::string& text, const octet::train::TrainOptions& options, unsigned threads)
      : threads_{::threads(threads)},
        trainer_{lines_of(text, options), options, *threads_},
        filler_{trainer_.parameters(), trainer_.tokenizer(), *threads_} {}

  val step() {
    const octet::train::StepReport step = trainer_.step();
    const octet::CacheStatistics cache = trainer_.cache();
    val report = val::object();
    report.set("step", number(step.step));
    report.set("loss", step.loss);
    report.set("replica_losses", list(step.replica_losses, [](double loss) { return loss; }));
    report.set("learning_rate", step.learning_rate);
    report.set("tokens", number(step.tokens));
    report.set("milliseconds", step.milliseconds);
    report.set("compiles", static_cast<double>(cache.misses));
    report.set("cache_hits", static_cast<double>(cache.hits));
    report.set("padding_share", trainer_.padding().share());
    return report;
  }

  val evaluate() {
    const octet::train::Evaluation evaluation = trainer_.evaluate();
    val report = val::object();
    report.set("held_out_loss", evaluation.loss);
    report.set("masked_tokens", number(evaluation.masked_tokens));
    return report;
  }

  val fill(const std::string& sentence, unsigned count) {
    filler_.use(trainer_.parameters());
    const auto candidate = [&](const octet::train::Candidate& piece) {
      val object = val::object();
      object.set("token", (trainer_.tokenizer().continues_word(piece.id) ? "##" : "") + piece.token);
      object.set("probability", piece.probability);
      return object;
    };
    return list(filler_(sentence, count), [&](const octet::train::Blank& blank) {
      val object = val::object();
      object.set("position", number(blank.position));
      object.set("candidates", list(blank.candidates, candidate));
      return object;
    });
  }

  val summary() const {
    const octet::train::RunSummary run = trainer_.summary();
    const octet::train::TrainOptions& options = trainer_.options();
    val object = val::object();
    object.set("vocabulary", number(run.vocabulary));
    object.set("parameters", number(run.parameters));
    object.set("training_lines", number(run.training_lines));
    object.set("held_out_lines", number(run.held_out_lines));
    object.set("replicas", number(run.replicas));
    object.set("threads", run.threads);
    object.set("steps", number(options.steps));
    object.set("layers", number(options.layers));
    object.set("hidden", number(options.hidden));
    return object;
  }

  std::string parameters_hash() const { return trainer_.parameters_hash(); }

 private:
  std::shared_ptr<octet::Threads> threads_;
  octet::train::Trainer trainer_;
  octet::train::Filler filler_;
};

// An engine crosses as its address.
Engine& engine(const val& address) { return *reinterpret_cast<Engine*>(address.as<std::uintptr_t>()); }

const crossing::Functions functions{
    {"open",
     [](const val& given) -> val {
       const val options = given["options"];
       return reinterpret_cast<std::uintptr_t>(
           new Engine{given["text"].as<std::string>(), training_options(options), thread_count(options)});
     }},
    {"close",
     [](const val& address) {
       delete &engine(address);
       return val{};
     }},
    {"step", [](const val& address) { return engine(address).step(); }},
    {"evaluate", [](const val& address) { return engine(address).evaluate(); }},
    {"fill",
     [](const val& given) {
       return engine(given["engine"]).fill(given["sentence"].as<std::string>(), given["count"].as<unsigned>());
     }},
    {"summary", [](const val& address) { return engine(address).summary(); }},
    {"parametersHash", [](const val& address) -> val { return engine(address).parameters_hash(); }},
    {"checkTextSize",
     [](const val& bytes) {
       require_text_fits(bytes.as<double>());
       return val{};
     }},
};

}  // namespace
