/// How long the examples of a training run are: what rule 3 is judged by. Imports octet: include it after all other
/// headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// The lengths in tokens of the lines of `file`, with the special tokens, cut off at `longest`. They are tokens of the
/// tokenizer in `directory`; where that is empty, of at most `vocabulary` WordPieces learned from the file itself.
std::vector<std::int64_t> lengths_of_text(const std::string& file, const std::string& directory,
                                          std::int64_t vocabulary, std::int64_t longest);
/// The numbers in `file`, one length each, cut off at `longest`. Throws X709 with the line of what is no length.
std::vector<std::int64_t> lengths_of_numbers(const std::string& file, std::int64_t longest);

/// Batches of examples as they come, each as long as its longest example.
struct Batches {
  std::vector<std::int64_t> lengths;  ///< of each batch
  double tokens = 0;                  ///< of all examples in them
};
Batches batches_of(const std::vector<std::int64_t>& lengths, std::int64_t batch);

}  // namespace program
