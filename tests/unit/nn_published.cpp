// Estimates against what published runs took: the batches that fit, those that do not, and the order of their steps.
// Sources stand beside the figures. Those of MLPerf are among the runs whose times the constants are fitted to; memory
// is fitted to none. An author's times of ALBERT with dropout and without said how TensorFlow 1 makes its random bits.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string_view>
import octet.base;
import octet.tpu;
import octet.nn;

using namespace octet;

namespace {

struct Run {
  const char *model, *slice, *code;
  std::int64_t sequences, length, predictions, vocabulary;  // sequences: of a replica; vocabulary 0: the model's own
  nn::UpdateRule update = nn::UpdateRule::adamw;
  double dropout = 0.1;
  DType activations = DType::f32;  // of Flax; TensorFlow's stand in its code
};

nn::TrainingJob job(const Run& run) {
  nn::TrainingJob result;
  result.model = nn::published_transformer(run.model);
  if (run.vocabulary > 0) result.model.vocabulary = run.vocabulary;
  result.slice = tpu::slice(run.slice);
  result.length = run.length;
  result.predictions = run.predictions;
  result.code = *nn::find_code_style(run.code);
  result.code.update = run.update;
  result.code.program.dropout = run.dropout;
  if (result.code.flax) result.code.activations = run.activations;
  result.batch = run.sequences * result.slice.replicas;
  return result;
}

constexpr auto lamb = nn::UpdateRule::lamb, adafactor = nn::UpdateRule::adafactor;

}  // namespace

TEST_CASE("batches that published runs trained with fit", "[native]") {
  const Run runs[] = {
      {"bert-base", "v2-8", "tf1-f32", 16, 512, 76, 64000},                // AraBERT v1
      {"bert-base", "v2-8", "tf1-f32", 64, 128, 20, 64000},                // AraBERT v1
      {"bert-base", "v2-8", "tf1-f32", 128, 128, 20, 30000},               // German BERT
      {"bert-base", "v3-8", "tf1-f32", 48, 512, 76, 64000, lamb},          // AraBERT v0.2
      {"bert-base", "v3-8", "tf1-f32", 320, 128, 20, 64000, lamb},         // AraBERT v0.2
      {"bert-base", "v3-8", "tf1-f32", 256, 128, 20, 0},                   // google-research/bert, issue 721
      {"bert-base", "v3-8", "tf1-f32", 32, 512, 76, 50000},                // BERTeus
      {"bert-large", "v2-8", "tf1-f32", 4, 384, 1, 0},                     // google-research/bert, SQuAD
      {"bert-large", "v3-2048", "tf1-f32", 16, 512, 76, 0, lamb},          // You et al. 2019
      {"bert-large", "v3-2048", "tf1-f32", 32, 128, 20, 0, lamb},          // You et al. 2019
      {"bert-large", "v3-128", "tf1-f32", 16, 512, 76, 64000, lamb},       // AraBERT v0.2
      {"bert-large", "v3-128", "tf1-f32", 105, 128, 20, 64000, lamb},      // AraBERT v0.2
      {"albert-xlarge", "v3-8", "tf1-f32", 8, 512, 20, 0, lamb},           // Arabic ALBERT
      {"albert-xxlarge", "v3-1024", "tf1-f32", 4, 512, 20, 0, lamb},       // Lan et al. 2019
      {"albert-xxlarge", "v3-512", "tf1-f32", 20, 512, 20, 128, lamb, 0},  // google-research/albert, issue 198
      {"electra-base", "v3-8", "tf1-f32", 32, 512, 76, 64000},             // AraELECTRA
      {"gpt2", "v3-128", "tf1-f32", 14, 1024, 1, 64000, lamb, 0},          // AraGPT2
      {"gpt2-medium", "v3-128", "tf1-f32", 9, 1024, 1, 64000, lamb, 0},    // AraGPT2
      {"gpt2-large", "v3-128", "tf1-f32", 2, 1024, 1, 64000, adafactor},   // AraGPT2
      {"bert-large", "v3-32", "mlperf-bf16", 14, 512, 76, 0, lamb},        // MLPerf training v0.7
      {"bert-large", "v4-128", "mlperf-bf16", 24, 512, 76, 0, lamb},       // MLPerf training v0.7
      {"gpt2", "v3-8", "flax-bf16", 64, 512, 1, 0},                        // GPT-2 small, Indonesian
      {"gpt2-medium", "v3-8", "flax-bf16", 24, 512, 1, 0},                 // GPT-2 medium, Indonesian
      {"gpt2-medium", "v3-8", "flax-bf16", 16, 512, 1, 0, adafactor},      // GPT-2 medium, Dutch
      {"bert-base", "v3-8", "flax-bf16", 64, 512, 512, 50265, nn::UpdateRule::adamw, 0.1, DType::bf16},  // RoBERTa
  };
  for (const Run& run : runs) {
    INFO(run.model << ", " << run.sequences << " x " << run.length << " on a core of " << run.slice);
    const nn::MemoryBudget memory = nn::estimate_training(job(run)).memory;
    CHECK(memory.fits);
    CHECK(memory.peak <= most_unasked * memory.capacity);
  }
}

