/// octet data: examples to train on, made of text; each subcommand has a file of its own. Here is what they share.
#include <cstdio>

#include "output.hpp"

#include "command.hpp"
#include "data.hpp"
#include "data_replacement.hpp"
#include "messages.hpp"
#include "patterns.hpp"
#include "run_directory.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace fs = std::filesystem;
namespace data = octet::data;

void TextOptions::add_to(CLI::App* sub) {
  add_files(sub, "--text", files, "files of text: plain, .csv, .tsv or .jsonl")->required()->type_name("FILE");
  add_fields(sub);
  add_documents(sub, "txt: what a document is: paragraphs (lines up to an empty one), lines or files");
}

void TextOptions::add_documents(CLI::App* sub, const std::string& description) {
  documents_ = option(sub, "--documents", documents, description)
                   ->check(CLI::IsMember({"paragraphs", "lines", "files"}).description(""));
}

void TextOptions::add_fields(CLI::App* sub) {
  option(sub, "--format", format, "what the files of text are, whatever their names: txt, csv or jsonl")
      ->check(CLI::IsMember({"txt", "csv", "jsonl"}).description(""));
  field_ = option(sub, "--field", field, "csv: name or number of the column; jsonl: the key of the text");
  header_ = sub->add_flag("--header,!--no-header", header, "csv: the first row names the columns (on by default)");
  separator_ =
      sub->add_option("--csv-separator", csv_separator,
                      "csv: what stands between two fields, such as ';' or '\\t' (a comma; a tabulator in .tsv)")
          ->take_last()
          ->type_name("CHARACTER");
  quotes_ = sub->add_flag("--csv-quotes,!--no-csv-quotes", csv_quotes,
                          "csv: a quotation mark that begins a field encloses it (on by default)");
}

std::vector<data::TextSource> TextOptions::sources() const {
  if (separator_ && separator_->count() > 0 && csv_separator.size() != 1 && csv_separator != "\\t")
    refuse_option("--csv-separator is " + octet::text::json_string(csv_separator) +
                      ", and is to be one character of ASCII, a single byte.",
                  "choose a comma, ';' or '\\t', a tabulator");
  std::vector<data::TextSource> sources = sources_of(files);
  std::vector<data::TextSource> all = sources_of(beside);
  all.insert(all.end(), sources.begin(), sources.end());
  require_formats(all);
  return sources;
}

std::vector<data::TextSource> TextOptions::sources_of(const std::vector<std::string>& named) const {
  std::vector<data::TextSource> sources;
  for (const std::string& file : named) {
    data::TextSource source{.path = file, .field = field, .header = header, .csv_quotes = csv_quotes};
    if (!csv_separator.empty()) source.csv_separator = csv_separator == "\\t" ? '\t' : csv_separator[0];
    if (!format.empty())
      source.format = format == "csv"     ? data::TextFormat::csv
                      : format == "jsonl" ? data::TextFormat::jsonl
                                          : data::TextFormat::txt;
    source.documents = documents == "lines"   ? data::Documents::lines
                       : documents == "files" ? data::Documents::files
                                              : data::Documents::paragraphs;
    if (format.empty() && source.path.extension() == ".json" && !std::exchange(noted_, true))
      note("note: " + file + " is read as plain text; JSON lines are read with --format jsonl.");
    sources.push_back(std::move(source));
  }
  return sources;
}

void TextOptions::require_formats(const std::vector<data::TextSource>& sources) const {
  const auto have = [&](data::TextFormat format) {
    return std::ranges::any_of(sources, [&](const auto& source) { return data::format_of(source) == format; });
  };
  std::vector<octet::Diagnostic> faults;
  const auto require = [&](const CLI::Option* option, bool holds, const char* what) {
    if (option && option->count() > 0 && !holds)
      faults.push_back(without_effect(as_written(*option), std::string{"for "} + name(),
                                      std::string{"It is about "} + what + ", and no file is read as that.",
                                      {"say what the files are, whatever their names: --format"}));
  };
  const bool tables = have(data::TextFormat::csv);
  require(field_, tables || have(data::TextFormat::jsonl), "columns of a table and keys of JSON lines");
  require(header_, tables, "the first row of a table");
  require(separator_, tables, "the fields of a table");
  require(quotes_, tables, "the fields of a table");
  require(documents_, have(data::TextFormat::txt), "documents of plain text");
  if (!faults.empty()) throw octet::Error{std::move(faults)};
}

