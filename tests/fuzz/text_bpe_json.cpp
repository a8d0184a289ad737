// Any bytes are a tokenizer.json that is read, or refused with a message; what was read is written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

import octet.base;
import octet.text;

using namespace octet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const text::Bpe tokenizer = text::parse_bpe_json({reinterpret_cast<const char*>(data), size});
    if (!(text::parse_bpe_json(text::tokenizer_json_text(tokenizer)) == tokenizer)) std::abort();
    static_cast<void>(tokenizer.encode("a \xED\x95\x9C\xFF<s>"));
  } catch (const Error& error) {
    if (error.number() != 720 && error.number() != 721) std::abort();
  }
  return 0;
}
