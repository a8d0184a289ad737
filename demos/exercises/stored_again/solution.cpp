/// Stores what ten epochs of pre-training need. `write` takes the bytes that go to the disk.
#include <cstdint>
#include <string_view>
import octet;
using namespace octet;

void store(const data::BertExamples& examples, std::size_t vocabulary, const data::TokenWriter::Output& write) {
  data::TokenWriter writer{write, vocabulary};
  for (std::uint64_t d = 0; d < examples.documents().documents(); ++d) {
    for (const auto& sentence : examples.documents().document(d)) {
      writer.add(sentence);
      writer.end_sentence();
    }
    writer.end_document();
  }
  writer.finish();
}
