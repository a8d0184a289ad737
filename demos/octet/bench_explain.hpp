/// What `octet bench --explain` says of a training step. Imports octet: include it after all other headers.
#pragma once
#include "bench_programs.hpp"

namespace program {

/// What the machine can do in a second.
struct Roof {
  double operations = 0;  ///< of vectors
  double products = 0;    ///< operations of matrix products: more, where they have instructions of their own
  double bytes = 0;       ///< copied, read and written counted
};

/// Takes `runs` steps and prints where the time went, kernels of one description together and the slowest first; then
/// what passes through memory from kernel to kernel, and why these are not one.
void explain_step(const StepSize& size, StepProgram& program, int runs, const Roof& roof, bool json);

}  // namespace program
