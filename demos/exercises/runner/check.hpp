/// The proof that the exercises are sound.
#pragma once
#include "course.hpp"

namespace exercises {

/// Builds and runs each exercise as shipped, which must fail as its texts promise, and its solution, which must pass.
/// Prints a line for each, what is wrong, and how many there are; returns the exit status.
int check_course(const Course& course);

}  // namespace exercises
