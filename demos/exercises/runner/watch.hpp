/// The screen that a learner has beside the editor.
#pragma once
#include "course.hpp"
#include "progress.hpp"
#include "view.hpp"

namespace exercises {

/// Shows the current exercise, checks it whenever its file is saved, and does what keys ask for, until q. For a
/// terminal.
void watch(const Course& course, Progress& progress, const Page& page);
/// One pass over the current exercise, printed plainly with so many hints; where it is solved, the next one becomes
/// current. Returns whether it is.
bool pass_once(const Course& course, Progress& progress, const Page& page, int hints);

}  // namespace exercises
