/// Files that never lie half written: written beside, then renamed.
module;
#include <filesystem>
#include <string>
#include <string_view>
export module octet.text:file;

export namespace octet::text {

/// Replaces `path` by `content` in one step: written to a file beside it, then renamed. Throws X707 where the disk is
/// full or the place cannot be written; whatever stood at `path` before is then unchanged.
void write_file(const std::filesystem::path& path, std::string_view content);

/// The whole file as bytes. Throws X701 where it is missing, is a directory, or cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace octet::text
