// Any bytes are a program in StableHLO text, read or refused with a number; what was read is written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

import octet.base;
import octet.graph;

using namespace octet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    const std::string written = to_string(read({reinterpret_cast<const char*>(bytes), size}));
    if (to_string(read(written)) != written) std::abort();
  } catch (const Error& error) {
    // Branches that differ are X102; all else that does not fit is X4xx.
    if (error.number() / 100 != 4 && error.number() != 102) std::abort();
  }
  return 0;
}
