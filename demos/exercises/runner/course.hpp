/// The exercises as they are shipped, with their texts.
///
/// texts.txt begins with one or more lines `promise: …`: a part of the message, or a fact, `kind | what | measured |
/// relation | wanted` or the beginning of one, with which the exercise fails as shipped. Then, under [en], [ko] and
/// [ja], come `title:`, `task:`, `hint 1:` to `hint 3:` and `notice:`. A text goes on until the next of these; a blank
/// line parts paragraphs, and lines that begin with four blanks stay as they are.
#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "words.hpp"

namespace exercises {

struct Texts {
  std::string title = {}, task = {}, hints[3] = {}, notice = {};
};

struct Exercise {
  std::string name;
  std::vector<std::string> promises = {};
  std::array<Texts, languages.size()> texts = {};
  const Texts& in(Language language) const { return texts[static_cast<std::size_t>(language)]; }
};

struct Course {
  std::filesystem::path folder;  ///< with a folder for each exercise
  std::vector<Exercise> exercises = {};
  std::vector<std::string> faults = {};  ///< of the texts: what is missing or malformed, in which file

  std::filesystem::path shipped(const Exercise& exercise) const { return folder / exercise.name / "exercise.cpp"; }
  std::filesystem::path solution(const Exercise& exercise) const { return folder / exercise.name / "solution.cpp"; }
  /// The position of the exercise called so; their number where there is none.
  std::size_t find(const std::string& name) const;
  /// The same for what a learner may write: the name, its file's, whatever the folder, or its number in the list.
  std::size_t find_as_written(const std::string& text) const;
  /// The name most like it; empty where none is.
  std::string nearest(const std::string& text) const;
};

Course read_course(const std::filesystem::path& folder);

/// The whole file; empty where it cannot be read.
std::string content_of(const std::filesystem::path& path);

}  // namespace exercises
