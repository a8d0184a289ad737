/// Counter-based random numbers: Threefry-2x32 with 20 rounds, used as JAX uses it. A number is a function of a key and
/// a counter, so it does not depend on who asks first, on how many threads, or on what was drawn before.
///
/// As in JAX, a key serves one purpose: split or fold a new key for each use rather than drawing twice from one.
export module octet.base:random;
import octet.standard;

export namespace octet {

/// The key of a stream of random numbers; jax.random.key_data(key) is `{high, low}`.
struct Key {
  std::uint32_t high = 0;
  std::uint32_t low = 0;

  /// As jax.random.key(seed).
  static constexpr Key of_seed(std::uint64_t seed) {
    return {static_cast<std::uint32_t>(seed >> 32), static_cast<std::uint32_t>(seed)};
  }
  friend constexpr bool operator==(const Key&, const Key&) = default;
};

/// One block of Threefry-2x32-20: the two output words for the counter `{high, low}`.
/// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
constexpr std::array<std::uint32_t, 2> threefry(Key key, std::uint32_t high, std::uint32_t low) {
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const std::uint32_t schedule[3] = {key.high, key.low, key.high ^ key.low ^ 0x1bd1'1bdau};
  std::uint32_t x = high + schedule[0];
  std::uint32_t y = low + schedule[1];
#pragma clang loop unroll(full)  // rotations are constants then, and a loop over counters runs in vectors
  for (std::uint32_t group = 0; group < 5; ++group) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; ++i) {
      x += y;
      y = std::rotl(y, rotations[group % 2][i]) ^ x;
    }
    x += schedule[(group + 1) % 3];
    y += schedule[(group + 2) % 3] + group + 1;
  }
  return {x, y};
}
constexpr std::array<std::uint32_t, 2> threefry(Key key, std::uint64_t counter) {
  return threefry(key, static_cast<std::uint32_t>(counter >> 32), static_cast<std::uint32_t>(counter));
}

/// Child number `index` of `key`: jax.random.split(key, n)[index] for every n > index.
constexpr Key split(Key key, std::uint64_t index) {
  const auto [high, low] = threefry(key, index);
  return {high, low};
}
/// As jax.random.fold_in(key, data).
constexpr Key fold_in(Key key, std::uint32_t data) { return split(key, data); }

/// Element number `counter` of jax.random.bits(key, shape), counted in row-major order.
constexpr std::uint32_t bits(Key key, std::uint64_t counter) {
  const auto [high, low] = threefry(key, counter);
  return high ^ low;
}

/// Uniform in [0, 1), a multiple of 2^-23; as jax.random.uniform.
constexpr float uniform(Key key, std::uint64_t counter) {
  return std::bit_cast<float>(bits(key, counter) >> 9 | 0x3f80'0000u) - 1.0f;
}

/// Uniform in [0, bound); 0 where `bound` is 0. The upper half of a 64-bit random number times `bound`: no value's
/// probability is off by more than 2^-64, which a run would need about 2^64 draws to notice.
constexpr std::uint64_t below(Key key, std::uint64_t counter, std::uint64_t bound) {
  const auto [high, low] = threefry(key, counter);
  const std::uint64_t bound_high = bound >> 32, bound_low = bound & 0xffff'ffffu;
  const std::uint64_t carry = (low * bound_low >> 32) + (high * bound_low & 0xffff'ffffu);
  // high * bound_high + high of high * bound_low + high of (low * bound_high + carry): none of the sums overflows.
  const std::uint64_t middle = low * bound_high + carry;
  return high * bound_high + (high * bound_low >> 32) + (middle >> 32);
}

/// Standard normal: the inverse error function of a uniform number, as jax.random.normal (equal to it up to rounding).
/// Between -5.42 and 5.42.
float normal(Key key, std::uint64_t counter);
/// The numbers of `counter` and of what follows it, several at once.
void normal(Key key, std::uint64_t counter, std::span<float> numbers);

/// Where element `index` of `size` goes in the shuffle that `key` names: a bijection on [0, size), computed without a
/// table. `index` must be less than `size`.
///
/// A Feistel network of eight rounds on the bits of size - 1, walked until it falls within the range again: less than
/// two walks on average. Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002.
constexpr std::uint64_t permuted(Key key, std::uint64_t size, std::uint64_t index) {
  if (size < 2) return 0;
  const int width = std::bit_width(size - 1);
  const int low_bits = (width + 1) / 2;
  const std::uint64_t low_mask = (std::uint64_t{1} << low_bits) - 1;
  const std::uint64_t high_mask = (std::uint64_t{1} << (width - low_bits)) - 1;
  do {
    std::uint64_t high = index >> low_bits, low = index & low_mask;
    for (std::uint32_t round = 0; round < 8; round += 2) {
      high ^= threefry(key, round, static_cast<std::uint32_t>(low))[0] & high_mask;
      low ^= threefry(key, round + 1, static_cast<std::uint32_t>(high))[0] & low_mask;
    }
    index = high << low_bits | low;
  } while (index >= size);
  return index;
}

}  // namespace octet
