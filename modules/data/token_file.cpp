module;
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
module octet.data;
import octet.base;
import octet.standard;
import octet.text;
import :byte_order;

namespace octet::data {

namespace {

constexpr std::size_t footer_size = 48;
constexpr std::string_view magic = "OctetIds";

unsigned width_of(std::size_t vocabulary) { return vocabulary < 0xffff ? 2 : 4; }
std::uint32_t mark_of(unsigned width) { return width == 2 ? 0xffff : 0xffff'ffff; }

constexpr std::uint64_t read_at_once = 1 << 16;  // bytes, whatever a file says of itself

std::int64_t last_written(const struct stat& status) {
#ifdef __APPLE__
  const timespec& time = status.st_mtimespec;
#else
  const timespec& time = status.st_mtim;
#endif
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

TokenWriter::TokenWriter(Output output, std::size_t vocabulary)
    : output_{std::move(output)}, vocabulary_{vocabulary}, width_{width_of(vocabulary)} {}

void TokenWriter::put(std::uint32_t value) {
  if (width_ == 2)
    append_little_endian(buffer_, static_cast<std::uint16_t>(value));
  else
    append_little_endian(buffer_, value);
  ++positions_;
  if (buffer_.size() >= 1 << 16) flush();
}

void TokenWriter::flush() {
  checksum_ = crc32c(buffer_, checksum_);
  output_(buffer_);
  buffer_.clear();
}

void TokenWriter::add(std::span<const std::int32_t> ids) {
  for (const std::int32_t id : ids)
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary_)
      fail([&] {
        return Diagnostic{.number = 736,
                          .sentence = std::to_string(id) + " is no id of a vocabulary of " +
                                      std::to_string(vocabulary_) + " pieces, and cannot be written.",
                          .fix = {"name the vocabulary that the ids are of"}};
      });
  for (const std::int32_t id : ids) put(static_cast<std::uint32_t>(id));
  tokens_ += ids.size();
  sentence_tokens_ += ids.size();
}

void TokenWriter::end_sentence() {
  if (sentence_tokens_ == 0) return;
  cuts_ += std::exchange(cut_, false);
  if (!open_) starts_.push_back(positions_ - sentence_tokens_);
  open_ = true;
  put(mark_of(width_));
  document_tokens_ += std::exchange(sentence_tokens_, 0);
  if (document_tokens_ <= longest_document) return;
  end_document();
  cut_ = true;
}

void TokenWriter::end_document() {
  end_sentence();
  open_ = cut_ = false;
  document_tokens_ = 0;
}

void TokenWriter::finish() {
  const std::uint64_t positions = positions_;
  for (const std::uint64_t start : starts_) {
    append_little_endian(buffer_, start);
    if (buffer_.size() >= 1 << 16) flush();
  }
  flush();
  for (const std::uint64_t number : {positions, std::uint64_t{starts_.size()}, tokens_})
    append_little_endian(buffer_, number);
  for (const std::uint32_t number : {static_cast<std::uint32_t>(vocabulary_), width_, checksum_})
    append_little_endian(buffer_, number);
  append_little_endian(buffer_, crc32c(buffer_));
  buffer_ += magic;
  output_(std::exchange(buffer_, {}));
}

// No time at which a file was last written.
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();

// In memory, or in a file that is read from place to place: a file that shrinks meanwhile gives fewer bytes.
struct TokenFile::Content {
  std::string bytes = {};
  int file = -1;
  std::uint64_t size = bytes.size();
  mutable std::atomic<std::int64_t> verified = never;  // when it had last been written then

  explicit Content(std::string memory) : bytes{std::move(memory)} {}
  explicit Content(const std::filesystem::path& path) : file{open(path.c_str(), O_RDONLY | O_CLOEXEC)} {
    struct stat status{};
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
      size = static_cast<std::uint64_t>(status.st_size);
      return;
    }
    if (file >= 0) close(std::exchange(file, -1));
    bytes = text::read_file(path);  // or what is wrong with it is told there
    size = bytes.size();
  }
  Content(const Content&) = delete;
  ~Content() {
    if (file >= 0) close(file);
  }

  // The clock of a file system has ticks: within one, only its size tells that a file was cut short.
  std::int64_t written() const {
    struct stat status{};
    const bool whole = file >= 0 && fstat(file, &status) == 0 && static_cast<std::uint64_t>(status.st_size) == size;
    return whole ? last_written(status) : never;
  }
};

TokenFile::TokenFile(const std::filesystem::path& path) : name_{path.string()}, content_{shared<const Content>(path)} {
  read_footer();
}

TokenFile::TokenFile(std::string bytes, std::string name)
    : name_{std::move(name)}, content_{shared<const Content>(std::move(bytes))} {
  read_footer();
}

TokenFile TokenFile::named(std::string name) const {
  TokenFile result = *this;
  result.name_ = std::move(name);
  return result;
}

bool ends_as_token_file(const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  std::FILE* const file = std::fopen(path.string().c_str(), "rb");
  if (!file) return false;
  char end[magic.size()];
  const bool is_read = std::fseek(file, -static_cast<long>(sizeof end), SEEK_END) == 0 &&
                       std::fread(end, 1, sizeof end, file) == sizeof end;
  std::fclose(file);
  return is_read && std::string_view{end, sizeof end} == magic;
}

void TokenFile::refuse(const std::string& what) const {
  fail([&] { return Diagnostic{.number = 726, .sentence = name_ + " " + what, .where = {name_, 0, ""}}; });
}

std::uint64_t TokenFile::bytes() const { return content_->size; }

std::string_view TokenFile::read(std::uint64_t begin, std::uint64_t end, std::string& buffer) const {
  const auto size = static_cast<std::size_t>(end - begin);
  if (content_->file < 0) return std::string_view{content_->bytes}.substr(static_cast<std::size_t>(begin), size);
  buffer.resize(size);
  for (std::size_t taken = 0; taken < size;) {
    const ssize_t got = pread(content_->file, buffer.data() + taken, size - taken, static_cast<off_t>(begin + taken));
    if (got < 0 && errno != EINTR)
      fail([&] {
        return Diagnostic{.number = 701,
                          .sentence = "cannot read " + name_ + ": " + std::generic_category().message(errno),
                          .where = {name_, 0, ""}};
      });
    if (got == 0)
      refuse("was cut short while it was read: it had " + std::to_string(content_->size) +
             " bytes, and now ends before " + std::to_string(end));
    if (got > 0) taken += static_cast<std::size_t>(got);
  }
  return buffer;
}

// After what was read: whoever has written to the file since it was verified may have done so before that.
void TokenFile::require_unchanged() const {
  if (content_->verified != never && content_->verified != content_->written()) verify();
}

void TokenFile::read_footer() {
  std::string buffer;
  const std::string_view footer =
      bytes() < footer_size ? std::string_view{} : read(bytes() - footer_size, bytes(), buffer);
  if (!footer.ends_with(magic)) refuse("is no token file, or is cut short: it does not end with \"OctetIds\"");
  if (little_endian<std::uint32_t>(footer.substr(36)) != crc32c(footer.substr(0, 36)))
    refuse("was altered: its counts do not have the checksum that was written");
  positions_ = little_endian<std::uint64_t>(footer);
  documents_ = little_endian<std::uint64_t>(footer.substr(8));
  tokens_ = little_endian<std::uint64_t>(footer.substr(16));
  vocabulary_ = little_endian<std::uint32_t>(footer.substr(24));
  width_ = little_endian<std::uint32_t>(footer.substr(28));
  checksum_ = little_endian<std::uint32_t>(footer.substr(32));
  const std::uint64_t content = bytes() - footer_size;
  if (documents_ == 0 ? tokens_ != positions_ : tokens_ >= positions_)
    refuse("was altered: it cannot have " + std::to_string(tokens_) + " tokens among " + std::to_string(positions_) +
           " ids and marks");
  if (width_ != width_of(vocabulary_) || positions_ > content / width_ || documents_ > content / 8 ||
      positions_ * width_ + documents_ * 8 != content)
    refuse("is cut short or altered: it has " + std::to_string(content) + " bytes for " + std::to_string(positions_) +
           " ids and " + std::to_string(documents_) + " documents");
}

template <class Take>
void TokenFile::for_each(std::uint64_t begin, std::uint64_t end, Take take) const {
  std::string buffer;
  while (begin < end) {
    const std::uint64_t part = std::min(end, begin + read_at_once / width_);
    const std::string_view bytes = read(begin * width_, part * width_, buffer);
    if (width_ == 2)
      for (std::size_t at = 0; at < bytes.size(); at += 2) take(little_endian<std::uint16_t>(bytes.substr(at, 2)));
    else
      for (std::size_t at = 0; at < bytes.size(); at += 4) take(little_endian<std::uint32_t>(bytes.substr(at, 4)));
    begin = part;
  }
}

void TokenFile::require(bool holds, const std::string& asked, std::uint64_t all, const char* what) const {
  if (!holds)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = name_ + " holds " + std::to_string(all) + " " + what + ", and no " + asked + ".",
                        .where = {name_, 0, ""},
                        .rule = "Nothing is read beyond what a file holds.",
                        .fix = {"ask for less, or for what comes before"}};
    });
}

