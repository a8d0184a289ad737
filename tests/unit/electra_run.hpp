/// Of the tests: a text and options for an ELECTRA of a second's training. To be included after `import octet.train;`.
#pragma once

/// Sentences whose third word follows from the first two.
inline std::vector<std::string> sentences() {
  const std::vector<std::string> who{"cat", "dog", "고양이", "猫", "teacher", "friend"};
  const std::vector<std::string> does{"sees", "likes", "finds", "본다", "remembers"};
  const std::vector<std::string> what{"river", "house", "tree", "강을", "川", "morning", "stone"};
  std::vector<std::string> lines;
  const octet::Key key = octet::Key::of_seed(11);
  for (std::uint64_t i = 0; i < 400; ++i) {
    const auto a = octet::below(key, 2 * i, 6), b = octet::below(key, 2 * i + 1, 5);
    lines.push_back(who[a] + " " + does[b] + " " + what[(2 * a + 3 * b) % 7] + " .");
  }
  return lines;
}

inline octet::train::TrainOptions electra_options() {
  octet::train::TrainOptions result;
  result.steps = 12;
  result.seed = 7;
  result.layers = 2;
  result.hidden = 32;
  result.intermediate = 64;
  result.seq = 24;
  result.batch = 16;
  result.vocab_size = 128;
  result.learning_rate = 3e-3;
  result.warmup_steps = 10;
  result.masking.replaced_by_mask = 0.85;
  result.masking.replaced_by_random = 0;
  return result;
}
