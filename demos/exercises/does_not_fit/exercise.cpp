/// BERT-large in batches of 1024 sequences, on the smallest slice of v3: eight cores with 16 GB each.
import octet;
using namespace octet;

nn::TrainingJob job() {
  return {.model = nn::published_transformer("bert-large"),
          .slice = tpu::slice("v3-8"),
          .batch = 1024,
          .length = 512,
          .predictions = 76,
          .accumulate = 1,
          .code = *nn::find_code_style("mlperf-bf16")};
}
