/// The directory that a training run is saved in, and the copies of it that are kept. Imports octet: include it after
/// all other headers.
#pragma once
#include "made_directory.hpp"
import octet.standard;
import octet;

namespace program {

/// Throws X707 where `directory`, which `what` is to be, is a file, lies in one, or cannot be written to or made.
void require_writable(const std::string& directory, const std::string& what);

/// The lock of a directory that is written when long work is done: taken at once where the directory is there, else
/// when it is made.
class OutputLock {
 public:
  /// Throws X707 where another program writes into `directory`; where that is empty there is nothing to lock.
  explicit OutputLock(const std::string& directory);
  /// Makes the directory where it was missing; then `require_free` is asked, for what stands there came meanwhile.
  void make(const std::function<void()>& require_free);
  /// Before each time that something is written. Where the directory is gone, or an empty one has taken its place, that
  /// is made or taken; so is one of which `is_own` says that it holds what was written. Throws X707 where another one
  /// has, or another program writes there.
  void keep(const std::function<bool()>& is_own);
  /// Whether what is written there is still there, as far as its directory goes.
  bool is_kept() const { return lock_ && lock_->is_of(directory_); }

 private:
  std::string directory_;
  std::optional<MadeDirectory> made_;
  std::optional<octet::text::DirectoryLock> lock_;
};

/// Throws X707 where `out` cannot become a run's directory, or, unless it is to be written over, is one already or
/// holds copies of one.
void require_free(const std::string& out, bool overwrite);

/// Throws X707 where a directory in `out` has the name of a copy that the run may make, after the step that it is
/// resumed at, and something else in it.
void require_no_others_copies(const std::string& out, std::optional<std::int64_t> resumed_at);

/// Where a copy of the run in `out` is kept as it was after `step`.
std::filesystem::path copy_of_run(const std::string& out, std::int64_t step);
/// Removes all copies in `out`: of a run whose place another one has taken.
void drop_copies(const std::string& out);
/// Removes copies, the oldest first, until `limit` of those up to `newest` are left: also of the same run before it was
/// stopped. What is left of copies whose writing was ended goes, too.
void drop_older_copies(const std::string& out, std::int64_t newest, std::int64_t limit);

}  // namespace program
