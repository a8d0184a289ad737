#include "interruption.hpp"
#include "json.hpp"
#include "output.hpp"
#include "progress.hpp"

#include "curves.hpp"
#include "losses.hpp"
#include "messages.hpp"
#include "padding_cures.hpp"
#include "run_beginning.hpp"
#include "run_directory.hpp"
#include "run_warnings.hpp"
#include "second_loss.hpp"
#include "train_data.hpp"
#include "train_options.hpp"
#include "train_outcome.hpp"
#include "training_run.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

namespace fs = std::filesystem;
namespace train = octet::train;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// One run from its data to its last line.
template <class Model>
class TrainingRun {
 public:
  static constexpr bool causal = std::same_as<Model, octet::nn::Gpt2>;
  static constexpr bool electra = std::same_as<Model, octet::nn::Electra>;

  TrainingRun(TrainCommand& command, bool json)
      : command_{command},
        json_{json},
        loaders_{command.data.is_lines() ? 1 : static_cast<unsigned>(command.loaders + 1)},
        threads_{thread_count(command.threads)},
        progress_{progress_style(json), command.options.steps} {}

  int operator()() {
    try {
      return train_all();
    } catch (const octet::Error& error) {
      if (!saved_at_ || !lock_.is_kept()) throw;
      std::vector<octet::Diagnostic> faults = error.diagnostics();
      octet::Diagnostic& fault = faults.front();
      fault.because.push_back(
          {command_.out + " still holds the run as it was saved after step " + std::to_string(*saved_at_), {}});
      // A run that goes on keeps its options, with which it would diverge again.
      if (fault.number == 509)
        fault.fix.front() +=
            "; then go on from what was saved: --from " + octet::text::shell_quoted(command_.out) + " --out DIR";
      throw octet::Error{std::move(faults)};
    }
  }

 private:
  using Trainer = train::BasicTrainer<Model>;

  int train_all() {
    if (!command_.logging_dir.empty()) require_writable(command_.logging_dir, "what curves are written to");
    if (command_.resume) require_writable(command_.out, "a run");
    begin(command_.resume ? Beginning::resumed : Beginning::fresh);
    losses_ = losses_of(command_.losses, trainer_->options(), trainer_->steps_done(), !command_.out.empty());
    if (!command_.resume)
      for (const std::string& warning : option_warnings(trainer_->options(), !causal && !command_.data.tokens.empty()))
        progress_.note(warning);
    resumed_at_ = trainer_->steps_done();
    if (command_.resume) {
      saved_at_ = resumed_at_, record_ = record();
      keep_the_copy_that_was_due();
    }
    progress_.set_steps(trainer_->options().steps, resumed_at_);
    curves_.emplace(command_.logging_dir, progress_);
    const Interruption interruption;
    if (command_.resume)
      progress_.note("going on after step " + std::to_string(resumed_at_) + " of " +
                     std::to_string(trainer_->options().steps) + ", from " + command_.out);
    else if (!command_.out.empty())
      begin_saving();
    else if (!json_)
      progress_.note("Nothing will be saved: there is no --out.");
    curves_->start(resumed_at_ + 1);
    do {
      if (all_is_lost_) go_back();
      trainer_->fed(loaders_, [&] {
        while (!trainer_->finished() && !interruption.signal() && !all_is_lost_ && !is_for_nobody())
          if (!lose()) step(interruption);
      });
    } while (all_is_lost_);
    if (interruption.signal()) return stop(interruption);
    if (!evaluation_) {  // a run that was done is done again: its curves have that point
      evaluation_ = trainer_->evaluate();
      if (trainer_->steps_done() > resumed_at_) curves_->add(trainer_->steps_done(), *evaluation_);
    }
    save_and_conclude({});
    if (!json_)
      print(command_.out.empty() ? "Nothing was saved: there was no --out."
                                 : "Saved in " + command_.out + ". Try: octet " + trial.command + " --model " +
                                       octet::text::shell_quoted(command_.out) + trial.sentence);
    if (output_failed() && !command_.out.empty()) progress_.note("Saved in " + command_.out + ".");
    if (!trainer_->finished())
      progress_.note("Stopped after step " + std::to_string(trainer_->steps_done()) +
                     ": nobody reads what is printed, and nothing is saved.");
    return 0;
  }

