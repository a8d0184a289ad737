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
/// A tokenizer of either kind from the content of tokenizer.json, with what lies beside it. Throws X708, X710 and X720,
/// X721 for a tokenizer of another kind.
Tokenizer parse_tokenizer_json(std::string_view tokenizer_json, const std::string& name = "tokenizer.json",
                               std::string_view config_json = "{}", std::string_view vocab_txt = {});

/// The parts of a tokenizer.json that encoding passes over: "truncation", "padding", and for WordPiece
/// "post_processor", where it does not put special tokens where BERT has them, around one text and two. Throws X720.
std::vector<std::string> parts_passed_over(std::string_view tokenizer_json, const std::string& name = "tokenizer.json");

}  // namespace octet::text
