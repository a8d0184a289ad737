#include "output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "json.hpp"

#include "messages.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

int output_error = 0;  // of the first line that could not be written

// Waits where standard output is a pipe that is full and does not wait by itself: node makes its own so.
int written(std::string_view text) {
  while (!text.empty()) {
    const auto count = write(STDOUT_FILENO, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      usleep(1000);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void print(std::string_view line) { print_part(std::string{line} + '\n'); }

void print_part(std::string_view text) {
  const int error = written(text);
  if (error && !output_error) output_error = error;
}

bool output_failed() { return output_error != 0; }

int finished(int status) {
  if (!output_error) return status;
  report(
      octet::Error{{{.number = 707,
                     .sentence = "cannot write standard output: " + std::generic_category().message(output_error),
                     .rule = "The results of this command go to standard output.",
                     .fix = {output_error == EPIPE ? "let what reads it read to the end, or send the output to a file"
                                                   : "free some space, or send the output elsewhere"}}}},
      false);
  return 1;
}

std::string grouped(long long number) {
  std::string digits = std::to_string(number);
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string counted(long long number, const std::string& thing) {
  return grouped(number) + " " + thing + (number == 1 ? "" : thing.ends_with('s') ? "es" : "s");
}

std::string fixed(double number, int digits) {
  char text[400];  // the largest has 309 digits before the point
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(seconds + 0.5);
  if (whole < 60) return std::to_string(whole) + " s";
  const bool hours = whole >= 3600;
  const long long major = whole / (hours ? 3600 : 60), minor = hours ? whole % 3600 / 60 : whole % 60;
  return std::to_string(major) + (minor < 10 ? ":0" : ":") + std::to_string(minor) + (hours ? " h" : " min");
}

std::string harmless(std::string_view utf8) {
  std::string result;
  for (std::size_t at = 0; at < utf8.size();) {
    const auto [character, length] = octet::text::decode_code_point(utf8, at);
    const bool control =
        (character < 0x20 && character != '\n' && character != '\t') || (character >= 0x7F && character < 0xA0);
    if (control) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02X", static_cast<unsigned>(character));
      result += escaped;
    } else {
      result += utf8.substr(at, length);
    }
    at += length;
  }
  return result;
}

}  // namespace program
