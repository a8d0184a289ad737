/// How a v3-8 that is reached as a TPU node is fed: where the examples lie, and whether a function of the program is
/// called for each batch.
import octet;
using namespace octet;

tpu::DataPlacement placement() {
  return {.place = tpu::DataPlace::bucket, .host = tpu::HostKind::node, .calls_back = false};
}
