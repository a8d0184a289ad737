// Any bytes are a file of records that are read, or refused at one of them; the bytes of those that were read are what
// writing them gives.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

import octet.base;
import octet.data;

using namespace octet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view file{reinterpret_cast<const char*>(bytes), size};
  std::string record, written;
  {
    data::RecordReader reader{file, "file"};
    try {
      while (reader.next(record)) data::append_record(written, record);
      if (reader.position().offset != size) std::abort();
    } catch (const Error& error) {
      if (error.number() != 722) std::abort();
    }
    if (!file.starts_with(written) || reader.position().offset != written.size()) std::abort();
  }
  // The bytes as one record between two others: what fuzzing seldom finds by itself, since the sums must be right.
  std::string three;
  for (const std::string_view content : {std::string_view{"a"}, file, std::string_view{}})
    data::append_record(three, content);
  data::RecordReader reader{three, "three"};
  if (!reader.next(record) || !reader.next(record) || record != file || !reader.next(record) || reader.next(record))
    std::abort();
  return 0;
}
