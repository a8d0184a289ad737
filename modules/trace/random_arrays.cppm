/// Random numbers inside a program: Threefry-2x32 composed of integer operations, with the bits of octet.base:random
/// and of JAX.
///
/// A key is u32[2]. With a key for each row, u32[rows, 2], rows are the leading axis of what is drawn, and a row's
/// numbers do not depend on which others stand beside it. Keys of another shape throw X401.
export module octet.trace:random_arrays;
import octet.base;
import octet.standard;
import :array;

export namespace octet {

/// Random bits u32 of `shape` from `key`: element i (row-major) is bits(key, i) of octet.base, or element i of row r
/// bits(key of r, i).
Array random_bits(operand key, Shape shape);
/// The bits of chosen counters: element i is bits(key, high[i] · 2^32 + low[i]). `high` and `low` are u32 of one shape.
Array random_bits(operand key, const Array& high, const Array& low);
/// Uniform in [0, 1), f32.
Array random_uniform(operand key, Shape shape);
/// Uniform in [`from`, `to`), f32, each a number or an array that broadcasts to `shape` (X401 where it does not): as
/// jax.random.uniform with minval and maxval. `to` itself is drawn only where a sum is rounded up to it;
/// where `from` is above `to`, from (`to`, `from`].
Array random_uniform(operand key, Shape shape, operand from, operand to);
/// Uniform in [`from`, `to`), i32: element i is `from` + below(key, i, `to` - `from`) of octet.base. Throws X403 where
/// there are no such numbers, or more than 2^31 - 1.
Array random_integers(operand key, Shape shape, std::int32_t from, std::int32_t to);
/// 0 to n - 1 in an order drawn by random bits, i32 [n]: take(x, random_permutation(key, n)) shuffles rows.
Array random_permutation(operand key, std::int64_t n);
/// Standard normal, f32: element i is normal(key, i) of octet.base.
Array random_normal(operand key, Shape shape);
/// Standard normal from `lower` to `upper`, f32, bounds as random_uniform's, which may be infinite: as
/// jax.random.truncated_normal. In f32 no number lies beyond 5.42 from 0 but a bound: from 6 on, each is 6.
Array random_truncated_normal(operand key, Shape shape, operand lower, operand upper);
/// With density exp(-x) of x >= 0, f32: as jax.random.exponential.
Array random_exponential(operand key, Shape shape);
/// Gumbel noise, f32, -log(-log(u)) of uniform u: softmax((logits + noise) / temperature) is a soft draw of a class. As
/// jax.random.gumbel.
Array random_gumbel(operand key, Shape shape);
/// True with `probability`, which broadcasts to `shape`: pred, where a uniform number is below it, as
/// jax.random.bernoulli.
Array random_bernoulli(operand key, operand probability, Shape shape);
/// A class drawn from softmax(`logits`) over the last dimension: the index (i32) of the largest sum of a logit and
/// Gumbel noise, as jax.random.categorical.
Array random_categorical(operand key, const Array& logits);
/// A key as u32[2], to be given to a compiled program: as a `Key` it would be part of the program, and each another
/// one.
Tensor key_data(Key key);
/// `parts` keys made of one: a key serves one purpose, so each use takes another. As split of octet.base.
std::vector<Array> split_key(operand key, std::uint32_t parts);
/// The key of step or layer `number`, as fold_in of octet.base: a number of the host from 0 to 2^32 - 1, or a scalar of
/// integers, of which the lower 32 bits count. Of rows' keys, each its own.
Array fold_in(operand key, operand number);
/// The same of a key of the host.
Array fold_in(Key key, operand number);

}  // namespace octet
