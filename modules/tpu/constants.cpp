// Written by cmake/fit_costs.py; do not edit.
module octet.tpu;
import octet.standard;
import :constants;

namespace octet::tpu {

CostConstants fitted_constants() {
  return {
      .matrix_efficiency = 0.8671,
      .hbm_efficiency = 0.831,
      .scratch_turns = 3.0,
      .link_efficiency = 0.82,
      .hop_seconds = 1e-06,
      .operation_seconds = 2e-06,
      .flax_slowdown = 0.9928,
  };
}

}  // namespace octet::tpu
