module octet.text;
import octet.base;
import octet.standard;
import :json;
import :tokenizer_config_json;
import :tokenizer_json;

namespace octet::text {

namespace fs = std::filesystem;

namespace {

void read_merges(std::string_view text, const std::string& name, BpeParts& to) {
  const auto refuse = [&](unsigned line, const std::string& sentence, std::vector<std::string> fix) {
    fail({.number = 720, .sentence = sentence, .where = {name, line, ""}, .fix = std::move(fix)});
  };
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("#version")) continue;
    if (find_invalid_utf8(line)) refuse(number, "line " + std::to_string(number) + " of " + name + " is not UTF-8", {});
    const std::size_t blank = line.find(' ');
    if (blank == line.npos || blank == 0 || blank + 1 == line.size() || line.find(' ', blank + 1) != line.npos)
      refuse(number, "line " + std::to_string(number) + " of " + name + " is not two pieces with a blank between them",
             end == line.npos ? std::vector<std::string>{"copy the file anew: it seems to be cut short"}
                              : std::vector<std::string>{});
    to.merges.emplace_back(line.substr(0, blank), line.substr(blank + 1));
    to.merge_lines.push_back(number);
  }
}

bool is_bracketed(std::string_view piece) {
  return piece.size() > 2 &&
         ((piece.front() == '<' && piece.back() == '>') || (piece.front() == '[' && piece.back() == ']'));
}

// Tells what no merge makes apart: special tokens, and what is left where merges.txt was cut short.
void find_special(BpeParts& parts) {
  std::vector<std::string> made;
  for (const auto& [left, right] : parts.merges) made.push_back(left + right);
  std::ranges::sort(made);
  std::vector<std::string> orphans;
  for (const std::string& piece : parts.pieces) {
    const auto bytes = from_byte_alphabet(piece);
    if ((bytes && bytes->size() == 1) || std::ranges::binary_search(made, piece)) continue;
    (is_bracketed(piece) ? parts.special : orphans).push_back(piece);
  }
  constexpr std::size_t tolerated = 16;  // some vocabularies have a few words made up to fill them
  if (orphans.size() > tolerated)
    fail({.number = 720,
          .sentence = std::to_string(orphans.size()) + " pieces of " + parts.pieces_file + ", such as " +
                      json_string(orphans.front()) + ", are made by no merge of " + parts.merges_file,
          .where = {parts.merges_file, 0, ""},
          .fix = {"copy merges.txt anew: it seems to be cut short"}});
}

FileParts vocab_json_parts(const BpeModel& tokenizer) {
  return {[&](const FileParts::Write& write) {
    write("{");
    for (std::size_t id = 0; id < tokenizer.size(); ++id)
      write((id ? ",\n" : "\n") + json_string(tokenizer.pieces()[id]) + ": " + std::to_string(id));
    write("\n}\n");
  }};
}

FileParts merges_parts(const BpeModel& tokenizer) {
  return {[&](const FileParts::Write& write) {
    write("#version: 0.2\n");
    for (const auto [left, right] : tokenizer.merges())
      write(tokenizer.piece(left) + " " + tokenizer.piece(right) + "\n");
  }};
}

}  // namespace

std::string vocab_json_text(const BpeModel& tokenizer) { return vocab_json_parts(tokenizer).joined(); }

std::string merges_text(const BpeModel& tokenizer) { return merges_parts(tokenizer).joined(); }

Bpe parse_bpe(std::string_view vocab_json, std::string_view merges_txt, const std::string& name,
              std::string_view config_json) {
  BpeParts parts;
  parts.pieces_file = (fs::path{name} / "vocab.json").string();
  parts.merges_file = (fs::path{name} / "merges.txt").string();
  const JsonDocument document{vocab_json, parts.pieces_file, {.number = 720}};
  std::tie(parts.pieces, parts.piece_lines) = read_pieces(document, document.root(), 0);
  read_merges(merges_txt, parts.merges_file, parts);
  find_special(parts);
  const TokenizerConfig config{config_json, name};
  if (config.root().find("added_tokens_decoder")) parts.special.clear();
  config.read_bpe(parts);
  return Bpe{std::move(parts)};
}

Bpe load_bpe(const fs::path& directory, const DirectoryReader& read) {
  const std::string config = read("tokenizer_config.json").value_or("{}");
  if (const auto whole = read("tokenizer.json"))
    return parse_bpe_json(*whole, (directory / "tokenizer.json").string(), config);
  const auto required = [&](const char* name) {
    const auto content = read(name);
    return content ? *content : read_file(directory / name);
  };
  Bpe tokenizer = parse_bpe(required("vocab.json"), required("merges.txt"), directory.string(), config);
  require_known_special(directory, read, [&](std::string_view name) {
    const auto id = tokenizer.id(name);
    return id && tokenizer.is_special(*id);
  });
  return tokenizer;
}

Bpe load_bpe(const fs::path& directory) { return load_bpe(directory, reader_of(directory)); }

void save_bpe(const BpeModel& tokenizer, const fs::path& directory) {
  make_directory(directory);
  const FileContent files[] = {{directory / "vocab.json", [&] { return vocab_json_parts(tokenizer); }},
                               {directory / "merges.txt", [&] { return merges_parts(tokenizer); }},
                               {directory / "tokenizer.json", [&] { return tokenizer_json_parts(tokenizer); }}};
  write_files(files);
}

}  // namespace octet::text
