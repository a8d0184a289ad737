/// Detection of instruction sets, and the loop that measures the roof.
module;

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

module octet.compile;

import octet.standard;
import :cpu;
import :gemm_pairs;
import :gemm_tile;
import :simd;

#include "multiply_add.hpp"
#include "pairs_target.hpp"

namespace octet {
namespace {

/// Multiplies and adds in `chains` independent registers, enough to hide the latency even of an unfused pair.
constexpr int chains = 12;
template <int width, bool fused>
OCTET_KERNEL_PIECE float multiply_add_chains(std::int64_t rounds) {
  using Vector = simd::Vector<width>;
  Vector sum[chains], a, b;
  simd::broadcast<width>(a, 0.25f);
  for (int c = 0; c < chains; ++c) simd::broadcast<width>(sum[c], static_cast<float>(c));
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
    for (int c = 0; c < chains; ++c) {
      // sum <- 0.25 * sum + 0.25, which neither grows nor becomes denormal
      Vector next = a;
      multiply_add<width, fused>(next, sum[c], a);
      sum[c] = next;
    }
  }
  b = Vector{};
  for (int c = 0; c < chains; ++c) b += sum[c];
  return b[0];
}

using Loop = float(std::int64_t rounds);

#if defined(__x86_64__)
/// Multiplies and adds in the four of eight tile registers that are sums.
[[gnu::target("amx-tile,amx-bf16")]] float loop_amx(std::int64_t rounds) {
  begin_squares();
  __builtin_ia32_tilezero(4);
  __builtin_ia32_tilezero(5);
  __builtin_ia32_tilezero(6);
  __builtin_ia32_tilezero(7);
  for (std::int64_t round = 0; round < rounds; ++round) {
    __builtin_ia32_tdpbf16ps(0, 4, 6);
    __builtin_ia32_tdpbf16ps(1, 4, 7);
    __builtin_ia32_tdpbf16ps(2, 5, 6);
    __builtin_ia32_tdpbf16ps(3, 5, 7);
  }
  end_squares();
  return 0;
}

/// Whether the instruction for pairs of bf16 adds their products one by one, that of the upper halves first, each
/// rounded as a fused multiply-add: as its makers say. On a processor where it did not, other bits would come of it.
OCTET_PAIRS_TARGET bool adds_pairs_in_order() {
  std::uint32_t state = 1;
  for (int round = 0; round < 64; ++round) {
    pairs::Pairs words[2];
    pairs::Floats sum, expected;
    for (int lane = 0; lane < 16; ++lane) {
      float number[5];  // of magnitudes from 2^-8 to 2^7: two and two of bf16, and what they are added to
      for (int i = 0; i < 5; ++i) {
        state = state * 1664525u + 1013904223u;
        const std::uint32_t bits =
            (state & 0x8000'0000u) | (119 + (state >> 27 & 15)) << 23 | (state >> 4 & 0x7f'ffffu);
        number[i] = std::bit_cast<float>(i < 4 ? bits & 0xffff'0000u : bits);
      }
      for (int i = 0; i < 2; ++i)
        words[i][lane] = std::bit_cast<std::uint32_t>(number[i]) | std::bit_cast<std::uint32_t>(number[i + 2]) >> 16;
      sum[lane] = number[4];
      const float first = __builtin_fmaf(number[0], number[1], number[4]);
      expected[lane] = __builtin_fmaf(number[2], number[3], first);
    }
    pairs::add_both(sum, words[0], words[1]);
    if (std::memcmp(&sum, &expected, sizeof sum) != 0) return false;
  }
  return true;
}

/// sum <- sum + 0.25 * 0.25 + 0.25 * 0.25, until that is lost in rounding.
OCTET_PAIRS_TARGET float loop_avx512bf16(std::int64_t rounds) {
  pairs::Floats sum[chains]{};
  pairs::Pairs quarters = pairs::Pairs{} + 0x3e80'3e80u;
  __asm__("" : "+v"(quarters));
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
    for (int c = 0; c < chains; ++c) pairs::add_both(sum[c], quarters, quarters);
  }
  pairs::Floats total{};
  for (int c = 0; c < chains; ++c) total += sum[c];
  return total[0];
}
#endif

// Not inlined: WebAssembly engines exchange a function for its optimized code when it is called anew.
OCTET_KERNEL_TARGET [[gnu::noinline]] float loop_baseline(std::int64_t rounds) {
  return multiply_add_chains<simd::baseline_width, baseline_fused>(rounds);
}
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] float loop_avx2(std::int64_t rounds) { return multiply_add_chains<8, true>(rounds); }
[[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,fma")]] float loop_avx512(std::int64_t rounds) {
  return multiply_add_chains<16, true>(rounds);
}
#endif

double billions_per_second(Loop& loop, double operations_a_round, std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
#if defined(__wasm__)
  constexpr std::int64_t rounds = 500'000;  // a millisecond: a browser's clock ticks every 5 to 100 microseconds
#else
  constexpr std::int64_t rounds = 50'000;
#endif
  double best = 0;
  const auto deadline = Clock::now() + patience;
  do {
    const auto begin = Clock::now();
    [[maybe_unused]] volatile float result = loop(rounds);
    const std::chrono::duration<double, std::nano> time = Clock::now() - begin;
    best = std::max(best, operations_a_round * rounds / time.count());
  } while (Clock::now() < deadline);
  return best;
}

}  // namespace

