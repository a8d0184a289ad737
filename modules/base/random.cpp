module octet.base;
import octet.standard;

namespace octet {

namespace {

/// Inverse error function on (-1, 1): M. Giles, "Approximating the erfinv function", GPU Computing Gems 2 (2011), table
/// 5, the polynomials that XLA uses too. Without branches, so that a loop over it runs in vectors.
[[gnu::always_inline]] inline float inverse_erf(float x) {
  constexpr float central[] = {2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f, -4.39150654e-06f, 0.00021858087f,
                               -0.00125372503f, -0.00417768164f, 0.246640727f,    1.50140941f};
  constexpr float tail[] = {-0.000200214257f, 0.000100950558f, 0.00134934322f, -0.00367342844f, 0.00573950773f,
                            -0.0076224613f,   0.00943887047f,  1.00167406f,    2.83297682f};
  const float w = -math::log1p(-x * x);
  const bool is_central = w < 5.0f;
  const float t = is_central ? w - 2.5f : math::sqrt(w) - 3.0f;
  float p = 0.0f;
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < std::size(central); ++i) p = p * t + (is_central ? central[i] : tail[i]);
  return p * x;
}

[[gnu::always_inline]] inline float normal_of(Key key, std::uint32_t high, std::uint32_t low) {
  const auto [first, second] = threefry(key, high, low);
  const float uniform = std::bit_cast<float>((first ^ second) >> 9 | 0x3f80'0000u) - 1.0f;
  // Uniform in (-1, 1): at counter's extreme, the largest f32 above -1.
  return 0x1.6a09e6p+0f * inverse_erf(uniform * 2.0f - 0x1.fffffep-1f);
}

}  // namespace

float normal(Key key, std::uint64_t counter) {
  return normal_of(key, static_cast<std::uint32_t>(counter >> 32), static_cast<std::uint32_t>(counter));
}

void normal(Key key, std::uint64_t counter, std::span<float> numbers) {
  while (!numbers.empty()) {
    const auto high = static_cast<std::uint32_t>(counter >> 32), low = static_cast<std::uint32_t>(counter);
    // As far as the lower half counts up.
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(numbers.size(), (1ull << 32) - low));
    float* const number = numbers.data();
#pragma clang loop vectorize(enable)
    for (std::size_t i = 0; i < count; ++i) number[i] = normal_of(key, high, low + static_cast<std::uint32_t>(i));
    numbers = numbers.subspan(count);
    counter += count;
  }
}

}  // namespace octet
