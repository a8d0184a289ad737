module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace {

constexpr std::size_t longest_json_line = std::size_t{64} << 20;

std::string ending_of(const TextSource& source) {
  std::string ending = source.path.extension().string();
  for (char& letter : ending) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  return ending;
}

}  // namespace

char separator_of(const TextSource& source) {
  return source.csv_separator.value_or(ending_of(source) == ".tsv" ? '\t' : ',');
}

struct DocumentReader::State {
 public:
  State(TextSource source, DocumentFunctions to)
      : source_{std::move(source)},
        name_{source_.path.string()},
        to_{std::move(to)},
        format_{format_of(source_)},
        csv_{name_,
             {.column = source_.field,
              .header = source_.header,
              .separator = separator_of(source_),
              .quotes = source_.csv_quotes},
             [this](std::string_view value, std::size_t number) { document(value, number); }},
        lines_{name_, [this](std::string_view line, std::size_t number) { take(line, number); }, source_.read} {}

  void add(std::string_view bytes) { lines_.add(bytes); }
  void check_unfinished() { lines_.check_unfinished(); }

  void finish() {
    lines_.finish();
    if (format_ == TextFormat::csv) csv_.finish();
    end_document();
  }

 private:
  void take(std::string_view line, std::size_t number) {
    switch (format_) {
      case TextFormat::txt:
        return text_line(line, number);
      case TextFormat::csv:
        return csv_.add(line, number);
      case TextFormat::jsonl:
        return json_line(line, number);
    }
  }

  void text_line(std::string_view line, std::size_t number) {
    if (source_.documents != Documents::files && is_blank(line)) return end_document();
    give(line, number);
    if (source_.documents == Documents::lines) end_document();
  }

  void json_line(std::string_view line, std::size_t number) {
    if (is_blank(line)) return;
    const text::JsonDocument object = parsed(line, static_cast<unsigned>(number));
    const std::vector<text::JsonValue> names = object.root().keys(), values = object.root().items();
    const text::JsonValue* value = nullptr;
    for (std::size_t i = 0; i < names.size() && i < values.size(); ++i)
      if (names[i].text() == source_.field) value = &values[i];
    if (!value) {
      std::string keys;
      for (const text::JsonValue& key : names) {
        if (keys.size() > 200) break;
        keys += (keys.empty() ? "" : ", ") + text::json_string(key.text());
      }
      object.refuse(object.root(), "this line of " + name_ + " has no field " + text::json_string(source_.field),
                    {keys.empty() ? "take the line out: its object is empty"
                                  : "choose one that it has: " + keys + "; where other lines have not, mend this one"});
    }
    if (value->kind() != text::JsonValue::Kind::text) refuse_kind(object, *value);
    const std::string_view words = value->text();
    if (words.find('\0') != words.npos)
      object.refuse(*value,
                    "the field " + text::json_string(source_.field) + " of this line of " + name_ +
                        " holds the character U+0000, which no text has",
                    {"take \\u0000 out of it"});
    document(words, number);
  }

  [[noreturn]] void refuse_kind(const text::JsonDocument& object, const text::JsonValue& value) const {
    object.refuse(value,
                  "the field " + text::json_string(source_.field) + " of this line of " + name_ + " is " +
                      (value.is_null() ? "null, not a text" : "not a text"),
                  {value.is_null() ? "take the line out: it has no text" : "choose a field that holds a text",
                   "make it a text, in quotation marks"});
  }

  text::JsonDocument parsed(std::string_view line, unsigned number) const {
    if (line.size() > longest_json_line)
      fail({.number = 725,
            .sentence = "this line of " + name_ + " has " + std::to_string(line.size()) + " bytes, more than 64 MB",
            .where = {name_, number, ""},
            .fix = {"split its text over several lines"}});
    return {line, name_, {.number = 725, .first_line = number}};
  }

  void document(std::string_view value, std::size_t number) {
    while (!value.empty()) {
      const std::size_t end = value.find_first_of("\n\r");
      give(value.substr(0, end), number);
      if (end == value.npos) break;
      value.remove_prefix(end + (value.substr(end).starts_with("\r\n") ? 2 : 1));
    }
    end_document();
  }

  void give(std::string_view line, std::size_t number) {
    to_.line(line, number);
    open_ = true;
  }

  void end_document() {
    if (std::exchange(open_, false)) to_.end_document();
  }

  TextSource source_;
  std::string name_;
  DocumentFunctions to_;
  TextFormat format_;
  CsvReader csv_;
  LineReader lines_;
  bool open_ = false;  // a document has lines
};

DocumentReader::DocumentReader(TextSource source, DocumentFunctions functions)
    : state_{std::make_unique<State>(std::move(source), std::move(functions))} {}
DocumentReader::~DocumentReader() = default;
void DocumentReader::add(std::string_view bytes) { state_->add(bytes); }
void DocumentReader::check_unfinished() { state_->check_unfinished(); }
void DocumentReader::finish() { state_->finish(); }

TextFormat format_of(const TextSource& source) {
  if (source.format) return *source.format;
  const std::string ending = ending_of(source);
  if (ending == ".csv" || ending == ".tsv") return TextFormat::csv;
  return ending == ".jsonl" || ending == ".ndjson" ? TextFormat::jsonl : TextFormat::txt;
}

std::uint64_t for_each_document(const TextSource& source, const DocumentFunctions& functions) {
  DocumentReader reader{source, functions};
  std::uint64_t size = 0;
  const auto add = [&](std::string_view bytes) {
    reader.add(bytes);
    reader.check_unfinished();
    size += bytes.size();
  };
  for_each_block(source.path, add, source.read.ask);
  reader.finish();
  return size;
}

void for_each_document_of(std::string_view text, const TextSource& source, const DocumentFunctions& functions) {
  DocumentReader reader{source, functions};
  reader.add(text);
  reader.finish();
}

Corpus corpus_of_text(std::string_view text, const TextSource& source) {
  Corpus corpus;
  const auto keep = [&](std::string_view line, std::size_t) {
    if (!is_blank(line)) corpus.lines.emplace_back(line);
  };
  for_each_document_of(text, source, {keep, [] {}});
  corpus.bytes = text.size();
  return corpus;
}

}  // namespace octet::data
