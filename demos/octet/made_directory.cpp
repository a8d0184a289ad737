#include <unistd.h>

#include "made_directory.hpp"

namespace program {

namespace fs = std::filesystem;

MadeDirectory::MadeDirectory(const std::string& directory) {
  std::error_code unknown;
  for (fs::path path = fs::absolute(directory, unknown).lexically_normal();
       path.has_relative_path() && !fs::exists(path, unknown); path = path.parent_path())
    if (path.has_filename()) made_.push_back(path);
  octet::text::make_directory(directory);
}

MadeDirectory::~MadeDirectory() {
  // Not what somebody put in its place: of a file, a link, and what is not empty, this takes nothing away.
  for (const fs::path& path : made_) rmdir(path.c_str());
}

}  // namespace program
