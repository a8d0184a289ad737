module;
#include <cerrno>
#include <cstdio>
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

constexpr std::size_t block_size = 4096;  // that a disk may lack for a name, or for what is written last

std::string reason(int error) { return error ? std::generic_category().message(error) : "unknown reason"; }

fs::path beside(const fs::path& path) { return path.string() + ".writing"; }

std::string cure(int error, std::uint64_t size) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return size > 0 ? "free at least " + std::to_string(size) +
                            " bytes on that disk for this file alone, or write elsewhere"
                      : "free some space on that disk, or write elsewhere";
    case EACCES:
    case EROFS:
    case EPERM:
      return "write to a directory that you may write to";
    case ENOENT:
      return "make the directory first, or write elsewhere";
    case EBUSY:
    case EISDIR:
    case ENOTDIR:
      return "give the name of a file, in a directory that is there";
    case EMFILE:
    case ENFILE:
      return "allow more open files (ulimit -n), or ask for fewer at once";
    case EPIPE:
      return "let what reads it read to the end, or name a file";
    default:
      return "write elsewhere";
  }
}

[[noreturn]] void give_up(const char* what, const fs::path& path, int error, std::uint64_t size) {
  fail({.number = 707,
        .sentence = "cannot " + std::string{what} + " " + path.string() + ": " + reason(error),
        .where = {path.string(), 0, ""},
        .fix = {cure(error, size)}});
}

// Writes to `file`, and closes it, what is meant for `path`.
void write_through(std::FILE* file, const fs::path& path, const FileParts& content) {
  struct Close {
    void operator()(std::FILE* open) const { std::fclose(open); }
  };
  std::unique_ptr<std::FILE, Close> to{file};
  if (!to) give_up("create", path, errno, content.size());
  int error = 0;
  content.each([&](std::string_view part) {
    if (!error && !part.empty() && std::fwrite(part.data(), 1, part.size(), to.get()) != part.size())
      error = errno ? errno : EIO;
  });
  if (std::fclose(to.release()) != 0 && !error) error = errno ? errno : EIO;
  if (error) give_up("write", path, error, content.size());
}

void write_stream(const fs::path& path, const FileParts& content) {
  write_through(std::fopen(path.string().c_str(), "wb"), path, content);
}

// A device or a pipe: it is written to, for a file in its place would take it away from everyone.
bool is_stream(const fs::path& path) {
  std::error_code ignored;
  const fs::file_type type = fs::status(path, ignored).type();
  return type == fs::file_type::character || type == fs::file_type::fifo;
}

// What links at `path` lead to, so that they stay.
fs::path behind_links(const fs::path& path) {
  std::error_code unknown;
  fs::path place = path;
  for (int links = 0; links < 40 && fs::is_symlink(place, unknown); ++links) {
    if (const std::string link = place.lexically_normal().string();
        link.starts_with("/proc/") || link.starts_with("/dev/fd/"))
      fail({.number = 707,
            .sentence = path.string() + " leads to a file that a program has opened, and files are replaced.",
            .where = {path.string(), 0, ""},
            .fix = {"give the name of that file", "send it through a pipe: ... | cat > FILE"}});
    place = place.parent_path() / fs::read_symlink(place, unknown);
  }
  if (fs::is_symlink(place, unknown)) give_up("follow", path, ELOOP, 0);
  return place.lexically_normal();
}

void put_one_in_place(const fs::path& path) {
  std::error_code error;
  fs::rename(beside(path), path, error);
  if (error) give_up("replace", path, error.value(), block_size);
}

fs::path aside(const fs::path& path) { return path.string() + ".replaced"; }

// Puts what was written beside them in the places of files, and takes those of `gone` away: all of it, or where one
// cannot be, nothing. What stands there is aside meanwhile.
void put_all_in_place(std::span<const fs::path> places, std::span<const fs::path> gone) {
  if (places.size() == 1 && gone.empty()) return put_one_in_place(places.front());
  std::vector<fs::path> kept, put;
  const auto refuse = [&](const fs::path& place, int error) {
    std::error_code ignored;
    for (const fs::path& each : put)
      if (!fs::exists(beside(each), ignored))
        fs::rename(each, beside(each), ignored);  // else another program's is there
    for (const fs::path& each : kept) fs::rename(aside(each), each, ignored);
    give_up("replace", place, error, block_size);
  };
  const auto move = [&](const fs::path& from, const fs::path& to, const fs::path& place) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error) refuse(place, error.value());
  };
  const auto keep = [&](const fs::path& place) {
    std::error_code unknown;
    const fs::file_type type = fs::symlink_status(place, unknown).type();
    if (type == fs::file_type::not_found) return;
    if (type == fs::file_type::directory) refuse(place, EISDIR);
    move(place, aside(place), place);
    kept.push_back(place);
  };
  for (const fs::path& place : gone) keep(place);
  for (const fs::path& place : places) keep(place);
  for (const fs::path& place : places) {
    move(beside(place), place, place);
    put.push_back(place);
  }
  std::error_code ignored;
  for (const fs::path& place : kept) fs::remove(aside(place), ignored);
}

[[noreturn]] void refuse_two_files(const fs::path& path, const fs::path& place) {
  fail({.number = 707,
        .sentence = "two files would be written to " + place.string(),
        .where = {path.string(), 0, ""},
        .fix = {"give each a name of its own"}});
}

#ifndef __wasm__
[[noreturn]] void refuse_in_the_way(const fs::path& place) {
  fail({.number = 707,
        .sentence = "cannot write " + place.string() + ": " + beside(place).string() +
                    ", where it would be written first, is no file",
        .where = {place.string(), 0, ""},
        .fix = {"take " + beside(place).string() + " away", "write elsewhere"}});
}

