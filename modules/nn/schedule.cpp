module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

// The k-th update (k = step + 1) has the rate k / warmup_steps of the peak while warming up; after that what is left of
// the way to `steps`: the update numbered `steps` - 1 is the last with a rate above 0, and the rate would reach 0 at
// `steps`.
Array LinearSchedule::operator()(operand step) const {
  const ComposedAt scope{step.where()};
  const Array now = cast<float>(step);
  const double decay_steps = static_cast<double>(std::max<std::int64_t>(1, steps - warmup_steps));
  const Array falling = clamp(0.0, (static_cast<double>(steps) - now) / decay_steps, 1.0);
  if (warmup_steps <= 0) return falling * peak;
  const Array rising = (now + 1.0) / static_cast<double>(warmup_steps);
  return minimum(rising, falling) * peak;
}

double LinearSchedule::at(std::int64_t step) const {
  const double now = static_cast<double>(step);
  const double decay_steps = static_cast<double>(std::max<std::int64_t>(1, steps - warmup_steps));
  const double falling = std::clamp((static_cast<double>(steps) - now) / decay_steps, 0.0, 1.0);
  if (warmup_steps <= 0) return falling * peak;
  return std::min((now + 1.0) / static_cast<double>(warmup_steps), falling) * peak;
}

}  // namespace octet::nn
