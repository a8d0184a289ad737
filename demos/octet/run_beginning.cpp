#include "run_beginning.hpp"

#include "losses.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "run_directory.hpp"
#include "step_memory.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

namespace train = octet::train;

template <class Model>
class Beginner {
 public:
  Beginner(TrainCommand& command, octet::Threads& threads, Progress& progress)
      : command_{command}, threads_{threads}, progress_{progress} {}

  train::BasicTrainer<Model> operator()(Beginning beginning) {
    if (beginning == Beginning::fresh) {
      require_can_begin();
      Trainer trainer = begun({});
      if (!command_.data.is_lines()) require_room(trainer.options(), trainer.summary().vocabulary);
      return trainer;
    }
    Saved saved = loaded();
    require_same(command_.choices, command_.options, saved.state.options);
    command_.data.require_same_batch(saved.state.options);
    if (beginning == Beginning::resumed) {
      if (command_.save_total_limit > 0) require_no_others_copies(command_.out, saved.state.step);
      require_losses(saved.state.options, saved.state.step, true);
    }
    Trainer trainer = begun(std::move(saved));
    if (beginning == Beginning::resumed) require_room(trainer.options(), trainer.summary().vocabulary);
    return trainer;
  }

 private:
  using Trainer = train::BasicTrainer<Model>;
  using Saved = train::BasicSavedRun<Model>;
  static constexpr bool causal = std::same_as<Model, octet::nn::Gpt2>;
  static constexpr bool electra = std::same_as<Model, octet::nn::Electra>;
  static constexpr octet::nn::TransformerKind model_kind = causal    ? octet::nn::TransformerKind::gpt2
                                                           : electra ? octet::nn::TransformerKind::electra
                                                                     : octet::nn::TransformerKind::bert;

  void require_can_begin() const {
    validate_as_given(command_.choices, command_.options);
    if (command_.data.is_lines()) require_full_sequences_fit(command_.options);
    train::TrainOptions known = command_.options;
    if (command_.data.epochs > 0) known.steps = unknown_steps;
    require_losses(known, 0, !command_.out.empty());
    if (!command_.out.empty()) require_free(command_.out, command_.overwrite);
    if (command_.save_total_limit > 0) require_no_others_copies(command_.out, {});
    require_state_memory(command_.options, 1, model_kind);  // whatever the text's words will be
  }

  void require_losses(const train::TrainOptions& options, std::int64_t done, bool saved) const {
    if (!leaves_nothing(losses_of(command_.losses, options, done, saved), options)) return;
    const TrainData& data = command_.data;
    for (const auto& files : {data.text.files, data.held_out, std::vector{data.tokens}})
      require_read_again(files, "A run that is lost goes on from its last save, and reads its data again.");
  }

  Saved loaded() const {
    if constexpr (causal)
      return train::load_causal_run(command_.out);
    else if constexpr (electra)
      return train::load_electra_run(command_.out);
    else
      return train::load_run(command_.out);
  }

  Trainer begun(std::optional<Saved> saved) {
    if constexpr (!causal)
      if (command_.data.is_lines()) return on_lines(std::move(saved));
    return on_data(std::move(saved));
  }

  void require_room(const train::TrainOptions& options, std::int64_t vocabulary) const {
    require_memory(options, vocabulary, threads_.count(),
                   causal    ? &train::causal_training_program
                   : electra ? &train::electra_training_program
                             : &train::training_program);
  }

  static std::size_t vocabulary_size(const octet::text::WordPiece& words) { return words.vocabulary().size(); }
  static std::size_t vocabulary_size(const octet::text::Bpe& words) { return words.size(); }

  Trainer on_lines(std::optional<Saved> saved) {
    if (!saved && !command_.data.has_words()) require_room(command_.options, command_.options.vocab_size);
    std::optional<octet::text::WordPiece> words;
    if (command_.data.has_words()) words = command_.data.wordpiece();
    if (saved && words) require_same_words(*words, saved->tokenizer);
    if (words && !saved) require_room(command_.options, static_cast<std::int64_t>(vocabulary_size(*words)));
    progress_.status("reading the text");
    train::Lines lines = command_.data.all_lines();
    note_size(lines.training);
    progress_.status(saved || words ? "encoding the text"
                                    : "learning a vocabulary from " +
                                          counted(static_cast<long long>(lines.training.size()), "line"));
    if (saved) return Trainer{std::move(lines), std::move(saved->tokenizer), std::move(saved->state), threads_};
    if (words) return with_weights(Trainer{std::move(lines), std::move(*words), command_.options, threads_});
    return Trainer{std::move(lines), command_.options, threads_};
  }

