module octet.base;
import octet.standard;

namespace octet {

namespace {

/// Inverse error function on (-1, 1): M. Giles, "Approximating the erfinv function", GPU Computing Gems 2 (2011), table
/// 5, the polynomials that XLA uses too.
float inverse_erf(float x) {
  constexpr float central[] = {2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f, -4.39150654e-06f, 0.00021858087f,
                               -0.00125372503f, -0.00417768164f, 0.246640727f,    1.50140941f};
  constexpr float tail[] = {-0.000200214257f, 0.000100950558f, 0.00134934322f, -0.00367342844f, 0.00573950773f,
                            -0.0076224613f,   0.00943887047f,  1.00167406f,    2.83297682f};
  const float w = -math::log1p(-x * x);
  const bool is_central = w < 5.0f;
  const float t = is_central ? w - 2.5f : math::sqrt(w) - 3.0f;
  float p = 0.0f;
  for (float coefficient : is_central ? central : tail) p = p * t + coefficient;
  return p * x;
}

}  // namespace

float normal(Key key, std::uint64_t counter) {
  // Uniform in (-1, 1): at counter's extreme, the largest f32 above -1.
  const float x = uniform(key, counter) * 2.0f - 0x1.fffffep-1f;
  return 0x1.6a09e6p+0f * inverse_erf(x);
}

}  // namespace octet
