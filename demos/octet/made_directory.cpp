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
  std::error_code ignored;  // of one that is not empty, or not there
  for (const fs::path& path : made_) fs::remove(path, ignored);
}

}  // namespace program
