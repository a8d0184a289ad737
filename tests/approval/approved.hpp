/// Approved texts: what a user is shown is pinned in tests/approval/NAME.txt, and a change has to be accepted by a
/// person.
///   OCTET_ACCEPT=1 build/native/tests/approval     writes the texts as they are now; git diff shows what changed
/// To be included after `import octet;`, with <catch2/catch_test_macros.hpp>, <cstdlib>, <filesystem>, <fstream>,
/// <functional>, <iterator>, <regex> and <string> before it.
#pragma once

/// `text` with every `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

/// Checks that `text` is what was approved. Folders of this machine, its times and names that Catch2 gives are
/// taken out first.
inline void approve(const std::string& name, std::string text) {
  const std::string here = std::string{OCTET_SOURCES} + "/";
  text = replaced(text, "directory " + std::filesystem::current_path().string() + "\n", "directory HERE\n");
  text = replaced(text, here, "") + "\n";
  text = std::regex_replace(text, std::regex{"CATCH2_INTERNAL_TEST_[0-9]+"}, "test");
  text = std::regex_replace(text, std::regex{"[0-9.]+( ms| %)"}, "N$1");  // of this machine and this moment
  text = std::regex_replace(text, std::regex{"[.]buckets = .*(\\s+or:  [.]buckets = .*)*"},
                            ".buckets = (which and how many, by measured times)");
  const std::string path = here + "tests/approval/" + name + ".txt";
  std::string approved;
  {
    std::ifstream file{path, std::ios::binary};
    approved.assign(std::istreambuf_iterator<char>{file}, {});
  }
  if (approved != text && std::getenv("OCTET_ACCEPT")) {
    std::ofstream{path, std::ios::binary} << text;
    approved = text;
  }
  INFO("approved in " << path << "; OCTET_ACCEPT=1 accepts what it is now");
  CHECK(text == approved);
}

/// A message that was handed over, not thrown, which must be of this number.
inline void approve_message(int number, const octet::Diagnostic& diagnostic) {
  CHECK(diagnostic.number == number);
  approve(octet::diagnostic_name(number), diagnostic.text());
}

/// What the function is refused with, which must be of this number.
inline void approve_refusal(int number, const std::function<void()>& function) {
  try {
    function();
  } catch (const octet::Error& error) {
    CHECK(error.number() == number);
    approve(octet::diagnostic_name(number), error.what());
    return;
  }
  FAIL_CHECK(octet::diagnostic_name(number) << " was not raised");
}
