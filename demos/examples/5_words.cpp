// From lines of text to a model that fills blanks, and to files that other tools load.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>
import octet;
using namespace octet;

int main() {
  const std::vector<std::string> days{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
  std::vector<std::string> lines;
  for (int i = 0; i < 2000; ++i)
    lines.push_back("after " + days[i % 7] + " comes " + days[(i + 1) % 7] + " and then " + days[(i + 2) % 7]);

  // Vocabulary, masking, batches over eight replicas, schedule and AdamW: octet.train has a run's defaults.
  Threads threads{2};
  train::Trainer trainer{lines,
                         {.steps = 300,
                          .hidden = 64,
                          .intermediate = 256,
                          .seq = 16,
                          .batch = 32,
                          .vocab_size = 128,
                          .learning_rate = 3e-3,
                          .warmup_steps = 30},
                         threads};
  while (!trainer.finished())
    if (const train::StepReport report = trainer.step(); report.step % 100 == 0)
      std::printf("step %lld  loss %.2f\n", static_cast<long long>(report.step), report.loss);

  const train::Filler fill{trainer.parameters(), trainer.tokenizer(), threads};
  for (const char* sentence : {"after tuesday comes [MASK] and then thursday", "after [MASK] comes sunday"})
    for (const train::Blank& blank : fill(sentence, 1))
      std::printf("%s: %s\n", sentence, blank.candidates[0].token.c_str());

  // What transformers loads as a BertForMaskedLM, and a run goes on from.
  const std::filesystem::path directory = "model_of_days";
  train::save_checkpoint(trainer.state(), trainer.tokenizer(), directory);
  const auto model = train::load_model(directory);
  std::printf("%s of %lld pieces\n",
              model.parameters.tensors() == trainer.parameters().tensors() ? "the same model" : "another model",
              static_cast<long long>(model.config.vocabulary));
}

// clang-format off: what this program prints
// step 100  loss 0.72
// step 200  loss 0.08
// step 300  loss 0.01
// after tuesday comes [MASK] and then thursday: wednesday
// after [MASK] comes sunday: saturday
// the same model of 73 pieces
