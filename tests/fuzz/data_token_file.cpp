// Any bytes are a token file whose documents are read, or refused; with a footer that fits too, whatever stands before
// it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import octet.base;
import octet.data;

using namespace octet;

namespace {

void read(std::string bytes) {
  try {
    const data::TokenFile file{std::move(bytes), "file"};
    for (std::uint64_t i = 0; i < file.documents(); ++i)
      for (const auto& sentence : file.document(i))
        for (const std::int32_t id : sentence)
          if (id < 0 || static_cast<std::uint64_t>(id) >= file.vocabulary()) std::abort();
    file.ids(0, file.positions());
    file.verify();
  } catch (const Error& error) {
    if (error.number() != 726) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view content{reinterpret_cast<const char*>(bytes), size};
  read(std::string{content});
  // A true footer of so many ids and documents, with these bytes in their places.
  std::string file;
  data::TokenWriter writer{[&](std::string_view part) { file += part; }, 300};
  for (std::size_t i = 0; i < size; ++i) {
    const std::vector<std::int32_t> ids(bytes[i] % 5, bytes[i]);
    writer.add(ids);
    writer.end_sentence();
    if (bytes[i] >= 128) writer.end_document();
  }
  writer.finish();
  read(file);
  for (std::size_t i = 0; i < size && i + 48 < file.size(); ++i)
    file[file.size() - 49 - i] = static_cast<char>(bytes[i]);
  read(file);
  return 0;
}
