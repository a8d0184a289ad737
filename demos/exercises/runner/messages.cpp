#include "messages.hpp"

#include <algorithm>
#include <optional>
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

/// `text` without the type at `at`, which begins there with a comma and ends where its own brackets do.
std::string without_type(std::string text, std::size_t at) {
  int open = 0;
  std::size_t end = at + 1;
  for (; end < text.size() && (open > 0 || (text[end] != ',' && text[end] != '>')); ++end)
    open += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
  while (end > at + 1 && text[end - 1] == ' ') --end;
  return text.erase(at, end - at);
}

/// A signature as a linker has it, as a learner writes it.
std::string as_written(std::string text) {
  for (const char* noise : {"[abi:cxx11]", "octet::", "__cxx11::", "__1::"}) text = without(text, noise);
  for (const char* usual : {", std::char_traits<", ", std::allocator<"})
    for (std::size_t at; (at = text.find(usual)) != text.npos;) text = without_type(std::move(text), at);
  static const std::regex word{"\\bbasic_(string|string_view)<char *>"}, closing{"> +>"};
  text = std::regex_replace(std::regex_replace(text, word, "$1"), closing, ">>");
  // `const` stands before an argument's type, not behind.
  std::string result;
  std::size_t begin = 0;  // of the argument
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    open += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (open > 0 || (c != '(' && c != ',' && c != ')')) continue;
    std::string part = text.substr(begin, i - begin);
    if (const std::size_t at = part.rfind(" const"); at != part.npos && at + 7 == part.size()) {
      const std::size_t blanks = part.find_first_not_of(' ');
      part = part.substr(0, blanks) + "const " + part.substr(blanks, at - blanks) + part.back();
    }
    result += part + c;
    begin = i + 1;
  }
  return result + text.substr(begin);
}

