/// Arguments as a shell reads them.
#include <catch2/catch_test_macros.hpp>
#include <string>

import octet.text;

using octet::text::shell_quoted;

TEST_CASE("an argument is in quotes where a shell would not leave it as it is, and only there") {
  for (const char* plain : {"model", "../a/b-1_2.txt", "한국어.txt", "--from=x", "a,b:c@d+e%f^g"})
    CHECK(shell_quoted(plain) == plain);
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("my run") == "'my run'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  for (const char c : std::string{" \t\n\"\\$`*?[](){}<>|&;!#~"}) {
    const std::string argument = std::string{"a"} + c;
    CHECK(shell_quoted(argument) == "'" + argument + "'");
  }
}
