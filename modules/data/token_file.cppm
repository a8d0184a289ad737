/// Token files: the ids of many texts at two bytes each (four where the vocabulary has 65,535 pieces or more), of which
/// a run reads what it needs when it needs it: a text larger than memory can be drawn from in any order.
///
/// Ids one after another, little-endian, all ones after each sentence of a file of documents; then where each document
/// begins (8 bytes each), and 48 bytes: how many ids and marks, documents, tokens (8 bytes each), the size of the
/// vocabulary, the width of an id, the CRC-32C of all before, the CRC-32C of this list so far (4 each), "OctetIds".
export module octet.data:token_file;
import octet.standard;

export namespace octet::data {

/// Whether the file ends as a token file does, whatever its name. Of a pipe, which cannot be looked at twice, it is
/// said that it does not.
bool ends_as_token_file(const std::filesystem::path& path);

/// Tokens after which a document goes on as another.
inline constexpr std::uint64_t longest_document = 1 << 13;

/// Writes ids as they come. What they are written to is the caller's: a text::FileWriter, or a string.
class TokenWriter {
 public:
  using Output = std::function<void(std::string_view bytes)>;
  /// `vocabulary`: ids are below it.
  TokenWriter(Output output, std::size_t vocabulary);

  void add(std::span<const std::int32_t> ids);
  /// Ends a sentence, where it has tokens. A document of more than `longest_document` tokens is ended too and goes on
  /// as another, so that what is made of a document fits in memory.
  void end_sentence();
  /// Ends a document, where it has sentences.
  void end_document();
  /// Everything is given out.
  void finish();

  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t documents() const { return starts_.size() - open_; }
  /// How often a document was ended because of its length and went on as another.
  std::uint64_t cuts() const { return cuts_; }

 private:
  void put(std::uint32_t value);
  void flush();

  Output output_;
  std::size_t vocabulary_;
  unsigned width_;
  std::string buffer_;
  std::uint32_t checksum_ = 0;
  std::uint64_t positions_ = 0, tokens_ = 0;
  std::uint64_t document_tokens_ = 0, sentence_tokens_ = 0;
  std::vector<std::uint64_t> starts_;
  bool open_ = false;  // the last of them has not ended
  bool cut_ = false;   // what comes next, before the document's end, goes on with it
  std::uint64_t cuts_ = 0;
};

/// Reads one. A value that shares what it holds: copies are cheap, and safe to use from several threads.
class TokenFile {
 public:
  /// Opens a file, whose ids are read when they are asked for; what is no file, such as a pipe, is read whole. Throws
  /// X701, X726 for a file that is cut short or is none.
  explicit TokenFile(const std::filesystem::path& path);
  /// Of bytes in memory.
  TokenFile(std::string bytes, std::string name);
  /// The same, which messages call `name`: what it was made of, where its own file is not to stay.
  TokenFile named(std::string name) const;

  /// Ids and marks.
  std::uint64_t positions() const { return positions_; }
  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t documents() const { return documents_; }
  std::uint64_t vocabulary() const { return vocabulary_; }
  std::uint64_t bytes() const;
  const std::string& name() const { return name_; }
  /// A number that other tokens would not have.
  std::uint32_t checksum() const { return checksum_; }

  /// The sentences of document `index`. Throws X403 where there is none, X726 where the file was altered, X701 where it
  /// cannot be read any more.
  std::vector<std::vector<std::int32_t>> document(std::uint64_t index) const;
  /// `count` ids from `begin` on. Throws X403 where there are not as many, X726 for what is no id, X701.
  std::vector<std::int32_t> ids(std::uint64_t begin, std::uint64_t count) const;
  /// Reads all of it. Throws X726 where it was altered. From then on, of every copy, so does what reads a part of a
  /// file that was written over meanwhile.
  void verify() const;

 private:
  struct Content;

  void read_footer();
  void require_unchanged() const;
  std::string_view read(std::uint64_t begin, std::uint64_t end, std::string& buffer) const;
  template <class Take>
  void for_each(std::uint64_t begin, std::uint64_t end, Take take) const;
  [[noreturn]] void refuse(const std::string& what) const;
  void require(bool holds, const std::string& asked, std::uint64_t all, const char* what) const;

  std::string name_;
  std::shared_ptr<const Content> content_;
  unsigned width_ = 2;
  std::uint64_t positions_ = 0, tokens_ = 0, documents_ = 0, vocabulary_ = 0;
  std::uint32_t checksum_ = 0;
};

}  // namespace octet::data
