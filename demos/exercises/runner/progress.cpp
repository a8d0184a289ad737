#include "progress.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "lock.hpp"

namespace exercises {

namespace fs = std::filesystem;

Progress::Progress(const Course& course, fs::path folder) : course_{course}, folder_{std::move(folder)} {
  fs::create_directories(folder_);
  {
    const Lock alone{folder_};
    for (const Exercise& exercise : course.exercises)
      fs::copy_file(course.shipped(exercise), copy(exercise), fs::copy_options::skip_existing);
  }
  read();
  if (const std::size_t at = course.find(saved_current_); at < course.exercises.size()) current_ = at;
}

void Progress::read() {
  solved_.clear();
  std::istringstream lines{content_of(folder_ / ".progress")};
  for (std::string what, name; lines >> what >> name;) {
    if (course_.find(name) == course_.exercises.size()) continue;  // of an exercise that is no more
    if (what == "solved") solved_.insert(name);
    if (what == "current") saved_current_ = name;
  }
}

std::size_t Progress::solved_count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(course_.exercises, [&](const Exercise& e) { return solved(e); }));
}

void Progress::set_solved(const Exercise& exercise, bool solved) {
  const Lock alone{folder_};
  read();
  if (solved)
    solved_.insert(exercise.name);
  else
    solved_.erase(exercise.name);
  save();
}

bool Progress::reset(const Exercise& exercise) {
  const std::string written = content_of(copy(exercise));
  const bool folder = fs::is_directory(copy(exercise));
  const bool keeps = folder || (!written.empty() && written != content_of(course_.shipped(exercise)));
  if (keeps) fs::remove_all(before_reset(exercise));  // a folder does not take a file's place
  if (keeps) fs::rename(copy(exercise), before_reset(exercise));
  fs::copy_file(course_.shipped(exercise), copy(exercise), fs::copy_options::overwrite_existing);
  set_solved(exercise, false);
  return keeps;
}

void Progress::go_to(std::size_t exercise) {
  const Lock alone{folder_};
  read();
  current_ = exercise;
  save();
}

std::size_t Progress::next_pending() const {
  const std::size_t count = course_.exercises.size();
  for (std::size_t step = 1; step <= count; ++step)
    if (const std::size_t at = (current_ + step) % count; !solved(course_.exercises[at])) return at;
  return count;
}

void Progress::save() const {
  const fs::path file = folder_ / ".progress", beside = folder_ / ".progress.new";
  {
    std::ofstream out{beside};
    out << "current " << course_.exercises[current_].name << "\n";
    for (const std::string& name : solved_) out << "solved " << name << "\n";
  }
  fs::rename(beside, file);
}

}  // namespace exercises
