/// Directories that commands make. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// A directory that is made where it is missing, and taken away again in the end if nothing came into it: with those
/// above it that were made for it.
class MadeDirectory {
 public:
  /// Throws X707 where it cannot be made.
  explicit MadeDirectory(const std::string& directory);
  ~MadeDirectory();
  MadeDirectory(const MadeDirectory&) = delete;
  MadeDirectory& operator=(const MadeDirectory&) = delete;

 private:
  std::vector<std::filesystem::path> made_;  ///< the lowest first
};

}  // namespace program
