/// CSV, as far as a column of texts needs it (RFC 4180).
export module octet.data:csv;
import octet.standard;

export namespace octet::data {

struct CsvOptions {
  std::string column = "text";  ///< its name in the first row, or its number, counted from 1
  bool header = true;           ///< whether the first row names the columns; without it, `column` is a number
  char separator = ',';
  bool quotes = true;  ///< whether a quotation mark that begins a field encloses it; otherwise it is plain text
};

/// Called with each value of the chosen column and the line that its row begins on.
using CsvFunction = std::function<void(std::string_view value, std::size_t line)>;

/// Takes a table line by line, as LineReader gives them: a line end within quotation marks becomes LF. Empty lines
/// between rows are passed over. A quotation mark within a field that does not begin with one is plain text, as to
/// other readers. Throws X724 for a row with more or fewer fields than the first, for a quoted field that never ends or
/// has more behind it, for a column that is not there, and for a row of more than 64 MB; X709 for options that make no
/// sense.
class CsvReader {
 public:
  CsvReader(std::string name, CsvOptions options, CsvFunction function);
  void add(std::string_view line, std::size_t number);
  /// The end of the table.
  void finish();

 private:
  void take_row();
  void choose_column();
  [[noreturn]] void refuse(std::size_t line, const std::string& sentence, std::vector<std::string> fix = {}) const;

  std::string name_;
  CsvOptions options_;
  CsvFunction function_;
  std::vector<std::string> fields_;  // of the row, the first `count_` of them
  std::size_t count_ = 0;
  std::size_t columns_ = 0;  // of the table; 0 before the first row
  std::size_t chosen_ = 0;
  std::size_t row_line_ = 0;
  std::size_t row_bytes_ = 0;
  bool quoted_ = false;  // the line ended within quotation marks
};

}  // namespace octet::data
