/// The curves of a training run, for TensorBoard.
#pragma once

#include "progress.hpp"
import octet.standard;
import octet;

namespace program {

/// Writes each step and each evaluation to an event file. A disk that is full ends the curves, not the run.
class Curves {
 public:
  /// None where `directory` is empty. Throws X707 where there can be no file. `progress` is told what goes wrong later.
  Curves(const std::string& directory, Progress& progress);

  /// What there was of `step` and later ones is void: the run goes on with it.
  void start(std::int64_t step);
  void add(const octet::train::StepReport& report);
  void add(std::int64_t step, const octet::train::Evaluation& evaluation);

 private:
  void write(std::int64_t step, std::span<const octet::data::Scalar> scalars);
  void guarded(const std::function<void()>& write);

  Progress& progress_;
  std::optional<octet::data::EventWriter> events_;
};

}  // namespace program
