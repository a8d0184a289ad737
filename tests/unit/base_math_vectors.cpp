// A loop over an octet::math function gives the bits of single calls, whatever instructions the loop is compiled to.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

import octet.base;

namespace math = octet::math;

namespace {

constexpr std::size_t count = 11;

/// All functions of x, at out[0], out[stride], ...
[[gnu::always_inline]] inline void all(const float* __restrict x, float* __restrict out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = math::exp(x[i]);
  for (std::size_t i = 0; i < n; ++i) out[n + i] = math::expm1(x[i]);
  for (std::size_t i = 0; i < n; ++i) out[2 * n + i] = math::log(x[i]);
  for (std::size_t i = 0; i < n; ++i) out[3 * n + i] = math::log1p(x[i]);
  for (std::size_t i = 0; i < n; ++i) out[4 * n + i] = math::tanh(x[i]);
  for (std::size_t i = 0; i < n; ++i) out[5 * n + i] = math::logistic(x[i]);
  for (std::size_t i = 0; i < n; ++i) out[6 * n + i] = math::erf(x[i]);
  for (std::size_t i = 0; i < n; ++i) out[7 * n + i] = math::sin(x[i]);
  for (std::size_t i = 0; i < n; ++i) out[8 * n + i] = math::cos(x[i]);
  for (std::size_t i = 0; i < n; ++i) out[9 * n + i] = math::rsqrt(x[i]);
  for (std::size_t i = 0; i < n; ++i) out[10 * n + i] = math::pow(x[i], x[n - 1 - i]);
}

void plain(const float* x, float* out, std::size_t n) { all(x, out, n); }
#ifdef __x86_64__
[[gnu::target("avx2,fma")]] void avx2(const float* x, float* out, std::size_t n) { all(x, out, n); }
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,fma")]] void avx512(const float* x, float* out, std::size_t n) {
  all(x, out, n);
}
#endif

std::uint64_t hash(const std::vector<float>& values) {
  octet::Hasher hasher;
  for (float value : values)
    hasher.add(std::uint64_t{value != value ? 0x7fc0'0000u : std::bit_cast<std::uint32_t>(value)});
  return hasher.value();
}

}  // namespace

TEST_CASE("loops over the functions give the bits of single calls on every instruction set of this machine") {
  std::vector<float> x;
  for (std::uint32_t i = 0; i < 50'001; ++i) x.push_back(std::bit_cast<float>(octet::bits(octet::Key{}, i)));
  for (std::uint32_t i = 0; i < 50'000; ++i) x.push_back(octet::normal(octet::Key{}, i) * 4);

  std::vector<float> single(count * x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float pair[] = {x[i], x[x.size() - 1 - i]};
    float out[2 * count];
    plain(pair, out, 2);
    for (std::size_t f = 0; f < count; ++f) single[f * x.size() + i] = out[2 * f];
  }
  std::vector<float> loop(single.size());
  plain(x.data(), loop.data(), x.size());
  REQUIRE(hash(loop) == hash(single));
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    avx2(x.data(), loop.data(), x.size());
    REQUIRE(hash(loop) == hash(single));
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    avx512(x.data(), loop.data(), x.size());
    REQUIRE(hash(loop) == hash(single));
  }
#endif
}
