/// How exercises and attempts look, as text to print.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "attempt.hpp"
#include "course.hpp"
#include "progress.hpp"

namespace exercises {

/// Where text is shown.
struct Page {
  Language language = Language::en;
  std::size_t width = 80;
  bool colors = false;
  bool terminal = false;  ///< which breaks lines that are too long anywhere
  std::string bold(std::string_view text) const;
  std::string green(std::string_view text) const;
  std::string red(std::string_view text) const;
  std::string dim(std::string_view text) const;
};

/// Paragraphs filled up to the page's width. Japanese is broken anywhere but before closing punctuation, the others at
/// blanks; lines that begin with four blanks stay as they are.
std::string wrapped(const Page& page, const std::string& text);

/// Number, title, file and task, and how it fails as shipped.
std::string task_of(const Page& page, const Course& course, std::size_t exercise, const std::string& file);
/// What became of an attempt: with the compiler's messages, or the first of them and how many more there are.
std::string outcome_of(const Page& page, const Attempt& attempt, bool all = true);
/// The first `count` hints.
std::string hints_of(const Page& page, const Exercise& exercise, int count);
/// The solution's path, and what to notice.
std::string lesson_of(const Page& page, const Course& course, const Exercise& exercise);
/// `[####------] 7/26`
std::string progress_bar(const Page& page, std::size_t solved, std::size_t count);
/// Columns that a line takes, whatever its colours.
std::size_t width_shown(const std::string& line);
/// Parts on one line, or more where they do not fit; none is broken.
std::string joined(const Page& page, const std::vector<std::string>& parts, std::string_view between);
/// One exercise of a list.
std::string row_of(const Page& page, const Course& course, const Progress& progress, std::size_t exercise, bool marked);
/// A promise in the page's language.
std::string promise_text(const Page& page, const std::string& promise);

}  // namespace exercises
