/// A WordPiece tokenizer as a directory: vocab.txt for the pieces, tokenizer_config.json for the options; and as the
/// one tokenizer.json of Hugging Face's tokenizers, which holds both.
export module octet.text:tokenizer_config;
import octet.standard;
import :file;
import :wordpiece;

export namespace octet::text {

/// The content of tokenizer_config.json, with the keys of Hugging Face's BertTokenizer.
std::string tokenizer_config_text(const WordPieceModel& tokenizer);

/// A tokenizer from the contents of vocab.txt and tokenizer_config.json. Keys that are missing take BERT's defaults,
/// unknown ones are passed over. Special tokens of "added_tokens_decoder", "additional_special_tokens" and
/// "extra_special_tokens" that are no line of vocab.txt come after its lines. `name` is what messages call the two, a
/// directory. Throws X708, X710, and X721 where a key asks for what changes ids and is not done here.
WordPiece parse_wordpiece(std::string_view vocab_txt, std::string_view config_json,
                          const std::string& name = "tokenizer");

/// The content of tokenizer.json.
std::string tokenizer_json_text(const WordPieceModel& tokenizer);
/// A tokenizer from the content of tokenizer.json; its added tokens are those recognized in a text. What
/// `parts_passed_over` names does not count. As in transformers, the tokenizer_config.json beside it adds special
/// tokens and rules where it tells of case, accents or Chinese characters, and of a vocab.txt there nothing counts; but
/// a line of that is refused which is another piece. Throws X720 with the line at fault, X721 for a tokenizer of
/// another kind, X708 and X710.
WordPiece parse_wordpiece_json(std::string_view tokenizer_json, const std::string& name = "tokenizer.json",
                               std::string_view config_json = "{}", std::string_view vocab_txt = {});
/// What it tells of how text is cut into pieces. Throws X720 and X721.
WordPieceOptions parse_wordpiece_options(std::string_view tokenizer_json, const std::string& name = "tokenizer.json");

/// Reads what WordPiece::save wrote, or a BERT directory made by other tools: tokenizer.json with what is beside it,
/// and where that is missing vocab.txt and tokenizer_config.json, without which BERT's defaults hold. Throws X701,
/// X708, X710, X720, X721.
WordPiece load_wordpiece(const std::filesystem::path& directory);
/// The same of files that `read` gives, under the name of a directory.
WordPiece load_wordpiece(const std::filesystem::path& directory, const DirectoryReader& read);

}  // namespace octet::text

namespace octet::text {

/// The content of tokenizer.json, made again whenever it is written. The tokenizer must outlive it.
FileParts tokenizer_json_parts(const WordPieceModel& tokenizer);

}  // namespace octet::text
