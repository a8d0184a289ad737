#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif

#include "terminal.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// The blocks that Unicode's East_Asian_Width calls wide or full-width, coarsely, and the emoji.
bool is_wide(char32_t c) {
  constexpr struct {
    char32_t first, last;
  } wide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},  {0xA960, 0xA97C}, {0xAC00, 0xD7A3},
              {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},  {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
              {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  return std::any_of(std::begin(wide), std::end(wide), [&](auto range) { return c >= range.first && c <= range.last; });
}

std::size_t width_of(char32_t c) {
  using octet::text::Category;
  const Category category = octet::text::category(c);
  const bool joins = (c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FB);  // later jamo of a syllable
  if (joins || category == Category::Mn || category == Category::Me || category == Category::Cf ||
      category == Category::Cc)
    return 0;
  return is_wide(c) ? 2 : 1;
}

}  // namespace

// Emscripten does not ask node about its terminals, so we do. A browser has none.
#ifdef __EMSCRIPTEN__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpedantic"
// clang-format off
bool is_terminal(Stream stream) {
  return MAIN_THREAD_EM_ASM_INT(
      { return typeof process == 'object' && ($0 == 1 ? process.stdout : process.stderr).isTTY ? 1 : 0; },
      static_cast<int>(stream));
}

std::size_t terminal_columns(Stream stream) {
  return static_cast<std::size_t>(MAIN_THREAD_EM_ASM_INT(
      { return typeof process == 'object' && ($0 == 1 ? process.stdout : process.stderr).columns || 0; },
      static_cast<int>(stream)));
}
// clang-format on
#pragma clang diagnostic pop
#else
bool is_terminal(Stream stream) { return isatty(static_cast<int>(stream)); }

std::size_t terminal_columns(Stream stream) {
  winsize size{};
  return ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
#endif

bool moves_cursor(Stream stream) { return is_terminal(stream) && environment("TERM") != "dumb"; }

bool can_redraw(Stream stream) { return moves_cursor(stream) && environment("NO_COLOR").empty(); }

std::size_t columns(Stream stream) {
  if (const std::size_t asked = terminal_columns(stream)) return asked;
  const int named = std::atoi(std::string{environment("COLUMNS")}.c_str());
  return named > 0 ? static_cast<std::size_t>(named) : 80;
}

bool shows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const std::string_view locale = environment(name); !locale.empty())
      return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos ||
             locale.find("UTF8") != locale.npos || locale.find("utf-8") != locale.npos;
  return false;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char32_t c : octet::text::decode_utf8(text)) width += width_of(c);
  return width;
}

std::string fitted(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string{text};
  if (width == 0) return {};
  std::string result;
  std::size_t taken = 1;  // the ellipsis
  for (const char32_t c : octet::text::decode_utf8(text)) {
    taken += width_of(c);
    if (taken > width) break;
    octet::text::append_utf8(result, c);
  }
  return result + (shows_unicode() ? "…" : "~");
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t taken = display_width(text);
  return std::string{text} + std::string(taken < width ? width - taken : 0, ' ');
}

std::string bar(double share, std::size_t width, bool unicode) {
  const double filled = (share > 0 ? std::min(share, 1.0) : 0.0) * static_cast<double>(width);
  auto whole = static_cast<std::size_t>(filled);
  std::string result;
  for (std::size_t i = 0; i < whole; ++i) result += unicode ? "█" : "#";
  constexpr std::string_view eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (const auto part = static_cast<std::size_t>((filled - static_cast<double>(whole)) * 8); unicode && part) {
    result += eighths[part];
    ++whole;
  }
  return result + std::string(width - whole, ' ');
}

}  // namespace program
