/// Files of texts to train on: plain text, a column of a CSV file, a field of JSON lines; as lines of documents.
export module octet.data:text_source;
import octet.standard;
import :corpus;
import :csv;

export namespace octet::data {

enum class TextFormat { txt, csv, jsonl };

/// What is a document of a plain text. (Of a CSV file a row is one, of JSON lines a line.)
enum class Documents {
  paragraphs,  ///< lines up to an empty one, as BERT's data has them
  lines,       ///< each line
  files,       ///< the whole file
};

struct TextSource {
  std::filesystem::path path;
  /// Where absent, as the name ends, in small letters or capitals: .csv (or .tsv), .jsonl (or .ndjson); plain text
  /// else.
  std::optional<TextFormat> format = {};
  /// Of JSON lines: the key of the text. Of CSV: the name or number of the column.
  std::string field = "text";
  bool header = true;                      ///< of CSV: whether the first row names the columns
  std::optional<char> csv_separator = {};  ///< where absent, a tabulator for a name that ends in .tsv, else a comma
  bool csv_quotes = true;                  ///< of CSV: whether quotation marks enclose fields
  Documents documents = Documents::paragraphs;
  ReadOptions read = {};
};

/// What a source is read as.
TextFormat format_of(const TextSource& source);

struct DocumentFunctions {
  /// A line of a document, which may be empty, and the line of the file that it or its row stands on.
  std::function<void(std::string_view line, std::size_t number)> line;
  /// After the last line of each document.
  std::function<void()> end_document;
};

/// Gives out the lines of a source's documents as the bytes of its file come in. Throws as for_each_document does.
class DocumentReader {
 public:
  /// `source.path` is what messages call it.
  DocumentReader(TextSource source, DocumentFunctions functions);
  ~DocumentReader();
  void add(std::string_view bytes);
  /// As LineReader does.
  void check_unfinished();
  /// The end of the file. Where there is more than was read, it is left out, and with it what was not whole.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a source, never holding more of it than a line or a row. Returns the bytes of the file. Throws X701 to X705 as
/// LineReader does, X724 for faulty CSV, X725 for a line that is no JSON object, that is longer than 64 MB, or whose
/// field is not a text.
std::uint64_t for_each_document(const TextSource& source, const DocumentFunctions& functions);
/// The same of text in memory; `source.path` is what messages call it.
void for_each_document_of(std::string_view text, const TextSource& source, const DocumentFunctions& functions);
/// All non-blank lines of the documents of a text in memory.
Corpus corpus_of_text(std::string_view text, const TextSource& source);

}  // namespace octet::data

namespace octet::data {

/// What stands between two fields of a CSV file.
char separator_of(const TextSource& source);

}  // namespace octet::data
