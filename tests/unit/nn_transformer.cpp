// Sizes of transformers: what is counted, and what is refused with sizes that can be.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>
import octet.base;
import octet.graph;
import octet.nn;

using namespace octet;

TEST_CASE("an ELECTRA's generator is as wide as its ratio rounds to, in the program and in what is counted") {
  nn::TransformerConfig config{nn::TransformerKind::electra, 2, 192, 3, 500, 30522, 192, 512, 65};
  const Graph program = nn::pretraining_program(config, 2, {1, 1, 1}, {});
  double parameters = 0;
  for (const ValueId id : program.parameters())
    if (program.type(id).dtype == DType::f32) parameters += static_cast<double>(program.type(id).shape.elements());
  CHECK(nn::parameter_count(config) == parameters);
}

TEST_CASE("a GPT-2's word embeddings are as wide as its layers, whatever is said of them") {
  nn::TransformerConfig config = nn::published_transformer("gpt2");
  const double parameters = nn::parameter_count(config);
  config.embedding = 64;
  CHECK(nn::parameter_count(config) == parameters);
}

TEST_CASE("heads that share a hidden size are named where others do not") {
  CHECK(nn::shared_by(768, 12) == 12);
  CHECK(nn::shared_by(200, 3) == 4);
  CHECK(nn::shared_by(211, 3) == 1);
  CHECK(nn::shared_by(66, 64) == 66);
  CHECK(nn::shared_by(0, 1) == 1);
  const auto fix = [](const nn::TransformerConfig& config) {
    try {
      nn::validate(config);
    } catch (const Error& error) {
      return error.diagnostics().front().fix;
    }
    return std::vector<std::string>{};
  };
  nn::TransformerConfig config = nn::published_transformer("bert-base");
  config.heads = 7;
  CHECK(fix(config) == std::vector<std::string>{"take heads that share it: --heads 6 or 8",
                                                "take a hidden size that they share: --hidden 763 or 770"});
  config.heads = 1000;
  CHECK(fix(config) == std::vector<std::string>{"take heads that share it: --heads 768",
                                                "take a hidden size that they share: --hidden 1000"});
  config.layers = 0;
  CHECK(fix(config).front() == "give a number between 1 and 4096, by --layers or in its config.json");
}