  /// What a model of this kind is tried with.
  struct Trial {
    const char *command, *sentence;
  };
  static constexpr Trial trial = causal    ? Trial{"continue", " \"...\""}
                                 : electra ? Trial{"detect", " \"...\""}
                                           : Trial{"fill", " \"... [MASK] ...\""};

  void begin(Beginning beginning) {
    trainer_.emplace(begun_run<Model>(command_, beginning, threads_, progress_));
    trainer_->on_alarm([this](octet::Diagnostic alarm) {
      if (std::vector<std::string> cures =
              padding_cures(trainer_->batch_lengths(), trainer_->cache(), trainer_->options());
          !cures.empty())
        alarm.fix = std::move(cures);
      progress_.note(alarm.text());
    });
    constexpr std::int64_t most_looked_at = 16;
    if (command_.precision_report)
      trainer_->watch_precision((trainer_->options().steps + most_looked_at - 1) / most_looked_at);
  }

  /// Loses what is to be lost in the next step, and replaces it where a replica is left that can. Whether anything was.
  bool lose() {
    if (losses_.empty() || losses_.front().step != trainer_->steps_done() + 1) return false;
    const auto later =
        std::ranges::find_if(losses_, [&](const Loss& loss) { return loss.step != losses_.front().step; });
    lost_.assign(losses_.begin(), later);
    losses_.erase(losses_.begin(), later);
    // All of them first: one that is lost in the same step restores no other.
    for (const Loss& loss : lost_) {
      const std::int64_t first = loss.replica.value_or(0);
      const std::int64_t last = loss.replica ? first : trainer_->summary().replicas - 1;
      for (std::int64_t replica = first; replica <= last; ++replica) trainer_->lose(replica);
    }
    const auto left = trainer_->replace_lost();
    all_is_lost_ = !left;
    if (left) tell_of_losses("replica " + std::to_string(*left), 0);
    return true;
  }

  /// As a new process would.
  void go_back() {
    cache_before_ += trainer_->cache();
    padding_before_ += trainer_->padding();
    begin(Beginning::after_loss);
    all_is_lost_ = false;
    curves_->start(trainer_->steps_done() + 1);
    tell_of_losses("step " + std::to_string(trainer_->steps_done()), lost_.front().step - 1 - trainer_->steps_done());
    progress_.set_steps(trainer_->options().steps, trainer_->steps_done());
  }

  void tell_of_losses(const std::string& from, std::int64_t steps_again) {
    steps_again_ += steps_again;
    for (const Loss& loss : lost_) {
      ++losses_seen_;
      if (json_)
        print(JsonObject{}
                  .add("lost", loss.who())
                  .add("in_step", loss.step)
                  .add("restored_from", from)
                  .add("steps_done_again", steps_again)
                  .text());
      else
        progress_.note(
            loss.who() + " lost in step " + std::to_string(loss.step) + ": going on from the state of " + from + ", " +
            (steps_again == 0 ? "no step is"
                              : std::to_string(steps_again) + (steps_again == 1 ? " step is" : " steps are")) +
            " done again");
    }
  }

  /// Whether what it makes is neither saved nor read.
  bool is_for_nobody() const { return command_.out.empty() && command_.logging_dir.empty() && output_failed(); }

