#include <glob.h>

#include "messages.hpp"
#include "patterns.hpp"
import cli11;

namespace program {

std::vector<std::string> matching_files(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    glob_t found{};
    std::error_code unknown;
    if (name.find_first_of("*?") != name.npos && !std::filesystem::exists(name, unknown) &&
        ::glob(name.c_str(), 0, nullptr, &found) == 0)
      for (std::size_t i = 0; i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
    else
      files.push_back(name);
    ::globfree(&found);
  }
  return files;
}

std::string matching_file(const std::string& name) {
  const std::vector<std::string> files = matching_files({name});
  if (files.size() > 1)
    refuse_option(name + " is " + std::to_string(files.size()) + " files, and here goes one.", "name one of them");
  return files.front();
}

CLI::Option* add_files(CLI::App* app, const std::string& name, std::vector<std::string>& files,
                       const std::string& description) {
  return app->add_option_function<std::vector<std::string>>(
      name, [&files](const std::vector<std::string>& names) { files = matching_files(names); }, description);
}

}  // namespace program
