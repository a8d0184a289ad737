#include "attempt.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "course.hpp"
#include "process.hpp"

namespace exercises {

namespace {

constexpr double build_seconds = 1800, run_seconds = 20;

std::vector<std::string> split(const std::string& line, char at) {
  std::vector<std::string> parts;
  std::istringstream stream{line};
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

Attempt graded(const Finished& finished) {
  Attempt attempt;
  bool ended = false;
  std::istringstream lines{finished.output};
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> parts = split(line, '\t');
    if (parts.size() == 7 && parts[0] == "fact")
      attempt.facts.push_back({parts[1] == "ok", parts[2], parts[3], parts[4], parts[5], parts[6]});
    else if (parts.size() == 3 && parts[0] == "facts")
      ended = true;
    else
      attempt.output += without(line, OCTET_SOURCE "/") + "\n";
  }
  using End = Attempt::End;
  const bool all = std::ranges::all_of(attempt.facts, &Fact::holds);
  attempt.end = finished.too_long                                                ? End::too_long
                : ended && finished.status == 0 && all && !attempt.facts.empty() ? End::passed
                : ended                                                          ? End::failed
                : finished.status == 1                                           ? End::refused
                                                                                 : End::crashed;
  return attempt;
}

}  // namespace

std::string Fact::text() const { return kind + " | " + what + " | " + measured + " | " + relation + " | " + wanted; }

bool Attempt::keeps(std::string_view promise) const {
  if (passed()) return false;
  const auto says = [&](const std::string& text) { return text.find(promise) != text.npos; };
  const auto broken = [&](const Fact& fact) { return !fact.holds && fact.text().starts_with(promise); };
  return std::ranges::any_of(facts, broken) || std::ranges::any_of(messages.faults, says) || says(output);
}

Attempt attempt(const std::string& name, const std::string& suffix, const std::string& source) {
  const std::string target = "exercise_" + name + suffix;
  const Finished built = run_program({OCTET_CMAKE, "--build", OCTET_BUILD, "--target", target}, build_seconds);
  Messages messages = messages_of(built.output, source, OCTET_SOURCE);
  if (built.status != 0) {
    std::string output = messages.empty() ? built.output : std::string{};
    return {.messages = std::move(messages), .output = std::move(output)};
  }
  Attempt attempt = graded(run_program({OCTET_EXERCISES "/programs/" + target}, run_seconds));
  attempt.messages = std::move(messages);
  return attempt;
}

std::string shown(const std::filesystem::path& path) {
  const std::string relative = path.lexically_relative(OCTET_SOURCE).generic_string();
  return relative.empty() || relative.starts_with("..") ? path.generic_string() : relative;
}

Attempt attempt_copy(const std::string& name, const std::filesystem::path& copy) {
  // The target's source includes the copy, which may so lie anywhere. It is written anew each time, so that the
  // compiler's warnings are seen each time, and a copy that was put back from elsewhere is compiled although it bears
  // an older date.
  const std::filesystem::path file = std::filesystem::path{OCTET_EXERCISES "/own"} / (name + ".cpp");
  std::filesystem::create_directories(file.parent_path());
  std::ofstream{file} << "#include \"" << copy.string() << "\"\n";
  return attempt(name, "", shown(copy));
}

void build_all(const std::vector<std::string>& targets) {
  std::vector<std::string> command{OCTET_CMAKE, "--build", OCTET_BUILD, "--target"};
  command.insert(command.end(), targets.begin(), targets.end());
  command.insert(command.end(), {"--", "-k", "0"});
  run_program(command, build_seconds);
}

}  // namespace exercises
