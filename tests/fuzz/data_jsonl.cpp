// Any bytes are lines of JSON whose texts are read, or refused with a number.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

import octet.base;
import octet.data;
import octet.text;

using namespace octet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::size_t documents = 0, lines = 0;
  try {
    data::for_each_document_of({reinterpret_cast<const char*>(bytes), size}, {.path = "some.jsonl"},
                               {[&](std::string_view line, std::size_t) {
                                  ++lines;
                                  if (text::find_invalid_utf8(line)) std::abort();
                                  if (line.find_first_of("\r\n") != line.npos) std::abort();
                                },
                                [&] { ++documents; }});
  } catch (const Error& error) {
    if (error.number() < 702 || (error.number() > 705 && error.number() != 725)) std::abort();
  }
  if (lines < documents) std::abort();
  return 0;
}
