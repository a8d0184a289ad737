module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace {

constexpr std::size_t longest_row = std::size_t{64} << 20;
const std::string no_quotes = "take quotation marks for plain text, where no field is enclosed: csv_quotes=false";

}  // namespace

CsvReader::CsvReader(std::string name, CsvOptions options, CsvFunction function)
    : name_{std::move(name)}, options_{std::move(options)}, function_{std::move(function)} {
  if (std::string_view{"\"\n\r"}.find(options_.separator) != std::string_view::npos || options_.separator == '\0')
    fail({.number = 709,
          .sentence = "fields cannot be separated by " + text::json_string({&options_.separator, 1}),
          .where = {},
          .fix = {"use a comma, a semicolon or a tabulator"}});
}

void CsvReader::refuse(std::size_t line, const std::string& sentence, std::vector<std::string> fix) const {
  fail({.number = 724, .sentence = sentence, .where = {name_, static_cast<unsigned>(line), ""}, .fix = std::move(fix)});
}

void CsvReader::add(std::string_view line, std::size_t number) {
  if (!quoted_) {
    if (line.empty()) return;
    row_line_ = number;
    row_bytes_ = 0;
    count_ = 0;
  }
  row_bytes_ += line.size() + 1;
  if (row_bytes_ > longest_row)
    refuse(row_line_, "a row of more than 64 MB begins here",
           {"close the quotation mark that is open here", "split the row", no_quotes});
  std::size_t at = 0;
  while (true) {
    if (!quoted_) {
      if (count_ == fields_.size()) fields_.emplace_back();
      fields_[count_++].clear();
      if (options_.quotes && at < line.size() && line[at] == '"') {
        quoted_ = true;
        ++at;
      }
    }
    std::string& field = fields_[count_ - 1];
    if (quoted_) {
      const std::size_t mark = line.find('"', at);
      if (mark == line.npos) {
        (field += line.substr(at)) += '\n';
        return;
      }
      field += line.substr(at, mark - at);
      at = mark + 1;
      if (at < line.size() && line[at] == '"') {
        field += '"';
        ++at;
        continue;
      }
      quoted_ = false;
      if (at < line.size() && line[at] != options_.separator)
        refuse(number, "more follows in field " + std::to_string(count_) + " after its closing quotation mark",
               {"double each quotation mark within a quoted field: \"\"", no_quotes});
    } else {
      const std::size_t end = std::min(line.find(options_.separator, at), line.size());
      field = line.substr(at, end - at);
      at = end;
    }
    if (at == line.size()) break;
    ++at;  // the separator: a field follows, and be it empty
  }
  take_row();
}

void CsvReader::choose_column() {
  std::string names;
  if (options_.header) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (fields_[i] == options_.column) {
        const auto others = std::span{fields_}.subspan(i + 1, count_ - i - 1);
        if (std::ranges::count(others, options_.column) > 0)
          refuse(row_line_, name_ + " has more than one column " + text::json_string(options_.column),
                 {"name the column by its number: " + std::to_string(i + 1) + " is the first of them"});
        chosen_ = i;
        return;
      }
      names += (names.empty() ? "" : ", ") + fields_[i].substr(0, 80);
    }
  }
  std::size_t number = 0;
  const char* const end = options_.column.data() + options_.column.size();
  const auto [rest, error] = std::from_chars(options_.column.data(), end, number);
  if (error == std::errc{} && rest == end && number >= 1 && number <= count_) {
    chosen_ = number - 1;
    return;
  }
  const std::string range = "a number from 1 to " + std::to_string(count_);
  std::vector<std::string> fix{options_.header ? "choose one of " + text::replace_invalid_utf8(names) + ", or " + range
                                               : "choose " + range};
  if (options_.header)
    fix.push_back("call a column " + text::json_string(options_.column) + " in the first row, where the names stand");
  for (const auto& [separator, called] : {std::pair{';', "csv_separator ';'"}, std::pair{'\t', "csv_separator '\\t'"}})
    if (std::ranges::any_of(std::span{fields_}.first(count_),
                            [&](const std::string& field) { return field.find(separator) != field.npos; }))
      fix.insert(fix.begin(), std::string{"take "} + called + ": the first row holds it");
  refuse(row_line_, name_ + " has no column " + text::json_string(options_.column), std::move(fix));
}

void CsvReader::take_row() {
  if (columns_ == 0) {
    columns_ = count_;
    choose_column();
    if (options_.header) return;
  }
  if (count_ != columns_)
    refuse(row_line_,
           "this row has " + std::to_string(count_) + (count_ == 1 ? " field" : " fields") + ", and the first one of " +
               name_ + " has " + std::to_string(columns_),
           count_ > columns_ ? std::vector<std::string>{"put a field that holds the separator in quotation marks"}
                             : std::vector<std::string>{"add the fields that are missing, and be they empty",
                                                        "put a field that holds a line end in quotation marks"});
  function_(fields_[chosen_], row_line_);
}

void CsvReader::finish() {
  if (quoted_)
    refuse(row_line_, "a quotation mark that opens in this row is not closed before the end of the table",
           {"close it, or enclose the field and double the mark: \"\"", no_quotes});
}

}  // namespace octet::data
