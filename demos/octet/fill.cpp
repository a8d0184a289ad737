/// octet fill: the likeliest words for each blank of a sentence.
#include "json.hpp"
#include "output.hpp"
#include "share_row.hpp"
#include "terminal.hpp"

#include "command.hpp"
#include "messages.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace train = octet::train;

struct FillCommand {
  std::string model;
  std::vector<std::string> sentences;
  long long count = 5, threads = 1;
  octet::Precision precision = octet::Precision::bf16;
};

void print_json(const std::string& sentence, const std::vector<train::Blank>& blanks) {
  std::vector<JsonObject> list;
  for (const train::Blank& blank : blanks) {
    std::vector<JsonObject> candidates;
    for (const train::Candidate& candidate : blank.candidates)
      candidates.push_back(
          JsonObject{}.add("token", candidate.token).add("id", candidate.id).add("probability", candidate.probability));
    list.push_back(JsonObject{}.add("position", blank.position).add("candidates", candidates));
  }
  print(JsonObject{}.add("sentence", sentence).add("blanks", list).text());
}

/// A table for each blank: the words, as wide as the widest of all, their probabilities, and bars.
void print_tables(const std::string& sentence, const std::vector<train::Blank>& blanks) {
  print(sentence);
  std::size_t width = 0;
  for (const train::Blank& blank : blanks)
    for (const train::Candidate& candidate : blank.candidates) width = std::max(width, display_width(candidate.token));
  for (std::size_t i = 0; i < blanks.size(); ++i) {
    if (blanks.size() > 1) print("  blank " + std::to_string(i + 1));
    for (const train::Candidate& candidate : blanks[i].candidates)
      print(share_row(candidate.token, width, candidate.probability));
  }
}

int fill(const FillCommand& command, bool json) {
  require_at_least("--count", command.count, 1);
  octet::Threads threads{thread_count(command.threads)};
  for (const std::string& sentence : command.sentences) require_utf8(sentence);
  train::Model model = train::load_model(command.model);
  const train::Filler filler{std::move(model.parameters), std::move(model.tokenizer), threads, command.precision};
  for (const std::string& sentence : command.sentences) {
    const std::vector<train::Blank> blanks = filler(sentence, static_cast<std::size_t>(command.count));
    json ? print_json(sentence, blanks) : print_tables(sentence, blanks);
  }
  return 0;
}

void fill_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<FillCommand>();
  sub->add_option("--model", command->model, "directory that octet train --out wrote")->required()->type_name("DIR");
  sub->add_option("SENTENCE", command->sentences, "sentences with [MASK] or ___ where a word is to be guessed")
      ->required()
      ->type_name("");
  option(sub, "--count", command->count,
         "guesses for each blank, at most: where it begins a word, pieces that go on with one are left out");
  add_precision(sub, command->precision);
  add_threads(sub, command->threads);
  sub->callback(
      [command, &invocation] { invocation.work = [command, &invocation] { return fill(*command, invocation.json); }; });
}

}  // namespace

const Subcommand fill_subcommand{.name = "fill",
                                 .description = "Guess the blanks of a sentence with a trained model.",
                                 .example = "octet fill --model model \"In the beginning God [MASK] the heaven\"",
                                 .add_options = fill_options};

}  // namespace program
