// Any bytes are a position of a pipeline, which is then written as it was, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

import octet.base;
import octet.data;

using namespace octet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const data::Pipeline pipeline{
      data::WindowSource{1000, [](std::uint64_t, std::uint64_t) { return std::vector<data::TrainingExample>{}; }, 7}};
  try {
    const data::PipelinePosition position = pipeline.restored({reinterpret_cast<const char*>(bytes), size});
    if (!(pipeline.restored(pipeline.saved(position)) == position)) std::abort();
  } catch (const Error& error) {
    if (error.number() != 729) std::abort();
  }
  return 0;
}