  void step(const Interruption& interruption) {
    const train::StepReport report = trainer_->step();
    const double seconds = report.milliseconds / 1e3;
    tokens_ += report.tokens;
    step_milliseconds_ += report.milliseconds;
    input_milliseconds_ += report.input_milliseconds;
    evaluation_.reset();
    if ((command_.evaluate_every && report.step % command_.evaluate_every == 0) || trainer_->finished())
      if (!interruption.signal()) evaluation_ = trainer_->evaluate();
    curves_->add(report);
    if (evaluation_) curves_->add(report.step, *evaluation_);
    if (evaluation_) progress_.held_out(evaluation_->loss);
    warn_of_divergence(report);
    progress_.step({report.step, report.loss, static_cast<double>(report.tokens), seconds});
    if (json_) {
      JsonObject line;
      line.add("step", report.step)
          .add("loss", report.loss)
          .add("learning_rate", report.learning_rate)
          .add("tokens_per_second", static_cast<double>(report.tokens) / seconds)
          .add("replica_losses", report.replica_losses);
      for (const Figure& figure : second_figures(report)) line.add(figure.name, figure.value);
      if (evaluation_) line.add("held_out_loss", evaluation_->loss);
      print(line.text());
    }
    if (command_.save_every && report.step % command_.save_every == 0 && !trainer_->finished()) save_on_the_way();
  }

  /// Once, where the loss is far beyond what guessing without knowing anything costs.
  void warn_of_divergence(const train::StepReport& report) {
    // An ELECTRA's loss is its generator's, which guesses words as a BERT does.
    const double guessing = std::log(static_cast<double>(trainer_->summary().vocabulary));
    constexpr double far = 1.5;
    if (divergence_told_ || !(report.loss > far * guessing)) return;
    divergence_told_ = true;
    progress_.note("warning: the loss of step " + std::to_string(report.step) + " is " + fixed(report.loss, 2) +
                   ", and guessing at random costs " + fixed(guessing, 2) + ": the run diverges. " +
                   divergence_cures(trainer_->options()));
  }

  /// The first save comes before the first step: a place that cannot be written shows now, not at the end. Where none
  /// is to be made on the way, what --out held stays until the end, unless a rehearsed loss takes all of the state.
  void begin_saving() {
    trainer_->require_batch();
    lock_.make([&] { require_free(command_.out, command_.overwrite); });
    if (command_.save_every > 0 || leaves_nothing(losses_, trainer_->options())) write();
  }

  /// What tells the run that --out holds from all others; empty where it holds none.
  std::string record() const {
    const fs::path file = fs::path{command_.out} / "training.json";
    std::error_code unknown;
    return fs::exists(file, unknown) ? octet::text::read_file(file) : "";
  }

  void write() {
    lock_.keep([this] { return saved_at_ && record() == record_; });
    train::save_checkpoint(*trainer_, command_.out);
    record_ = record();
    if (!saved_at_ && command_.overwrite) drop_copies(command_.out);
    saved_at_ = trainer_->steps_done();
  }

  /// Saved before a word is said: whoever reads standard output may be gone. What cannot be saved is summed up all the
  /// same.
  void save_and_conclude(const std::string& stopped_by) {
    std::exception_ptr fault;
    try {
      if (!stopped_by.empty() && !evaluation_ && !command_.out.empty()) trainer_->require_finite_loss();
      if (!command_.out.empty()) write();
    } catch (const octet::Error&) {
      fault = std::current_exception();
    }
    conclude(stopped_by);
    if (fault) std::rethrow_exception(fault);
  }

  /// Besides the newest state in --out, the last few in directories of their own.
  void keep_a_copy() {
    if (command_.save_total_limit < 1) return;
    const fs::path copy = copy_of_run(command_.out, trainer_->steps_done());
    const MadeDirectory made{copy.string()};  // which goes again where a full disk takes nothing into it
    train::save_checkpoint(*trainer_, copy);
    drop_older_copies(command_.out, trainer_->steps_done(), command_.save_total_limit);
  }

  /// A run that was killed between its save and the copy of it goes on with that copy made.
  void keep_the_copy_that_was_due() {
    if (command_.out.empty() || command_.save_every < 1 || command_.save_total_limit < 1 || trainer_->finished())
      return;
    if (resumed_at_ == 0 || resumed_at_ % command_.save_every != 0 ||
        octet::train::holds_run(copy_of_run(command_.out, resumed_at_)))
      return;
    try {
      keep_a_copy();
    } catch (const octet::Error& error) {
      progress_.note(error.what());
    }
  }

