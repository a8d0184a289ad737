// Before a TPU is rented: would this program run there, what would it take, and what does bf16 do to it?
#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import octet;
using namespace octet;

struct Regression {
  nn::Linear hidden, out;
  Array operator()(Array x) const { return out(gelu(hidden(x))); }
};
using State = nn::TrainingState<Regression>;
struct Batch {
  Array x, y;  // [n, 100], [n, 1]
};

const nn::AdamW optimizer{.schedule = {.peak = 1e-4, .steps = 1000}};

struct Step {
  ReplicaGroups all;
  std::pair<State, Array> operator()(const State& state, const Batch& batch) const {
    const auto loss = [](const Regression& model, const Batch& of) { return mean(square(model(of.x) - of.y)); };
    auto [value, gradients] = value_and_grad(loss)(state.model, batch);
    return {nn::updated(optimizer, state, all_reduce_mean(gradients, all)), value};
  }
};

Values<Batch> batch(std::int64_t n) {
  return {Batch{}, {Tensor::full<float>({n, 100}, 0.5f), Tensor::full<float>({n, 1}, 1.0f)}};
}

int main() {
  const tpu::Slice slice = tpu::slice("v3-8");
  const Step step{slice.all()};
  const Values<State> state = nn::initial_state(nn::initialize(Regression{nn::linear(100, 300), nn::linear(300, 1)},
                                                               Key::of_seed(1), nn::normal_initializer(0.05)));

  // The readiness checklist, on the calls that training will make: here the last batch of an epoch is a smaller one.
  const auto call = [&](std::int64_t n) {
    return std::tuple{tpu::replicated(state, slice.replicas), tpu::sharded(batch(n))};
  };
  const Readiness readiness =
      check(step, std::vector{call(64), call(60)}, slice,
            {.jit = {.argument_names = {"state", "batch"}, .donated = {"state"}, .name = "step"}});
  std::printf("%s\n", readiness.summary().c_str());
  for (const CheckLine& line : readiness.lines)
    if (line.verdict == Verdict::warn || line.verdict == Verdict::fail)
      std::printf("%s: %s\n  %s\n", std::string{line.id}.c_str(), line.finding.c_str(),
                  line.cure.empty() ? "" : line.cure[0].c_str());

  // One replica's program, priced operation by operation, each all_reduce by itself: what takes the time, and which
  // dimension is filled up.
  const Graph program = jit(step).lower(state, batch(8));
  const tpu::ProgramEstimate run = tpu::estimate(optimize(program), slice);
  std::printf("a step: %.0f microseconds, %.1f MB; longest: %s\n", 1e6 * run.seconds, run.memory.peak / 1e6,
              run.operations.front().description.c_str());

  // Were the weights kept in bf16, an update smaller than half a last place would vanish.
  Threads threads{2};
  const auto train = tpu::replicate(step, slice, {.argument_names = {"state", "batch"}, .threads = &threads});
  const auto after = train(tpu::replicated(state, slice.replicas), tpu::sharded(batch(64))).first;
  tpu::PrecisionReport report;
  tpu::note_step(report, state.names(), state.tensors(), after[0].tensors());
  for (const tpu::TensorPrecision& weight : report.state)
    if (weight.name == "model.hidden.weight")
      std::printf("of %.0f updates of %s, %.0f %% would vanish in bf16\n", weight.changed, weight.name.c_str(),
                  100 * weight.vanished_share());
}

// clang-format off: what this program prints
// step on v3-8: not ready. 1 fail, 2 warn, 9 pass, 3 not judged.
// batch: 'batch.x' is f32[60, 100], which cannot be split into 8 equal shares along its leading axis.
//   make the batch 64, filled up with examples of weight zero
// matrix_unit: In dot_general [100, 8] x [8, 300], k = 8 costs what 128 would: 71 % of the matrix unit's work is padding there.
//   make k = 128: 120 more for the same work of the matrix unit
// time: A step takes about 50.4 µs on v3-8, and 76 % of it goes into beginning operations: they are too small.
//   give each replica a larger batch, until operations take longer than they take to begin
// a step: 68 microseconds, 1.0 MB; longest: all_reduce f32[100, 300]
// of 30000 updates of model.hidden.weight, 99 % would vanish in bf16
