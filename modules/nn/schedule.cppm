/// Learning-rate schedules: functions of the step, for programs and for people.
export module octet.nn:schedule;
import octet.base;
import octet.standard;
import octet.trace;

export namespace octet::nn {

/// How a learning rate falls after its warm-up: in a line, or as half a cosine (Loshchilov and Hutter 2017).
enum class Decay : std::uint8_t { linear, cosine };

/// Rises linearly from 0 over `warmup_steps`, then falls to 0 at `steps`. Step 0 has 1/warmup_steps of the peak;
/// without warm-up it has all of it.
struct Schedule {
  double peak = 1e-3;
  std::int64_t warmup_steps = 100;
  std::int64_t steps = 1000;
  Decay decay = Decay::linear;
  /// `step` i32 scalar → f32 scalar, as the program computes it.
  Array operator()(operand step) const;
  /// The same for display, in double precision.
  double at(std::int64_t step) const;
};

}  // namespace octet::nn
