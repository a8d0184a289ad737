// Any bytes are an example that is read, or refused; what was read is written and read again, and so are the features
// of BERT that it may hold.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

import octet.base;
import octet.data;

using namespace octet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    const data::Features features = data::decode_example({reinterpret_cast<const char*>(bytes), size});
    const std::string written = data::encode_example(features);
    if (data::encode_example(data::decode_example(written)) != written) std::abort();  // numbers that are none differ
    const data::TrainingExample example = data::bert_example(features);
    const data::Features again = data::bert_features(example, static_cast<std::int64_t>(example.ids.size()),
                                                     static_cast<std::int64_t>(example.positions.size()));
    if (!(data::bert_example(again) == example)) std::abort();
  } catch (const Error& error) {
    if (error.number() != 723) std::abort();
  }
  return 0;
}