/// The function that the linker misses, without the modules that its types are of; empty where the line is about none.
std::string missing_in(const std::string& line) {
  std::smatch found;
  static const std::regex of_gnu{"undefined reference to [`'](.*)'"}, of_llvm{"undefined symbol: (.*)"};
  if (!std::regex_search(line, found, of_gnu) && !std::regex_search(line, found, of_llvm)) return {};
  static const std::regex module{"@[A-Za-z0-9_.:]+"};
  return as_written(std::regex_replace(found[1].str(), module, ""));
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
      shown = nullptr;  // of where it is called from, all lines are the check's
    } else if (line.find("multiple definition") != line.npos || line.find("duplicate symbol") != line.npos) {
      static const std::regex linker{"^[^ ]*ld(\\.[a-z]+)?: (error: )?"};
      faults.push_back({.block = {.message = {{}, "error", std::regex_replace(line, linker, "")}}});
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

/// What is to be included for a name of the standard library; empty where that is not known here.
std::string header_of(const std::string& name) {
  struct Header {
    std::string_view header, names;
  };
  static constexpr Header headers[] = {
      {"vector", " vector "},
      {"string", " string basic_string to_string stoi stof stod getline "},
      {"string_view", " string_view basic_string_view "},
      {"span", " span "},
      {"array", " array to_array "},
      {"utility", " pair make_pair move forward swap exchange "},
      {"tuple", " tuple make_tuple tie apply "},
      {"optional", " optional nullopt make_optional "},
      {"variant", " variant visit "},
      {"map", " map multimap "},
      {"set", " set multiset "},
      {"unordered_map", " unordered_map "},
      {"unordered_set", " unordered_set "},
      {"functional", " function plus minus multiplies less greater hash "},
      {"memory", " unique_ptr shared_ptr make_unique make_shared "},
      {"numeric", " accumulate iota reduce inner_product partial_sum gcd lcm midpoint "},
      {"limits", " numeric_limits "},
      {"algorithm",
       " min max minmax clamp sort stable_sort fill fill_n copy copy_if copy_n count count_if find find_if any_of "
       "all_of none_of transform reverse rotate shuffle unique remove remove_if replace equal generate for_each "
       "max_element min_element lower_bound upper_bound "},
      {"cmath", " sqrt exp exp2 log log2 pow abs fabs floor ceil round lround sin cos tanh isnan isinf fmax fmin erf "},
      {"cstdint", " int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "},
      {"cstddef", " size_t ptrdiff_t "},
      {"cstdio", " printf puts fputs fflush snprintf "},
      {"iostream", " cout cerr endl "},
      {"sstream", " stringstream ostringstream istringstream "},
      {"random", " mt19937 mt19937_64 uniform_int_distribution uniform_real_distribution normal_distribution "},
      {"stdexcept", " runtime_error invalid_argument out_of_range logic_error "},
      {"initializer_list", " initializer_list "},
  };
  for (const Header& each : headers)
    if (each.names.find(" " + name + " ") != each.names.npos) return std::string{each.header};
  return {};
}

/// The sentence alone. The compiler would have the module of the library imported that includes the standard's headers.
std::string sentence_of(const std::string& text) {
  static const std::regex hidden{"of '([A-Za-z0-9_:]+)' must be imported from module 'octet[.a-z]*'"};
  if (std::smatch found; std::regex_search(text, found, hidden)) {
    const std::string name = found[1].str(), header = header_of(name.substr(name.rfind(':') + 1));
    if (!header.empty()) return "'std::" + name + "' needs its header: #include <" + header + ">";
  }
  const std::size_t at = text.find("': ");
  return text.starts_with("static assertion failed due to requirement") && at != text.npos ? text.substr(at + 3) : text;
}

/// A function as the check calls it, where a fault is that there is none; see asked_for in attempt.cpp.
struct Asked {
  std::string type = {}, name = {}, parameters = {};
};
std::optional<Asked> asked_in(const Fault& fault) {
  static const std::regex form{"\\[\\[maybe_unused\\]\\] (.*) \\(\\*const asked_[0-9]+\\)\\((.*)\\) = ([a-z_]+);"};
  std::smatch found;
  if (fault.block.shown.empty() || !std::regex_search(fault.block.shown.front(), found, form)) return std::nullopt;
  return Asked{found[1].str(), found[3].str(), found[2].str()};
}
bool is_of_another_type(const Fault& fault) {
  return fault.block.message.text.find("different return type") != std::string::npos;
}

/// What is said of a fault.
std::string sentence_of(const Fault& fault) {
  if (const auto asked = asked_in(fault))
    return "the check calls it as " + asked->type + " " + asked->name + "(" + asked->parameters +
           "). Keep what it returns.";
  return sentence_of(fault.block.message.text);
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
    if (const auto asked = asked_in(fault)) return defined_at(asked->name);
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
      return shown_at(line, column, written);
    }
    return {};
  }

  /// The line of the learner's file that begins a function of that name.
  Block defined_at(const std::string& name) const {
    const std::regex definition{"\\b" + name + "\\s*\\("};
    std::istringstream lines{content_of(std::filesystem::path{root_} / source_)};
    std::string written;
    for (std::size_t line = 1; std::getline(lines, written); ++line)
      if (std::smatch found;
          !written.starts_with(' ') && !written.starts_with("//") && std::regex_search(written, found, definition))
        return shown_at(line, static_cast<std::size_t>(found.position()) + 1, written);
    return {};
  }

  Block shown_at(std::size_t line, std::size_t column, const std::string& written) const {
    const std::string number = std::to_string(line), margin(std::max<std::size_t>(number.size(), 5), ' ');
    return {.message = {.place = source_ + ":" + number + ":" + std::to_string(column)},
            .shown = {margin.substr(number.size()) + number + " | " + written,
                      margin + " | " + std::string(column - 1, ' ') + "^"}};
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
  // Of a function that the check calls and that is not there, or takes other arguments, its name is told.
  std::erase_if(faults, [&](const Fault& fault) {
    const auto asked = asked_in(fault);
    if (!asked || is_of_another_type(fault)) return false;
    const std::string name = asked->name + "(" + asked->parameters + ")";
    if (std::ranges::find(messages.missing, name) == messages.missing.end()) messages.missing.push_back(name);
    return true;
  });
  // What a brace that is missing makes of the lines behind the learner's file says nothing to a learner.
  const auto is_behind = [&](const Fault& fault) {
    const std::string& place = fault.block.message.place;
    return !asked_in(fault) && (place.find("/own/") != place.npos || place.find("/check.cpp:") != place.npos) &&
           std::ranges::none_of(fault.notes,
                                [&](const Block& each) { return each.message.place.starts_with(source + ":"); });
  };
  if (!std::ranges::all_of(faults, is_behind)) std::erase_if(faults, is_behind);
  const Places places{faults, source, root};
  std::vector<std::string> refusals, others;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const Fault& fault = faults[i];
    const Block place = places.of(i);
    const Message& message = fault.block.message;
    std::string text = place.message.place + (place.message.place.empty() ? "" : ": ") + message.kind + ": " +
                       sentence_of(fault) + "\n";
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
