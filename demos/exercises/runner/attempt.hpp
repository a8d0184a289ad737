/// Building one exercise and grading it.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "messages.hpp"
#include "output.hpp"

namespace exercises {

/// What a check measured; see facts.cppm.
struct Fact {
  bool holds = false;
  std::string kind, what, measured, relation, wanted;
  /// As a promise is written: `kind | what | measured | relation | wanted`.
  std::string text() const;
};

struct Attempt {
  enum class End { passed, gone, no_text, not_built, refused, threw, failed, too_long, too_large, signalled, ended };
  End end = End::not_built;
  int number = 0;  ///< of the signal, or the exit status
  std::vector<Fact> facts = {};
  Messages messages = {};                  ///< the compiler's; warnings too: they often name what is wrong
  std::vector<std::string> refusals = {};  ///< what the program ended with: the library's messages, or an exception
  Output printed = {};  ///< what it printed beside; what the build said where it failed and no message tells why
  bool passed() const { return end == End::passed; }
  /// Whether it failed as `promise` says.
  bool keeps(std::string_view promise) const;
};

/// Builds the target `exercise_<name><suffix>` and runs it. `source` is its file, as it is shown; messages about other
/// files are told at its line that led there.
Attempt attempt(const std::string& name, const std::string& suffix, const std::string& source);
/// The same for a learner's copy, wherever it is.
Attempt attempt_copy(const std::string& name, const std::filesystem::path& copy);
/// A path as it is shown: below the project's folder where it lies there.
std::string shown(const std::filesystem::path& path);
/// Builds targets, whatever becomes of each: to have the work done at once.
void build_all(const std::vector<std::string>& targets);

}  // namespace exercises
