module;
#if __has_include(<sys/mman.h>) && !defined(__EMSCRIPTEN__)
#define OCTET_CAN_MAP
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#include <cerrno>
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

#ifdef OCTET_CAN_MAP
struct Mapping {
  void* begin = MAP_FAILED;
  std::size_t size = 0;
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  ~Mapping() {
    if (begin != MAP_FAILED) munmap(begin, size);
  }
};

// Null where the file cannot be mapped: then it is read, and what is wrong with it is told there.
std::shared_ptr<const Mapping> mapped(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  const auto mapping = shared<Mapping>();
  struct stat status{};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    mapping->size = static_cast<std::size_t>(status.st_size);
    mapping->begin = mmap(nullptr, mapping->size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  return mapping->begin == MAP_FAILED ? nullptr : mapping;
}
#endif

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

TokenFile::TokenFile(const std::filesystem::path& path) : name_{path.string()} {
#ifdef OCTET_CAN_MAP
  if (const auto mapping = mapped(path)) {
    bytes_ = {static_cast<const char*>(mapping->begin), mapping->size};
    owner_ = mapping;
  }
#endif
  if (!owner_) {
    const auto content = shared<const std::string>(text::read_file(path));
    bytes_ = *content;
    owner_ = content;
  }
  read_footer();
}

TokenFile::TokenFile(std::string bytes, std::string name) : name_{std::move(name)} {
  const auto content = shared<const std::string>(std::move(bytes));
  bytes_ = *content;
  owner_ = content;
  read_footer();
}

TokenFile TokenFile::named(std::string name) const {
  TokenFile result = *this;
  result.name_ = std::move(name);
  return result;
}

void TokenFile::refuse(const std::string& what) const {
  fail({.number = 726, .sentence = name_ + " " + what, .where = {name_, 0, ""}});
}

void TokenFile::read_footer() {
  if (bytes_.size() < footer_size || !bytes_.ends_with(magic))
    refuse("is no token file, or is cut short: it does not end with \"OctetIds\"");
  const std::string_view footer = bytes_.substr(bytes_.size() - footer_size);
  if (little_endian<std::uint32_t>(footer.substr(36)) != crc32c(footer.substr(0, 36)))
    refuse("was altered: its counts do not have the checksum that was written");
  positions_ = little_endian<std::uint64_t>(footer);
  documents_ = little_endian<std::uint64_t>(footer.substr(8));
  tokens_ = little_endian<std::uint64_t>(footer.substr(16));
  vocabulary_ = little_endian<std::uint32_t>(footer.substr(24));
  width_ = little_endian<std::uint32_t>(footer.substr(28));
  checksum_ = little_endian<std::uint32_t>(footer.substr(32));
  const std::uint64_t content = bytes_.size() - footer_size;
  if (documents_ == 0 ? tokens_ != positions_ : tokens_ >= positions_)
    refuse("was altered: it cannot have " + std::to_string(tokens_) + " tokens among " + std::to_string(positions_) +
           " ids and marks");
  if (width_ != width_of(vocabulary_) || positions_ > content / width_ || documents_ > content / 8 ||
      positions_ * width_ + documents_ * 8 != content)
    refuse("is cut short or altered: it has " + std::to_string(content) + " bytes for " + std::to_string(positions_) +
           " ids and " + std::to_string(documents_) + " documents");
}

std::uint32_t TokenFile::at(std::uint64_t position) const {
  const std::string_view bytes = bytes_.substr(static_cast<std::size_t>(position * width_), width_);
  return width_ == 2 ? little_endian<std::uint16_t>(bytes) : little_endian<std::uint32_t>(bytes);
}

std::uint64_t TokenFile::start(std::uint64_t document) const {
  if (document == documents_) return positions_;
  return little_endian<std::uint64_t>(bytes_.substr(static_cast<std::size_t>(positions_ * width_ + document * 8), 8));
}

void TokenFile::require(bool holds, const std::string& asked, std::uint64_t all, const char* what) const {
  if (!holds)
    fail({.number = 403,
          .sentence = name_ + " holds " + std::to_string(all) + " " + what + ", and no " + asked + ".",
          .where = {name_, 0, ""}});
}

std::vector<std::vector<std::int32_t>> TokenFile::document(std::uint64_t index) const {
  require(index < documents_, "document " + std::to_string(index), documents_, "documents");
  const std::uint64_t begin = start(index), end = start(index + 1);
  const std::uint32_t mark = mark_of(width_);
  if (begin >= end || end > positions_ || at(end - 1) != mark)
    refuse("was altered: document " + std::to_string(index) + " does not begin and end where sentences do");
  std::vector<std::vector<std::int32_t>> sentences(1);
  for (std::uint64_t position = begin; position < end; ++position) {
    const std::uint32_t value = at(position);
    if (value == mark) {
      if (sentences.back().empty())
        refuse("was altered: a sentence of document " + std::to_string(index) + " is empty");
      sentences.emplace_back();
    } else if (value < vocabulary_) {
      sentences.back().push_back(static_cast<std::int32_t>(value));
    } else {
      refuse("was altered: " + std::to_string(value) + " is no id of " + std::to_string(vocabulary_) + " pieces");
    }
  }
  sentences.pop_back();
  return sentences;
}

std::vector<std::int32_t> TokenFile::ids(std::uint64_t begin, std::uint64_t count) const {
  require(begin <= positions_ && count <= positions_ - begin,
          std::to_string(count) + " ids from " + std::to_string(begin) + " on", positions_, "ids and marks");
  std::vector<std::int32_t> result;
  result.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t position = begin; position < begin + count; ++position) {
    const std::uint32_t value = at(position);
    if (value >= vocabulary_)
      refuse("was altered: " + std::to_string(value) + " is no id of " + std::to_string(vocabulary_) + " pieces");
    result.push_back(static_cast<std::int32_t>(value));
  }
  return result;
}

void TokenFile::verify() const {
  const std::string_view content = bytes_.substr(0, bytes_.size() - footer_size);
  if (crc32c(content) != checksum_) refuse("was altered: its ids do not have the checksum that was written");
}

}  // namespace octet::data