bool is_same(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }
#endif

// Files that are written beside their places: until they are put there no other program writes them, and what is not
// put there is taken away. Where the system knows no such locks, the last one wins.
class Unfinished {
 public:
  Unfinished() = default;
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() {
    std::error_code ignored;
    for (const fs::path& place : places_) fs::remove(beside(place), ignored);
#ifndef __wasm__
    for (const int lock : locks_) ::close(lock);
#endif
  }

  void write(const fs::path& place, const FileParts& content) {
    std::FILE* const file = begun(place, content.size());
    if (file) places_.push_back(place);
    write_through(file, place, content);
  }
  void put_in_place() {
    if (!places_.empty()) put_all_in_place(places_, {});
    places_.clear();
  }
  bool has(const fs::path& place) const { return std::ranges::find(places_, place) != places_.end(); }

 private:
#ifdef __wasm__
  std::FILE* begun(const fs::path& place, std::uint64_t) { return std::fopen(beside(place).string().c_str(), "wb"); }
#else
  // A new file, locked: one that is there is another program's, or was left by one that was killed. Null, and errno,
  // where there can be none.
  std::FILE* begun(const fs::path& place, std::uint64_t size) {
    const std::string name = beside(place).string();
    struct stat opened, there;
    for (int turn = 0; turn < 100; ++turn) {
      const int made = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (made < 0 && errno != EEXIST) give_up("create", place, errno, size);
      // Not what a link leads to, and without waiting for who reads a pipe.
      const int left = made < 0 ? open(name.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
      const int file = made < 0 ? left : made;
      if (file < 0 && errno == ENOENT) continue;
      if (file < 0 && errno != ELOOP && errno != ENXIO && errno != EISDIR) give_up("create", place, errno, size);
      if (file < 0) refuse_in_the_way(place);
      locks_.push_back(file);
      if (fstat(file, &opened) != 0 || !S_ISREG(opened.st_mode)) refuse_in_the_way(place);
      if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) refuse_writer_of(place, opened);
      // Another program may have taken it for one that was left, and taken it away, before it was locked.
      if (made >= 0 && fstat(file, &opened) == 0 && opened.st_nlink > 0) {
        const int writing = dup(file);  // the lock is held until the file is in its place
        return writing < 0 ? nullptr : fdopen(writing, "wb");
      }
      // Or whoever had it may have put it in its place.
      if (made < 0 && lstat(name.c_str(), &there) == 0 && is_same(opened, there)) ::unlink(name.c_str());
      locks_.pop_back();
      ::close(file);
    }
    refuse_in_the_way(place);
  }

  [[noreturn]] void refuse_writer_of(const fs::path& place, const struct stat& file) const {
    for (const int lock : locks_)
      if (struct stat own; lock != locks_.back() && fstat(lock, &own) == 0 && is_same(own, file))
        refuse_two_files(place, place);
    refuse_another_writer(place, "another program is writing " + place.string() + ".", "name another file");
  }

  std::vector<int> locks_;
#endif

  std::vector<fs::path> places_;
};

}  // namespace

#ifndef __wasm__
void refuse_another_writer(const fs::path& path, std::string sentence, const char* elsewhere) {
  fail({.number = 707,
        .sentence = std::move(sentence),
        .where = {path.string(), 0, ""},
        .rule = "Two that write the same files would mix them.",
        .fix = {"wait until it is done", elsewhere}});
}
#endif

std::string FileParts::joined() const {
  std::string all;
  all.reserve(size_);
  each([&](std::string_view part) { all += part; });
  return all;
}

void write_file(const fs::path& path, std::string_view content) {
  write_parts(path, FileParts{[&](const FileParts::Write& write) { write(content); }});
}

void write_parts(const fs::path& path, const FileParts& content) {
  if (is_stream(path)) return write_stream(path, content);
  Unfinished file;
  file.write(behind_links(path), content);
  file.put_in_place();
}

void write_files(std::span<const FileContent> files) {
  Unfinished unfinished;
  for (const FileContent& file : files) {
    if (is_stream(file.path)) continue;
    const fs::path place = behind_links(file.path);
    std::error_code unknown;
    if (fs::is_directory(place, unknown)) give_up("replace", place, EISDIR, 0);
    if (unfinished.has(place)) refuse_two_files(file.path, place);
    unfinished.write(place, file.content());
  }
  for (const FileContent& file : files)
    if (is_stream(file.path)) write_stream(file.path, file.content());
  unfinished.put_in_place();
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
    give_up("write", path_, errno ? errno : EIO, 0);
  size_ += bytes.size();
}

void FileWriter::close() {
  if (!file_) return;
  if (std::fclose(std::exchange(file_, nullptr)) != 0) give_up("write", path_, errno ? errno : EIO, block_size);
}

fs::path FileWriter::written() const { return beside_ ? beside(path_) : path_; }

void FileWriter::put_in_place() {
  close();
  put_one_in_place(path_);
  beside_ = false;
}

void put_in_place(std::span<FileWriter* const> files, std::span<const fs::path> gone) {
  std::vector<fs::path> places;
  for (FileWriter* const file : files) {
    file->close();
    places.push_back(file->path_);
  }
  put_all_in_place(places, gone);
  for (FileWriter* const file : files) file->beside_ = false;
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

DirectoryReader reader_of(const fs::path& directory) {
  return [directory](const char* name) {
    std::error_code ignored;  // a link that leads nowhere is a file that cannot be read
    const fs::path file = directory / name;
    return fs::exists(fs::symlink_status(file, ignored)) ? std::optional{read_file(file)} : std::nullopt;
  };
}

}  // namespace octet::text
