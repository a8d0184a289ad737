/// The progress of a training run on standard error: one line redrawn in place on a terminal, a line now and then
/// elsewhere.
#pragma once
import octet.standard;

namespace program {

/// What is shown after a step.
struct ProgressStep {
  long long step = 0;
  double loss = 0;
  double tokens = 0;
  double seconds = 0;
};

class Progress {
 public:
  enum class Style { bar, lines, silent };

  /// `steps` in all; the first one shown will be `done` + 1.
  Progress(Style style, long long steps, long long done = 0);
  /// Clears what is drawn.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What is being done before the first step.
  void status(const std::string& what);
  void step(const ProgressStep& step);
  void held_out(double loss);
  /// A line that stays.
  void note(const std::string& line);
  /// Leaves the last line standing; what follows begins on a line of its own.
  void finish();
  void set_steps(long long steps, long long done);

 private:
  using Clock = std::chrono::steady_clock;
  std::string line(std::size_t width) const;
  void draw(const std::string& line);
  void clear();

  Style style_;
  bool unicode_;
  bool drawn_ = false;
  long long steps_, first_;
  ProgressStep last_{};
  double smoothed_loss_ = 0;
  double seconds_per_step_ = 0, tokens_per_second_ = 0;
  std::optional<double> held_out_;
  Clock::time_point last_shown_{}, last_step_{};
};

/// A bar on a terminal, lines elsewhere; silent where JSON lines tell the same.
Progress::Style progress_style(bool json);

}  // namespace program
