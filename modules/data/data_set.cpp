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

std::string data_set_text(const text::Tokenizer& tokenizer, std::span<const DataFile> files,
                          std::optional<std::int64_t> context_length) {
  std::string sizes;
  for (const auto& [name, bytes] : files)
    sizes += (sizes.empty() ? "" : ", ") + text::json_string(name) + ": " + std::to_string(bytes);
  return "{\"pieces\": " + std::to_string(size_of(tokenizer)) +
         ", \"fingerprint\": " + std::to_string(fingerprint(tokenizer)) + ", \"files\": {" + sizes + "}" +
         (context_length ? ", \"context_length\": " + std::to_string(*context_length) : "") + "}\n";
}

namespace {

/// What stands beside `data`, if anything.
std::optional<text::JsonDocument> beside(const fs::path& data) {
  const fs::path path = data_set_file(data.parent_path());
  std::error_code unknown;
  if (!fs::exists(path, unknown)) return std::nullopt;
  return std::optional<text::JsonDocument>{std::in_place, text::read_file(path), path.string(),
                                           text::JsonRules{.number = 736}};
}

}  // namespace

bool is_data_set_file(const fs::path& path) {
  std::error_code unknown;
  if (!fs::exists(fs::symlink_status(path, unknown))) return true;
  if (!fs::is_regular_file(path, unknown)) return false;
  try {
    const text::JsonDocument document{text::read_file(path), path.string(), {.number = 736}};
    const auto tells = [&](const char* key) { return document.root().find(key).has_value(); };
    return tells("pieces") && tells("fingerprint") &&
           document.root().keys().size() == std::size_t{2} + tells("files") + tells("context_length");
  } catch (const Error&) {
    return false;
  }
}

// What is there of `data` in each directory, and what stands beside it is read once.
static std::map<fs::path, std::vector<fs::path>> by_directory(const std::vector<fs::path>& data) {
  std::map<fs::path, std::vector<fs::path>> result;
  for (const fs::path& file : data) result[file.parent_path()].push_back(file);
  return result;
}

static void require_tokenizer_beside(const fs::path& data, const text::Tokenizer& tokenizer) {
  const fs::path path = data_set_file(data.parent_path());
  std::error_code unknown;
  if (fs::exists(fs::path{path} += ".next", unknown))
    fail({.number = 701,
          .sentence = "cannot read " + data.string() +
                      " as it stands: octet data is putting it in its place, or was ended when it did",
          .where = {data.string(), 0, ""},
          .fix = {"run an octet data command that writes there: it carries on first"}});
  const auto document = beside(data);
  if (!document) return;
  const auto number = [&](const char* key) {
    const auto value = document->root().find(key);
    if (!value || value->kind() != text::JsonValue::Kind::integer)
      document->refuse(document->root(), path.string() + " does not tell \"" + key + "\" of the tokenizer",
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

std::optional<std::int64_t> context_length_of(const fs::path& data) {
  const auto document = beside(data);
  const auto told = document ? document->root().find("context_length") : std::nullopt;
  if (!told || told->kind() != text::JsonValue::Kind::integer || told->integer() < 2) return std::nullopt;
  return told->integer();
}

void require_tokenizer_of(const std::vector<fs::path>& data, const text::Tokenizer& tokenizer) {
  for (const auto& [directory, files] : by_directory(data)) require_tokenizer_beside(files.front(), tokenizer);
}

void require_whole(const std::vector<fs::path>& data) {
  std::vector<Diagnostic> faults;
  for (const auto& [directory, files] : by_directory(data)) {
    const auto document = beside(files.front());
    const auto told = document ? document->root().find("files") : std::nullopt;
    if (!told || told->kind() != text::JsonValue::Kind::object) continue;
    std::map<std::string, std::int64_t, std::less<>> written;
    const std::vector<text::JsonValue> names = told->keys(), sizes = told->items();
    for (std::size_t n = 0; n < names.size(); ++n)
      if (sizes[n].kind() == text::JsonValue::Kind::integer) written.emplace(names[n].text(), sizes[n].integer());
    for (const fs::path& file : files) {
      const auto at = written.find(file.filename().string());
      std::error_code unknown;
      const std::uintmax_t bytes = fs::file_size(file, unknown);
      if (at == written.end() || at->second < 0 || unknown || bytes == static_cast<std::uintmax_t>(at->second))
        continue;
      faults.push_back(
          {.number = 722,
           .sentence = file.string() + " has " + std::to_string(bytes) + " bytes, and " + std::to_string(at->second) +
                       " were written",
           .where = {file.string(), 0, ""},
           .rule = data_set_file(directory).string() +
                   " tells how long each file is: one that ends early, but with a whole record, shows it by nothing "
                   "else.",
           .fix = {"copy the file again, whole, with what stands beside it", "write the data again with octet data"}});
    }
  }
  if (!faults.empty()) throw Error{std::move(faults)};
}

}  // namespace octet::data