  /// Lines are held with their tokens.
  void note_size(const std::vector<std::string>& lines) const {
    constexpr std::size_t noted = 64'000'000;
    std::size_t bytes = 0;
    for (const std::string& line : lines) bytes += line.size();
    if (bytes >= noted)
      progress_.note("A text's lines and tokens are held in memory, some three times its " +
                     std::to_string(bytes / 1'000'000) +
                     " MB: octet data bert --on-the-fly writes tokens that are read as they are needed.");
  }

  /// With those of the model that --from names, if it names one.
  Trainer with_weights(Trainer trainer) {
    using Given =
        std::conditional_t<causal, train::CausalModel, std::conditional_t<electra, train::ElectraModel, train::Model>>;
    if (!command_.data.begun) return trainer;
    const auto given = std::exchange(command_.data.begun, nullptr);
    const auto& model = std::get<Given>(*given);
    const std::vector<std::string> missing = trainer.begin_with(model.parameters);
    if constexpr (!causal && !electra)
      if (model.config.next_sentence && !trainer.options().next_sentence)
        progress_.note("note: " + command_.data.from +
                       " has a head that judges next sentences, which is left out: this run judges no pairs.");
    if (!missing.empty())
      progress_.note("note: " + command_.data.from + " has no " + missing.front() +
                     (missing.size() > 1 ? " and " + counted(static_cast<long long>(missing.size()) - 1, "parameter") +
                                               " more that this run trains: they begin at random."
                                         : ", which begins at random."));
    return trainer;
  }

  void require_same_words(const auto& words, const auto& saved) const {
    if (words == saved) return;
    octet::fail({.number = 736,
                 .sentence = command_.data.tokenizer + " is not the tokenizer that the run was begun with.",
                 .where = {command_.data.tokenizer, 0, ""},
                 .fix = {"leave --tokenizer out: the run has its own"}});
  }

  Trainer on_data(std::optional<Saved> saved) {
    train::TrainOptions options = saved ? saved->state.options : command_.options;
    progress_.status(causal && !saved ? "learning or reading a vocabulary" : "reading the vocabulary");
    auto words = [&] {
      if (saved && command_.data.tokenizer.empty()) return saved->tokenizer;
      if constexpr (causal)
        return command_.data.bpe(options, threads_);
      else
        return command_.data.wordpiece();
    }();
    if (saved) require_same_words(words, saved->tokenizer);
    progress_.status("reading the data");
    train::TrainingData data = command_.data.data(words, options, threads_);
    command_.data.settle_steps(options, data);
    if (!saved) {
      const auto vocabulary = static_cast<std::int64_t>(vocabulary_size(words));
      require_state_memory(options, vocabulary, model_kind);
      require_room(options, vocabulary);
    }
    if (!saved) return with_weights(Trainer{std::move(data), std::move(words), options, threads_});
    if (options.steps != saved->state.options.steps)
      refuse_option("The run was begun with " + counted(saved->state.options.steps, "step") + ", and --epochs " +
                        std::to_string(command_.data.epochs) + " makes " + std::to_string(options.steps) + ".",
                    "leave --epochs out");
    return Trainer{std::move(data), std::move(words), std::move(saved->state), threads_};
  }

  TrainCommand& command_;
  octet::Threads& threads_;
  Progress& progress_;
};

}  // namespace

template <class Model>
train::BasicTrainer<Model> begun_run(TrainCommand& command, Beginning beginning, octet::Threads& threads,
                                     Progress& progress) {
  return Beginner<Model>{command, threads, progress}(beginning);
}

template train::BasicTrainer<octet::nn::Bert> begun_run(TrainCommand&, Beginning, octet::Threads&, Progress&);
template train::BasicTrainer<octet::nn::Electra> begun_run(TrainCommand&, Beginning, octet::Threads&, Progress&);
template train::BasicTrainer<octet::nn::Gpt2> begun_run(TrainCommand&, Beginning, octet::Threads&, Progress&);

}  // namespace program