void OutputOptions::add_to(CLI::App* sub) {
  sub->add_option("--out", directory, "directory for the files")->required()->type_name("DIR");
  sub->add_flag("--overwrite", overwrite, "write over data that is there");
}

namespace {

bool is_data(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".tfrecord" || ending == ".tokens" ||
         (file.filename().string().starts_with("shard-") && ending == ".txt");
}

}  // namespace

void require_not_read(const std::vector<std::string>& read, const fs::path& file, const std::string& why) {
  std::error_code unknown;
  for (const std::string& text : read)
    if (fs::equivalent(text, file, unknown))
      octet::fail({.number = 707,
                   .sentence = file.filename().string() + " is read, and lies in " + file.parent_path().string() +
                               ", " + why + ".",
                   .where = {file.parent_path().string(), 0, ""},
                   .fix = {"name another directory"}});
}

std::vector<fs::path> OutputOptions::data_files() const {
  std::vector<fs::path> files;
  std::error_code unknown;  // what cannot be looked at cannot be written either, and that has a message of its own
  for (fs::directory_iterator entry{directory, unknown}, end; !unknown && entry != end; entry.increment(unknown))
    if (is_data(entry->path())) files.push_back(entry->path());
  std::ranges::sort(files);
  return files;
}

namespace {

/// Refused before any work where nothing can be written there.
const std::string& writable(const std::string& directory) {
  require_writable(directory, "where data is written");
  return directory;
}

}  // namespace

OutputDirectory::OutputDirectory(const OutputOptions& options, const std::vector<std::string>& read)
    : made_{writable(options.directory)}, lock_{options.directory} {
  finish_replacing(options.directory);
  const auto refuse = [&](const std::string& sentence, std::vector<std::string> fix) {
    octet::fail({.number = 707,
                 .sentence = sentence,
                 .where = {options.directory, 0, ""},
                 .rule = "Files of two data sets in one directory would be read as one.",
                 .fix = std::move(fix)});
  };
  const auto refuse_others = [&](const std::string& name) {
    refuse(options.directory + " holds " + name + ", which octet data did not write, and --overwrite leaves alone.",
           {"name another directory", "move that file elsewhere"});
  };
  for (const fs::path& file : options.data_files()) {
    const std::string name = file.filename().string();
    if (!options.overwrite)
      refuse(options.directory + " holds data already (" + name + " is there).",
             {"name another directory", "write over it: add --overwrite"});
    if (std::error_code unknown; !is_data_name(name) || !fs::is_regular_file(file, unknown)) refuse_others(name);
    require_not_read(read, file, "whose data --overwrite takes away");
  }
  const fs::path data_set = data::data_set_file(options.directory);
  if (!data::is_data_set_file(data_set)) refuse_others(data_set.filename().string());
  require_not_read(read, data_set, "whose data --overwrite takes away");
}

OutputOptions::DataSet OutputOptions::put_data_set_in_place(std::vector<octet::text::FileWriter*> files,
                                                            const octet::text::Tokenizer& tokenizer,
                                                            std::optional<std::int64_t> context_length) const {
  DataSet result;
  std::vector<data::DataFile> told;
  for (const auto* file : files) {
    result.names.push_back(file->path().string());
    result.bytes += file->size();
    told.push_back({file->path().filename().string(), file->size()});
  }
  octet::text::FileWriter beside{data::data_set_file(directory)};
  beside.write(data::data_set_text(tokenizer, told, context_length));
  files.push_back(&beside);
  put_in_place(files);
  result.beside_bytes = beside.size();
  result.bytes += result.beside_bytes;
  return result;
}

void OutputOptions::put_in_place(std::span<octet::text::FileWriter* const> files) const {
  std::vector<fs::path> gone = data_files();
  gone.insert(gone.begin(), data::data_set_file(directory));
  std::erase_if(gone, [&](const fs::path& file) {
    return std::ranges::any_of(files, [&](const auto* each) { return each->path() == file; });
  });
  replace_data(directory, files, gone);
}

