#include "output.hpp"

#include "data_bytes.hpp"
#include "messages.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

CLI::Option* add_data_bytes(CLI::App* sub, long long& bytes) {
  return sub
      ->add_option("--data-bytes", bytes,
                   "of --data memory: bytes that all examples take, which the memory of the hosts is to hold")
      ->take_last();
}

double data_bytes(long long bytes, octet::tpu::DataPlace place) {
  if (bytes < 1)
    refuse_option("--data-bytes is " + std::to_string(bytes) + ", and data take some.", "choose 1 or more");
  if (place != octet::tpu::DataPlace::memory)
    octet::fail(without_effect("--data-bytes", "for data " + std::string{octet::tpu::name(place)},
                               "Read while training, data may be larger than the memory of a host.",
                               {"leave it out", "choose --data memory"}));
  return static_cast<double>(bytes);
}

}  // namespace program
