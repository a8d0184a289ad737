// Any bytes are the config.json of a BERT, of a GPT-2 and of any transformer, that is read or refused with a number;
// what was read is written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

import octet.base;
import octet.nn;
import octet.train;

using namespace octet;

namespace {

template <class Read>
void same_again(std::string_view text, Read read) {
  try {
    const std::string written = train::config_text(read(text, "config.json"));
    if (train::config_text(read(written, "config.json")) != written) std::abort();
  } catch (const Error& error) {
    if (error.number() != 714 && error.number() != 715) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(bytes), size};
  same_again(text, train::parse_config);
  same_again(text, train::parse_gpt2_config);
  try {
    static_cast<void>(train::parse_transformer_config(text, "config.json"));
  } catch (const Error& error) {
    if (error.number() != 715 && error.number() != 717) std::abort();
  }
  return 0;
}
