#include "output.hpp"

#include "command.hpp"
#include "example_files.hpp"
#include "messages.hpp"
#include "patterns.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace fs = std::filesystem;
namespace data = octet::data;
namespace text = octet::text;
namespace train = octet::train;

void ExampleFiles::add_to(CLI::App* sub, const std::string& after_records) {
  CLI::Option* texts =
      add_files(sub, "--text", text.files,
                "files of text: plain, .csv, .tsv or .jsonl; names of special tokens in it are plain text")
          ->type_name("FILE");
  CLI::Option* in_records =
      add_files(sub, "--records", records,
                "files of examples, as octet data bert and BERT's own script write them" + after_records)
          ->type_name("FILE");
  CLI::Option* in_tokens =
      sub->add_option("--tokens", tokens, "a file of tokens, from octet data bert --on-the-fly or octet data causal")
          ->type_name("FILE");
  texts->excludes(in_records)->excludes(in_tokens);
  in_records->excludes(in_tokens);
  text.add_fields(sub);
  text.add_documents(
      sub, "causal, txt: a separator follows each of these: paragraphs (lines up to an empty one), lines or files");
}

ExampleFiles ExampleFiles::with(const std::vector<std::string>& files) const {
  ExampleFiles others = *this;
  if (!text.files.empty())
    others.text.files = files, others.text.beside = text.files;
  else if (!records.empty())
    others.records = files;
  else
    others.tokens = files.front();
  return others;
}

std::vector<fs::path> ExampleFiles::record_files() const { return {records.begin(), records.end()}; }

void ExampleFiles::require_ids_of(const text::WordPiece& words) const {
  const std::vector<fs::path> files = records.empty() ? std::vector<fs::path>{tokens} : record_files();
  data::require_tokenizer_of(files, words);
  data::require_whole(files);
}

data::WindowSource ExampleFiles::source(const text::WordPiece& words, const train::TrainOptions& options) const {
  require_ids_of(words);
  return records.empty() ? train::document_source(data::TokenFile{fs::path{tokens}}, words, options)
                         : train::record_source(record_files(), words, options);
}

data::TokenFile ExampleFiles::tokens_of(const text::Bpe& words, const std::string& tokenizer, octet::Threads& threads,
                                        bool of_model) const {
  if (!tokens.empty()) {
    data::require_tokenizer_of({tokens}, words);
    data::require_whole({tokens});
    return data::TokenFile{fs::path{tokens}};
  }
  std::string bytes;  // two to a token
  data::TokenWriter writer{[&](std::string_view part) { bytes += part; }, words.size()};
  if (!words.id(separator_piece)) {
    std::vector<std::string> fix{"choose what follows a document: octet data causal --separator PIECE, then --tokens"};
    if (!of_model)
      fix.insert(fix.begin(), {"train a tokenizer that has it, as octet tokenizer train --kind bpe does by default",
                               "leave --tokenizer out, to learn words from the text"});
    octet::fail({.number = 709,
                 .sentence = tokenizer + " has no <|endoftext|>, which follows each document of a text.",
                 .where = {tokenizer, 0, ""},
                 .fix = std::move(fix)});
  }
  const text::Tokenizer spoken = words;
  const std::int32_t separator = data::separator_id(spoken, separator_piece);
  note_separator_names(read_all(text.sources(),
                                [&](const data::TextSource& source) {
                                  return data::add_causal(source, spoken, separator, writer, threads);
                                }),
                       separator_piece);
  writer.finish();
  return data::TokenFile{std::move(bytes), text.files.front()};
}

}  // namespace program
