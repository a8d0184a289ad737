module;
#include <cerrno>
#ifndef __wasm__
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif
#include <sys/stat.h>
module octet.text;
import octet.base;
import octet.standard;

namespace octet::text {

namespace fs = std::filesystem;

namespace {

// The part of the path that is a symbolic link to nothing; empty where there is none.
fs::path dangling_link(const fs::path& directory) {
  fs::path there;
  std::error_code unknown;
  for (const fs::path& part : directory) {
    there /= part;
    if (fs::is_symlink(there, unknown) && !fs::exists(there, unknown)) return there;
  }
  return {};
}

// By what hinders a directory to be made.
std::string cure_of(const std::error_code& error) {
  if (error == std::errc::no_space_on_device) return "free some space, or name a directory on another disk";
  if (error == std::errc::permission_denied || error == std::errc::operation_not_permitted ||
      error == std::errc::read_only_file_system)
    return "name a directory that you may write to";
  if (error == std::errc::not_a_directory || error == std::errc::file_exists)
    return "name a directory that is not, and is not below, a file";
  if (error == std::errc::filename_too_long) return "choose a shorter name";
  return "name a directory elsewhere: here the system makes none";
}

}  // namespace

void make_directory(const fs::path& directory) {
  std::error_code error, unknown;
  fs::create_directories(directory, error);
  if (!error) return;
  if (const fs::path link = dangling_link(directory); !link.empty()) {
    const fs::path target = fs::read_symlink(link, unknown);
    fail({.number = 707,
          .sentence = link.string() + " is a symbolic link to " + target.string() + ", which is not there.",
          .where = {link.string(), 0, ""},
          .fix = {"make what it points to: mkdir -p " + shell_quoted((link.parent_path() / target).string()),
                  "name another directory"}});
  }
  fail({.number = 707,
        .sentence = "cannot create the directory " + directory.string() + ": " + error.message(),
        .where = {directory.string(), 0, ""},
        .fix = {cure_of(error)}});
}

DirectoryLock::DirectoryLock(const fs::path& directory) : identity_{identity_of(directory)} {
#ifndef __wasm__
  descriptor_ = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(std::exchange(descriptor_, -1));
  refuse_another_writer(directory, "another program is writing into " + directory.string() + ".",
                        "name another directory");
#endif
}

DirectoryLock::~DirectoryLock() {
#ifndef __wasm__
  if (descriptor_ >= 0) ::close(descriptor_);
#endif
}

bool DirectoryLock::is_of(const fs::path& directory) const { return identity_ && identity_of(directory) == identity_; }

DirectoryLock::Identity DirectoryLock::identity_of(const fs::path& directory) {
  struct stat there;
  if (stat(directory.c_str(), &there) != 0) return {};
  return std::pair{static_cast<std::uint64_t>(there.st_dev), static_cast<std::uint64_t>(there.st_ino)};
}

}  // namespace octet::text
