/// The way from the program that grades an exercise to the runner. What the learner's code prints goes another.
///
/// OCTET_FACTS is the number of the file descriptor that the runner reads. Without it, as when a person runs the
/// program, all goes to standard output.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace facts {

/// One line, tabs between the parts: `fact`, ok or no, kind, what, measured, relation, wanted; or `facts`, how many,
/// how many of them broken: the last one.
void report(const std::vector<std::string>& parts);
/// What the exercise is refused with: a line `refused` for each of its lines.
void report_refusal(std::string_view message);
/// What an exception says that is not the library's: a line `threw` for each of its lines.
void report_exception(std::string_view message);
/// From now on memory that runs out is reported, as `memory`, and ends the program.
void report_lack_of_memory();

}  // namespace facts
