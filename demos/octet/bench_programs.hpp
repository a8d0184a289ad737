/// What `octet bench` measures: training steps of BERT in named sizes. Imports octet: include it after all other
/// headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// A BERT and a batch, `mini 8x64`: batch 8, sequences of 64.
struct StepSize {
  const char* name;
  std::int64_t layers, hidden, heads, intermediate, vocabulary, batch, seq;

  std::int64_t tokens() const { return batch * seq; }
  /// Operations of the products of one training step, the decoder over all positions: 2 for each multiply-add, and the
  /// backward pass twice the forward one. The usual count; nothing else of a step is in it.
  double operations() const;
};

std::span<const StepSize> step_sizes();

/// One training step of a StepSize on one replica: forward, backward, clipping by the global norm and AdamW. All
/// positions are decoded and 15 % of them count, as in the scripts people compare with.
class StepProgram {
 public:
  StepProgram(const StepSize& size, octet::Precision precision, octet::Isa isa, octet::Threads& threads);
  ~StepProgram();
  /// Takes one step and returns its loss.
  double step();
  double compile_milliseconds() const;
  /// The step as StableHLO text: state and batch in, the state after it and the loss out.
  std::string text() const;
  /// Takes `steps` more, and tells where the time went.
  std::vector<octet::KernelProfile> profile(int steps);
  /// What passes through memory between the kernels of a step.
  std::vector<octet::UnfusedValue> unfused() const;

 private:
  struct Run;
  std::unique_ptr<Run> run_;
};

/// The same step on so many replicas of a v3 slice: each has a batch of the size's, and gradients are averaged over
/// all.
class ReplicaProgram {
 public:
  ReplicaProgram(const StepSize& size, std::int64_t replicas, octet::Isa isa, octet::Threads& threads);
  ~ReplicaProgram();
  void step();

 private:
  struct Run;
  std::unique_ptr<Run> run_;
};

/// A function that takes a model of a size and computes little: what a call costs whose program is known.
class CallProgram {
 public:
  CallProgram(const StepSize& size, octet::Threads& threads);
  ~CallProgram();
  /// How many tensors it takes.
  std::size_t tensors() const;
  void call();
  /// Runs the program so many times without a call, and tells what its kernels took.
  std::vector<octet::KernelProfile> profile(int runs);

 private:
  struct Run;
  std::unique_ptr<Run> run_;
};

}  // namespace program
