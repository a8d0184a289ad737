/// What the learner has: a copy of each exercise to write in, and which are solved.
#pragma once
#include <filesystem>
#include <set>
#include <string>

#include "course.hpp"

namespace exercises {

/// A folder with NAME.cpp for each exercise and a file `.progress`.
class Progress {
 public:
  /// Makes the folder and the copies that are missing; never touches one that is there. Throws
  /// std::filesystem::filesystem_error.
  Progress(const Course& course, std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path copy(const Exercise& exercise) const { return folder_ / (exercise.name + ".cpp"); }

  bool solved(const Exercise& exercise) const { return solved_.contains(exercise.name); }
  std::size_t solved_count() const;
  void set_solved(const Exercise& exercise, bool solved);
  /// Puts the copy back to what is shipped, and forgets that it was solved. What the learner wrote is kept: returns
  /// whether there was anything.
  bool reset(const Exercise& exercise);
  std::filesystem::path before_reset(const Exercise& exercise) const {
    return folder_ / (exercise.name + ".cpp.before-reset");
  }

  /// The exercise that the learner is at.
  std::size_t current() const { return current_; }
  void go_to(std::size_t exercise);
  /// The first exercise that is not solved, looking from the one after the current and then from the beginning; the
  /// number of exercises where all are solved.
  std::size_t next_pending() const;

 private:
  /// What is solved, as the last runner has written it: there may be more than this one.
  void read();
  void save() const;

  const Course& course_;
  std::filesystem::path folder_;
  std::set<std::string> solved_;
  std::string saved_current_ = {};
  std::size_t current_ = 0;
};

}  // namespace exercises
