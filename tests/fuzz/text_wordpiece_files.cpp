// Any bytes are a tokenizer_config.json, an empty line and a vocab.txt that are read, or refused with a number; what
// was read is written and read again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

import octet.base;
import octet.text;

using namespace octet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view all{reinterpret_cast<const char*>(bytes), size};
  const std::size_t end = std::min(all.find("\n\n"), all.size());
  const std::string_view config = all.substr(0, end), vocabulary = all.substr(std::min(end + 2, all.size()));
  try {
    const text::WordPiece tokenizer = text::parse_wordpiece(vocabulary, config);
    static_cast<void>(tokenizer.encode("a \xED\x95\x9C\xFF[MASK]"));
    if (!(text::parse_wordpiece(tokenizer.vocabulary().to_text(), text::tokenizer_config_text(tokenizer)) == tokenizer))
      std::abort();
  } catch (const Error& error) {
    if (error.number() != 708 && error.number() != 710 && error.number() != 721) std::abort();
  }
  return 0;
}
