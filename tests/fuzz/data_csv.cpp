// Any bytes are a table whose texts are read, or refused with a number; in blocks of any size they are the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

import octet.base;
import octet.data;

using namespace octet;

namespace {

// What is read of a table, and the number of what ends it.
std::string read(std::string_view text, std::size_t block, int& number) {
  std::string all;
  try {
    data::CsvReader table{"table", {.column = "1", .header = false}, [&](std::string_view value, std::size_t line) {
                            all += std::to_string(line) + ":" + std::string{value} + ";";
                          }};
    data::LineReader lines{"table", [&](std::string_view line, std::size_t at) { table.add(line, at); }};
    for (std::size_t at = 0; at < text.size(); at += block) lines.add(text.substr(at, block));
    lines.finish();
    table.finish();
  } catch (const Error& error) {
    number = error.number();
    if (number < 702 || (number > 705 && number != 724)) std::abort();
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(bytes), size};
  int whole = 0, parts = 0;
  const std::string all = read(text, size + 1, whole), again = read(text, 3, parts);
  if (whole != parts || all != again) std::abort();
  return 0;
}
