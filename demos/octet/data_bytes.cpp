#include "output.hpp"

#include "data_bytes.hpp"
#include "messages.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

CLI::Option* add_data_bytes(CLI::App* sub, long long& bytes) {
  return sub
      ->add_option(
          "--data-bytes", bytes,
          "of --data memory on a TPU VM: bytes that all examples take, which the memory of its hosts is to hold")
      ->take_last();
}

double data_bytes(long long bytes, const octet::tpu::DataPlacement& data) {
  if (bytes < 1)
    refuse_option("--data-bytes is " + std::to_string(bytes) + ", and data take some.", "choose 1 or more");
  if (data.place != octet::tpu::DataPlace::memory)
    octet::fail(without_effect("--data-bytes", "for data " + std::string{octet::tpu::name(data.place)},
                               "Read while training, data may be larger than the memory of a host.",
                               {"choose --data memory"}));
  if (data.host == octet::tpu::HostKind::node)
    octet::fail(without_effect("--data-bytes", "for a TPU node",
                               "Its data lie in the memory of the machine that one works at, which is not known.",
                               {"choose --host vm"}));
  return static_cast<double>(bytes);
}

}  // namespace program
