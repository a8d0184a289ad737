/// A tokenizer of any kind, as a directory holds it.
module;
#include <filesystem>
#include <variant>
export module octet.text:tokenizer;
import :bpe;
import :wordpiece;

export namespace octet::text {

using Tokenizer = std::variant<WordPiece, Bpe>;

/// Reads the tokenizer of `directory`: WordPiece where there is a vocab.txt, else what its tokenizer.json is, else
/// byte-level BPE. Throws X701 where its files are missing, X708, X710, X720 and X721 where they are faulty.
Tokenizer load_tokenizer(const std::filesystem::path& directory);

}  // namespace octet::text
