/// Steps done in one pass over a block: pairs of f32 arithmetic, and the rotations of random numbers. Internal to
/// octet.compile.
///
/// A step reads its operands from the nearest cache and writes its result there, which for an addition or a
/// multiplication takes longer than the arithmetic. Where only one other such step reads that result it can stay in its
/// register. Each of the two operations is rounded as before (the build forms no fused multiply-adds), so the bits are
/// the same.
module octet.compile:loop_pairs;
import :cpu;
import :loop;

namespace octet {

/// Joins what can be joined: each step of f32 arithmetic with at most one other, and what makes a rotation by a known
/// distance, `y << d | y >> 32 - d`, with the `^ x` behind it, which is most of Threefry.
void pair_steps(LoopProgram& program, Isa isa);

}  // namespace octet
