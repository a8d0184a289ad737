/// How exercises and attempts look, as text to print.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "attempt.hpp"
#include "course.hpp"
#include "progress.hpp"

namespace exercises {

/// Where text is shown.
struct Page {
  Language language = Language::en;
  std::size_t width = 80;
  bool colors = false;
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
/// What became of an attempt.
std::string outcome_of(const Page& page, const Attempt& attempt);
/// The first `count` hints.
std::string hints_of(const Page& page, const Exercise& exercise, int count);
/// The solution's path, and what to notice.
std::string lesson_of(const Page& page, const Course& course, const Exercise& exercise);
/// `[####------] 7/26`
std::string progress_bar(const Page& page, std::size_t solved, std::size_t count);
/// One exercise of a list.
std::string row_of(const Page& page, const Course& course, const Progress& progress, std::size_t exercise, bool marked);
/// A promise in the page's language.
std::string promise_text(const Page& page, const std::string& promise);

}  // namespace exercises