void require_read_again(const std::vector<std::string>& files, const std::string& rule) {
  std::error_code ignored;  // a file that is not there has a message of its own
  for (const std::string& file : files)
    if (const fs::file_type type = fs::status(file, ignored).type();
        type == fs::file_type::fifo || type == fs::file_type::character || type == fs::file_type::socket)
      octet::fail({.number = 701,
                   .sentence = "cannot read " + file + " more than once: it is no file but a pipe or a device",
                   .where = {file, 0, ""},
                   .rule = rule,
                   .fix = {"write what comes from it to a file first, and name that"}});
}

data::TextCount read_all(const std::vector<data::TextSource>& sources,
                         const std::function<data::TextCount(const data::TextSource&)>& read) {
  data::TextCount count;
  std::vector<octet::Diagnostic> faults;
  for (const data::TextSource& source : sources) {
    try {
      count += read(source);
    } catch (const octet::Error& error) {
      // A disk that is full is no fault of the text, and will not be told for each of them.
      if (error.number() == 707) throw;
      const octet::Error told = by_option(error, {"--csv-separator", "--csv-quotes"});
      faults.insert(faults.end(), told.diagnostics().begin(), told.diagnostics().end());
    }
  }
  if (!faults.empty()) throw octet::Error{std::move(faults)};
  return count;
}

std::vector<std::string> TextOptions::lines() const {
  std::vector<std::string> lines;
  read_all(sources(), [&](const data::TextSource& source) {
    if (data::format_of(source) == data::TextFormat::txt) {
      data::Corpus corpus = data::read_corpus({source.path});
      std::ranges::move(corpus.lines, std::back_inserter(lines));
    } else {
      const auto add = [&](std::string_view line, std::size_t) {
        if (!data::is_blank(line)) lines.emplace_back(line);
      };
      data::for_each_document(source, {add, [] {}});
    }
    return data::TextCount{};
  });
  return lines;
}

void note_separator_names(const data::TextCount& count, const std::string& name) {
  if (count.separator_names == 0) return;
  const auto lines = static_cast<long long>(count.separator_names);
  note("note: " + counted(lines, "line") + " of the text " + (lines == 1 ? "holds " : "hold ") + harmless(name) +
       ", which is plain text there and ends no document.");
}

std::string predictions_warning(std::int64_t predictions, std::int64_t length, double share, const std::string& asked) {
  const double whole = std::nearbyint(static_cast<double>(length) * share);  // half to even, as masking rounds
  const auto most = static_cast<double>(predictions);
  if (!(whole > most)) return "";
  return "warning: --max-predictions-per-seq is " + grouped(predictions) + ", which masks " +
         fixed(100 * most / static_cast<double>(length), 1) + " % of " + grouped(length) + " tokens, and " + asked +
         " asks for " + fixed(100 * share, 1) + " %: choose " + fixed(whole, 0) + "." +
         (predictions == 20 ? " BERT's own 20 are for 128 tokens." : "");
}

std::string shard_name(const std::string& stem, std::uint64_t index, std::uint64_t count, const std::string& ending) {
  char numbers[64];
  std::snprintf(numbers, sizeof numbers, "-%05llu-of-%05llu", static_cast<unsigned long long>(index),
                static_cast<unsigned long long>(count));
  return stem + numbers + ending;
}

std::string storage(std::uint64_t bytes, std::uint64_t text_bytes) {
  return fixed(static_cast<double>(bytes) / 1e6, 2) + " MB, " +
         fixed(static_cast<double>(bytes) / static_cast<double>(text_bytes), 2) + " times the text";
}

namespace {
constexpr const Subcommand* below[]{&data_bert_subcommand, &data_causal_subcommand, &data_shards_subcommand,
                                    &data_show_subcommand, &data_verify_subcommand, &data_feed_subcommand};
}

const Subcommand data_subcommand{.name = "data",
                                 .description = "Make examples to train on; look at record files and check them.",
                                 .example = "octet data bert --text novel.txt --model words --out examples",
                                 .below = below};

}  // namespace program
