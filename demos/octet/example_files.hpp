/// Files that examples are made of: texts, record files, or a file of tokens. Imports octet: include it after all other
/// headers.
#pragma once
#include "data.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

/// What follows each document of a causal model's text.
inline const std::string separator_piece = "<|endoftext|>";

struct ExampleFiles {
  TextOptions text;
  std::vector<std::string> records;
  std::string tokens;

  /// `after_records` goes on with what --records is.
  void add_to(CLI::App* sub, const std::string& after_records = "");
  /// Whether there are any.
  bool named() const { return !text.files.empty() || !records.empty() || !tokens.empty(); }
  /// Other files of the same kind, read in the same way.
  ExampleFiles with(const std::vector<std::string>& files) const;

  /// Of records and tokens. Throws X736 where they are not those of `words`, and what their sources throw.
  octet::data::WindowSource source(const octet::text::WordPiece& words,
                                   const octet::train::TrainOptions& options) const;
  /// The tokens of --tokens, or made of the texts. `tokenizer` is what messages call the words, which are a model's own
  /// where no others can be named.
  octet::data::TokenFile tokens_of(const octet::text::Bpe& words, const std::string& tokenizer, octet::Threads& threads,
                                   bool of_model) const;
  std::vector<std::filesystem::path> record_files() const;
  /// Throws X736 where the records or tokens are not those of `words`.
  void require_ids_of(const octet::text::WordPiece& words) const;
};

}  // namespace program
