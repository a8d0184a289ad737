/// Of the tests: jobs to be estimated. To be included after `import octet.tpu;` and `import octet.nn;`, with <cstdint>
/// before it.
#pragma once

inline octet::nn::TrainingJob job(const char* model, const char* slice, std::int64_t batch, std::int64_t length = 512,
                                  const char* code = "mlperf-bf16") {
  octet::nn::TrainingJob result;
  result.model = octet::nn::published_transformer(model);
  result.slice = octet::tpu::slice(slice);
  result.batch = batch;
  result.length = length;
  result.predictions = length * 15 / 100;
  result.code = *octet::nn::find_code_style(code);
  return result;
}
