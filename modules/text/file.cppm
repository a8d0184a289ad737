/// Files that never lie half written: written beside, then renamed.
module;
#include <cstdio>
export module octet.text:file;
import octet.standard;

export namespace octet::text {

/// The bytes of a file, made part by part: for what lies in memory already in another form. What is not known in
/// advance is written with a FileWriter.
class FileParts {
 public:
  using Write = std::function<void(std::string_view)>;
  /// One part.
  FileParts(std::string bytes) : FileParts{[bytes = std::move(bytes)](const Write& write) { write(bytes); }} {}
  /// `make` gives `write` all parts in order, the same ones whenever it is called: now to count the bytes.
  FileParts(std::function<void(const Write& write)> make) : make_{std::move(make)} {
    make_([&](std::string_view part) { size_ += part.size(); });
  }

  std::uint64_t size() const { return size_; }
  void each(const Write& write) const { make_(write); }
  /// All of it.
  std::string joined() const;

 private:
  std::uint64_t size_ = 0;
  std::function<void(const Write&)> make_;
};

/// Replaces `path` by `content` in one step: written to a file beside it, then renamed. Of a link it is what the link
/// leads to that is replaced. Devices and pipes are written to. Throws X707 where the disk is full or the place cannot
/// be written; whatever stood at `path` before is then unchanged.
void write_file(const std::filesystem::path& path, std::string_view content);
void write_parts(const std::filesystem::path& path, const FileParts& content);

struct FileContent {
  std::filesystem::path path;
  std::function<FileParts()> content;
};
/// Replaces several files, all or none: all are written beside theirs before the first is renamed, and where one cannot
/// be replaced, what stood in the places of the others is put back. One content is held at a time. Throws X707.
void write_files(std::span<const FileContent> files);

/// A file that is written piece by piece, beside its place until `put_in_place`: for what is too large to hold in
/// memory, and for several files of which none is to be replaced before all are written.
class FileWriter {
 public:
  /// Throws X707, as all that follow.
  explicit FileWriter(std::filesystem::path path);
  /// Takes away what was not put in place.
  ~FileWriter();
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;

  void write(std::string_view bytes);
  /// After this all bytes are with the system, and a disk that was full has been told.
  void close();
  /// Closes the file, and puts it in the place of the one that stood there.
  void put_in_place();

  const std::filesystem::path& path() const { return path_; }
  /// Where the bytes are until then.
  std::filesystem::path written() const;
  /// Bytes written so far.
  std::uint64_t size() const { return size_; }

 private:
  friend void put_in_place(std::span<FileWriter* const> files, std::span<const std::filesystem::path> gone);

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::uint64_t size_ = 0;
  bool beside_ = false;  // whether there is a file to take away
};

/// Closes files and puts them in their places, and takes away what stands in those of `gone`: all of it, or where one
/// cannot be replaced, nothing. Throws X707.
void put_in_place(std::span<FileWriter* const> files, std::span<const std::filesystem::path> gone = {});

/// The whole file as bytes. Throws X701 where it is missing, is a directory, or cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Gives the content of a file of a directory, by its name, and nothing where it is not there.
using DirectoryReader = std::function<std::optional<std::string>(const char* name)>;
/// That of a directory as it lies there. It throws X701 where a file cannot be read.
DirectoryReader reader_of(const std::filesystem::path& directory);

}  // namespace octet::text

namespace octet::text {

/// X707 where another program has what is to be written at `path`; `elsewhere` is the cure beside waiting.
[[noreturn]] void refuse_another_writer(const std::filesystem::path& path, std::string sentence, const char* elsewhere);

}  // namespace octet::text
