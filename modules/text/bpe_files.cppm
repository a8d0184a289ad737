/// A byte-level BPE tokenizer as files: vocab.json and merges.txt, as GPT-2 has them, and the tokenizer.json of Hugging
/// Face's tokenizers, which holds both and the options.
export module octet.text:bpe_files;
import octet.standard;
import :bpe;
import :file;

export namespace octet::text {

/// The content of vocab.json: the id of each piece.
std::string vocab_json_text(const BpeModel& tokenizer);
/// The content of merges.txt: two pieces a line.
std::string merges_text(const BpeModel& tokenizer);
/// The content of tokenizer.json.
std::string tokenizer_json_text(const BpeModel& tokenizer);

/// A tokenizer from the contents of vocab.json and merges.txt, and of the tokenizer_config.json beside them, which
/// tells special tokens and a prefix blank. Unless that tells all of the former, the pieces in angle or square brackets
/// that no merge makes are special, too. `name` is what messages call the files, a directory. Throws X720 with the line
/// at fault, X710 and X721.
Bpe parse_bpe(std::string_view vocab_json, std::string_view merges_txt, const std::string& name = "tokenizer",
              std::string_view config_json = "{}");
/// A tokenizer from the content of tokenizer.json; its padding and truncation, and tokens that it would add at the
/// ends, are passed over. The tokenizer_config.json beside it adds special tokens and may tell another prefix blank.
/// Throws X720 with the line at fault, X710, X721 for a tokenizer of another kind.
Bpe parse_bpe_json(std::string_view tokenizer_json, const std::string& name = "tokenizer.json",
                   std::string_view config_json = "{}");

/// Reads what `save_bpe` wrote, or a directory made by other tools: tokenizer.json, and where that is missing
/// vocab.json and merges.txt, with a tokenizer_config.json. Throws X701, X710, X720, X721.
Bpe load_bpe(const std::filesystem::path& directory);
/// The same of files that `read` gives, under the name of a directory.
Bpe load_bpe(const std::filesystem::path& directory, const DirectoryReader& read);
/// Writes vocab.json, merges.txt and tokenizer.json into `directory`, which is made where missing; none of them where
/// one cannot be written. Throws X707.
void save_bpe(const BpeModel& tokenizer, const std::filesystem::path& directory);

}  // namespace octet::text

namespace octet::text {

/// The content of tokenizer.json, made again whenever it is written. The tokenizer must outlive it.
FileParts tokenizer_json_parts(const BpeModel& tokenizer);

}  // namespace octet::text
