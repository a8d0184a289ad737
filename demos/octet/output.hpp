/// What the program prints: lines on standard output, messages on standard error.
#pragma once
import octet.standard;

namespace program {

/// Writes a line to standard output at once, so that who reads it through a pipe sees it now.
void print(std::string_view line);
/// Writes a part of a line.
void print_part(std::string_view text);
/// Whether a line could not be written: there is no use in making more of them.
bool output_failed();
/// The exit status of work that returned `status`: 1, with a message, where its output could not be written.
int finished(int status);

/// `12,345`.
std::string grouped(long long number);
/// `1 document`, `12,345 documents`.
std::string counted(long long number, const std::string& thing);
/// With so many digits after the point.
std::string fixed(double number, int digits);
/// `45 s`, `3:20 min`, `2:05 h`.
std::string duration(double seconds);
/// Text with its control characters as \x1B and the like, but for line ends and tabs: what comes out of a model or a
/// file does not command a terminal.
std::string harmless(std::string_view utf8);

}  // namespace program
