#include <cstdio>
#include <fstream>
#include <ios>

#include "json.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include "messages.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

JsonObject place(const octet::Place& where) {
  JsonObject object;
  object.add("file", where.file.string());
  if (where.line) object.add("line", where.line);
  if (!where.function.empty()) object.add("function", where.function.string());
  return object;
}

}  // namespace

std::string as_typed(std::string fix) {
  constexpr std::string_view begins = "; for octet ", ends = ", ";
  const std::size_t options = fix.find(begins);
  if (options == fix.npos) return fix;
  const std::size_t member = fix.rfind(' ', options - 1) + 1, end = fix.find(ends, options + begins.size());
  if (end != fix.npos && fix.substr(member, options - member).find("::") != fix.npos)
    fix.erase(member, end + ends.size() - member);
  return fix;
}

JsonObject json_of_fault(const octet::Diagnostic& diagnostic) {
  JsonObject object;
  object.add("number", octet::diagnostic_name(diagnostic.number)).add("sentence", diagnostic.sentence);
  if (diagnostic.where.known()) object.add("where", place(diagnostic.where));
  if (!diagnostic.because.empty()) {
    std::vector<JsonObject> chain;
    for (const octet::Link& link : diagnostic.because)
      chain.push_back(JsonObject{}.add("what", link.what).add("where", place(link.where)));
    object.add("because", chain);
  }
  return object.add("rule", diagnostic.rule).add("fix", diagnostic.fix).add("see", diagnostic.see);
}

namespace {

/// Line `number` of the file, if there is one to be read: a program's own source, or a file that was given. Bytes that
/// a terminal would take for commands are left out.
std::string line_of(const std::string& path, unsigned number) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return {};  // what was piped in is gone
  std::ifstream file{path, std::ios::binary};
  std::string line;
  for (unsigned at = 0; at < number; ++at)
    if (!std::getline(file, line)) return {};
  std::string shown;
  for (const char c : line)
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)
      shown += c;
    else if (c == '\t')
      shown += ' ';
  return shown;
}

/// The text of a message, with the line that it is about below the name of its place.
std::string with_line(const octet::Diagnostic& diagnostic, std::size_t width) {
  std::string text = diagnostic.text();
  const octet::Place& where = diagnostic.where;
  if (!where.known() || where.line == 0) return text;
  const std::string line = line_of(where.file, where.line);
  const std::size_t first = line.find_first_not_of(' ');
  if (first == line.npos) return text;
  const std::string place = "\n  where:   " + octet::to_string(where);
  const std::size_t at = text.find(place);
  if (at != text.npos)
    text.insert(at + place.size(),
                "\n" + fitted("           " + std::to_string(where.line) + " | " + line.substr(first), width));
  return text;
}

}  // namespace

int report(const octet::Error& thrown, bool json) {
  std::vector<octet::Diagnostic> faults = thrown.diagnostics();
  for (octet::Diagnostic& fault : faults)
    for (std::string& fix : fault.fix) fix = as_typed(std::move(fix));
  const octet::Error error{std::move(faults)};
  if (is_terminal(Stream::error)) {
    const char* separator = "";
    for (const octet::Diagnostic& diagnostic : error.diagnostics()) {
      std::fprintf(stderr, "%s%s\n", separator, harmless(with_line(diagnostic, columns(Stream::error))).c_str());
      separator = "\n";
    }
  } else {
    std::fprintf(stderr, "%s\n", harmless(error.what()).c_str());
  }
  if (json)
    for (const octet::Diagnostic& diagnostic : error.diagnostics())
      print(JsonObject{}.add("error", json_of_fault(diagnostic)).text());
  return 1;
}

namespace {

/// `text` with `to` wherever the word `from` stands.
void replace_word(std::string& text, const std::string& from, const std::string& to) {
  const auto of_a_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos;) {
    const bool whole = (at == 0 || !of_a_word(at - 1)) && !of_a_word(at + from.size());
    if (whole) text.replace(at, from.size(), to);
    at += whole ? to.size() : from.size();
  }
}

}  // namespace

octet::Error by_option(const octet::Error& error, const std::vector<std::string>& options) {
  std::vector<octet::Diagnostic> faults = error.diagnostics();
  for (const std::string& option : options) {
    std::string member = option.substr(2);
    std::ranges::replace(member, '-', '_');
    if (member.find('_') == member.npos) continue;  // a word of every day
    for (octet::Diagnostic& fault : faults) {
      replace_word(fault.sentence, member, option);
      for (std::string& fix : fault.fix) replace_word(fix, member, option);
    }
  }
  return octet::Error{std::move(faults)};
}

octet::Diagnostic without_effect(const std::string& option, const std::string& where, const std::string& rule,
                                 std::vector<std::string> fix) {
  fix.push_back("leave " + option + " out");
  return {.number = 735, .sentence = option + " does nothing " + where + ".", .rule = rule, .fix = std::move(fix)};
}

void note(const std::string& sentence) {
  std::fprintf(stderr, "%s%s\n", is_terminal(Stream::error) ? "\r\x1b[K" : "", harmless(sentence).c_str());
}

void refuse_option(const std::string& sentence, const std::string& fix) {
  octet::fail({.number = 709, .sentence = sentence, .fix = {fix}});
}

std::string said_number(double number) {
  return std::isfinite(number) ? json_number(number) : std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf";
}

void require_utf8(const std::string& sentence) {
  if (const auto fault = octet::text::find_invalid_utf8(sentence))
    octet::fail({.number = 704,
                 .sentence = "The sentence is not UTF-8: byte " + std::to_string(fault->offset + 1) + " of it.",
                 .fix = {"set the terminal to UTF-8, or convert the sentence with iconv"}});
}

void require_at_least(const std::string& option, long long value, long long least) {
  if (value < least)
    refuse_option(option + " is " + std::to_string(value) + ", and must be at least " + std::to_string(least) + ".",
                  "choose " + std::to_string(least) + " or more");
}

void check_all(std::initializer_list<std::function<void()>> checks) {
  std::vector<octet::Diagnostic> faults;
  for (const auto& check : checks) {
    try {
      check();
    } catch (const octet::Error& error) {
      faults.insert(faults.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!faults.empty()) throw octet::Error{std::move(faults)};
}

}  // namespace program
