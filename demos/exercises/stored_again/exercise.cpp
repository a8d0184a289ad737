/// Stores what ten epochs of pre-training need. `write` takes the bytes that go to the disk.
#include <cstdint>
#include <string_view>
import octet;
using namespace octet;

void store(const data::BertExamples& examples, std::size_t /*vocabulary*/, const data::TokenWriter::Output& write) {
  for (unsigned epoch = 0; epoch < 10; ++epoch)
    for (std::uint64_t d = 0; d < examples.documents().documents(); ++d)
      for (const data::TrainingExample& example : examples.of_document(d, epoch))
        write(data::encode_example(data::bert_features(example, 128, 20)));
}
