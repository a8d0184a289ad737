#include "watch.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <utility>
#include <vector>

#include "attempt.hpp"
#include "keys.hpp"
#include "process.hpp"
#include "terminal.hpp"

namespace exercises {

namespace {

void show(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}
void show_alone(const std::string& text) { show("\x1b[H\x1b[2J" + text); }

std::size_t rows() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 5 ? size.ws_row : 24;
}

class Watch {
 public:
  Watch(const Course& course, Progress& progress, const Page& page)
      : course_{course}, progress_{progress}, page_{page} {
    measure();
  }

  void run() {
    const RawTerminal raw;
    try_it();
    while (!interrupted()) {
      const int key = next_key(200);
      if (key == 'q' || key == end_of_input) return;
      if (key != no_key)
        press(key);
      else if (content_of(copy()) != seen_ || there_ != std::filesystem::exists(copy()))
        saved();
      else if (measure())
        draw();
    }
  }

 private:
  const Exercise& exercise() const { return course_.exercises[progress_.current()]; }
  std::filesystem::path copy() const { return progress_.copy(exercise()); }
  std::string say(Word which) const { return std::string{word(which, page_.language)}; }

  /// How large the terminal is by now; whether that has changed.
  bool measure() {
    const std::size_t width = std::exchange(page_.width, program::columns(program::Stream::output)),
                      height = std::exchange(rows_, rows());
    return width != page_.width || height != rows_;
  }

  /// What was said of the file before is not so any more.
  void saved() {
    note_.clear();
    try_it();
  }

  void press(int key) {
    note_.clear();
    switch (key) {
      case 'n':
        return next();
      case 'h':
        if (hints_ == 3) note_ = say(Word::no_more_hints);
        hints_ = std::min(hints_ + 1, 3);
        break;
      case 'l':
        return list();
      case 'r':
        return try_it();
      case 'x':
        return reset();
      case 'c':
        return check_all();
      case 'm':
        all_messages_ = !all_messages_;
        break;
      default:
        break;
    }
    draw();
  }

  void go_to(std::size_t exercise) {
    progress_.go_to(exercise);
    hints_ = 0;
    try_it();
  }

  void next() {
    if (!attempt_.passed()) {
      note_ = say(Word::solve_first);
    } else if (const std::size_t pending = progress_.next_pending(); pending < course_.exercises.size()) {
      return go_to(pending);
    }
    draw();
  }

  /// Whether the learner agrees to lose what was written.
  bool may_reset(const Exercise& which) const {
    const std::string kept = progress_.before_reset(which).filename().string();
    show("\n" + page_.bold(wrapped(page_, word(Word::ask_reset, page_.language, kept))) + "y " + say(Word::yes_key) +
         ", " + say(Word::other_key) + " ");
    int key = no_key;
    while (key == no_key && !interrupted()) key = next_key(200);
    return key == 'y';
  }

  void reset() {
    if (!std::filesystem::exists(copy()) || may_reset(exercise())) {
      const bool kept = progress_.reset(exercise());
      hints_ = 0;
      note_ = say(Word::was_reset);
      if (kept) note_ += " " + word(Word::kept_before, page_.language, shown(progress_.before_reset(exercise())));
      return try_it();
    }
    draw();
  }

  void try_it() {
    there_ = std::filesystem::exists(copy());
    seen_ = content_of(copy());
    all_messages_ = false;
    show_alone(head() + "\n" + page_.dim(say(Word::building)) + "\n");
    attempt_ = attempt_copy(exercise().name, copy());
    if (interrupted()) return;
    progress_.set_solved(exercise(), attempt_.passed());
    draw();
  }

  /// Every copy anew: what was solved may be so no more.
  void check_all() {
    for (std::size_t i = 0; i < course_.exercises.size() && !interrupted(); ++i) {
      const Exercise& each = course_.exercises[i];
      show_alone(progress_bar(page_, i, course_.exercises.size()) + page_.dim(say(Word::building)) + " " + each.name +
                 "\n");
      const bool before = progress_.solved(each), now = attempt_copy(each.name, progress_.copy(each)).passed();
      if (interrupted()) return;
      if (before && !now) note_ += (note_.empty() ? say(Word::checked_all) + ": " : ", ") + each.name;
      progress_.set_solved(each, now);
    }
    try_it();
  }

  std::string head() const {
    const bool beginning = progress_.solved_count() == 0 && progress_.current() == 0;
    return (beginning ? wrapped(page_, say(Word::welcome)) + "\n" : "") +
           task_of(page_, course_, progress_.current(), shown(copy()));
  }

