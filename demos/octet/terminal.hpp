/// The terminal: how wide it is, and how wide text is on it.
#pragma once
import octet.standard;

namespace program {

/// Standard output and error, by their descriptors.
enum class Stream { output = 1, error = 2 };

/// Whether `stream` is a terminal.
bool is_terminal(Stream stream);
/// Whether it is a terminal that is not dumb.
bool moves_cursor(Stream stream);
/// Whether lines may be drawn over: where the cursor moves, and nobody asked for plain output (NO_COLOR).
bool can_redraw(Stream stream);
/// Columns of the terminal behind `stream`; 80 where that is not known.
std::size_t columns(Stream stream);
/// Whether block characters show, by the locale.
bool shows_unicode();

/// Columns that UTF-8 text takes: two for Chinese, Korean and Japanese characters and emoji, none for marks.
std::size_t display_width(std::string_view text);
/// `text` cut to at most so many columns, with an ellipsis where something was cut off.
std::string fitted(std::string_view text, std::size_t width);
/// `text` with blanks after it up to so many columns.
std::string padded(std::string_view text, std::size_t width);
/// A bar of `width` columns of which `share` (0 to 1) is filled, to an eighth of a column where Unicode shows.
std::string bar(double share, std::size_t width, bool unicode);

}  // namespace program
