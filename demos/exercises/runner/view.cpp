#include "view.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "terminal.hpp"

namespace exercises {

using program::display_width;

namespace {

std::string colored(const Page& page, const char* code, std::string_view text) {
  return page.colors ? "\x1b[" + std::string{code} + "m" + std::string{text} + "\x1b[0m" : std::string{text};
}

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

std::string filled(const std::string& paragraph, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  for (const Piece& piece : pieces(paragraph)) {
    const std::size_t own = display_width(piece.text);
    if (column > 0 && column + piece.blank + own > width) {
      result += "\n";
      column = 0;
    } else if (piece.blank) {
      result += " ";
      ++column;
    }
    result += piece.text;
    column += own;
  }
  return result + "\n";
}

std::string fact_line(const Page& page, const Fact& fact, bool marked) {
  const std::string kind = kind_of_fact(fact.kind, page.language);
  std::string line = marked ? (fact.holds ? page.green("  ok  ") : page.red("  no  ")) : "  ";
  line += kind + "  " + page.bold(fact.what);
  std::string wanted;
  if (fact.relation != "==" || fact.measured != fact.wanted)
    wanted = std::string{word(Word::wanted, page.language)} + " " + (fact.relation == "==" ? "" : fact.relation + " ") +
             fact.wanted;
  // What does not fit beside it stands below, each on a line of its own.
  const bool fits = display_width(kind + fact.what + fact.measured + wanted) + 12 <= page.width;
  const std::string below = "\n          ";
  if (!fact.measured.empty()) line += (fits ? "  " : below) + fact.measured;
  if (!wanted.empty()) line += (fits ? "   " : below) + wanted;
  return line + "\n";
}

}  // namespace

std::string Page::bold(std::string_view text) const { return colored(*this, "1", text); }
std::string Page::green(std::string_view text) const { return colored(*this, "32", text); }
std::string Page::red(std::string_view text) const { return colored(*this, "31", text); }
std::string Page::dim(std::string_view text) const { return colored(*this, "2", text); }

std::string wrapped(const Page& page, const std::string& text) {
  const std::size_t width = std::min<std::size_t>(page.width, 100);
  std::string result, paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) result += filled(paragraph, width);
    paragraph.clear();
  };
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("    ") || line.empty()) {
      flush();
      result += line + "\n";
    } else {
      // Lines of Japanese are joined as they are: it puts no blanks between words.
      const bool joins =
          page.language == Language::ja && !paragraph.empty() && (paragraph.back() & 0x80 || line.front() & 0x80);
      paragraph += (paragraph.empty() || joins ? "" : " ") + line;
    }
  }
  flush();
  return result;
}

std::string promise_text(const Page& page, const std::string& promise) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at; (at = promise.find(" | ", begin)) != promise.npos; begin = at + 3)
    parts.push_back(promise.substr(begin, at - begin));
  parts.push_back(promise.substr(begin));
  if (parts.size() == 2) return "  " + kind_of_fact(parts[0], page.language) + "  " + page.bold(parts[1]) + "\n";
  if (parts.size() != 5) return "  " + promise + "\n";
  return fact_line(page, {false, parts[0], parts[1], parts[2], parts[3], parts[4]}, false);
}

std::string task_of(const Page& page, const Course& course, std::size_t exercise, const std::string& file) {
  const Exercise& own = course.exercises[exercise];
  const Texts& texts = own.in(page.language);
  std::string result = page.bold(std::to_string(exercise + 1) + "/" + std::to_string(course.exercises.size()) + "  " +
                                 own.name + "  " + texts.title) +
                       "\n" + std::string{word(Word::file, page.language)} + ": " + page.bold(file) + "\n\n" +
                       wrapped(page, texts.task) + "\n" + std::string{word(Word::promise, page.language)} + ":\n";
  for (const std::string& promise : own.promises) result += promise_text(page, promise);
  return result;
}

std::string outcome_of(const Page& page, const Attempt& attempt) {
  using End = Attempt::End;
  const auto say = [&](Word which) { return std::string{word(which, page.language)} + "\n"; };
  std::string facts;
  for (const Fact& fact : attempt.facts) facts += fact_line(page, fact, true);
  switch (attempt.end) {
    case End::passed:
      return page.green(say(Word::holds)) + facts;
    case End::not_built: {
      const bool undefined = attempt.output.find("undefined") != attempt.output.npos &&
                             attempt.output.find(": error: ") == attempt.output.npos;
      return page.red(say(Word::does_not_build)) + attempt.output + (undefined ? say(Word::signature) : "");
    }
    case End::refused:
      return page.red(say(Word::refused)) + facts + attempt.output;
    case End::failed:
      return page.red(say(Word::does_not_hold)) + facts + attempt.output;
    case End::too_long:
      return page.red(say(Word::too_long)) + facts + attempt.output;
    case End::crashed:
      break;
  }
  return page.red(say(Word::crashed)) + facts + attempt.output;
}

std::string hints_of(const Page& page, const Exercise& exercise, int count) {
  std::string result;
  for (int i = 0; i < count; ++i)
    result += page.bold(std::string{word(Word::hint, page.language)} + " " + std::to_string(i + 1) + "/3") + "\n" +
              wrapped(page, exercise.in(page.language).hints[i]);
  return result;
}

std::string lesson_of(const Page& page, const Course& course, const Exercise& exercise) {
  const std::string solution =
      "demos/exercises/" + course.solution(exercise).lexically_relative(course.folder).generic_string();
  return page.bold(std::string{word(Word::notice, page.language)}) + "\n" +
         wrapped(page, exercise.in(page.language).notice) + std::string{word(Word::solution, page.language)} + ": " +
         page.bold(solution) + "\n";
}

std::string progress_bar(const Page& page, std::size_t solved, std::size_t count) {
  constexpr std::size_t width = 40;
  const std::size_t full = count == 0 ? 0 : width * solved / count;
  return "[" + page.green(std::string(full, '#')) + std::string(width - full, '-') + "] " + std::to_string(solved) +
         "/" + std::to_string(count) + "\n";
}

std::string row_of(const Page& page, const Course& course, const Progress& progress, std::size_t exercise,
                   bool marked) {
  const Exercise& own = course.exercises[exercise];
  const std::string number = std::to_string(exercise + 1);
  const std::string line = std::string(number.size() < 2 ? 1 : 0, ' ') + number + "  " + program::padded(own.name, 24) +
                           "  " + own.in(page.language).title;
  const bool solved = progress.solved(own);
  return std::string{marked ? "> " : "  "} + (solved ? page.green("[x] ") : "[ ] ") +
         (marked ? page.bold(program::fitted(line, page.width - 7)) : program::fitted(line, page.width - 7)) + "\n";
}

}  // namespace exercises
