#include "check.hpp"

#include <algorithm>
#include <cstdio>

#include "attempt.hpp"
#include "process.hpp"
#include "view.hpp"

namespace exercises {

namespace {

constexpr std::ptrdiff_t most_lines = 50;

/// What is wrong with an exercise; nothing where it is sound.
std::string fault_of(const Course& course, const Exercise& exercise) {
  const Page plain{.width = 120};
  const auto lines = std::ranges::count(content_of(course.shipped(exercise)), '\n');
  if (lines == 0 || lines > most_lines) return "exercise.cpp has " + std::to_string(lines) + " lines\n";
  const Attempt before = attempt(exercise.name, "_shipped", shown(course.shipped(exercise)));
  if (before.passed()) return "it passes as shipped\n" + outcome_of(plain, before);
  for (const std::string& promise : exercise.promises)
    if (!before.keeps(promise))
      return "as shipped it does not fail as promised: " + promise + "\n" + outcome_of(plain, before);
  const Attempt after = attempt(exercise.name, "_solution", shown(course.solution(exercise)));
  if (!after.passed()) return "its solution does not pass\n" + outcome_of(plain, after);
  return {};
}

}  // namespace

int check_course(const Course& course) {
  for (const std::string& fault : course.faults) std::printf("%s\n", fault.c_str());
  build_all({"exercises_shipped", "exercises_solutions"});
  std::size_t sound = 0;
  for (const Exercise& exercise : course.exercises) {
    if (interrupted()) return 1;
    const std::string fault = fault_of(course, exercise);
    if (fault.empty()) ++sound;
    std::printf("%s  %s%s%s", fault.empty() ? "ok" : "no", exercise.name.c_str(), fault.empty() ? "\n" : ": ",
                fault.c_str());
    std::fflush(stdout);
  }
  std::printf(
      "%zu of %zu exercises fail as shipped with the message their texts promise, and pass when mended as their "
      "solutions are; ",
      sound, course.exercises.size());
  std::printf("%zu texts are missing or malformed.\n", course.faults.size());
  return sound == course.exercises.size() && course.faults.empty() ? 0 : 1;
}

}  // namespace exercises
