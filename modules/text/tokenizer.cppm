/// A tokenizer of any kind, as a directory holds it.
export module octet.text:tokenizer;
import octet.standard;
import :bpe;
import :wordpiece;

export namespace octet::text {

using Tokenizer = std::variant<WordPiece, Bpe>;

/// Reads the tokenizer of `directory`: WordPiece where there is a vocab.txt, else what its tokenizer.json is, else
/// byte-level BPE. Throws X701 where its files are missing, X708, X710, X720 and X721 where they are faulty.
Tokenizer load_tokenizer(const std::filesystem::path& directory);
/// A tokenizer of either kind from the content of tokenizer.json. Throws X708 and X720, X721 for a tokenizer of another
/// kind.
Tokenizer parse_tokenizer_json(std::string_view tokenizer_json, const std::string& name = "tokenizer.json");

/// The parts of a tokenizer.json that encoding passes over: "truncation", "padding", and for WordPiece
/// "post_processor", where it does not put the classification token first and the separator last. Throws X720.
std::vector<std::string> parts_passed_over(std::string_view tokenizer_json, const std::string& name = "tokenizer.json");

}  // namespace octet::text
