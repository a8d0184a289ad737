
#include "check_lengths.hpp"
#include "messages.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

namespace text = octet::text;

constexpr std::size_t most_batches = 4096;
constexpr std::int64_t special_tokens = 2;  // [CLS] and [SEP]

}  // namespace

std::vector<std::int64_t> lengths_of_text(const std::string& file, const std::string& directory,
                                          std::int64_t vocabulary, std::int64_t longest) {
  const octet::data::Corpus corpus = octet::data::read_corpus({file});
  text::Tokenizer tokenizer = [&]() -> text::Tokenizer {
    if (!directory.empty()) return text::load_tokenizer(directory);
    text::WordPieceTrainer trainer{{.vocab_size = static_cast<std::size_t>(vocabulary)}};
    for (const std::string& line : corpus.lines) trainer.add(line);
    return trainer.train();
  }();
  std::vector<std::int64_t> lengths;
  const auto add = [&](std::size_t tokens) {
    lengths.push_back(std::min(longest, static_cast<std::int64_t>(tokens) + special_tokens));
  };
  if (const auto* pieces = std::get_if<text::WordPiece>(&tokenizer)) {
    text::WordPieceEncoder encoder{*pieces};
    std::vector<std::int32_t> ids;
    for (const std::string& line : corpus.lines) {
      ids.clear();
      encoder.append_ids(line, ids);
      add(ids.size());
    }
  } else {
    text::BpeEncoder encoder{std::get<text::Bpe>(tokenizer)};
    for (const std::string& line : corpus.lines) add(encoder.encode(line).ids.size());
  }
  return lengths;
}

std::vector<std::int64_t> lengths_of_numbers(const std::string& file, std::int64_t longest) {
  const std::string content = text::read_file(file);
  std::vector<std::int64_t> lengths;
  std::string_view rest = content;
  for (unsigned line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    constexpr std::string_view blank = " \t\r";
    word.remove_prefix(std::min(word.find_first_not_of(blank), word.size()));
    word = word.substr(0, word.find_last_not_of(blank) + 1);
    if (word.empty()) continue;
    std::int64_t length = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), length);
    const bool huge =
        error == std::errc::result_out_of_range && word.front() != '-' && stop == word.data() + word.size();
    if (huge) length = longest;
    if ((error != std::errc{} && !huge) || stop != word.data() + word.size() || length < 1)
      octet::fail({.number = 709,
                   .sentence = "'" + text::replace_invalid_utf8(word.substr(0, 40)) + "' is no length of an example.",
                   .where = {.file = file, .line = line, .function = {}},
                   .fix = {"give one number a line: the tokens of one example", "for a text, use --text"}});
    lengths.push_back(std::min(length, longest));
  }
  if (lengths.empty())
    octet::fail({.number = 702,
                 .sentence = file + " has no lengths in it.",
                 .where = {.file = file, .line = 0, .function = {}},
                 .fix = {"give one number a line: the tokens of one example"}});
  return lengths;
}

Batches batches_of(const std::vector<std::int64_t>& lengths, std::int64_t batch) {
  Batches result;
  const auto rows = static_cast<std::size_t>(batch);
  // Where fewer examples are left than a batch takes, the first ones follow, as in the next epoch.
  const std::size_t count = std::clamp<std::size_t>((lengths.size() + rows - 1) / rows, 1, most_batches);
  for (std::size_t b = 0; b < count; ++b) {
    std::int64_t longest = 0;
    for (std::size_t row = 0; row < std::min(rows, lengths.size()); ++row) {
      const std::int64_t length = lengths[(b * rows + row) % lengths.size()];
      longest = std::max(longest, length);
      result.tokens += static_cast<double>(length) *
                       (rows > lengths.size() ? static_cast<double>(rows) / static_cast<double>(lengths.size()) : 1);
    }
    result.lengths.push_back(longest);
  }
  return result;
}

}  // namespace program