TEST_CASE("twice the largest batch that was published as such does not fit") {
  const Run runs[] = {
      {"bert-large", "v3-2048", "tf1-f32", 32, 512, 76, 0, lamb},  // You et al. 2019: 16
      {"albert-base", "v3-8", "tf1-f32", 98, 512, 77, 0},          // google-research/albert, issue 7: 49
      {"albert-large", "v3-8", "tf1-f32", 36, 512, 77, 0},         // google-research/albert, issue 7: 18
      {"gpt2-xl", "v3-128", "tf1-f32", 1, 1024, 1, 64000, lamb},   // AraGPT2: not one, with Adam or LAMB
      {"gpt2-medium", "v3-8", "flax-bf16", 64, 512, 1, 0},         // GPT-2 medium, Indonesian: given up for 24
  };
  for (const Run& run : runs) {
    INFO(run.model << ", " << run.sequences << " x " << run.length << " on a core of " << run.slice);
    CHECK_FALSE(nn::estimate_training(job(run)).memory.fits);
  }
}

TEST_CASE("published runs come in the order of their steps", "[native]") {
  // Of each row the first took less time than the second.
  struct Order {
    Run faster, slower;
    const char* source;
  };
  const Run albert{"albert-xxlarge", "v3-1024", "tf1-f32", 4, 512, 20, 0, lamb};
  Run without_dropout = albert, half = albert;
  without_dropout.dropout = half.dropout = 0;
  half.slice = "v3-512";
  half.sequences = 8;
  Run larger = half;
  larger.sequences = 20;
  const Run base{"electra-base", "v3-8", "tf1-f32", 32, 384, 57, 32056};
  Run small = base, arabic = base;
  small.model = "electra-small";
  small.sequences = 16;
  arabic.length = 512;
  arabic.vocabulary = 64000;
  const Run mlperf_v3{"bert-large", "v3-32", "mlperf-bf16", 14, 512, 76, 0, lamb};
  Run mlperf_v4 = mlperf_v3, mlperf_v4_large = mlperf_v3;
  mlperf_v4.slice = "v4-16";
  mlperf_v4.sequences = 16;
  mlperf_v4_large.slice = "v4-128";
  mlperf_v4_large.sequences = 24;
  const Run turkish{"bert-base", "v3-8", "tf1-f32", 16, 512, 75, 32000};
  const Run german{"bert-base", "v2-8", "tf1-f32", 128, 128, 20, 30000};
  const Run gpt2{"gpt2", "v3-128", "tf1-f32", 14, 1024, 1, 64000, lamb, 0};
  const Run gpt2_medium{"gpt2-medium", "v3-128", "tf1-f32", 9, 1024, 1, 64000, lamb, 0};
  const Order orders[] = {
      {without_dropout, albert, "google-research/albert, issue 198, and Lan et al. 2019: 835 and 922 ms"},
      {albert, half, "Lan et al. 2019 and google-research/albert, issue 198: 922 and 1,913 ms"},
      {half, larger, "google-research/albert, issue 198: 1,913 and 4,652 ms"},
      {small, base, "Electra for Cantonese: 53 and 570 ms"},
      {base, arabic, "Electra for Cantonese and AraELECTRA: 570 and 1,037 ms"},
      {mlperf_v4, mlperf_v4_large, "MLPerf training v0.7: 232 and 328 ms"},
      {mlperf_v4_large, mlperf_v3, "MLPerf training v0.7: 328 and 461 ms"},
      {turkish, base, "BERTurk and Electra for Cantonese: 302 and 570 ms"},
      {turkish, german, "BERTurk and German BERT: 302 and 926 ms"},
      {gpt2, gpt2_medium, "AraGPT2: 1,037 and 1,525 ms"},
  };
  for (const Order& order : orders) {
    INFO(order.source);
    CHECK(nn::estimate_training(job(order.faster)).step < nn::estimate_training(job(order.slower)).step);
  }
}
