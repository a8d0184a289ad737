/// Measuring: medians with quartiles, and shares of the roof. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

class CallProgram;

/// The middle of several measurements, and the quartiles around it.
struct Measured {
  double median = 0, low = 0, high = 0;
};

/// A time or a rate of something, and the share of the roof that it reaches, which is measured before and after each.
struct WithShare {
  Measured value;
  double share = 0;  ///< the median
  double roof = 0;   ///< of one thread, billions of operations per second: the median
};

/// A product of [m, k] and [k, n], row by row but for an operand that lies transposed.
struct Product {
  enum class Transposed : std::uint8_t { none, lhs, rhs };
  const char* what;
  std::int64_t m, n, k;
  Transposed transposed = Transposed::none;
};

/// Billions of operations per second of a product, repeated.
WithShare measure_product(const Product& shape, bool bf16, octet::Isa isa, long long repeat, octet::Threads& threads);

/// Milliseconds of one step, `repeat` times after the first, which compiles, and others, which warm up.
Measured measure_step(const std::function<void()>& step, long long repeat);

/// The same of a step of so many operations, with its share of the roof of so many threads.
WithShare measure_step(const std::function<void()>& step, long long repeat, double operations, octet::Isa isa,
                       unsigned threads);

/// Microseconds that a call whose program is known takes beyond its kernels.
Measured measure_call(CallProgram& program, long long repeat);

/// Bytes per second of copying from memory to memory, read and written counted.
double measured_bandwidth();

}  // namespace program
