#include "lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "process.hpp"

namespace exercises {

Lock::Lock(const std::filesystem::path& folder)
    : descriptor_{open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)} {
  while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX) != 0 && errno == EINTR && !interrupted()) {
  }
}

Lock::~Lock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace exercises
