/// What is kept beside files of data: whose ids they hold, how long they are, and of which length blocks are wanted. A
/// vocabulary of the same size has ids in the same range, and nothing in a record would tell that they mean other
/// pieces; a file of records that ends early, but with a whole one, has nothing in it that tells.
export module octet.data:data_set;
import octet.standard;
import octet.text;

export namespace octet::data {

/// A number that a tokenizer with other pieces, or merges, would hardly have: a CRC-32C of them.
std::uint32_t fingerprint(const text::Tokenizer& tokenizer);

/// The file that is kept beside: octet-data.json.
std::filesystem::path data_set_file(const std::filesystem::path& directory);
/// A file of the set, beside it.
struct DataFile {
  std::string name;
  std::uint64_t bytes;
};
/// Its content: `{"pieces": 2048, "fingerprint": 1234567, "files": {"text.tokens": 84210}, "context_length": 1024}`.
std::string data_set_text(const text::Tokenizer& tokenizer, std::span<const DataFile> files,
                          std::optional<std::int64_t> context_length = {});
/// The length of the blocks that `data` is for, where its directory tells one.
std::optional<std::int64_t> context_length_of(const std::filesystem::path& data);

/// Whether a file of that name may be written over: none is there, or one with such a content.
bool is_data_set_file(const std::filesystem::path& path);

/// Throws X736 where the directory of one of `data` tells of another tokenizer, or what it tells cannot be read. Files
/// that others wrote have nothing beside them, and are taken as they are.
void require_tokenizer_of(const std::vector<std::filesystem::path>& data, const text::Tokenizer& tokenizer);

/// Throws X722 for each of `data` of which its directory tells that more bytes were written, or fewer. Files of which
/// nothing is told are taken as they are.
void require_whole(const std::vector<std::filesystem::path>& data);

}  // namespace octet::data