#if defined(__x86_64__) && defined(__linux__)
namespace {
constexpr long supported_features = 0x1021, request_permission = 0x1023, tile_data = 18;

/// Whether the processor has AMX's tiles of bf16, and the system saves them at a switch of threads.
bool has_matrix_unit() {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  const bool tiles = (d >> 24 & 1) && (d >> 22 & 1);
  if (!tiles) return false;
  std::uint64_t features = 0;
  return syscall(SYS_arch_prctl, supported_features, &features) == 0 && (features >> tile_data & 1);
}
}  // namespace

bool lends_matrix_unit() {
  static const bool lent = has_matrix_unit() && syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
  return lent;
}
#elif defined(__x86_64__)
namespace {
bool has_matrix_unit() { return false; }
}  // namespace
bool lends_matrix_unit() { return false; }
#endif

std::span<const Isa> available_isas() {
  static constexpr std::array all{Isa::baseline, Isa::avx2, Isa::avx512, Isa::avx512bf16, Isa::amx};
  std::size_t count = 1;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    count = 2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw"))
      count = 3;
    static const bool pairs = count == 3 && __builtin_cpu_supports("avx512bf16") && adds_pairs_in_order();
    if (pairs) count = has_matrix_unit() ? 5 : 4;
  }
#endif
  return std::span{all}.first(count);
}

Isa best_isa() {
  const Isa last = available_isas().back();
#if defined(__x86_64__)
  if (last == Isa::avx512bf16 && __builtin_cpu_is("intel")) return Isa::avx512;
#endif
  return last;
}

std::string_view name(Isa isa) {
  switch (isa) {
    case Isa::amx:
      return "amx";
    case Isa::avx512bf16:
      return "avx512bf16";
    case Isa::avx512:
      return "avx512";
    case Isa::avx2:
      return "avx2";
    case Isa::baseline:
      break;
  }
#if defined(__x86_64__)
  return "sse2";
#elif defined(__aarch64__)
  return "neon";
#elif defined(OCTET_RELAXED_SIMD)
  return "relaxed simd128";
#elif defined(__wasm_simd128__)
  return "simd128";
#else
  return "scalar";
#endif
}

bool fuses_multiply_add(Isa isa) { return isa != Isa::baseline || baseline_fused; }

double measured_peak([[maybe_unused]] Isa isa, std::chrono::milliseconds patience) {
#if defined(__x86_64__)
  if (isa >= Isa::avx512) return billions_per_second(loop_avx512, 2.0 * chains * 16, patience);
  if (isa == Isa::avx2) return billions_per_second(loop_avx2, 2.0 * chains * 8, patience);
#endif
  return billions_per_second(loop_baseline, 2.0 * chains * simd::baseline_width, patience);
}

double measured_bf16_peak([[maybe_unused]] Isa isa, [[maybe_unused]] std::chrono::milliseconds patience) {
#if defined(__x86_64__)
  if (isa == Isa::amx && lends_matrix_unit()) return billions_per_second(loop_amx, 4 * 2.0 * 16 * 16 * 32, patience);
  if (isa == Isa::avx512bf16) return billions_per_second(loop_avx512bf16, 2.0 * chains * 32, patience);
#endif
  return 0;
}

}  // namespace octet
