#include "bench_measure.hpp"

#include "bench_programs.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

using Clock = std::chrono::steady_clock;

Measured measured(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  // Between two values, in proportion.
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place), above = std::min(below + 1, values.size() - 1);
    return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
  };
  return {at(0.5), at(0.25), at(0.75)};
}

/// The roof at this moment, before the clock has changed: under a load of wide vectors and memory a processor lowers
/// it, and within ten milliseconds of the lighter work that the roof is measured with it rises again.
double peak_now(octet::Isa isa) { return octet::measured_peak(isa, std::chrono::milliseconds{2}); }

/// In memory such as programs compute in.
octet::Tensor random_numbers(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  octet::Tensor numbers{octet::DType::f32, octet::Shape{rows, columns}};
  octet::Hasher hasher;
  hasher.add(seed);
  for (float& number : numbers.mutable_span<float>())
    number = static_cast<float>(hasher.add(seed).value() >> 40) / static_cast<float>(1 << 24) - 0.5f;
  return numbers;
}

/// The first step compiles, and the second warms up. Beside the steps of the first second engines of WebAssembly compile
/// them a second time, for which they take processors from them.
void warm_up(const std::function<void()>& step) {
#if defined(__wasm__)
  constexpr std::chrono::seconds least{1};
#else
  constexpr std::chrono::seconds least{0};
#endif
  const auto start = Clock::now();
  step();
  do step();
  while (Clock::now() - start < least);
}

}  // namespace

WithShare measure_product(const Product& shape, bool bf16, octet::Isa isa, long long repeat, octet::Threads& threads) {
  const auto [what, m, n, k, transposed] = shape;
  octet::Gemm product{.m = m, .n = n, .k = k, .lhs_row = k, .rhs_row = n, .out_row = n, .round_to_bfloat16 = bf16};
  if (transposed == Product::Transposed::lhs) product.lhs_row = 1, product.lhs_column = m;
  if (transposed == Product::Transposed::rhs) product.rhs_row = 1, product.rhs_column = k;
  const octet::Tensor lhs = random_numbers(m, k, 1), rhs = random_numbers(k, n, 2);
  octet::Tensor out{octet::DType::f32, octet::Shape{m, n}};
  const auto bytes = static_cast<std::int64_t>(octet::gemm_workspace(product, threads.count()));
  octet::Tensor workspace{octet::DType::f32, octet::Shape{bytes / 4 + 1}};
  const double operations = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  // As many calls a measurement as take some milliseconds, so that the clock's grain does not show.
  const auto calls = static_cast<int>(std::max(1.0, 2e8 / operations));
  std::vector<double> rates, shares, roofs;
  double before = peak_now(isa);
  for (long long i = -1; i < repeat; ++i) {  // the first warms up
    const auto start = Clock::now();
    for (int call = 0; call < calls; ++call)
      octet::gemm(product, lhs.span<float>().data(), rhs.span<float>().data(), out.mutable_span<float>().data(),
                  std::as_writable_bytes(workspace.mutable_span<float>()), isa, threads);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double after = peak_now(isa);
    if (i >= 0) {
      rates.push_back(operations * calls / seconds / 1e9);
      roofs.push_back((before + after) / 2);
      shares.push_back(rates.back() / (roofs.back() * threads.count()));
    }
    before = after;
  }
  return {measured(std::move(rates)), measured(std::move(shares)).median, measured(std::move(roofs)).median};
}

Measured measure_step(const std::function<void()>& step, long long repeat) {
  std::vector<double> times;
  warm_up(step);
  for (long long i = 0; i < repeat; ++i) {
    const auto start = Clock::now();
    step();
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return measured(std::move(times));
}

WithShare measure_step(const std::function<void()>& step, long long repeat, double operations, octet::Isa isa,
                       unsigned threads) {
  std::vector<double> times, shares, roofs;
  warm_up(step);
  double before = peak_now(isa);
  for (long long i = 0; i < repeat; ++i) {
    const auto start = Clock::now();
    step();
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    const double after = peak_now(isa);
    roofs.push_back((before + after) / 2);
    shares.push_back(operations / (times.back() * 1e6) / (roofs.back() * threads));
    before = after;
  }
  return {measured(std::move(times)), measured(std::move(shares)).median, measured(std::move(roofs)).median};
}

Measured measure_call(CallProgram& program, long long repeat) {
  constexpr int calls = 1000;
  std::vector<double> times;
  for (long long i = -1; i < repeat; ++i) {  // the first compiles
    double kernels = 0;
    for (const octet::KernelProfile& kernel : program.profile(calls)) kernels += kernel.seconds;
    const auto start = Clock::now();
    for (int call = 0; call < calls; ++call) program.call();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (i >= 0) times.push_back((seconds - kernels) / calls * 1e6);
  }
  return measured(std::move(times));
}

double measured_bandwidth() {
  const std::vector<float> from(std::size_t{1} << 24, 1.0f);
  std::vector<float> to(from.size());
  std::vector<double> rates;
  for (int i = -1; i < 5; ++i) {
    const auto start = Clock::now();
    std::copy(from.begin(), from.end(), to.begin());
    asm volatile("" : : "r"(to.data()) : "memory");  // the copy counts as read
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (i >= 0) rates.push_back(2.0 * static_cast<double>(from.size() * sizeof(float)) / seconds);
  }
  return measured(std::move(rates)).median;
}

}  // namespace program
