module;
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>
module octet.text;
import octet.base;

namespace octet::text {

namespace fs = std::filesystem;

namespace {

std::string reason(int error) { return error ? std::generic_category().message(error) : "unknown reason"; }

}  // namespace

void write_file(const fs::path& path, std::string_view content) {
  const fs::path beside{path.string() + ".writing"};
  const auto give_up = [&](const char* what, int error) {
    std::error_code ignored;
    fs::remove(beside, ignored);
    std::vector<std::string> fix;
    if (error == ENOSPC)
      fix.push_back("free at least " + std::to_string(content.size()) + " bytes on that disk, or write elsewhere");
    else if (error == EACCES || error == EROFS || error == EPERM)
      fix.push_back("write to a directory that you may write to");
    fail({.number = 707,
          .sentence = "cannot " + std::string{what} + " " + path.string() + ": " + reason(error),
          .where = {path.string(), 0, ""},
          .fix = fix});
  };
  std::FILE* file = std::fopen(beside.string().c_str(), "wb");
  if (!file) give_up("create", errno);
  int error = 0;
  if (!content.empty() && std::fwrite(content.data(), 1, content.size(), file) != content.size())
    error = errno ? errno : EIO;
  if (std::fclose(file) != 0 && !error) error = errno ? errno : EIO;
  if (error) give_up("write", error);
  std::error_code renamed;
  fs::rename(beside, path, renamed);
  if (renamed) give_up("replace", renamed.value());
}

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  int error = 0;
  std::string content;
  if (fs::is_directory(path, ignored)) {
    error = EISDIR;
  } else if (std::FILE* file = std::fopen(path.string().c_str(), "rb")) {
    char block[65536];
    for (std::size_t count; (count = std::fread(block, 1, sizeof block, file)) > 0;) content.append(block, count);
    if (std::ferror(file)) error = errno ? errno : EIO;
    std::fclose(file);
  } else {
    error = errno;
  }
  if (error)
    fail({.number = 701,
          .sentence = "cannot read " + path.string() + ": " + reason(error),
          .where = {path.string(), 0, ""}});
  return content;
}

}  // namespace octet::text