std::vector<std::vector<std::int32_t>> TokenFile::document(std::uint64_t index) const {
  require(index < documents_, "document " + std::to_string(index), documents_, "documents");
  std::string buffer;
  const std::uint64_t at = positions_ * width_ + index * 8;
  const bool last = index + 1 == documents_;
  const std::string_view starts = read(at, at + (last ? 8 : 16), buffer);
  const auto begin = little_endian<std::uint64_t>(starts);
  const std::uint64_t end = last ? positions_ : little_endian<std::uint64_t>(starts.substr(8));
  const auto refuse_bounds = [&] {
    refuse("was altered: document " + std::to_string(index) + " does not begin and end where sentences do");
  };
  if (begin >= end || end > positions_) refuse_bounds();
  const std::uint32_t mark = mark_of(width_);
  std::vector<std::vector<std::int32_t>> sentences(1);
  for_each(begin, end, [&](std::uint32_t value) {
    if (value == mark) {
      if (sentences.back().empty())
        refuse("was altered: a sentence of document " + std::to_string(index) + " is empty");
      sentences.emplace_back();
    } else if (value < vocabulary_) {
      sentences.back().push_back(static_cast<std::int32_t>(value));
    } else {
      refuse("was altered: " + std::to_string(value) + " is no id of " + std::to_string(vocabulary_) + " pieces");
    }
  });
  if (!sentences.back().empty()) refuse_bounds();
  sentences.pop_back();
  require_unchanged();
  return sentences;
}

std::vector<std::int32_t> TokenFile::ids(std::uint64_t begin, std::uint64_t count) const {
  require(begin <= positions_ && count <= positions_ - begin,
          std::to_string(count) + " ids from " + std::to_string(begin) + " on", positions_, "ids and marks");
  std::vector<std::int32_t> result;
  result.reserve(static_cast<std::size_t>(count));
  for_each(begin, begin + count, [&](std::uint32_t value) {
    if (value >= vocabulary_)
      refuse("was altered: " + std::to_string(value) + " is no id of " + std::to_string(vocabulary_) + " pieces");
    result.push_back(static_cast<std::int32_t>(value));
  });
  require_unchanged();
  return result;
}

void TokenFile::verify() const {
  const std::int64_t written = content_->written();
  if (written != never && content_->verified == written) return;
  std::string buffer;
  std::uint32_t checksum = 0;
  const std::uint64_t content = bytes() - footer_size;
  for (std::uint64_t begin = 0; begin < content; begin += read_at_once)
    checksum = crc32c(read(begin, std::min(begin + read_at_once, content), buffer), checksum);
  if (checksum != checksum_) refuse("was altered: its ids do not have the checksum that was written");
  content_->verified = written;
}

}  // namespace octet::data
