#include "course.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace exercises {

namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of("\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \n") + 1 - begin);
}

std::string* field(Texts& texts, const std::string& key) {
  if (key == "title") return &texts.title;
  if (key == "task") return &texts.task;
  if (key == "hint 1") return &texts.hints[0];
  if (key == "hint 2") return &texts.hints[1];
  if (key == "hint 3") return &texts.hints[2];
  if (key == "notice") return &texts.notice;
  return nullptr;
}

Exercise read_exercise(const std::string& name, const std::filesystem::path& file, std::vector<std::string>& faults) {
  Exercise exercise{.name = name};
  const auto fault = [&](const std::string& what) { faults.push_back(file.string() + ": " + what); };
  std::istringstream lines{content_of(file)};
  Texts* texts = nullptr;
  std::string* open = nullptr;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with('[') && line.ends_with(']')) {
      const auto language = language_named(line.substr(1, line.size() - 2));
      if (!language) fault("no language is called " + line);
      texts = language ? &exercise.texts[static_cast<std::size_t>(*language)] : nullptr;
      open = nullptr;
    } else if (!texts && line.starts_with("promise: ")) {
      exercise.promises.push_back(line.substr(9));
    } else if (std::string* next = texts && colon != line.npos ? field(*texts, line.substr(0, colon)) : nullptr) {
      if (!next->empty()) fault("a second '" + line.substr(0, colon) + "'");
      open = next;
      *open = line.substr(std::min(colon + 2, line.size()));
    } else if (open) {
      *open += "\n" + line;
    } else if (!line.empty()) {
      fault("belongs to nothing: " + line);
    }
  }
  if (exercise.promises.empty()) fault("no promise");
  for (const Language language : languages) {
    Texts& own = exercise.texts[static_cast<std::size_t>(language)];
    for (const char* key : {"title", "task", "hint 1", "hint 2", "hint 3", "notice"}) {
      std::string& text = *field(own, key);
      text = trimmed(text);
      if (text.empty()) fault("[" + std::string{exercises::name(language)} + "] has no '" + key + "'");
    }
  }
  return exercise;
}

}  // namespace

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::size_t Course::find(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::find(exercises, name, &Exercise::name) - exercises.begin());
}

Course read_course(const std::filesystem::path& folder) {
  Course course{.folder = folder};
  std::istringstream order{content_of(folder / "order.txt")};
  for (std::string name; std::getline(order, name);)
    if (!name.empty() && name[0] >= 'a' && name[0] <= 'z')
      course.exercises.push_back(read_exercise(name, folder / name / "texts.txt", course.faults));
  if (course.exercises.empty()) course.faults.push_back((folder / "order.txt").string() + ": names no exercises");
  return course;
}

}  // namespace exercises
