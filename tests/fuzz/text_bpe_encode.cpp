// Any bytes come back from their ids, whatever was learned from them, and the ranges of the pieces follow each other.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

import octet.base;
import octet.text;

using namespace octet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  if (bytes.empty()) return 0;
  text::BpeTrainer trainer{{.vocab_size = 320}};
  trainer.add(bytes.substr(0, bytes.size() / 2 + 1));
  const text::Bpe tokenizer = trainer.train();
  text::BpeEncoder encoder{tokenizer};
  const text::Encoding encoding = encoder.encode(bytes), again = encoder.encode(bytes);
  if (again.ids != encoding.ids || again.offsets != encoding.offsets) std::abort();
  if (tokenizer.decode(encoding.ids, false) != bytes) std::abort();
  std::size_t at = 0;
  for (const auto [begin, end] : encoding.offsets) {
    if (begin != at || end <= begin) std::abort();
    at = end;
  }
  if (at != bytes.size()) std::abort();
  return 0;
}
