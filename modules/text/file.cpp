module;
#include <cerrno>
#include <cstdio>
module octet.text;
import octet.base;
import octet.standard;

namespace octet::text {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t block_size = 4096;  // that a disk may lack for a name, or for what is written last

std::string reason(int error) { return error ? std::generic_category().message(error) : "unknown reason"; }

fs::path beside(const fs::path& path) { return path.string() + ".writing"; }

[[noreturn]] void give_up(const char* what, const fs::path& path, int error, std::size_t size) {
  std::vector<std::string> fix;
  if (error == ENOSPC)
    fix.push_back("free at least " + std::to_string(size) + " bytes on that disk, or write elsewhere");
  else if (error == EACCES || error == EROFS || error == EPERM)
    fix.push_back("write to a directory that you may write to");
  fail({.number = 707,
        .sentence = "cannot " + std::string{what} + " " + path.string() + ": " + reason(error),
        .where = {path.string(), 0, ""},
        .fix = fix});
}

// Writes to `place` what is meant for `path`.
void write_to(const fs::path& place, const fs::path& path, std::string_view content) {
  std::FILE* file = std::fopen(place.string().c_str(), "wb");
  if (!file) give_up("create", path, errno, content.size());
  int error = 0;
  if (!content.empty() && std::fwrite(content.data(), 1, content.size(), file) != content.size())
    error = errno ? errno : EIO;
  if (std::fclose(file) != 0 && !error) error = errno ? errno : EIO;
  if (error) give_up("write", path, error, content.size());
}

void write_beside(const fs::path& path, std::string_view content) { write_to(beside(path), path, content); }

// A device or a pipe: it is written to, for a file in its place would take it away from everyone.
bool is_stream(const fs::path& path) {
  std::error_code ignored;
  const fs::file_type type = fs::status(path, ignored).type();
  return type == fs::file_type::character || type == fs::file_type::fifo;
}

void put_in_place(const fs::path& path) {
  std::error_code error;
  fs::rename(beside(path), path, error);
  if (error) give_up("replace", path, error.value(), block_size);
}

// Takes away what was written beside the files and not put in place.
struct Remains {
  std::vector<fs::path> files = {};
  ~Remains() {
    std::error_code ignored;
    for (const fs::path& file : files) fs::remove(file, ignored);
  }
};

}  // namespace

void write_file(const fs::path& path, std::string_view content) {
  if (is_stream(path)) return write_to(path, path, content);
  const Remains remains{{beside(path)}};
  write_beside(path, content);
  put_in_place(path);
}

void write_files(std::span<const FileContent> files) {
  Remains remains;
  for (const FileContent& file : files) {
    remains.files.push_back(beside(file.path));
    write_beside(file.path, file.content());
  }
  for (const FileContent& file : files) put_in_place(file.path);
}

FileWriter::FileWriter(fs::path path) : path_{std::move(path)} {
  file_ = std::fopen(beside(path_).string().c_str(), "wb");
  if (!file_) give_up("create", path_, errno, 0);
  beside_ = true;
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_{std::move(other.path_)},
      file_{std::exchange(other.file_, nullptr)},
      size_{other.size_},
      beside_{std::exchange(other.beside_, false)} {}

FileWriter::~FileWriter() {
  if (file_) std::fclose(file_);
  std::error_code ignored;
  if (beside_) fs::remove(beside(path_), ignored);
}

void FileWriter::write(std::string_view bytes) {
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
    give_up("write", path_, errno ? errno : EIO, bytes.size());
  size_ += bytes.size();
}

void FileWriter::close() {
  if (!file_) return;
  if (std::fclose(std::exchange(file_, nullptr)) != 0) give_up("write", path_, errno ? errno : EIO, block_size);
}

fs::path FileWriter::written() const { return beside_ ? beside(path_) : path_; }

void FileWriter::put_in_place() {
  close();
  octet::text::put_in_place(path_);
  beside_ = false;
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    fail({.number = 707,
          .sentence = "cannot create the directory " + directory.string() + ": " + error.message(),
          .where = {directory.string(), 0, ""}});
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