  /// A disk that is full now may have room again later: the run goes on, and the last save decides.
  void save_on_the_way() {
    if (command_.out.empty()) return;
    if (!evaluation_) trainer_->require_finite_loss();
    try {
      write();
      keep_a_copy();
    } catch (const octet::Error& error) {
      if (error.number() == 509) throw;
      progress_.note(std::string{error.what()} + "\nThe run goes on, and is saved again " +
                     counted(command_.save_every, "step") + " from here.");
    }
  }

  int stop(const Interruption& interruption) {
    save_and_conclude(interruption.name());
    const std::string where = "Stopped after step " + std::to_string(trainer_->steps_done()) + " of " +
                              std::to_string(trainer_->options().steps);
    if (command_.out.empty()) {
      progress_.note(where + ". Nothing was saved: there was no --out.");
      return interruption.status();
    }
    progress_.note(where + " and saved in " + command_.out + ". To go on:\n  octet train" +
                   command_.data.command_line() + " --out " + octet::text::shell_quoted(command_.out) + " --resume" +
                   command_.data.run_line() + command_line_of(losses_));
    return interruption.status();
  }

  /// The last line of JSON, or what it says in words.
  void conclude(const std::string& stopped_by) {
    TrainOutcome outcome{.options = trainer_->options(), .summary = trainer_->summary(), .cache = cache_before_};
    outcome.cache += trainer_->cache();
    outcome.evaluation = evaluation_;
    if (command_.precision_report) outcome.precision = trainer_->precision();
    outcome.parameters_hash = trainer_->parameters_hash();
    outcome.stopped_by = stopped_by;
    outcome.out = command_.out;
    outcome.causal = causal;
    outcome.may_flatter = !command_.data.records.empty() && command_.data.held_out.empty();
    outcome.of_lines = command_.data.is_lines();
    octet::data::PaddingCount padding = padding_before_;
    outcome.padding_share = (padding += trainer_->padding()).share();
    outcome.data_wait_share = data_wait_share();
    outcome.seconds = seconds_since(start_);
    outcome.steps = trainer_->steps_done();
    outcome.resumed_at = resumed_at_;
    outcome.tokens = tokens_;
    outcome.times_lost = losses_seen_;
    outcome.steps_again = steps_again_;
    if (json_) {
      print(json_of(outcome));
    } else if (stopped_by.empty()) {
      progress_.finish();
      print(text_of(outcome));
    }
  }

  double data_wait_share() const { return step_milliseconds_ > 0 ? input_milliseconds_ / step_milliseconds_ : 0; }

  TrainCommand& command_;
  bool json_;
  octet::Threads loaders_;
  octet::Threads threads_;
  Progress progress_;
  Clock::time_point start_ = Clock::now();
  std::optional<train::BasicTrainer<Model>> trainer_;
  std::optional<train::Evaluation> evaluation_;
  OutputLock lock_{command_.out};
  std::optional<std::int64_t> saved_at_;  ///< the step that --out holds
  std::string record_;                    ///< and what its training.json says
  std::optional<Curves> curves_;
  std::vector<Loss> losses_;  ///< to come, by step
  std::vector<Loss> lost_;    ///< those of the last step that had any
  bool all_is_lost_ = false, divergence_told_ = false;
  std::int64_t losses_seen_ = 0, steps_again_ = 0;
  octet::CacheStatistics cache_before_;  // of the processes that were lost
  octet::data::PaddingCount padding_before_;
  std::int64_t resumed_at_ = 0, tokens_ = 0;
  double step_milliseconds_ = 0, input_milliseconds_ = 0;
};

}  // namespace

int run_training(TrainCommand& command, bool json) {
  if (command.data.electra()) return TrainingRun<octet::nn::Electra>{command, json}();
  if (command.data.causal()) return TrainingRun<octet::nn::Gpt2>{command, json}();
  return TrainingRun<octet::nn::Bert>{command, json}();
}

}  // namespace program
