// Any bytes are a file of tensors that is read, or refused with a number; what was read is written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

import octet.base;
import octet.train;

using namespace octet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    const train::Safetensors read = train::parse_safetensors({reinterpret_cast<const char*>(bytes), size}, "file");
    const std::string written = train::safetensors_bytes(read);
    if (train::safetensors_bytes(train::parse_safetensors(written, "file")) != written) std::abort();
  } catch (const Error& error) {
    if (error.number() != 715) std::abort();
  }
  return 0;
}
