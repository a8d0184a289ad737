/// Lines that fit a page.
#pragma once
#include <cstddef>
#include <string>

namespace exercises {

/// A paragraph, broken where it may be: at blanks, and Japanese anywhere but before closing punctuation. The first line
/// begins after `begin` columns, the others with `indent` blanks. No line break at the end.
std::string filled(const std::string& paragraph, std::size_t width, std::size_t begin = 0, std::size_t indent = 0);
/// A line that keeps the blanks that it begins with, however many lines it takes.
std::string filled_line(const std::string& line, std::size_t width);

}  // namespace exercises
