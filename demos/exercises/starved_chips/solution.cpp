/// How the host of a v3-8 feeds its chips: examples lie in a bucket, and a processor takes 2 ms to tokenize and mask
/// one. A step takes 1,024 of them and computes for 100 ms.
import octet;
using namespace octet;

tpu::FeedOptions feeding() {
  return {.data = {.place = tpu::DataPlace::bucket},
          .threads = 24,
          .prefetch = 4,
          .example_bytes = 1000,
          .transfer_bytes = 2560,
          .prepare_seconds = 2e-3};
}
