/// Lines of tables of probabilities.
#pragma once
import octet.standard;

namespace program {

/// A line of a table: a label in so many columns, `share` as a percentage, and a bar of it.
std::string share_row(std::string_view label, std::size_t width, double share);

}  // namespace program
