/// bfloat16: the upper half of an IEEE-754 binary32 number, as the matrix unit of a TPU reads it.
export module octet.base:bfloat16;
import octet.standard;

export namespace octet {

/// A 16-bit floating-point number with the exponent range of f32 and 8 bits of precision.
/// Conversion from f32 rounds to nearest, ties to even; overflow becomes infinity; a NaN stays a (quiet) NaN.
class bfloat16 {
 public:
  constexpr bfloat16() = default;
  constexpr explicit bfloat16(float value) : bits_{round(value)} {}

  /// The number whose representation is `bits`.
  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 result;
    result.bits_ = bits;
    return result;
  }
  constexpr std::uint16_t bits() const { return bits_; }

  /// Exact: every bfloat16 is an f32.
  constexpr explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16); }
  constexpr explicit operator double() const { return static_cast<float>(*this); }

  friend constexpr bool operator==(bfloat16 a, bfloat16 b) { return static_cast<float>(a) == static_cast<float>(b); }

 private:
  static constexpr std::uint16_t round(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fff'ffffu) > 0x7f80'0000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }

  std::uint16_t bits_ = 0;
};

/// `value` rounded to bfloat16 and widened again: what is left of an f32 after it went through the matrix unit.
constexpr float rounded_to_bfloat16(float value) { return static_cast<float>(bfloat16{value}); }

}  // namespace octet
