module octet.text;
import octet.base;
import octet.standard;
import :piece_finder;

namespace octet::text {

std::vector<std::string> SpecialTokens::first_pieces() const {
  std::vector<std::string> pieces = all();
  if (recognized)
    std::ranges::copy_if(*recognized, std::back_inserter(pieces), [five = pieces](const std::string& each) {
      return std::ranges::find(five, each) == five.end();
    });
  return pieces;
}

Vocabulary::Vocabulary(std::vector<std::string> pieces, SpecialTokens special, const std::string& name)
    : pieces_{std::move(pieces)}, finder_{pieces_.size()}, special_{std::move(special)} {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string& piece = pieces_[i];
    const unsigned line = static_cast<unsigned>(i + 1);
    if (piece.empty())
      fail([&] {
        return Diagnostic{.number = 708,
                          .sentence = "line " + std::to_string(line) + " of " + name + " is empty",
                          .where = {name, line, ""}};
      });
    if (!is_line(piece))
      fail([&] {
        return Diagnostic{.number = 708,
                          .sentence = "line " + std::to_string(line) + " of " + name + " has the end of a line within",
                          .where = {name, line, ""}};
      });
    if (const auto before = id(piece))
      fail([&] {
        return Diagnostic{
            .number = 708,
            .sentence = name + " holds the piece \"" + piece + "\" twice, as ids " + std::to_string(*before) + " and " +
                        std::to_string(i),
            .where = {name, line, ""},
            .fix = {
                "keep one of the two lines and train the model again, or take the file the model was trained with"}};
      });
    finder_.add(PieceFinder::hash(piece), static_cast<std::int32_t>(i));
  }
  const auto required = [&](const std::string& token) {
    if (const auto found = id(token)) return *found;
    fail([&] {
      return Diagnostic{
          .number = 708,
          .sentence = name + " has no line \"" + token + "\"",
          .where = {name, 0, ""},
          .fix = {"take the vocab.txt of a WordPiece model, one piece a line, or name its own special tokens"}};
    });
  };
  special_ids_ = {required(special_.padding), required(special_.unknown), required(special_.classification),
                  required(special_.separator), required(special_.mask)};

  recognized_ = special_.all();
  const auto recognize = [&]() __attribute__((noinline)) {
    std::vector<std::int32_t> five;
    for (const std::string& each : recognized_) five.push_back(*id(each));
    for (const std::string& each : *special_.recognized) recognized_ids_.push_back(required(each));
    for (std::vector<std::int32_t>* ids : {&five, &recognized_ids_}) {
      std::ranges::sort(*ids);
      const auto repeated = std::ranges::unique(*ids);  // one piece may be several of the five
      ids->erase(repeated.begin(), repeated.end());
    }
    if (recognized_ids_ == five) return special_.recognized.reset();
    recognized_.clear();
    for (const std::int32_t each : recognized_ids_) recognized_.push_back(piece(each));
    special_.recognized = recognized_;
  };
  if (special_.recognized) recognize();
}

const std::string& Vocabulary::piece(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= pieces_.size())
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "there is no piece with id " + std::to_string(id) + " in a vocabulary of " +
                                    std::to_string(pieces_.size()),
                        .where = {}};
    });
  return pieces_[static_cast<std::size_t>(id)];
}

std::optional<std::int32_t> Vocabulary::id(std::string_view piece) const {
  return finder_.find(PieceFinder::hash(piece),
                      [&](std::int32_t id) { return pieces_[static_cast<std::size_t>(id)] == piece; });
}

std::string Vocabulary::to_text() const {
  std::string text;
  for (const std::string& piece : word_pieces()) text += piece + "\n";
  return text;
}

std::vector<std::string> vocabulary_lines(std::string_view text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const auto fault = find_invalid_utf8(text)) {
    unsigned line = 1;
    for (std::size_t i = 0; i < fault->offset; ++i) line += text[i] == '\n';
    fail({.number = 708,
          .sentence = "line " + std::to_string(line) + " of " + name + " is not UTF-8",
          .where = {name, line, ""}});
  }
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    pieces.emplace_back(line);
  }
  return pieces;
}

Vocabulary parse_vocabulary(std::string_view text, SpecialTokens special, const std::string& name) {
  return Vocabulary{vocabulary_lines(text, name), std::move(special), name};
}

Vocabulary load_vocabulary(const std::filesystem::path& path, SpecialTokens special) {
  return parse_vocabulary(read_file(path), std::move(special), path.string());
}

void save_vocabulary(const Vocabulary& vocabulary, const std::filesystem::path& path) {
  write_file(path, vocabulary.to_text());
}

}  // namespace octet::text
