module;
#include <cerrno>
#include <cstdio>
module octet.data;
import octet.base;
import octet.standard;
import octet.text;
import :byte_order;

namespace octet::data {

namespace {

constexpr std::size_t header_size = 12, footer_size = 4;
constexpr std::size_t block = 1 << 20;                      // read at once: a false length costs no more memory
constexpr std::uint64_t longest_record = (1ull << 31) - 1;  // a protocol buffer is not longer

[[noreturn]] void cannot_read(const std::string& name, int error) {
  fail({.number = 701,
        .sentence = "cannot read " + name + ": " + std::generic_category().message(error ? error : EIO),
        .where = {name, 0, ""}});
}

}  // namespace

void append_record(std::string& to, std::string_view record) {
  const std::size_t begin = to.size();
  append_little_endian(to, std::uint64_t{record.size()});
  append_little_endian(to, masked_crc32c(std::string_view{to}.substr(begin, 8)));
  to += record;
  append_little_endian(to, masked_crc32c(record));
}

void RecordWriter::write(std::string_view record) {
  framed_.clear();
  append_record(framed_, record);
  file_.write(framed_);
  ++records_;
}

RecordReader::RecordReader(const std::filesystem::path& path) : name_{path.string()} {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) cannot_read(name_, EISDIR);
  file_.reset(std::fopen(name_.c_str(), "rb"));
  if (!file_) cannot_read(name_, errno);
}

RecordReader::RecordReader(std::string_view bytes, std::string name) : name_{std::move(name)}, bytes_{bytes} {}
RecordReader::~RecordReader() = default;
RecordReader::RecordReader(RecordReader&&) noexcept = default;
RecordReader& RecordReader::operator=(RecordReader&&) noexcept = default;

std::size_t RecordReader::read(char* to, std::size_t count) {
  if (!file_) {
    count = std::min(count, bytes_.size() - taken_);
    if (count > 0) std::memcpy(to, bytes_.data() + taken_, count);
    taken_ += count;
    return count;
  }
  const std::size_t got = std::fread(to, 1, count, file_.get());
  if (std::ferror(file_.get())) cannot_read(name_, errno);
  return got;
}

void RecordReader::refuse(const std::string& what) const {
  fail({.number = 722,
        .sentence = "record " + std::to_string(position_.record + 1) + " of " + name_ + ", which begins at byte " +
                    std::to_string(position_.offset) + ", " + what,
        .where = {name_, 0, ""}});
}

bool RecordReader::next(std::string& record) {
  char header[header_size], footer[footer_size];
  const std::size_t got = read(header, header_size);
  if (got == 0) return false;
  const std::string_view beginning{header, got};
  if (position_.record == 0)
    if (const std::string_view format = guess_binary_format(beginning); !format.empty())
      refuse("is no record: the file begins like " + std::string{format});
  if (got < header_size)
    refuse("is cut short: the file ends after " + std::to_string(got) + " of the 12 bytes of its length");
  if (little_endian<std::uint32_t>(beginning.substr(8)) != masked_crc32c(beginning.substr(0, 8)))
    refuse(position_.record == 0 ? "has a length that its checksum denies: it was altered, or this is no TFRecord file"
                                 : "has a length that its checksum denies: it was altered");
  const auto length = little_endian<std::uint64_t>(beginning);
  if (length > longest_record) refuse("is said to have " + std::to_string(length) + " bytes, which no record has");
  record.clear();
  while (record.size() < length) {
    const std::size_t before = record.size();
    const std::size_t part = std::min(block, static_cast<std::size_t>(length) - before);
    record.resize(before + part);
    const std::size_t read_now = read(record.data() + before, part);
    if (read_now < part)
      refuse("is cut short: the file has " + std::to_string(before + read_now) + " of its " + std::to_string(length) +
             " bytes");
  }
  if (read(footer, footer_size) < footer_size) refuse("is cut short: its checksum is missing");
  if (little_endian<std::uint32_t>({footer, footer_size}) != masked_crc32c(record))
    refuse("was altered: its " + std::to_string(length) + " bytes do not have the checksum that was written");
  ++position_.record;
  position_.offset += header_size + length + footer_size;
  return true;
}

void RecordReader::seek(const RecordPosition& position) {
  if (file_) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(name_, error);
    if (error) cannot_read(name_, error.value());
    if (position.offset > size || fseeko(file_.get(), static_cast<off_t>(position.offset), SEEK_SET) != 0) {
      position_ = position;
      refuse("is not there: the file has " + std::to_string(size) + " bytes");
    }
  } else {
    if (position.offset > bytes_.size()) {
      position_ = position;
      refuse("is not there: the text has " + std::to_string(bytes_.size()) + " bytes");
    }
    taken_ = static_cast<std::size_t>(position.offset);
  }
  position_ = position;
}

}  // namespace octet::data
