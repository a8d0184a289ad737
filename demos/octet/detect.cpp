/// octet detect: which tokens of a sentence an ELECTRA takes for replaced.
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

struct DetectCommand {
  std::string model;
  std::vector<std::string> sentences;
  long long threads = 1;
  octet::Precision precision = octet::Precision::bf16;
};

void print_json(const std::string& sentence, const std::vector<train::JudgedToken>& tokens) {
  std::vector<octet::text::Span> bytes;
  for (const train::JudgedToken& token : tokens) bytes.push_back(token.span);
  const std::vector<octet::text::Span> characters = octet::text::in_characters(sentence, bytes);
  std::vector<JsonObject> list;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    list.push_back(JsonObject{}
                       .add("token", tokens[i].token)
                       .add("id", tokens[i].id)
                       .add("offsets", std::array{characters[i].begin, characters[i].end})
                       .add("probability", tokens[i].probability));
  print(JsonObject{}.add("sentence", sentence).add("tokens", list).text());
}

/// A line for each token: its probability of having been replaced, and a bar.
void print_table(const std::string& sentence, const std::vector<train::JudgedToken>& tokens) {
  print(sentence);
  std::size_t width = 0;
  for (const train::JudgedToken& token : tokens) width = std::max(width, display_width(token.token));
  for (const train::JudgedToken& token : tokens) print(share_row(token.token, width, token.probability));
}

int detect(const DetectCommand& command, bool json) {
  octet::Threads threads{thread_count(command.threads)};
  for (const std::string& sentence : command.sentences) require_utf8(sentence);
  train::DiscriminatorModel model = train::load_discriminator(command.model);
  const train::Detector detector{std::move(model.parameters), std::move(model.tokenizer), threads, command.precision};
  for (const std::string& sentence : command.sentences) {
    const std::vector<train::JudgedToken> tokens = detector(sentence);
    json ? print_json(sentence, tokens) : print_table(sentence, tokens);
  }
  return 0;
}

void detect_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<DetectCommand>();
  sub->add_option("--model", command->model, "directory that octet train --kind electra --out wrote")
      ->required()
      ->type_name("DIR");
  sub->add_option("SENTENCE", command->sentences, "sentences to judge")->required()->type_name("");
  add_precision(sub, command->precision);
  add_threads(sub, command->threads);
  sub->callback([command, &invocation] {
    invocation.work = [command, &invocation] { return detect(*command, invocation.json); };
  });
}

}  // namespace

const Subcommand detect_subcommand{.name = "detect",
                                   .description = "Tell which tokens of a sentence an ELECTRA takes for replaced.",
                                   .example = "octet detect --model electra \"In the beginning God created the spoon\"",
                                   .add_options = detect_options};

}  // namespace program
