#include "view.hpp"

#include <string.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <sstream>
#include <vector>

#include "terminal.hpp"
#include "wrapping.hpp"

namespace exercises {

using program::display_width;

namespace {

constexpr std::ptrdiff_t most_faults = 5;  // the later ones mostly follow from the first

std::string colored(const Page& page, const char* code, std::string_view text) {
  return page.colors ? "\x1b[" + std::string{code} + "m" + std::string{text} + "\x1b[0m" : std::string{text};
}

std::string fact_line(const Page& page, const Fact& fact, bool marked) {
  const std::string kind = kind_of_fact(fact.kind, page.language);
  constexpr std::size_t below = 10;  // columns before what does not fit beside it, which stands below
  const std::size_t before = (marked ? 6 : 2) + display_width(kind) + 2;
  std::string line = marked ? (fact.holds ? page.green("  ok  ") : page.red("  no  ")) : "  ";
  line += kind + "  " + page.bold(filled(fact.what, page.width, before, below));
  std::string wanted;
  if (!fact.holds || fact.relation != "==" || fact.measured != fact.wanted)
    wanted = std::string{word(Word::wanted, page.language)} + " " + (fact.relation == "==" ? "" : fact.relation + " ") +
             fact.wanted;
  const bool fits = display_width(kind + fact.what + fact.measured + wanted) + 12 <= page.width;
  const auto add = [&](const std::string& text, const char* beside) {
    if (fits)
      line += beside + text;
    else
      line += "\n" + std::string(below, ' ') + filled(text, page.width, below, below);
  };
  if (!fact.measured.empty()) add(fact.measured, "  ");
  if (!wanted.empty()) add(wanted, "   ");
  return line + "\n";
}

/// Messages keep the lines that they have; on a terminal, those that are too long are broken between words. Lines of
/// the source stay as they are.
std::string message_text(const Page& page, const std::string& message) {
  if (!page.terminal) return message;
  std::string result;
  std::istringstream lines{message};
  for (std::string line; std::getline(lines, line);)
    result += (line.find(" | ") == line.npos ? filled_line(line, page.width) : line) + "\n";
  return result;
}

/// Of many lines, the first and the last.
std::string printed_text(const Page& page, const Output& printed) {
  constexpr std::size_t most = 20;
  const auto lines_of = [](const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  };
  // A line may be a megabyte, too.
  const auto shown = [](const std::string& line) { return program::fitted(line.substr(0, 1000), 500) + "\n"; };
  std::string result;
  const std::vector<std::string> first = lines_of(printed.first), last = lines_of(printed.last);
  if (printed.last.empty() && first.size() <= 2 * most) {
    for (const std::string& line : first) result += shown(line);
    return result;
  }
  const std::vector<std::string>& end = last.empty() ? first : last;
  const std::size_t begins = std::min(most, first.size()), ends = std::min(most, end.size());
  for (std::size_t i = 0; i < begins; ++i) result += shown(first[i]);
  const std::size_t told = begins + ends, left_out = printed.lines > told ? printed.lines - told : 0;
  result += page.dim(word(Word::left_out, page.language, std::to_string(left_out))) + "\n";
  for (std::size_t i = end.size() - ends; i < end.size(); ++i) result += shown(end[i]);
  return result;
}

/// How a signal is told, with what it mostly comes of.
std::string signal_text(const Page& page, int signal) {
  const auto say = [&](Word which) { return "\n" + std::string{word(which, page.language)}; };
  return word(Word::signalled, page.language, strsignal(signal)) +
         (signal == SIGSEGV || signal == SIGBUS   ? say(Word::foreign_memory)
          : signal == SIGILL || signal == SIGTRAP ? say(Word::no_return)
                                                  : "");
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
    if (!paragraph.empty()) result += filled(paragraph, width) + "\n";
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
  if (parts.size() != 5) return filled_line("  " + promise, page.terminal ? page.width : promise.size() + 2) + "\n";
  return fact_line(page, {false, parts[0], parts[1], parts[2], parts[3], parts[4]}, false);
}

std::string task_of(const Page& page, const Course& course, std::size_t exercise, const std::string& file) {
  const Exercise& own = course.exercises[exercise];
  const Texts& texts = own.in(page.language);
  const std::string number = std::to_string(exercise + 1) + "/" + std::to_string(course.exercises.size());
  std::string result = page.bold(number + "  " + own.name + "  " +
                                 filled(texts.title, page.width, number.size() + own.name.size() + 4)) +
                       "\n" + std::string{word(Word::file, page.language)} + ": " + page.bold(file) + "\n\n" +
                       wrapped(page, texts.task) + "\n" + std::string{word(Word::promise, page.language)} + ":\n";
  for (const std::string& promise : own.promises) result += promise_text(page, promise);
  return result;
}

std::string outcome_of(const Page& page, const Attempt& attempt, bool all) {
  using End = Attempt::End;
  const auto say = [&](Word which) { return std::string{word(which, page.language)}; };
  const auto headline = [&]() -> std::string {
    switch (attempt.end) {
      case End::passed:
        return say(Word::holds);
      case End::gone:
        return say(Word::gone);
      case End::no_text:
        return say(Word::no_text);
      case End::not_built:
        return say(Word::does_not_build);
      case End::refused:
        return say(Word::refused);
      case End::threw:
        return say(Word::threw);
      case End::failed:
        return say(Word::does_not_hold);
      case End::too_long:
        return say(Word::too_long);
      case End::too_large:
        return say(Word::too_large);
      case End::signalled:
        return signal_text(page, attempt.number);
      case End::ended:
        break;
    }
    return word(Word::ended, page.language, std::to_string(attempt.number));
  };
  std::string result;
  std::istringstream headlines{headline()};
  for (std::string line; std::getline(headlines, line);) {
    const std::string text = filled(line, page.width);
    result += (attempt.passed() ? page.green(text) : page.red(text)) + "\n";
  }
  for (const Fact& fact : attempt.facts) result += fact_line(page, fact, true);
  const Messages& messages = attempt.messages;
  if (!messages.missing.empty()) result += filled(say(Word::signature), page.width) + "\n";
  for (const std::string& name : messages.missing) result += "  " + page.bold(name) + "\n";
  std::vector<std::string> told = attempt.refusals;
  told.insert(told.end(), messages.faults.begin(),
              messages.faults.begin() + std::min<std::ptrdiff_t>(std::ssize(messages.faults), most_faults));
  const std::size_t count = all ? told.size() : std::min<std::size_t>(told.size(), 1);
  for (std::size_t i = 0; i < count; ++i) result += message_text(page, told[i]);
  if (const std::size_t others = told.size() - count; others > 0)
    result += page.bold(filled(word(Word::more, page.language, std::to_string(others)), page.width)) + "\n";
  if (!attempt.printed.empty() && attempt.end != End::not_built) result += say(Word::printed) + "\n";
  return result + printed_text(page, attempt.printed);
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
  const std::string numbers = std::to_string(solved) + "/" + std::to_string(count);
  const std::size_t room = page.width - std::min(page.width, numbers.size() + 4),
                    width = std::min<std::size_t>(40, room);
  const std::size_t full = count == 0 ? 0 : width * solved / count;
  return "[" + page.green(std::string(full, '#')) + std::string(width - full, '-') + "] " + numbers + "\n";
}

std::size_t width_shown(const std::string& line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == '\x1b')
      i = std::min(line.find('m', i), line.size());  // of a colour
    else
      plain += line[i];
  return display_width(plain);
}

std::string joined(const Page& page, const std::vector<std::string>& parts, std::string_view between) {
  std::string result;
  std::size_t column = 0;
  for (const std::string& part : parts) {
    const std::size_t own = width_shown(part);
    if (column > 0 && column + between.size() + own > page.width) {
      result += "\n";
      column = 0;
    } else if (column > 0) {
      result += between;
      column += between.size();
    }
    result += part;
    column += own;
  }
  return result;
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
