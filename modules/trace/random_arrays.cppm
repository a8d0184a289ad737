/// Random numbers inside a program: Threefry-2x32 composed of integer operations, with the bits of octet.base:random
/// and of JAX.
export module octet.trace:random_arrays;
import octet.base;
import octet.standard;
import :array;

export namespace octet {

/// Random bits u32 of `shape` from `key` u32[2]: element i (row-major) is bits(key, i) of octet.base. With a key for
/// each row, u32[rows, 2], element i of row r is bits(key of r, i): rows are the leading axis of `shape`, and a row's
/// numbers do not depend on which others stand beside it. Throws X401 for keys of another shape.
Array random_bits(operand key, Shape shape);
/// Uniform in [0, 1), f32.
Array random_uniform(operand key, Shape shape);
/// A class drawn from softmax(`logits`) over the last dimension: the index (i32) of the largest sum of a logit and
/// Gumbel noise, as jax.random.categorical. Keys as those of random_bits.
Array random_categorical(operand key, const Array& logits);
/// The key of step or layer `number` (a scalar u32), as fold_in of octet.base.
Array fold_in(operand key, operand number);

}  // namespace octet
