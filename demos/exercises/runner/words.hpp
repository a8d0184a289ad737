/// The languages of the exercises, and what the runner itself says in them.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace exercises {

enum class Language : std::size_t { en, ko, ja };
inline constexpr std::array languages{Language::en, Language::ko, Language::ja};

/// `en`, `ko` or `ja`.
std::string_view name(Language language);
std::optional<Language> language_named(std::string_view name);
/// That of LC_ALL, LC_MESSAGES or LANG, the first that is set; English where it is another.
Language language_of_environment();

enum class Word : std::size_t {
  file,
  promise,
  building,
  holds,
  does_not_build,
  refused,
  threw,
  does_not_hold,
  too_long,
  too_large,
  signalled,
  foreign_memory,
  no_return,
  ended,
  gone,
  no_text,
  printed,
  left_out,
  more,
  signature,
  wanted,
  hint,
  no_more_hints,
  solved,
  solution,
  notice,
  next_key,
  hint_key,
  list_key,
  run_key,
  reset_key,
  check_key,
  quit_key,
  yes_key,
  other_key,
  ask_reset,
  was_reset,
  kept_before,
  solve_first,
  all_solved,
  list_title,
  list_keys,
  compiles,
  padding,
  memory,
  result,
  bits,
  unknown_name,
  did_you_mean,
  see_list,
  checked_all,
  welcome,
  saved_elsewhere,
};

std::string_view word(Word word, Language language);
/// With `name`, or a number, where the text has `{}`.
std::string word(Word word, Language language, const std::string& name);
/// What a kind of fact is called.
std::string kind_of_fact(const std::string& kind, Language language);

}  // namespace exercises
