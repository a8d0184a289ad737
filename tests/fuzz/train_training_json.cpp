// Any bytes are the training.json of a saved run, read or refused with a number; what was read is written and read
// again.
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
    const train::TrainingRecord record =
        train::parse_training({reinterpret_cast<const char*>(bytes), size}, "training.json");
    const std::string written = train::training_text(record);
    if (train::training_text(train::parse_training(written, "training.json")) != written) std::abort();
  } catch (const Error& error) {
    if (error.number() != 715) std::abort();
  }
  return 0;
}
