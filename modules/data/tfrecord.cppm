/// TFRecord files: records of any bytes, each with its length and the checksums of both. Written and read one by one,
/// so a file may be larger than memory.
///
/// A record is its length (8 bytes, little-endian), the masked CRC-32C of those (4), its bytes, the masked CRC-32C of
/// them (4).
module;
#include <cstdio>
export module octet.data:tfrecord;
import octet.standard;
import octet.text;

export namespace octet::data {

/// Appends a record as a file holds it.
void append_record(std::string& to, std::string_view record);

/// Writes a file beside its place; it stands there after `put_in_place`. Throws X707.
class RecordWriter {
 public:
  explicit RecordWriter(std::filesystem::path path) : file_{std::move(path)} {}

  void write(std::string_view record);
  void close() { file_.close(); }
  void put_in_place() { file_.put_in_place(); }
  /// The file, to be put in place together with others.
  text::FileWriter& file() { return file_; }

  const std::filesystem::path& path() const { return file_.path(); }
  std::uint64_t records() const { return records_; }
  std::uint64_t bytes() const { return file_.size(); }

 private:
  text::FileWriter file_;
  std::string framed_;
  std::uint64_t records_ = 0;
};

/// Where a reader stands in a file.
struct RecordPosition {
  std::uint64_t record = 0;  ///< records before it
  std::uint64_t offset = 0;  ///< bytes before it
  friend bool operator==(const RecordPosition&, const RecordPosition&) = default;
};

/// Reads records in order. Holds one at a time, and of a length that was altered never more than there are bytes.
class RecordReader {
 public:
  /// Throws X701.
  explicit RecordReader(const std::filesystem::path& path);
  /// Of bytes in memory, which must outlive the reader.
  RecordReader(std::string_view bytes, std::string name);
  ~RecordReader();
  RecordReader(RecordReader&&) noexcept;
  RecordReader& operator=(RecordReader&&) noexcept;

  /// The next record, or false at the end of the file. Throws X722 with the number and byte of a record that is cut
  /// short or altered, X701 where the file cannot be read.
  bool next(std::string& record);
  /// Where the next record begins.
  const RecordPosition& position() const { return position_; }
  /// Goes on from a position of the same file.
  void seek(const RecordPosition& position);
  const std::string& name() const { return name_; }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::size_t read(char* to, std::size_t count);
  [[noreturn]] void refuse(const std::string& what) const;

  std::string name_;
  std::unique_ptr<std::FILE, Closer> file_;  // null for bytes in memory
  std::string_view bytes_;
  std::size_t taken_ = 0;  // of those
  RecordPosition position_;
};

}  // namespace octet::data
