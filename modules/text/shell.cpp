module octet.text;
import octet.standard;
import :shell;

namespace octet::text {

std::string shell_quoted(std::string_view argument) {
  constexpr std::string_view special = " \t\n\"'\\$`*?[](){}<>|&;!#~";
  if (!argument.empty() && argument.find_first_of(special) == argument.npos) return std::string{argument};
  std::string result = "'";
  for (const char c : argument) result += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return result + "'";
}

}  // namespace octet::text
