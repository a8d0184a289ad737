#include "curves.hpp"
#include "second_loss.hpp"

namespace program {

Curves::Curves(const std::string& directory, Progress& progress) : progress_{progress} {
  if (!directory.empty()) events_.emplace(directory);
}

void Curves::start(std::int64_t step) {
  guarded([&] { events_->start(step); });
}

void Curves::add(const octet::train::StepReport& report) {
  std::vector<octet::data::Scalar> scalars{
      {"train/loss", report.loss},
      {"train/learning_rate", report.learning_rate},
      {"train/tokens_per_second", static_cast<double>(report.tokens) / report.milliseconds * 1e3},
      {"train/data_wait_share", report.input_milliseconds / report.milliseconds}};
  for (const Figure& figure : second_figures(report))
    scalars.push_back({std::string{"train/"} + figure.name, figure.value});
  write(report.step, scalars);
}

void Curves::add(std::int64_t step, const octet::train::Evaluation& evaluation) {
  std::vector<octet::data::Scalar> scalars{{"eval/loss", evaluation.loss}};
  for (const Figure& figure : second_figures(evaluation))
    if (figure.drawn && !std::isnan(figure.value))
      scalars.push_back({std::string{"eval/"} + figure.name, figure.value});
  write(step, scalars);
}

void Curves::write(std::int64_t step, std::span<const octet::data::Scalar> scalars) {
  guarded([&] { events_->write(step, scalars); });
}

void Curves::guarded(const std::function<void()>& write) {
  if (!events_) return;
  try {
    write();
  } catch (const octet::Error& error) {
    events_.reset();
    progress_.note(std::string{error.what()} + "\nThe run goes on without its curves.");
  }
}

}  // namespace program
