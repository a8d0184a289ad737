#include "messages.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <string_view>
#include <utility>

#include "course.hpp"

namespace exercises {

namespace {

/// The parts of `path:line:column: kind: message`; `kind` is empty where the line is no such thing.
struct Message {
  std::string place = {}, kind = {}, text = {};
};
Message message_of(const std::string& line) {
  for (const char* kind : {": fatal error: ", ": error: ", ": warning: ", ": note: "})
    if (const std::size_t at = line.find(kind); at != line.npos) {
      const std::size_t begin = at + 2, end = line.find(": ", begin);
      return {line.substr(0, at), line.substr(begin, end - begin), line.substr(end + 2)};
    }
  return {};
}

/// A message of the compiler with the lines below it that show the place.
struct Block {
  Message message;
  std::vector<std::string> shown = {};
  bool is(std::string_view kind) const { return message.kind == kind; }
};

/// A message with the notes after it, which say how it came about.
struct Fault {
  Block block;
  std::vector<Block> notes = {};
};

/// What the build and the compiler say beside the faults themselves.
bool is_of_the_build(const std::string& line) {
  return line.starts_with('[') || line.starts_with("ninja: ") || line.ends_with(" generated.") ||
         line.find(": linker command failed") != line.npos;
}

/// The function that the linker misses, without the modules that its types are of; empty where the line is about none.
std::string missing_in(const std::string& line) {
  std::smatch found;
  static const std::regex of_gnu{"undefined reference to [`'](.*)'"}, of_llvm{"undefined symbol: (.*)"};
  if (!std::regex_search(line, found, of_gnu) && !std::regex_search(line, found, of_llvm)) return {};
  static const std::regex module{"@[A-Za-z0-9_.:]+"};
  return without(std::regex_replace(found[1].str(), module, ""), "octet::");
}

std::vector<Fault> faults_in(const std::string& output, const std::string& root, std::vector<std::string>& missing) {
  std::vector<Fault> faults;
  std::vector<std::string>* shown = nullptr;
  std::istringstream lines{output};
  bool command = false;
  for (std::string line; std::getline(lines, line);) {
    if (std::exchange(command, line.starts_with("FAILED: ")))
      continue;  // the command that failed stands below its name
    if (command || is_of_the_build(line)) continue;
    line = without(line, root + "/");
    if (const std::string name = missing_in(line); !name.empty()) {
      if (std::ranges::find(missing, name) == missing.end()) missing.push_back(name);
    } else if (line.find("multiple definition") != line.npos || line.find("duplicate symbol") != line.npos) {
      faults.push_back({.block = {.message = {{}, "error", line}}});
      shown = &faults.back().block.shown;
    } else if (Message message = message_of(line); !message.kind.empty()) {
      const bool note = message.kind == "note";
      if (note && faults.empty()) continue;
      if (note)
        faults.back().notes.push_back({std::move(message)});
      else
        faults.push_back({.block = {std::move(message)}});
      shown = note ? &faults.back().notes.back().shown : &faults.back().block.shown;
    } else if (shown && (line.starts_with(' ') || line.starts_with(">>> ") || line.find(" | ") != line.npos)) {
      shown->push_back(line);
    }
  }
  return faults;
}

/// Whether it is told by a sentence that the library has for it.
bool is_refusal(const Fault& fault) {
  static const std::regex number{"X[0-9]{3}: "};
  const std::string& text = fault.block.message.text;
  return text.starts_with("static assertion failed") || std::regex_search(text, number);
}

/// The sentence alone.
std::string sentence_of(const std::string& text) {
  const std::size_t at = text.find("': ");
  return text.starts_with("static assertion failed due to requirement") && at != text.npos ? text.substr(at + 3) : text;
}

/// Tells faults of files that the learner did not write at the learner's line that led there.
class Places {
 public:
  Places(const std::vector<Fault>& faults, const std::string& source, const std::string& root)
      : faults_{faults}, source_{source}, root_{root} {}

  /// The place of a fault, with the lines that show it.
  Block of(std::size_t at) const {
    const Fault& fault = faults_[at];
    if (own(fault.block)) return fault.block;
    if (const auto note = std::ranges::find_if(fault.notes, [&](const Block& each) { return own(each); });
        note != fault.notes.end())
      return *note;
    if (const Block named = named_in(fault); !named.message.place.empty()) return named;
    // The compiler forgets it where the function was called before in a way that is refused, too.
    for (std::size_t i = at; i-- > 0;)
      if (own(faults_[i].block) && faults_[i].block.is("error")) return faults_[i].block;
    return fault.block;
  }

 private:
  bool own(const Block& block) const { return block.message.place.starts_with(source_ + ":"); }

  /// Where the notes name something that the learner's file defines, such as a lambda.
  Block named_in(const Fault& fault) const {
    for (const Block& note : fault.notes) {
      const std::string& text = note.message.text;
      const std::size_t at = text.find(source_ + ":");
      if (at == text.npos) continue;
      std::size_t line = 0, column = 0;
      const char* const numbers = text.c_str() + at + source_.size();
      if (std::sscanf(numbers, ":%zu:%zu", &line, &column) != 2 || line == 0 || column == 0) continue;
      std::istringstream lines{content_of(std::filesystem::path{root_} / source_)};
      std::string written;
      for (std::size_t i = 0; i < line; ++i) std::getline(lines, written);
      const std::string number = std::to_string(line), margin(std::max<std::size_t>(number.size(), 5), ' ');
      return {.message = {.place = source_ + ":" + number + ":" + std::to_string(column)},
              .shown = {margin.substr(number.size()) + number + " | " + written,
                        margin + " | " + std::string(column - 1, ' ') + "^"}};
    }
    return {};
  }

  const std::vector<Fault>& faults_;
  const std::string& source_;
  const std::string& root_;
};

/// Where nothing that is called so takes these arguments: what is called so, and the arguments it takes.
std::string candidates_of(const Fault& fault) {
  constexpr int most = 3;
  if (!fault.block.message.text.starts_with("no matching ")) return {};
  std::string text;
  int told = 0;
  for (const Block& note : fault.notes) {
    if (!note.message.text.starts_with("candidate ") || note.shown.empty()) continue;
    if (++told > most) break;
    const std::string& shown = note.shown.front();  // its number is that of a line of another file
    const std::size_t bar = std::min(shown.find(" | "), shown.size());
    text += "note: " + note.message.text + "\n" + std::string(bar, ' ') + shown.substr(bar) + "\n";
  }
  return text;
}

}  // namespace

std::string without(std::string text, const std::string& part) {
  for (std::size_t at; (at = text.find(part)) != text.npos;) text.erase(at, part.size());
  return text;
}

Messages messages_of(const std::string& output, const std::string& source, const std::string& root) {
  Messages messages;
  std::vector<Fault> faults = faults_in(output, root, messages.missing);
  const Places places{faults, source, root};
  std::vector<std::string> refusals, others;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const Fault& fault = faults[i];
    const Block place = places.of(i);
    const Message& message = fault.block.message;
    std::string text = place.message.place + (place.message.place.empty() ? "" : ": ") + message.kind + ": " +
                       sentence_of(message.text) + "\n";
    for (const std::string& line : place.shown) text += line + "\n";
    text += candidates_of(fault);
    std::vector<std::string>& told = is_refusal(fault) ? refusals : others;
    if (std::ranges::find(told, text) == told.end()) told.push_back(text);
  }
  messages.faults = std::move(refusals);
  messages.faults.insert(messages.faults.end(), others.begin(), others.end());
  return messages;
}

}  // namespace exercises
