/// What is kept beside files of data: whose ids they hold. A vocabulary of the same size has ids in the same range, and
/// nothing in a record would tell that they mean other pieces.
export module octet.data:data_set;
import octet.standard;
import octet.text;

export namespace octet::data {

/// A number that a tokenizer with other pieces, or merges, would hardly have: a CRC-32C of them.
std::uint32_t fingerprint(const text::Tokenizer& tokenizer);

/// The file that is kept beside: octet-data.json.
std::filesystem::path data_set_file(const std::filesystem::path& directory);
/// Its content: `{"pieces": 2048, "fingerprint": 1234567}`.
std::string data_set_text(const text::Tokenizer& tokenizer);

/// Whether a file of that name may be written over: none is there, or one with such a content.
bool is_data_set_file(const std::filesystem::path& path);

/// Throws X736 where the directory of `data` tells of another tokenizer, or what it tells cannot be read. Files that
/// others wrote have nothing beside them, and are taken as they are.
void require_tokenizer_of(const std::filesystem::path& data, const text::Tokenizer& tokenizer);

}  // namespace octet::data
