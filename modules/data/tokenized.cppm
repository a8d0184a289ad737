/// From sources of text to token files and record files: what a data set is made of before it is trained on.
export module octet.data:tokenized;
import octet.base;
import octet.standard;
import octet.text;
import :example;
import :text_source;
import :tfrecord;
import :token_file;
import :training_example;
import :windows;

export namespace octet::data {

/// What was read.
struct TextCount {
  std::uint64_t bytes = 0, lines = 0, documents = 0;
  std::uint64_t separator_names = 0;  ///< lines for a language model that hold the separator's name, as plain text
  TextCount& operator+=(const TextCount& other) {
    bytes += other.bytes, lines += other.lines, documents += other.documents;
    separator_names += other.separator_names;
    return *this;
  }
};

/// Adds the documents of a source as BERT's examples are made of them: each line is a sentence. Throws as
/// for_each_document.
TextCount add_documents(const TextSource& source, const text::WordPiece& tokenizer, TokenWriter& to);
/// The same bytes, the text encoded by threads, a megabyte at a time.
TextCount add_documents(const TextSource& source, const text::WordPiece& tokenizer, TokenWriter& to, Threads& threads);

/// Adds the documents of a source as language models read them: with their line ends, the separator after each. The
/// same ids as if each document were encoded whole, without holding it, or of plain text a line of it. Names of special
/// tokens in it are plain text.
TextCount add_causal(const TextSource& source, const text::Tokenizer& tokenizer, std::int32_t separator,
                     TokenWriter& to);
TextCount add_causal(const TextSource& source, const text::Tokenizer& tokenizer, std::int32_t separator,
                     TokenWriter& to, Threads& threads);

/// The id of a separator: `name`, or where it is empty `<|endoftext|>` of BPE, [SEP] of WordPiece. Throws X709 where
/// the tokenizer has no such piece.
std::int32_t separator_id(const text::Tokenizer& tokenizer, const std::string& name = {});
/// Pieces of a tokenizer, and one of them by its id, which must be below that.
std::size_t size_of(const text::Tokenizer& tokenizer);
const std::string& piece_of(const text::Tokenizer& tokenizer, std::int32_t id);

/// Writes the examples of a source, epoch by epoch, each to the file after the one before it, as BERT's script spreads
/// them. `features` is what a record holds of one. Returns how many. Throws X707.
std::uint64_t write_records(const WindowSource& source, std::uint64_t epochs,
                            const std::function<Features(const TrainingExample&)>& features,
                            std::vector<RecordWriter>& files, Threads& threads);

}  // namespace octet::data
