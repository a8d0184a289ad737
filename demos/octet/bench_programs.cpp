
#include "bench_programs.hpp"
import octet.standard;

namespace program {

namespace {

namespace nn = octet::nn;
using octet::Array;
using octet::Tensor;
using octet::Values;
using State = nn::TrainingState<nn::Bert>;

constexpr StepSize sizes[] = {
    {"tiny 8x64", 2, 128, 2, 512, 2000, 8, 64},       {"tiny 32x128", 2, 128, 2, 512, 2000, 32, 128},
    {"mini 8x64", 4, 256, 4, 1024, 8000, 8, 64},      {"mini 32x128", 4, 256, 4, 1024, 8000, 32, 128},
    {"small 32x128", 4, 512, 8, 2048, 8000, 32, 128},
};

/// One training step; where `all` names groups of replicas, gradients are averaged over them.
struct Step {
  octet::ReplicaGroups all;
  std::pair<State, Array> operator()(const State& state, const nn::MaskedLanguageBatch& batch) const {
    auto [loss, gradients] = octet::value_and_grad([](const nn::Bert& model, const nn::MaskedLanguageBatch& examples) {
      const nn::SummedLoss guessed = nn::masked_language_loss(model, examples);
      return guessed.sum / octet::maximum(guessed.count, 1.0);
    })(state.model, batch);
    if (!all.empty()) gradients = octet::all_reduce_mean(gradients, all);
    const nn::AdamW optimizer{.schedule = {.peak = 1e-3, .warmup_steps = 100, .steps = 10'000}};
    return {nn::updated(optimizer, state, gradients), loss};
  }
};

/// A batch of random words: every position is decoded, and has a label in 15 of 100.
Values<nn::MaskedLanguageBatch> random_batch(const StepSize& size) {
  const octet::Shape shape{size.batch, size.seq};
  Tensor ids{octet::DType::i32, shape}, zeros{octet::DType::i32, shape}, positions{octet::DType::i32, shape},
      labels{octet::DType::i32, shape};
  octet::Hasher hasher;
  for (std::int64_t i = 0; i < size.tokens(); ++i) {
    const std::uint64_t bits = hasher.add(static_cast<std::uint64_t>(i)).value();
    const auto word = static_cast<std::int32_t>((bits >> 20) % static_cast<std::uint64_t>(size.vocabulary));
    const auto at = static_cast<std::size_t>(i);
    ids.mutable_span<std::int32_t>()[at] = word;
    positions.mutable_span<std::int32_t>()[at] = static_cast<std::int32_t>(i % size.seq);
    labels.mutable_span<std::int32_t>()[at] = bits % 100 < 15 ? word : -100;
  }
  return {nn::MaskedLanguageBatch{}, {ids, zeros, Tensor::full<std::int32_t>(shape, 1), positions, labels}};
}

octet::JitOptions step_options(const StepSize& size, octet::Precision precision, octet::Isa isa,
                               octet::Threads& threads) {
  octet::JitOptions options;
  options.compile.precision = precision;
  options.compile.isa = isa;
  options.argument_names = {"state", "batch"};
  options.donated = {"state"};
  options.threads = &threads;
  options.name = size.name;
  return options;
}

Values<nn::Bert> model_of(const StepSize& size) {
  const nn::Bert model = nn::bert({.vocabulary = size.vocabulary,
                                   .hidden = size.hidden,
                                   .layers = size.layers,
                                   .heads = size.heads,
                                   .intermediate = size.intermediate,
                                   .positions = size.seq});
  return nn::initialize(model, octet::Key::of_seed(1), nn::normal_initializer(0.02));
}

Values<State> first_state(const StepSize& size) { return nn::initial_state(model_of(size)); }

}  // namespace

double StepSize::operations() const {
  const double h = static_cast<double>(hidden), i = static_cast<double>(intermediate), l = static_cast<double>(layers);
  const double weights = l * (4 * h * h + 2 * h * i) + h * h + static_cast<double>(vocabulary) * h;
  return static_cast<double>(tokens()) * (6 * weights + 12 * static_cast<double>(seq) * h * l);
}

std::span<const StepSize> step_sizes() { return sizes; }

struct StepProgram::Run {
  octet::Jit<Step> step;
  Values<State> state;
  Values<nn::MaskedLanguageBatch> batch;
};

StepProgram::StepProgram(const StepSize& size, octet::Precision precision, octet::Isa isa, octet::Threads& threads)
    : run_{std::make_unique<Run>(Run{octet::jit(Step{}, step_options(size, precision, isa, threads)), first_state(size),
                                     random_batch(size)})} {}

StepProgram::~StepProgram() = default;

double StepProgram::step() {
  auto [state, loss] = run_->step(std::move(run_->state), run_->batch);
  run_->state = std::move(state);
  return loss.item();
}

double StepProgram::compile_milliseconds() const { return run_->step.statistics().compile_milliseconds; }

std::string StepProgram::text() const {
  octet::PrintOptions options;
  for (std::size_t i = 0; i < run_->state.tensors().size(); ++i) options.written_over[i] = i;
  return octet::to_string(run_->step.lower(run_->state, run_->batch), options);
}

std::vector<octet::KernelProfile> StepProgram::profile(int steps) {
  const octet::Executable program = run_->step.executable(run_->state, run_->batch);
  const auto& batch = run_->batch.tensors();
  std::vector<octet::KernelProfile> profile;
  for (int i = 0; i < steps; ++i) {
    std::vector<Tensor> arguments = std::move(run_->state.tensors());
    const std::size_t parts = arguments.size();
    arguments.insert(arguments.end(), batch.begin(), batch.end());
    std::vector<Tensor> results = program.run_profiled(std::move(arguments), *run_->step.options().threads, profile);
    results.resize(parts);  // the loss is behind the state
    run_->state.tensors() = std::move(results);
  }
  return profile;
}

std::vector<octet::UnfusedValue> StepProgram::unfused() const {
  return run_->step.executable(run_->state, run_->batch).unfused();
}

namespace {

/// Twice the last parameter of a model, a bias.
struct TwiceTheBias {
  Array operator()(const nn::Bert& model) const { return octet::arrays_of(model).back() * 2.0; }
};

}  // namespace

struct CallProgram::Run {
  octet::Jit<TwiceTheBias> function;
  Values<nn::Bert> model;
  octet::Threads& threads;
};

CallProgram::CallProgram(const StepSize& size, octet::Threads& threads)
    : run_{std::make_unique<Run>(Run{octet::jit(TwiceTheBias{}, {.argument_names = {"model"}, .threads = &threads}),
                                     model_of(size), threads})} {}

CallProgram::~CallProgram() = default;

std::size_t CallProgram::tensors() const { return run_->model.tensors().size(); }

void CallProgram::call() { run_->function(run_->model); }

std::vector<octet::KernelProfile> CallProgram::profile(int runs) {
  const octet::Executable program = run_->function.executable(run_->model);
  std::vector<octet::KernelProfile> profile;
  for (int i = 0; i < runs; ++i) program.run_profiled(run_->model.tensors(), run_->threads, profile);
  return profile;
}

struct ReplicaProgram::Run {
  octet::tpu::ReplicatedFunction<Step> step;
  octet::tpu::Replicated<Values<State>> state;
  octet::tpu::Replicated<Values<nn::MaskedLanguageBatch>> batches;
};

ReplicaProgram::ReplicaProgram(const StepSize& size, std::int64_t replicas, octet::Isa isa, octet::Threads& threads) {
  const octet::tpu::Slice slice = octet::tpu::slice("v3-" + std::to_string(replicas));
  run_ = std::make_unique<Run>(
      Run{octet::tpu::replicate(Step{slice.all()}, slice, step_options(size, octet::Precision::bf16, isa, threads)),
          octet::tpu::replicated(first_state(size), replicas),
          {}});
  for (std::int64_t r = 0; r < replicas; ++r) run_->batches.each.push_back(random_batch(size));
}

ReplicaProgram::~ReplicaProgram() = default;

void ReplicaProgram::step() { run_->state = std::get<0>(run_->step(std::move(run_->state), run_->batches)); }

}  // namespace program
