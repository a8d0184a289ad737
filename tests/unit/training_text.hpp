/// Of the tests: lines to train on. To be included after `import octet.base;`.
#pragma once

/// Two hundred lines of three to seven words of three languages.
inline std::vector<std::string> training_text() {
  std::vector<std::string> lines;
  const std::vector<std::string> words{"cat", "dog", "고양이", "tree", "river", "猫", "house", "stone"};
  for (std::uint64_t i = 0; i < 200; ++i) {
    std::string line = "the";
    for (std::uint64_t w = 0; w < 3 + i % 5; ++w)
      line += " " + words[octet::below(octet::Key::of_seed(4), 10 * i + w, 8)];
    lines.push_back(line + ".");
  }
  return lines;
}
