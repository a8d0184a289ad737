#include "attempt.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "course.hpp"
#include "lock.hpp"
#include "process.hpp"

namespace exercises {

namespace {

constexpr double build_seconds = 1800, run_seconds = 120;
// An exercise takes a seventh of a second; on a machine with much else to do that may be many by the clock.
constexpr unsigned run_processor_seconds = 10;
// Sanitizers keep much more memory than a program asks for.
#if defined(__has_feature) && (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
constexpr std::uint64_t run_bytes = 0;
#else
constexpr std::uint64_t run_bytes = 2'000'000'000;
#endif

std::vector<std::string> split(const std::string& line, char at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = line.find(at, begin)) != line.npos; begin = end + 1)
    parts.push_back(line.substr(begin, end - begin));
  parts.push_back(line.substr(begin));
  return parts;
}

/// Of the library's messages, between which a line is empty, each.
std::vector<std::string> messages_in(const std::string& text) {
  std::vector<std::string> messages;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find("\n\nX", begin)) != text.npos; begin = end + 2)
    messages.push_back(text.substr(begin, end + 2 - begin));
  messages.push_back(text.substr(begin));
  return messages;
}

Attempt graded(Finished finished) {
  using End = Attempt::End;
  Attempt attempt{.printed = std::move(finished.output)};
  bool ended = false, too_large = false, threw = false;
  std::string refusal;
  std::istringstream lines{finished.facts};
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> parts = split(line, '\t');
    if (parts.size() == 7 && parts[0] == "fact")
      attempt.facts.push_back({parts[1] == "ok", parts[2], parts[3], parts[4], parts[5], parts[6]});
    else if (parts[0] == "refused" || parts[0] == "threw") {
      refusal += without(line.substr(std::min(parts[0].size() + 1, line.size())), OCTET_SOURCE "/") + "\n";
      threw = parts[0] == "threw";
    } else if (parts[0] == "memory")
      too_large = true;
    else if (parts[0] == "facts")
      ended = true;
  }
  if (!refusal.empty()) attempt.refusals = messages_in(refusal);
  const bool all = std::ranges::all_of(attempt.facts, &Fact::holds) && !attempt.facts.empty();
  attempt.number = finished.signal ? finished.signal : finished.status;
  attempt.end = finished.too_long               ? End::too_long
                : too_large                     ? End::too_large
                : threw                         ? End::threw
                : !attempt.refusals.empty()     ? End::refused
                : ended && !all                 ? End::failed
                : ended && finished.status == 0 ? End::passed
                : finished.signal != 0          ? End::signalled
                                                : End::ended;
  return attempt;
}

/// Whether the compiler can read it: it cannot read UTF-16.
bool is_text(const std::string& content) {
  return content.find('\0') == content.npos && !content.starts_with("\xFF\xFE") && !content.starts_with("\xFE\xFF");
}

/// Its caller has the lock of the build's folder.
Attempt attempt_locked(const std::string& name, const std::string& suffix, const std::string& source) {
  const std::string target = "exercise_" + name + suffix;
  Finished built = run_program({OCTET_CMAKE, "--build", OCTET_BUILD, "--target", target}, {.seconds = build_seconds});
  Messages messages = messages_of(built.output.first, source, OCTET_SOURCE);
  if (built.status != 0) {
    Attempt attempt{.messages = std::move(messages)};
    if (attempt.messages.empty()) attempt.printed = std::move(built.output);
    return attempt;
  }
  const Limits limits{.seconds = run_seconds, .processor_seconds = run_processor_seconds, .bytes = run_bytes};
  Attempt attempt = graded(run_program({OCTET_EXERCISES "/programs/" + target}, limits));
  attempt.messages = std::move(messages);
  return attempt;
}

}  // namespace

std::string Fact::text() const { return kind + " | " + what + " | " + measured + " | " + relation + " | " + wanted; }

bool Attempt::keeps(std::string_view promise) const {
  if (passed()) return false;
  const auto says = [&](const std::string& text) { return text.find(promise) != text.npos; };
  const auto broken = [&](const Fact& fact) { return !fact.holds && fact.text().starts_with(promise); };
  return std::ranges::any_of(facts, broken) || std::ranges::any_of(messages.faults, says) ||
         std::ranges::any_of(refusals, says);
}

Attempt attempt(const std::string& name, const std::string& suffix, const std::string& source) {
  const Lock alone{OCTET_BUILD};
  return attempt_locked(name, suffix, source);
}

std::string shown(const std::filesystem::path& path) {
  const std::string relative = path.lexically_relative(OCTET_SOURCE).generic_string();
  return relative.empty() || relative.starts_with("..") ? path.generic_string() : relative;
}

/// Pointers to the functions that the check calls, behind the learner's file: the linker, which knows no return types,
/// would take a function of another type for one of them. messages_of knows their form. Only those of Octet's own
/// types, which are known where it is imported.
static std::string asked_for(const std::string& name, const std::string& written) {
  if (written.find("import octet;") == written.npos) return {};
  const std::string check = OCTET_SOURCE "/demos/exercises/" + name + "/check.cpp";
  static const std::regex declaration{"([A-Za-z][^(]*) ([a-z_]+)\\((.*)\\);"}, definition{"struct ([A-Za-z]+) \\{"};
  std::vector<std::string> others{"std::"};
  std::istringstream lines{content_of(check)};
  std::string result = "namespace {\nusing namespace octet;\n", line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch found;
    if (std::regex_search(line, found, definition)) others.push_back(found[1].str());
    const auto has = [&](const std::string& other) { return line.find(other) != line.npos; };
    if (std::ranges::none_of(others, has) && std::regex_match(line, found, declaration))
      result += "#line " + std::to_string(number) + " \"" + check + "\"\n[[maybe_unused]] " + found[1].str() +
                " (*const asked_" + std::to_string(number) + ")(" + found[3].str() + ") = " + found[2].str() + ";\n";
  }
  return result + "}\n";
}

Attempt attempt_copy(const std::string& name, const std::filesystem::path& copy) {
  if (!std::filesystem::is_regular_file(copy)) return {.end = Attempt::End::gone};
  const std::string written = content_of(copy);
  if (!is_text(written)) return {.end = Attempt::End::no_text};
  // The target's source includes the copy, which may so lie anywhere. It is written anew each time, so that the
  // compiler's warnings are seen each time, and a copy that was put back from elsewhere is compiled although it bears
  // an older date.
  const Lock alone{OCTET_BUILD};
  const std::filesystem::path file = std::filesystem::path{OCTET_EXERCISES "/own"} / (name + ".cpp");
  std::filesystem::create_directories(file.parent_path());
  std::ofstream{file} << "#include \"" << copy.string() << "\"\n" << asked_for(name, written);
  return attempt_locked(name, "", shown(copy));
}

void build_all(const std::vector<std::string>& targets) {
  std::vector<std::string> command{OCTET_CMAKE, "--build", OCTET_BUILD, "--target"};
  command.insert(command.end(), targets.begin(), targets.end());
  command.insert(command.end(), {"--", "-k", "0"});
  const Lock alone{OCTET_BUILD};
  run_program(command, {.seconds = build_seconds});
}

}  // namespace exercises
