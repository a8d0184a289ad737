#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>
import octet;
import facts;
using namespace octet;

void store(const data::BertExamples& examples, std::size_t vocabulary, const data::TokenWriter::Output& write);

void check() {
  const std::vector<std::string> words{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "river",
                                       "stone", "cloud", "night", "water", "bird",   "wind"};
  const text::WordPiece tokenizer{text::Vocabulary{words}};
  std::string text, tokens;
  data::TokenWriter writer{[&](std::string_view bytes) { tokens += bytes; }, words.size()};
  for (int document = 0; document < 60; ++document) {
    for (int sentence = 0; sentence < 12; ++sentence) {
      std::vector<std::int32_t> ids;
      for (int i = 0; i < 9 + sentence; ++i) ids.push_back(5 + (document * 31 + sentence * 17 + i * i) % 7);
      for (const std::int32_t id : ids) text += words[static_cast<std::size_t>(id)] + " ";
      writer.add(ids);
      writer.end_sentence();
    }
    writer.end_document();
  }
  writer.finish();
  const data::BertExamples examples{data::TokenFile{tokens, "examples"}, tokenizer};

  std::string stored;
  store(examples, words.size(), [&](std::string_view bytes) { stored += bytes; });
  facts::memory("on disk, of a text of " + std::to_string(text.size()) + " bytes", static_cast<double>(stored.size()),
                2.0 * static_cast<double>(text.size()));
  if (stored.size() > 2 * text.size()) return;
  const data::BertExamples again{data::TokenFile{stored, "what was stored"}, tokenizer};
  double same = 0, anew = 0;
  for (std::uint64_t d = 0; d < 60; ++d) {
    same += again.of_document(d, 9) == examples.of_document(d, 9);
    anew += again.of_document(d, 9) != again.of_document(d, 8);
  }
  facts::result("documents whose examples of epoch 9 are the right ones", same, 60);
  facts::result("documents that are masked anew in epoch 9", anew, 60);
}
