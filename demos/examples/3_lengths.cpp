// Sequences of many lengths, few programs: buckets, why something was compiled, and whether padding changes the result.
#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>
import octet;
using namespace octet;

// A mean over time that leaves padding out, by a mask.
Array masked_mean(Array values, Array mask) {
  const Array weight = cast<float>(mask);
  return sum(values * weight, {1}) / sum(weight, {1});
}
// The same, forgotten.
Array plain_mean(Array values, Array /* mask */) { return mean(values, {1}); }

std::pair<Tensor, Tensor> batch(std::int64_t length) {
  Tensor values{DType::f32, {2, length}};
  std::uint64_t i = 0;
  for (float& value : values.mutable_span<float>()) value = uniform(Key::of_seed(3), i++);
  return {values, Tensor::full<std::int32_t>({2, length}, 1)};
}

int main() {
  // Without buckets each length has a program of its own.
  const auto exact = jit(masked_mean, {.argument_names = {"values", "mask"}, .name = "masked_mean"});
  for (const std::int64_t length : {17, 23, 31, 40, 57, 64}) {
    const auto [values, mask] = batch(length);
    exact(values, mask);
  }
  std::printf("exact lengths: %d programs\n", static_cast<int>(exact.statistics().misses));

  // Padded to a multiple of 32 they share two. Padding of the mask is 0, so that it counts for nothing.
  const JitOptions padded{.buckets = {{"values", 1, multiple_of(32)}, {"mask", 1, multiple_of(32)}},
                          .argument_names = {"values", "mask"},
                          .name = "masked_mean"};
  const auto bucketed = jit(masked_mean, padded);
  for (const std::int64_t length : {17, 23, 31, 40, 57, 64}) {
    const auto [values, mask] = batch(length);
    bucketed(values, mask);
  }
  std::printf("multiples of 32: %d programs\n", static_cast<int>(bucketed.statistics().misses));

  // Does padding change a result? Of the one with a mask it does not; of the other the line that lets it in is named.
  const auto [values, mask] = batch(40);
  bucketed.check_padding(values, mask).require();
  try {
    jit(plain_mean, padded).check_padding(values, mask).require();
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
  }
}

// clang-format off: what this program prints
// exact lengths: 6 programs
// multiples of 32: 2 programs
// X305: Padding changes 'result' at [1], from 0.525518 to 0.32844874; the real parts first differ in operation 1, constant f32[].
//   where:   demos/examples/3_lengths.cpp:15, in Array plain_mean(Array, Array)
//   because: dimension 1 of values from 40 to 64
//            dimension 1 of mask from 40 to 64
//            constant gives 40 at its own extents and 64 padded (demos/examples/3_lengths.cpp:15, in Array plain_mean(Array, Array))
//   rule:    Padding gives few shapes, and so few programs; it must not be seen in a result, or the model learns from it.
//   fix:     divide by how many elements are real, sum(mask), not by how many there are
//       or:  count nothing by an extent that is padded
//   see:     octet explain X305
