/// Options of octet train that do nothing for the data. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// What a run may be trained on.
enum class TrainedOn { lines, text_blocks, records, tokens, token_blocks };

/// `a causal model of a text`: what messages call it.
const char* said(TrainedOn data);

/// How examples are made with a text and a tokenizer that are named: what fixes are typed with.
struct ExampleCommands {
  std::string text;       ///< `--text novel.txt`, and how it is read
  std::string tokenizer;  ///< its directory; empty where none is named
  std::string kind;       ///< ` --kind electra`; empty for a BERT
};

/// X735 for each option that does nothing for the data: why, and what does what it asks for. `given` tells how an
/// option was written, `--no-header` for `--header`, or nothing of one that was not.
std::vector<octet::Diagnostic> unfit_options(TrainedOn data,
                                             const std::function<std::string(const std::string&)>& given,
                                             const ExampleCommands& commands);

}  // namespace program
