module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

constexpr double pi = 3.14159265358979323846;

// Of what is left of the way. Apart from what each schedule calls.
[[gnu::noinline]] static Array half_a_cosine(const Array& left) { return (1.0 - cos(left * pi)) * 0.5; }
[[gnu::noinline]] static double half_a_cosine(double left) { return (1 - math::cos(left * pi)) * 0.5; }

// The k-th update (k = step + 1) has the rate k / warmup_steps of the peak while warming up; after that what is left of
// the way to `steps`: the update numbered `steps` - 1 is the last with a rate above 0, and the rate would reach 0 at
// `steps`.
Array Schedule::operator()(operand step) const {
  const ComposedAt scope{step.where()};
  const Array now = cast<float>(step);
  const double decay_steps = static_cast<double>(std::max<std::int64_t>(1, steps - warmup_steps));
  const Array left = clamp(0.0, (static_cast<double>(steps) - now) / decay_steps, 1.0);
  const Array falling = decay == Decay::linear ? left : half_a_cosine(left);
  if (warmup_steps <= 0) return falling * peak;
  const Array rising = (now + 1.0) / static_cast<double>(warmup_steps);
  return minimum(rising, falling) * peak;
}

double Schedule::at(std::int64_t step) const {
  const double now = static_cast<double>(step);
  const double decay_steps = static_cast<double>(std::max<std::int64_t>(1, steps - warmup_steps));
  const double left = std::clamp((static_cast<double>(steps) - now) / decay_steps, 0.0, 1.0);
  const double falling = decay == Decay::linear ? left : half_a_cosine(left);
  if (warmup_steps <= 0) return falling * peak;
  return std::min((now + 1.0) / static_cast<double>(warmup_steps), falling) * peak;
}

}  // namespace octet::nn
