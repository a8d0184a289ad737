/// The subcommands of `octet data`, and what they share. Imports octet: include it after all other headers.
#pragma once
#include "command.hpp"
#include "interruption.hpp"
#include "made_directory.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

extern const Subcommand data_bert_subcommand;
extern const Subcommand data_causal_subcommand;
extern const Subcommand data_shards_subcommand;
extern const Subcommand data_show_subcommand;
extern const Subcommand data_verify_subcommand;
extern const Subcommand data_feed_subcommand;

/// The options that say how texts are read: of data that holds ids, that is settled.
inline const std::vector<const char*> text_option_names{"--format",        "--field",      "--header",
                                                        "--csv-separator", "--csv-quotes", "--documents"};

/// Texts to read, as the options of several commands say.
struct TextOptions {
  std::vector<std::string> files;
  std::vector<std::string> beside;  ///< that are read by the same options, elsewhere
  std::string format, documents = "paragraphs";
  std::string field = "text", csv_separator;
  bool header = true, csv_quotes = true;

  void add_to(CLI::App* sub);
  /// What the files are, and what is about the columns of a table and the keys of JSON lines.
  void add_fields(CLI::App* sub);
  /// What a document of plain text is.
  void add_documents(CLI::App* sub, const std::string& description);
  /// What messages call them together: the file, or `the text` of several.
  std::string name() const { return files.size() == 1 ? files.front() : "the text"; }
  /// One for each file. Throws X735 where options are about a format that no file has.
  std::vector<octet::data::TextSource> sources() const;
  /// All lines of them that are not blank.
  std::vector<std::string> lines() const;

 private:
  std::vector<octet::data::TextSource> sources_of(const std::vector<std::string>& named) const;
  void require_formats(const std::vector<octet::data::TextSource>& sources) const;

  CLI::Option *field_ = nullptr, *header_ = nullptr, *separator_ = nullptr, *quotes_ = nullptr, *documents_ = nullptr;
  mutable bool noted_ = false;  // what is told of them once
};

/// Where a command writes its files.
struct OutputOptions {
  std::string directory;
  bool overwrite = false;

  void add_to(CLI::App* sub);
  std::filesystem::path file(const std::string& name) const { return std::filesystem::path{directory} / name; }
  struct DataSet {
    std::vector<std::string> names;  ///< of the files of data
    std::uint64_t bytes = 0;         ///< of all files
    std::uint64_t beside_bytes = 0;  ///< of what tells whose ids they hold
  };
  /// put_in_place, and with the files what tells that their ids are those of `tokenizer`, and the length of the blocks
  /// that they are for.
  DataSet put_data_set_in_place(std::vector<octet::text::FileWriter*> files, const octet::text::Tokenizer& tokenizer,
                                std::optional<std::int64_t> context_length = {}) const;
  /// Puts the files of a data set in place of the data that stood there: all of it, or nothing. Throws X707.
  void put_in_place(std::span<octet::text::FileWriter* const> files) const;
  /// Those that stand there.
  std::vector<std::filesystem::path> data_files() const;
};

/// The directory while a command writes its files there: no other command does, and Ctrl-C takes away what is not
/// finished.
class OutputDirectory {
 public:
  /// Makes it, and takes away what a command that was ended has left unfinished. Throws X707 where another command
  /// writes, and where it holds files of data already that are not to be written over, that these commands have not
  /// written, or that are among those which are `read`.
  OutputDirectory(const OutputOptions& options, const std::vector<std::string>& read);
  /// Throws Interrupted where the work is to stop: called again and again.
  void go_on() const {
    if (interruption_.signal()) throw Interrupted{interruption_.status()};
  }
  /// `sources`, read so that this is called meanwhile.
  std::vector<octet::data::TextSource> watched(std::vector<octet::data::TextSource> sources) const {
    for (octet::data::TextSource& source : sources) source.read.ask = &ask_;
    return sources;
  }

 private:
  MadeDirectory made_;
  octet::text::DirectoryLock lock_;
  Interruption interruption_;
  std::function<void()> ask_ = [this] { go_on(); };
};

/// Throws X707 where `file`, which is to be written over, is among those that are `read`. `why` is said of its
/// directory: "whose data --overwrite takes away".
void require_not_read(const std::vector<std::string>& read, const std::filesystem::path& file, const std::string& why);

/// Throws X701 where one of the files is a pipe or a device: it gives its bytes once. `rule` says why all are read
/// again.
void require_read_again(const std::vector<std::string>& files, const std::string& rule);

/// Reads all sources with `read`, and throws the faults of all of them at once.
octet::data::TextCount read_all(const std::vector<octet::data::TextSource>& sources,
                                const std::function<octet::data::TextCount(const octet::data::TextSource&)>& read);

/// Says on standard error that lines of the text hold the name of what is put after each document, and that it is not
/// taken for it there.
void note_separator_names(const octet::data::TextCount& count, const std::string& name);

/// `warning: ...` where no more than so many `predictions` of an example cut short the share of its `length` that
/// `asked`, an option, asks to mask; else nothing.
std::string predictions_warning(std::int64_t predictions, std::int64_t length, double share, const std::string& asked);

/// `examples-00002-of-00010.tfrecord`.
std::string shard_name(const std::string& stem, std::uint64_t index, std::uint64_t count, const std::string& ending);

/// `1.23 MB, 0.45 times the text`.
std::string storage(std::uint64_t bytes, std::uint64_t text_bytes);

}  // namespace program
