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

std::string without(std::string text, const std::string& part) {
  for (std::size_t at; (at = text.find(part)) != text.npos;) text.erase(at, part.size());
  return text;
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

/// The parts of `path:line:column: kind: message`; `kind` is empty where the line is no such thing.
struct Message {
  std::string place, kind, text;
};
Message message_of(const std::string& line) {
  for (const char* kind : {": fatal error: ", ": error: ", ": warning: ", ": note: "})
    if (const std::size_t at = line.find(kind); at != line.npos) {
      const std::size_t begin = at + 2, end = line.find(": ", begin);
      return {line.substr(0, at), line.substr(begin, end - begin), line.substr(end + 2)};
    }
  return {};
}

/// What the build and the compiler say beside the faults themselves.
bool is_of_the_build(const std::string& line) {
  return line.starts_with('[') || line.starts_with("ninja: ") || line.ends_with(" generated.") ||
         line.find(": linker command failed") != line.npos;
}

/// A message of the compiler with the lines below it that show the place.
struct Block {
  Message message;
  std::vector<std::string> shown;
};

}  // namespace

std::string Fact::text() const { return kind + " | " + what + " | " + measured + " | " + relation + " | " + wanted; }

bool Attempt::keeps(std::string_view promise) const {
  if (passed()) return false;
  const auto broken = [&](const Fact& fact) { return !fact.holds && fact.text().starts_with(promise); };
  return std::ranges::any_of(facts, broken) || output.find(promise) != output.npos;
}

std::string readable(const std::string& output, const std::string& source, const std::string& root) {
  std::vector<Block> blocks;
  std::string linker;
  std::istringstream lines{output};
  bool command = false;
  for (std::string line; std::getline(lines, line);) {
    if (std::exchange(command, line.starts_with("FAILED: ")))
      continue;  // the command that failed stands below its name
    if (command || is_of_the_build(line)) continue;
    line = without(line, root + "/");
    if (Message message = message_of(line); !message.kind.empty())
      blocks.push_back({std::move(message), {}});
    else if (!blocks.empty() && (line.starts_with(' ') || line.find(" | ") != line.npos))
      blocks.back().shown.push_back(line);
    else if (line.find("undefined") != line.npos || line.find("multiple definition") != line.npos)
      linker += line + "\n";
  }

  const auto own = [&](const Block& block) { return block.message.place.starts_with(source + ":"); };
  std::vector<std::string> told;  // the same mistake in one line is told once
  const auto tell = [&](const Block& place, const Message& message) {
    std::string text = message.text;
    if (const std::size_t at = text.find("': ");
        text.starts_with("static assertion failed due to requirement") && at != text.npos)
      text = text.substr(at + 3);
    text = place.message.place + ": " + message.kind + ": " + text + "\n";
    for (const std::string& line : place.shown) text += line + "\n";
    if (std::ranges::find(told, text) == told.end()) told.push_back(text);
  };
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Message& message = blocks[i].message;
    if (message.kind == "note") continue;
    // The notes after a message say how it came about; the first one that lies in the learner's file is the place to
    // look at.
    std::size_t place = i;
    if (!own(blocks[i]))
      for (std::size_t j = i + 1; j < blocks.size() && blocks[j].message.kind == "note"; ++j)
        if (own(blocks[j])) {
          place = j;
          break;
        }
    tell(blocks[place], message);
  }
  std::string result = linker;
  for (std::size_t i = 0; i < std::min<std::size_t>(told.size(), 5); ++i) result += told[i];
  return result;
}

Attempt attempt(const std::string& name, const std::string& suffix, const std::string& source) {
  const std::string target = "exercise_" + name + suffix;
  const Finished built = run_program({OCTET_CMAKE, "--build", OCTET_BUILD, "--target", target}, build_seconds);
  const std::string said = readable(built.output, source, OCTET_SOURCE);
  if (built.status != 0) return {.output = said.empty() ? built.output : said};
  Attempt attempt = graded(run_program({OCTET_EXERCISES "/programs/" + target}, run_seconds));
  attempt.output = said + attempt.output;  // warnings: they often name what is wrong
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
