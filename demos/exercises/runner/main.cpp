/// octet_exercises: exercises to learn the rules of a TPU by, each a small program with one thing to mend. `./run
/// exercises` builds and starts it.
#include <unistd.h>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "attempt.hpp"
#include "check.hpp"
#include "process.hpp"
#include "terminal.hpp"
#include "watch.hpp"

#include "help.hpp"
import cli11;

namespace {

using namespace exercises;

int list(const Course& course, const Progress& progress, const Page& page) {
  for (std::size_t i = 0; i < course.exercises.size(); ++i)
    std::fputs(row_of(page, course, progress, i, i == progress.current()).c_str(), stdout);
  std::fputs(progress_bar(page, progress.solved_count(), course.exercises.size()).c_str(), stdout);
  return 0;
}

int unknown(const Course& course, const std::string& name, Language language) {
  const std::string alike = course.nearest(name);
  std::fprintf(stderr, "%s: %s. %s%s%s\n", std::string{word(Word::unknown_name, language)}.c_str(), name.c_str(),
               alike.empty() ? "" : word(Word::did_you_mean, language, alike).c_str(), alike.empty() ? "" : " ",
               std::string{word(Word::see_list, language)}.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Exercises: small programs with one thing to mend, checked whenever you save.\n"
      "Without a terminal, one pass over the current exercise; exit status 1 where it is not solved."};
  app.name("./run exercises");
  app.formatter(octet::shared<program::Help>());
  std::string name, language, folder = OCTET_SOURCE "/exercises";
  bool listed = false, checked = false, reset = false;
  int hints = 0;
  app.add_option("name", name, "the exercise to go to, its number or its file; otherwise the one you are at");
  app.add_flag("--list", listed, "all exercises, and which are solved");
  app.add_flag("--check", checked, "prove that each exercise fails as shipped and that each solution passes");
  app.add_flag("--reset", reset, "put the exercise back to what was shipped; NAME.cpp.before-reset keeps yours");
  app.add_option("--hints", hints, "without a terminal: show so many hints")->check(CLI::Range(0, 3));
  app.add_option("--language", language, "en, ko or ja; otherwise that of your locale")
      ->check(CLI::IsMember({"en", "ko", "ja"}));
  app.add_option("--folder", folder, "where your copies and your progress are")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::fprintf(stderr, "./run exercises: %s\nSee ./run exercises --help.\n", error.what());
    return 2;
  }

  catch_interruptions();
  const Course course = read_course(OCTET_SOURCE "/demos/exercises");
  if (checked) return check_course(course);
  const Page page{.language = language_named(language).value_or(language_of_environment()),
                  .width = program::columns(program::Stream::output),
                  .colors = program::can_redraw(program::Stream::output),
                  .terminal = program::is_terminal(program::Stream::output)};
  try {
    Progress progress{course, std::filesystem::absolute(folder)};
    if (!name.empty()) {
      const std::size_t exercise = course.find_as_written(name);
      if (exercise == course.exercises.size()) return unknown(course, name, page.language);
      progress.go_to(exercise);
    }
    if (reset) {
      const Exercise& exercise = course.exercises[progress.current()];
      const bool kept = progress.reset(exercise);
      std::printf("%s: %s\n", exercise.name.c_str(), std::string{word(Word::was_reset, page.language)}.c_str());
      if (kept)
        std::printf("%s\n", word(Word::kept_before, page.language, shown(progress.before_reset(exercise))).c_str());
      return 0;
    }
    if (listed) return list(course, progress, page);
    if (!isatty(STDIN_FILENO) || !program::moves_cursor(program::Stream::output))
      return pass_once(course, progress, page, hints) ? 0 : 1;
    watch(course, progress, page);
    std::printf("%s: %s\n", std::string{word(Word::saved_elsewhere, page.language)}.c_str(),
                shown(progress.folder()).c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
