// Written by cmake/fit_costs.py; do not edit.
module octet.tpu;
import octet.standard;
import :constants;

namespace octet::tpu {

CostConstants fitted_constants() {
  return {
      .matrix_efficiency = 0.8624,
      .hbm_efficiency = 0.8366,
      .scratch_turns = 2.999,
      .link_efficiency = 0.82,
      .hop_seconds = 1e-06,
      .operation_seconds = 2e-06,
      .flax_slowdown = 0.9439,
  };
}

}  // namespace octet::tpu
