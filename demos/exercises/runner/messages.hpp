/// What a compiler and a linker said, as a learner wants to read it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace exercises {

struct Messages {
  /// Each fault at its line of the learner's file, with the lines that show the place: refusals first. The same mistake
  /// in one line is told once.
  std::vector<std::string> faults = {};
  /// The functions that are called and are not there, as a learner writes them.
  std::vector<std::string> missing = {};
  bool empty() const { return faults.empty() && missing.empty(); }
};

/// Those in `output`, without what the build said around them. `source` is the learner's file as messages name it once
/// paths have lost `root`.
Messages messages_of(const std::string& output, const std::string& source, const std::string& root);

/// `text` without each `part`.
std::string without(std::string text, const std::string& part);

}  // namespace exercises
