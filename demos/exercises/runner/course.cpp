#include "course.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <utility>

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

/// How many letters must be changed, put in or taken out to make one of the other.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t before = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j)
      before = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, before + (a[i] != b[j])}));
  }
  return row.back();
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
  if (std::error_code ignored; !std::filesystem::is_regular_file(path, ignored)) return {};  // a folder opens, too
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::size_t Course::find(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::find(exercises, name, &Exercise::name) - exercises.begin());
}

std::size_t Course::find_as_written(const std::string& text) const {
  const std::filesystem::path path{text};
  const std::string name = path.extension() == ".cpp" ? path.stem().string() : path.filename().string();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc{} && end == name.data() + name.size())
    return number > 0 ? std::min(number - 1, exercises.size()) : exercises.size();
  return find(name);
}

std::string Course::nearest(const std::string& text) const {
  const std::string written = std::filesystem::path{text}.stem().string();
  std::string best;
  std::size_t least = 1 + std::min<std::size_t>(written.size() / 2, 5);  // more letters than these are another word
  for (const Exercise& exercise : exercises)
    if (const std::size_t away = distance(written, exercise.name); away < least) {
      least = away;
      best = exercise.name;
    }
  if (best.empty() && written.size() > 2)
    for (const Exercise& exercise : exercises)
      if (exercise.name.find(written) != std::string::npos) return exercise.name;
  return best;
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
