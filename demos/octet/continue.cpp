/// octet continue: what a GPT-2 makes of the beginning of a text.
#include "json.hpp"
#include "output.hpp"

#include "command.hpp"
#include "messages.hpp"
#include "train_options.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace train = octet::train;

struct ContinueCommand {
  std::string model;
  std::vector<std::string> texts;
  long long threads = 1;
  train::Sampling sampling;
  octet::Precision precision = octet::Precision::bf16;
};

int go_on(const ContinueCommand& command, bool json) {
  constexpr std::int64_t most_tokens = 1'000'000;
  require_at_least("--tokens", command.sampling.tokens, 1);
  require_at_least("--top-k", command.sampling.top_k, 0);
  if (const double temperature = command.sampling.temperature; !(temperature >= 0) || !std::isfinite(temperature))
    refuse_option("--temperature is " + said_number(temperature) + ".", "choose 0 or more, such as 0.8");
  if (command.sampling.tokens > most_tokens)
    refuse_option("--tokens is " + std::to_string(command.sampling.tokens) + ", more than anybody reads.",
                  "choose " + std::to_string(most_tokens) + " or less");
  for (const std::string& text : command.texts) require_utf8(text);
  octet::Threads threads{thread_count(command.threads)};
  train::CausalModel model = train::load_causal_model(command.model);
  const train::Continuer continuer{std::move(model.parameters), std::move(model.tokenizer), threads, command.precision,
                                   model.end_of_text};
  for (const std::string& text : command.texts) {
    // A draw may end within a character.
    const std::string more = octet::text::replace_invalid_utf8(continuer(text, command.sampling));
    print(json ? JsonObject{}.add("text", text).add("continuation", more).text() : text + harmless(more));
  }
  return 0;
}

void continue_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<ContinueCommand>();
  sub->add_option("--model", command->model, "directory that octet train --kind causal --out wrote")
      ->required()
      ->type_name("DIR");
  sub->add_option("TEXT", command->texts, "beginnings of texts")->required()->type_name("");
  train::Sampling& sampling = command->sampling;
  option(sub, "--tokens", sampling.tokens, "tokens to add, at most");
  option(sub, "--temperature", sampling.temperature,
         "below 1: likelier tokens are drawn more often; 0: always the likeliest");
  option(sub, "--top-k", sampling.top_k, "draw among so many of the likeliest tokens; 0: all");
  option(sub, "--seed", sampling.seed, "of the draws");
  add_precision(sub, command->precision);
  add_threads(sub, command->threads);
  sub->callback([command, &invocation] {
    invocation.work = [command, &invocation] { return go_on(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand continue_subcommand{
    .name = "continue",
    .description =
        "Go on with a text, with a trained GPT-2. Control characters are shown as \\x1B; --json has them as they are.",
    .example = "octet continue --model gpt \"In the beginning\" --tokens 40 --temperature 0.8",
    .add_options = continue_options};

}  // namespace program
