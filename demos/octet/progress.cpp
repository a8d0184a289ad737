#include "progress.hpp"

#include <cstdio>

#include "output.hpp"
#include "terminal.hpp"
import octet.standard;

namespace program {

namespace {

constexpr auto between_drawings = std::chrono::milliseconds{100};
constexpr auto between_lines = std::chrono::seconds{10};

/// Follows the newest of some twenty values; the first ones count fully.
double followed(double average, double newest, long long count) {
  const double weight = std::max(1.0 / static_cast<double>(count), 0.05);
  return average + weight * (newest - average);
}

std::string rate(double per_second) {
  if (per_second < 9999.5) return fixed(per_second, 0);
  if (per_second < 999'950) return fixed(per_second / 1e3, 1) + "k";
  return fixed(per_second / 1e6, 1) + "M";
}

}  // namespace

Progress::Progress(Style style, long long steps, long long done)
    : style_{style}, unicode_{shows_unicode()}, steps_{steps}, first_{done} {}

Progress::~Progress() { clear(); }

void Progress::set_steps(long long steps, long long done) {
  steps_ = steps;
  first_ = done;
}

void Progress::clear() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

void Progress::finish() {
  if (drawn_) std::fputc('\n', stderr);
  drawn_ = false;
}

void Progress::draw(const std::string& line) {
  std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::status(const std::string& what) {
  if (style_ == Style::bar)
    draw(fitted(what, columns(Stream::error) - 1));
  else if (style_ == Style::lines)
    std::fprintf(stderr, "%s\n", what.c_str());
}

void Progress::note(const std::string& line) {
  clear();
  std::fprintf(stderr, "%s\n", line.c_str());
  if (style_ == Style::bar && last_.step) draw(this->line(columns(Stream::error) - 1));
}

void Progress::held_out(double loss) { held_out_ = loss; }

void Progress::step(const ProgressStep& step) {
  last_ = step;
  const auto now = Clock::now();
  const long long count = step.step - first_;
  // The time between two steps counts, so that evaluating and saving are in the time left; the first step compiles.
  const double seconds = count > 1 ? std::chrono::duration<double>(now - last_step_).count() : step.seconds;
  last_step_ = now;
  smoothed_loss_ = followed(smoothed_loss_, step.loss, count);
  seconds_per_step_ = count == 2 ? seconds : followed(seconds_per_step_, seconds, count);
  tokens_per_second_ = step.tokens / step.seconds;

  const bool ends = step.step == steps_;
  const auto pause = style_ == Style::bar ? Clock::duration{between_drawings} : Clock::duration{between_lines};
  if (style_ == Style::silent || (count > 1 && !ends && now - last_shown_ < pause)) return;
  last_shown_ = now;
  if (style_ == Style::bar)
    draw(line(columns(Stream::error) - 1));
  else
    std::fprintf(stderr, "%s\n", line(0).c_str());
}

std::string Progress::line(std::size_t width) const {
  const std::string counted = std::to_string(last_.step) + "/" + std::to_string(steps_);
  // What is shown, the most important first; what has no room on the line is left out.
  std::vector<std::string> parts{"step " + counted, "loss " + fixed(smoothed_loss_, 3)};
  if (held_out_) parts.push_back("held out " + fixed(*held_out_, 3));
  if (const long long left = steps_ - last_.step; left > 0 && last_.step - first_ > 1)
    parts.push_back(duration(seconds_per_step_ * static_cast<double>(left)) + " left");
  parts.push_back(rate(tokens_per_second_) + " tokens/s");
  std::string text;
  for (const std::string& part : parts) {
    if (width && display_width(text) + 2 + part.size() > width) break;
    text += (text.empty() ? "" : "  ") + part;
  }
  if (!width) return text;
  constexpr std::size_t least_bar = 10, most_bar = 40;
  const std::size_t taken = display_width(text) + 4;
  if (width < taken + least_bar) return fitted(text, width);
  const std::size_t room = std::min(width - taken, most_bar);
  const double share = static_cast<double>(last_.step) / static_cast<double>(std::max(steps_, 1LL));
  return (unicode_ ? "▕" : "[") + bar(share, room, unicode_) + (unicode_ ? "▏ " : "] ") + text;
}

Progress::Style progress_style(bool json) {
  if (!can_redraw(Stream::error)) return json ? Progress::Style::silent : Progress::Style::lines;
  return json && is_terminal(Stream::output) ? Progress::Style::silent : Progress::Style::bar;
}

}  // namespace program
