#include "command.hpp"
import cli11;
import octet.standard;

namespace program {

namespace {

constexpr std::string_view empty = "is given nothing; a variable of the shell may not be set";

/// What is wrong with a whole number, or nothing. It is left without what C takes for a sign of base 8.
template <class Number>
std::string fault_of_whole(std::string& text) {
  if (text.empty()) return std::string{empty};
  const bool negative = text.front() == '-';
  std::string digits = text.substr(text.front() == '-' || text.front() == '+' ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos)
    return "'" + text + "' is not a whole number";
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  text = (negative && digits != "0" ? "-" : "") + digits;
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return {};
  return "'" + text + "' is not between " + std::to_string(std::numeric_limits<Number>::min()) + " and " +
         std::to_string(std::numeric_limits<Number>::max());
}

std::string fault_of_name(std::string& text) { return text.empty() ? std::string{empty} : std::string{}; }

void mark_brackets(std::string& argument) {
  const std::size_t at = argument.starts_with("--") ? argument.find('=') + 1 : 0;  // 0 where there is none
  // What begins with the mark itself gets one more, which is the one that is taken off again.
  if ((argument.ends_with(']') && argument[at] == '[') || argument[at] == bracket_mark)
    argument.insert(at, 1, bracket_mark);
}

std::string unmarked(std::string& text) {
  if (text.starts_with(bracket_mark)) text.erase(0, 1);
  return {};
}

void read_as_it_stands(CLI::Option& option) {
  if (option.get_type_size() == 0) return;  // a flag
  const std::string type = option.get_type_name();
  const auto check = [&](std::string (*fault)(std::string&)) { option.transform(CLI::Validator{fault, ""}); };
  if (type == "INT") check(fault_of_whole<long long>);
  if (type == "UINT") check(fault_of_whole<unsigned long long>);
  if (type == "FLOAT" || type.starts_with("N,") || type.starts_with("DIR") || type.starts_with("FILE"))
    check(fault_of_name);
  check(unmarked);  // first of all
}

}  // namespace

void add(CLI::App& app, Invocation& invocation, const Subcommand& subcommand) {
  CLI::App* const sub = app.add_subcommand(subcommand.name, subcommand.description);
  sub->footer(std::string{"Example:\n  "} + subcommand.example);
  sub->preparse_callback([sub, &invocation, &subcommand](std::size_t) {
    for (const Subcommand* each : subcommand.below) add(*sub, invocation, *each);
    if (!subcommand.below.empty()) {
      sub->require_subcommand(1);
      return;
    }
    sub->add_flag("--json", invocation.json, "one JSON object a line on standard output");
    subcommand.add_options(sub, invocation);
    for (CLI::Option* option : sub->get_options()) read_as_it_stands(*option);
  });
}

void parse(CLI::App& app, int count, char** arguments) {
  std::vector<std::string> words(std::make_reverse_iterator(arguments + count),
                                 std::make_reverse_iterator(arguments + 1));
  for (std::string& word : words) mark_brackets(word);
  app.parse(std::move(words));
}

std::string as_written(const CLI::Option& option) {
  const std::string name = option.get_name();
  const bool taken_back =
      option.get_expected_max() == 0 && option.count() > 0 && option.reduced_results().back() == "false";
  return taken_back ? "--no-" + name.substr(2) : name;
}

}  // namespace program
