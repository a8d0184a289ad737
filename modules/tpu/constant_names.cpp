module octet.tpu;
import octet.standard;
import :constants;

namespace octet::tpu {

namespace {

constexpr std::pair<std::string_view, double CostConstants::*> table[] = {
    {"matrix_efficiency", &CostConstants::matrix_efficiency},
    {"hbm_efficiency", &CostConstants::hbm_efficiency},
    {"scratch_turns", &CostConstants::scratch_turns},
    {"link_efficiency", &CostConstants::link_efficiency},
    {"hop_seconds", &CostConstants::hop_seconds},
    {"operation_seconds", &CostConstants::operation_seconds},
    {"flax_slowdown", &CostConstants::flax_slowdown},
};

}  // namespace

std::vector<std::string_view> constant_names() {
  std::vector<std::string_view> names;
  for (const auto& each : table) names.push_back(each.first);
  return names;
}

double* find_constant(CostConstants& constants, std::string_view name) {
  for (const auto& [known, member] : table)
    if (known == name) return &(constants.*member);
  return nullptr;
}

}  // namespace octet::tpu
