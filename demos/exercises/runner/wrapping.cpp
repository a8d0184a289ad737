#include "wrapping.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "terminal.hpp"

namespace exercises {

namespace {

/// The characters of UTF-8 text.
std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> result;
  for (const char c : text)
    if (result.empty() || (static_cast<unsigned char>(c) & 0xC0) != 0x80)
      result.push_back({c});
    else
      result.back() += c;
  return result;
}

/// What must not begin a line, and what must not end one.
bool closes(const std::string& character) {
  constexpr std::string_view closing = "、。，．」』）)］]！？：；ー…・.,:;!?ぁぃぅぇぉっゃゅょァィゥェォッャュョ";
  return closing.find(character) != closing.npos;
}
bool opens(const std::string& character) {
  return character == "「" || character == "『" || character == "（" || character == "(";
}

/// Whether lines may be broken beside it without a blank: kana and Chinese characters, but not Hangul, which has
/// blanks.
bool stands_alone(const std::string& character) {
  return character.size() >= 3 && character >= "\u2E80" && !(character >= "\uAC00" && character <= "\uD7A3");
}

/// What must not be torn apart, each with whether a blank stands before it.
struct Piece {
  std::string text;
  bool blank = false;
};
std::vector<Piece> pieces(const std::string& paragraph) {
  std::vector<Piece> result;
  bool blank = false;
  std::string before;
  for (const std::string& c : characters(paragraph)) {
    if (c == " ") {
      blank = true;
      continue;
    }
    const bool breaks = blank || ((stands_alone(c) || stands_alone(before)) && !closes(c) && !opens(before));
    if (result.empty() || breaks)
      result.push_back({c, blank && !result.empty()});
    else
      result.back().text += c;
    blank = false;
    before = c;
  }
  return result;
}

}  // namespace

std::string filled(const std::string& paragraph, std::size_t width, std::size_t begin, std::size_t indent) {
  if (begin + program::display_width(paragraph) <= width) return paragraph;
  std::string result;
  std::size_t column = begin;
  for (const Piece& piece : pieces(paragraph)) {
    const std::size_t own = program::display_width(piece.text);
    if (!result.empty() && column + piece.blank + own > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (piece.blank) {
      result += " ";
      ++column;
    }
    result += piece.text;
    column += own;
  }
  return result;
}

std::string filled_line(const std::string& line, std::size_t width) {
  if (program::display_width(line) <= width) return line;
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  return std::string(indent, ' ') + filled(line.substr(indent), width, indent, indent + 4);
}

}  // namespace exercises
