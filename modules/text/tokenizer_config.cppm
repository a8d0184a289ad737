/// A WordPiece tokenizer as a directory: vocab.txt for the pieces, tokenizer_config.json for the options; and as the
/// one tokenizer.json of Hugging Face's tokenizers, which holds both.
export module octet.text:tokenizer_config;
import octet.standard;
import :wordpiece;

export namespace octet::text {

/// The content of tokenizer_config.json, with the keys of Hugging Face's BertTokenizer.
std::string tokenizer_config_text(const WordPiece& tokenizer);

/// A tokenizer from the contents of vocab.txt and tokenizer_config.json. Keys that are missing take BERT's defaults,
/// unknown ones are passed over. Special tokens of "added_tokens_decoder" and "additional_special_tokens" that are no
/// line of vocab.txt come after its lines; where the former is missing, so do those that the `tokenizer_json` beside
/// adds, if it can be read. `name` is what messages call the two, a directory. Throws X708 and X710.
WordPiece parse_wordpiece(std::string_view vocab_txt, std::string_view config_json,
                          const std::string& name = "tokenizer", std::string_view tokenizer_json = {});

/// The content of tokenizer.json.
std::string tokenizer_json_text(const WordPiece& tokenizer);
/// A tokenizer from the content of tokenizer.json; its added tokens are those recognized in a text. What
/// `parts_passed_over` names does not count. Throws X720 with the line at fault, X721 for a tokenizer of another kind.
WordPiece parse_wordpiece_json(std::string_view tokenizer_json, const std::string& name = "tokenizer.json");
/// What it tells of how text is cut into pieces. Throws X720 and X721.
WordPieceOptions parse_wordpiece_options(std::string_view tokenizer_json, const std::string& name = "tokenizer.json");
/// A tokenizer from the contents of vocab.txt and, where there is no tokenizer_config.json, of the tokenizer.json
/// beside it, which tells the options. Throws X708, X720 and X721.
WordPiece parse_wordpiece_beside(std::string_view vocab_txt, std::string_view tokenizer_json, const std::string& name);

/// Reads what WordPiece::save wrote, or a BERT directory made by other tools; where tokenizer_config.json is missing,
/// tokenizer.json tells the options, and without it BERT's defaults hold; where vocab.txt is missing and tokenizer.json
/// is there, that is read. Throws X701, X708, X710, X720, X721.
WordPiece load_wordpiece(const std::filesystem::path& directory);

}  // namespace octet::text
