/// Files that never lie half written: written beside, then renamed.
module;
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
export module octet.text:file;

export namespace octet::text {

/// Replaces `path` by `content` in one step: written to a file beside it, then renamed. Throws X707 where the disk is
/// full or the place cannot be written; whatever stood at `path` before is then unchanged.
void write_file(const std::filesystem::path& path, std::string_view content);

struct FileContent {
  std::filesystem::path path;
  std::string content;
};
/// Replaces several files: all are written beside theirs before the first is renamed, so where the disk is full none is
/// replaced. Throws X707.
void write_files(std::span<const FileContent> files);

/// Makes `directory` where it is missing. Throws X707.
void make_directory(const std::filesystem::path& directory);

/// The whole file as bytes. Throws X701 where it is missing, is a directory, or cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace octet::text
