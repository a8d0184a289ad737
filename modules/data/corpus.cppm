/// Text files as lines, refused with the byte and line at fault where they are not text.
export module octet.data:corpus;
import octet.standard;

export namespace octet::data {

/// What to do with bytes that are not UTF-8.
enum class InvalidBytes { refuse, replace };

struct ReadOptions {
  InvalidBytes invalid = InvalidBytes::refuse;  ///< `replace` puts U+FFFD for each faulty sequence
  /// Whether a line of megabytes is given in parts, each with the line's number: its segments (text::segment_end), so
  /// that no more than two megabytes of a line are held.
  bool in_parts = false;
  /// Asked again and again while a file is read, also while a pipe has nothing to give; what it throws ends the
  /// reading. It must outlive that.
  const std::function<void()>* ask = nullptr;
};

/// Non-blank lines of text, without their line ends.
struct Corpus {
  std::vector<std::string> lines;
  std::uint64_t bytes = 0;  ///< read, line ends included
};

/// Called with each line, without its end (LF, CR LF or CR) and without a BOM, and its number counted from 1.
using LineFunction = std::function<void(std::string_view line, std::size_t number)>;

/// Splits bytes that arrive in blocks of any size into lines, and checks them. Throws X702 for a text without a word,
/// X703 for one that is not text (a NUL byte, a known binary format), X704 for bytes that are not UTF-8 and for the
/// byte-order marks of UTF-16 and UTF-32, X705 for a text that ends inside a character.
class LineReader {
 public:
  /// `name` is what messages call the text.
  LineReader(std::string name, LineFunction function, ReadOptions options = {});
  void add(std::string_view bytes);
  /// The end of the text: gives out the last line where it had no line end.
  void finish();
  /// Refuses a line that is longer than any of a text, or has a NUL byte already, before all of it is held.
  void check_unfinished();
  /// Bytes so far.
  std::uint64_t bytes() const { return bytes_; }

 private:
  void begin(std::string_view first);
  void split(std::string_view bytes);
  void take(std::string_view line);
  std::size_t take_parts(std::string_view line);
  void give(std::string_view part, bool last);
  void check(std::string_view part, bool last) const;
  [[noreturn]] void refuse_part(std::string_view part, bool last) const;
  [[noreturn]] void refuse(int number, const std::string& sentence, std::vector<std::string> fix) const;

  std::string name_;
  LineFunction function_;
  ReadOptions options_;
  std::string rest_;    // the unfinished line, before `begin` the first bytes of all
  bool begun_ = false;  // whether the first bytes were looked at
  bool finishing_ = false;
  bool after_carriage_return_ = false;  // a line feed now belongs to the line end before it
  bool holds_zero_ = false;             // the line that is read has a NUL byte
  bool blank_ = true;                   // nothing but white space so far
  std::uint64_t bytes_ = 0;
  std::uint64_t line_offset_ = 0;  // in the text, of the line being checked
  std::size_t given_ = 0;          // of that line, as parts
  std::size_t number_ = 0;         // of that line
};

/// Reads a file in blocks of some hundred kilobytes, and asks as ReadOptions says. Throws X701.
void for_each_block(const std::filesystem::path& path, const std::function<void(std::string_view bytes)>& function,
                    const std::function<void()>* ask = nullptr);
/// Reads a file line by line, never holding more of it than a line and a block. Returns its bytes. Throws X701 to X705,
/// X703 also for a line of more than 256 MB.
std::uint64_t for_each_line(const std::filesystem::path& path, const LineFunction& function, ReadOptions options = {});
/// The same for text in memory.
void for_each_line_of(std::string_view text, const std::string& name, const LineFunction& function,
                      ReadOptions options = {});

/// All non-blank lines of the files, in order. All faulty files are reported at once.
Corpus read_corpus(const std::vector<std::filesystem::path>& paths, ReadOptions options = {});
/// All non-blank lines of a text in memory.
Corpus corpus_of_text(std::string_view text, const std::string& name, ReadOptions options = {});

/// Whether the line has nothing but white space.
bool is_blank(std::string_view line);

}  // namespace octet::data