  /// All messages, or the first of them where the page would be longer than the terminal.
  void draw() {
    measure();
    const std::string whole = text(true);
    show_alone(all_messages_ || lines_of(whole) <= rows_ ? whole : text(false));
  }

  std::size_t lines_of(const std::string& text) const {
    std::size_t count = 0;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);)
      count += std::max<std::size_t>(1, (width_shown(line) + page_.width - 1) / page_.width);
    return count;
  }

  std::string text(bool all_messages) const {
    std::string text = head() + "\n" + outcome_of(page_, attempt_, all_messages);
    if (hints_ > 0) text += "\n" + hints_of(page_, exercise(), hints_);
    const std::size_t solved = progress_.solved_count(), count = course_.exercises.size();
    if (attempt_.passed()) {
      text += "\n" + page_.green(say(Word::solved)) + "\n" + lesson_of(page_, course_, exercise());
      if (solved == count) text += "\n" + page_.bold(wrapped(page_, say(Word::all_solved)));
    }
    text += "\n" + progress_bar(page_, solved, count);
    if (!note_.empty()) text += wrapped(page_, note_);
    std::vector<std::string> keys;
    const auto add = [&](const char* name, Word what) { keys.push_back(page_.bold(name) + ":" + say(what)); };
    if (attempt_.passed() && solved < count) add("n", Word::next_key);
    add("h", Word::hint_key);
    add("l", Word::list_key);
    add("r", Word::run_key);
    add("c", Word::check_key);
    add("x", Word::reset_key);
    add("q", Word::quit_key);
    return text + joined(page_, keys, " / ") + " ";
  }

  void list() {
    std::size_t at = progress_.current();
    const std::size_t count = course_.exercises.size();
    while (!interrupted()) {
      measure();
      const std::string keys = wrapped(page_, say(Word::list_keys));
      const std::size_t taken = static_cast<std::size_t>(std::ranges::count(keys, '\n')) + 3;
      const std::size_t room = rows_ - std::min(taken, rows_ - 1), first = at < room ? 0 : at - room + 1;
      std::string text =
          page_.bold(say(Word::list_title)) + "\n" + progress_bar(page_, progress_.solved_count(), count);
      for (std::size_t i = first; i < std::min(count, first + room); ++i)
        text += row_of(page_, course_, progress_, i, i == at);
      show_alone(text + page_.dim(keys));
      switch (next_key(1000)) {
        case 'j':
        case arrow_down:
          at = std::min(at + 1, count - 1);
          break;
        case 'k':
        case arrow_up:
          at -= at > 0;
          break;
        case 'g':
          at = 0;
          break;
        case 'G':
          at = count - 1;
          break;
        case 'x':
          if (may_reset(course_.exercises[at])) progress_.reset(course_.exercises[at]);
          break;
        case 'c':
        case '\n':
          return go_to(at);
        case 'q':
        case 'l':
        case end_of_input:
          return content_of(copy()) == seen_ && progress_.solved(exercise()) == attempt_.passed() ? draw() : try_it();
        default:
          break;
      }
    }
  }

  const Course& course_;
  Progress& progress_;
  Page page_;
  std::size_t rows_ = 24;
  Attempt attempt_;
  bool there_ = false, all_messages_ = false;
  std::string seen_, note_;
  int hints_ = 0;
};

}  // namespace

void watch(const Course& course, Progress& progress, const Page& page) {
  Watch{course, progress, page}.run();
  show("\n");
}

bool pass_once(const Course& course, Progress& progress, const Page& page, int hints) {
  const std::size_t at = progress.current(), count = course.exercises.size();
  const Exercise& exercise = course.exercises[at];
  show(task_of(page, course, at, shown(progress.copy(exercise))) + "\n");
  const Attempt attempt = attempt_copy(exercise.name, progress.copy(exercise));
  if (interrupted()) return false;
  progress.set_solved(exercise, attempt.passed());
  show(outcome_of(page, attempt));
  if (hints > 0) show("\n" + hints_of(page, exercise, hints));
  if (attempt.passed()) {
    show("\n" + std::string{word(Word::solved, page.language)} + "\n" + lesson_of(page, course, exercise));
    if (progress.next_pending() < count)
      progress.go_to(progress.next_pending());
    else
      show("\n" + wrapped(page, std::string{word(Word::all_solved, page.language)}));
  }
  show("\n" + progress_bar(page, progress.solved_count(), count));
  return attempt.passed();
}

}  // namespace exercises
