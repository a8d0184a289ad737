module;
#include <filesystem>
#include <system_error>
module octet.text;

namespace octet::text {

Tokenizer load_tokenizer(const std::filesystem::path& directory) {
  const auto holds = [&](const char* name) {
    std::error_code ignored;
    return std::filesystem::exists(directory / name, ignored);
  };
  if (!holds("vocab.txt") && (holds("tokenizer.json") || holds("vocab.json") || holds("merges.txt")))
    return load_bpe(directory);
  return load_wordpiece(directory);
}

}  // namespace octet::text
