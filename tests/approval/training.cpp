/// Messages about runs and blanks, as a user is shown them; and that no message was forgotten.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <string>
#include <vector>
import octet;

#include "approved.hpp"

using namespace octet;

TEST_CASE("messages about runs and blanks are the approved ones") {
  const std::vector<std::string> text(40, "the cat sees the river and the dog sees the cat");
  train::TrainOptions options;
  options.steps = 1;
  options.layers = 1;
  options.hidden = options.intermediate = 8;
  options.heads = 1;
  options.seq = 8;
  options.batch = 8;
  options.vocab_size = 40;
  Threads threads;
  const train::Trainer trainer{text, options, threads};
  approve_refusal(612, [&] {
    train::Trainer preempted{text, options, threads};
    preempted.lose(3);
    preempted.step();
  });
  approve_refusal(509, [&] {
    train::TrainOptions diverging = options;
    diverging.steps = 20;
    diverging.learning_rate = 1e30;
    train::Trainer diverges{text, diverging, threads};
    while (!diverges.finished()) diverges.step();
  });
  approve_refusal(613, [&] { train::Trainer{text, options, threads}.lose(8); });
  approve_refusal(711, [&] {
    auto other = text;
    other[3] += " twice";
    train::Trainer{other, trainer.tokenizer(), trainer.state(), threads};
  });
  const train::Filler fill{trainer.parameters(), trainer.tokenizer(), threads};
  approve_refusal(712, [&] { fill("the cat sees the river"); });
  approve_refusal(713, [&] { fill("the [MASK] sees the river and the dog and the cat and the river"); });
}

TEST_CASE("every message of the catalogue has an approved text") {
  for (const CatalogueEntry& entry : catalogue()) {
    // Of the page, of the command line, whose tests read them there, and of 4 GB of distinct words.
    if (entry.number == 409 || entry.number == 716 || entry.number == 740 || entry.number == 739) continue;
    INFO(diagnostic_name(entry.number));
    CHECK(std::filesystem::exists(std::string{OCTET_SOURCES} + "/tests/approval/" + diagnostic_name(entry.number) +
                                  ".txt"));
  }
}
