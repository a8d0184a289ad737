/// Random numbers inside a program: Threefry-2x32 composed of integer operations, with the bits of octet.base:random
/// and of JAX.
export module octet.trace:random_arrays;
import octet.base;
import octet.standard;
import :array;

export namespace octet {

/// Random bits u32 of `shape` from `key` u32[2]: element i (row-major) is bits(key, i) of octet.base.
Array random_bits(operand key, Shape shape);
/// Uniform in [0, 1), f32.
Array random_uniform(operand key, Shape shape);
/// The key of step or layer `number` (a scalar u32), as fold_in of octet.base.
Array fold_in(operand key, operand number);

}  // namespace octet
