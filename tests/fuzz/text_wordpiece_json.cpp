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
    const text::WordPiece tokenizer = text::parse_wordpiece_json({reinterpret_cast<const char*>(data), size});
    static_cast<void>(tokenizer.encode("a \xED\x95\x9C\xFF[MASK]"));
    if (!(text::parse_wordpiece_json(text::tokenizer_json_text(tokenizer)) == tokenizer)) std::abort();
  } catch (const Error& error) {
    if (error.number() != 708 && error.number() != 720 && error.number() != 721) std::abort();
  }
  return 0;
}
