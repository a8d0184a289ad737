/// What only one runner does at a time.
#pragma once
#include <filesystem>

namespace exercises {

/// While it lives, others who ask for a lock of the same folder wait. It waits for theirs, until an interruption. Where
/// the system knows no such locks, all goes on.
class Lock {
 public:
  explicit Lock(const std::filesystem::path& folder);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

}  // namespace exercises
