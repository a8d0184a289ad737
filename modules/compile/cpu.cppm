/// What the processor at hand can do: the instruction sets that Octet has kernels for, and how fast they are.
export module octet.compile:cpu;
import octet.standard;

export namespace octet {

/// An instruction set that kernels are built for. Results do not depend on it in bf16 precision, but for products below
/// 2^-134 or from 2^128 up, which f32 does not hold (see octet.compile:gemm).
enum class Isa : std::uint8_t {
  baseline,    ///< what the build may assume everywhere: SSE2 on x86-64, NEON on AArch64, SIMD128 or scalars in
               ///< WebAssembly
  avx2,        ///< x86-64 with AVX2 and fused multiply-add
  avx512,      ///< x86-64 with AVX-512 F, DQ, VL and BW
  avx512bf16,  ///< the same with BF16: both products of a pair of bf16 numbers are added to a number of f32
  amx,  ///< the same with AMX's tiles of bf16. The first product in them asks Linux for leave, for the whole process:
        ///< from then on an alternative signal stack takes 12 KB. Where there is one that is smaller, Linux refuses,
        ///< and vectors multiply, to the same bits. Who wants none of it compiles for avx512
};

/// The instruction sets that this processor runs, in the order of `Isa`; never empty.
std::span<const Isa> available_isas();

/// The fastest of available_isas(): the last, but that Intel's processors multiply pairs of bf16 no faster than f32.
Isa best_isa();

/// The name of what `isa` means in this build: `amx`, `avx512bf16`, `avx512`, `avx2`, `sse2`, `neon`, `relaxed
/// simd128`, `simd128`, `scalar`.
std::string_view name(Isa isa);

/// Whether kernels for `isa` round once per multiply-add instead of twice. In f32 precision this shows in the results.
bool fuses_multiply_add(Isa isa);

/// Billions of floating-point operations per second that one thread reaches in a loop of multiply-adds which touches
/// registers only: the roof under which kernels work, but for products of bf16 where these have one of their own. The
/// best that is found while `patience` lasts; the first time that takes some tenths of a second, since engines compile
/// a busy function anew, and better.
double measured_peak(Isa isa, std::chrono::milliseconds patience = std::chrono::milliseconds{400});

/// The same of products of bf16 where `isa` has instructions for them, in a matrix unit or in vectors; else 0.
double measured_bf16_peak(Isa isa, std::chrono::milliseconds patience = std::chrono::milliseconds{50});

}  // namespace octet
