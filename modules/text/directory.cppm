/// Directories that files are written into: made, and kept for one program.
export module octet.text:directory;
import octet.standard;

export namespace octet::text {

/// Makes `directory` where it is missing. Throws X707.
void make_directory(const std::filesystem::path& directory);

/// While it lives, no other program gets one of the same directory: two that write the same files would mix them. It
/// ends with the program that has it, however that ends. Where the system knows no such locks, nothing is kept.
class DirectoryLock {
 public:
  /// Throws X707 where another program has the directory.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(DirectoryLock&& other) noexcept
      : identity_{other.identity_}, descriptor_{std::exchange(other.descriptor_, -1)} {}
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  /// Whether `directory` is still the one that is kept, and not another which has its name now.
  bool is_of(const std::filesystem::path& directory) const;

 private:
  /// What stays with a directory when its name changes; nothing of one that is not there.
  using Identity = std::optional<std::pair<std::uint64_t, std::uint64_t>>;
  static Identity identity_of(const std::filesystem::path& directory);

  Identity identity_;
  int descriptor_ = -1;
};

}  // namespace octet::text
