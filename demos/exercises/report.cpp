#include "report.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace facts {

namespace {

int descriptor() {
  const char* const number = std::getenv("OCTET_FACTS");
  return number ? std::atoi(number) : STDOUT_FILENO;
}

void send(std::string_view line) {
  while (!line.empty()) {
    const ssize_t count = write(descriptor(), line.data(), line.size());
    if (count <= 0) return;  // nobody listens
    line.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// As it is written in code: a line is one line, and a part has no tab.
std::string escaped(const std::string& part) {
  std::string result;
  for (const char c : part)
    if (c == '\t')
      result += "\\t";
    else if (c == '\n')
      result += "\\n";
    else
      result += c;
  return result;
}

/// At least one.
void report_lines(const std::string& kind, std::string_view message) {
  do {
    const std::size_t end = std::min(message.find('\n'), message.size());
    report({kind, std::string{message.substr(0, end)}});
    message.remove_prefix(std::min(end + 1, message.size()));
  } while (!message.empty());
}

}  // namespace

void report(const std::vector<std::string>& parts) {
  std::string line;
  for (const std::string& part : parts) line += (line.empty() ? "" : "\t") + escaped(part);
  send(line + "\n");
}

void report_refusal(std::string_view message) {
  report_lines("refused", message);
}

void report_exception(std::string_view message) {
  report_lines("threw", message);
}

void report_lack_of_memory() {
  std::set_new_handler([] {
    send("memory\n");
    _exit(1);
  });
}

}  // namespace facts
