// Bytes up to a % are a vocab.json, the others a merges.txt: read, or refused with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

import octet.base;
import octet.text;

using namespace octet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const std::size_t middle = bytes.find('%');
  try {
    const text::Bpe tokenizer =
        text::parse_bpe(bytes.substr(0, middle), middle == bytes.npos ? "" : bytes.substr(middle + 1));
    static_cast<void>(tokenizer.encode("a \xED\x95\x9C\xFF<s>"));
  } catch (const Error& error) {
    if (error.number() != 720) std::abort();
  }
  return 0;
}
