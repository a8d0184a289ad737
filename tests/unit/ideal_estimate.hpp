/// Of the tests: estimates by nothing but what chips publish. To be included after `import octet.tpu;`.
#pragma once

inline octet::tpu::CostConstants ideal() {
  octet::tpu::CostConstants constants = octet::tpu::fitted_constants();
  constants.matrix_efficiency = constants.hbm_efficiency = constants.link_efficiency = 1;
  constants.hop_seconds = constants.operation_seconds = 0;
  return constants;
}

inline octet::tpu::ProgramEstimate estimated(const octet::Graph& graph, const char* slice = "v3-8") {
  octet::tpu::EstimateOptions options;
  options.costing.constants = ideal();
  return octet::tpu::estimate(graph, octet::tpu::slice(slice), options);
}
