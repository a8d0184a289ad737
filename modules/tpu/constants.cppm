/// The constants of the cost model: few, each with a meaning.
export module octet.tpu:constants;
import octet.standard;

export namespace octet::tpu {

/// What published figures of chips do not say. cmake/fit_costs.py fits them and writes modules/tpu/constants.cpp.
struct CostConstants {
  double matrix_efficiency;  ///< of the matrix units' peak, the share that a large product reaches
  double hbm_efficiency;     ///< of the memory's bandwidth, the share that large operations reach
  double scratch_turns;  ///< of the on-chip memory between operations: how often its size passes through while a tensor
                         ///< waits to be read
  double link_efficiency;    ///< of the links' bandwidth, the share that large collectives reach
  double hop_seconds;        ///< from a chip to its neighbour
  double operation_seconds;  ///< to begin and drain one operation
  double flax_slowdown;      ///< of the time on the device, by what Flax code does beyond MLPerf's
};

/// The fitted constants.
CostConstants fitted_constants();

/// The names of the constants, and one of them by its name; null where there is none.
std::vector<std::string_view> constant_names();
double* find_constant(CostConstants& constants, std::string_view name);

}  // namespace octet::tpu
