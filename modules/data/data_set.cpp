module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace fs = std::filesystem;

std::uint32_t fingerprint(const text::Tokenizer& tokenizer) {
  std::uint32_t sum = 0;
  const auto add = [&](std::string_view part) {
    sum = crc32c(part, sum);
    sum = crc32c("\n", sum);
  };
  if (const auto* words = std::get_if<text::WordPiece>(&tokenizer)) {
    for (const std::string& piece : words->vocabulary().pieces()) add(piece);
  } else {
    const auto& bytes = std::get<text::Bpe>(tokenizer);
    for (const std::string& piece : bytes.pieces()) add(piece);
    for (const auto [left, right] : bytes.merges()) add(bytes.piece(left) + " " + bytes.piece(right));
  }
  return sum;
}

fs::path data_set_file(const fs::path& directory) { return directory / "octet-data.json"; }

std::string data_set_text(const text::Tokenizer& tokenizer) {
  return "{\"pieces\": " + std::to_string(size_of(tokenizer)) +
         ", \"fingerprint\": " + std::to_string(fingerprint(tokenizer)) + "}\n";
}

bool is_data_set_file(const fs::path& path) {
  std::error_code unknown;
  if (!fs::exists(fs::symlink_status(path, unknown))) return true;
  if (!fs::is_regular_file(path, unknown)) return false;
  try {
    const text::JsonDocument document{text::read_file(path), path.string(), {.number = 736}};
    return document.root().keys().size() == 2 && document.root().find("pieces") && document.root().find("fingerprint");
  } catch (const Error&) {
    return false;
  }
}

void require_tokenizer_of(const fs::path& data, const text::Tokenizer& tokenizer) {
  const fs::path path = data_set_file(data.parent_path());
  std::error_code unknown;
  if (fs::exists(fs::path{path} += ".next", unknown))
    fail({.number = 701,
          .sentence = "cannot read " + data.string() +
                      " as it stands: octet data is putting it in its place, or was ended when it did",
          .where = {data.string(), 0, ""},
          .fix = {"run an octet data command that writes there: it carries on first"}});
  if (!fs::exists(path, unknown)) return;
  const text::JsonDocument document{text::read_file(path), path.string(), {.number = 736}};
  const auto number = [&](const char* key) {
    const auto value = document.root().find(key);
    if (!value || value->kind() != text::JsonValue::Kind::integer)
      document.refuse(document.root(), path.string() + " does not tell \"" + key + "\" of the tokenizer",
                      {"write the data again, or take that file away: whose ids the data holds is then not checked"});
    return value->integer();
  };
  const std::int64_t pieces = number("pieces"), sum = number("fingerprint");
  const auto size = static_cast<std::int64_t>(size_of(tokenizer));
  if (pieces == size && sum == static_cast<std::int64_t>(fingerprint(tokenizer))) return;
  fail({.number = 736,
        .sentence = data.string() + " was written with another tokenizer: its vocabulary has " +
                    (pieces == size ? "other pieces than this one, as many"
                                    : std::to_string(pieces) + " pieces, and this one " + std::to_string(size)),
        .where = {data.string(), 0, ""},
        .rule = path.string() + " tells whose ids the data holds; the same id is another piece in another vocabulary.",
        .fix = {"name the tokenizer that the data was written with", "write the data again with this one"}});
}

}  // namespace octet::data
