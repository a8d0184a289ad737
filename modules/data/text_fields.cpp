module octet.data;
import octet.base;
import octet.standard;
import octet.text;
import :csv;
import :text_fields;
import :text_source;

namespace octet::data {

namespace {

constexpr std::size_t most_fields = 100;

/// Gives `function` the lines of a text, without their ends, until it has had enough.
void for_lines(std::string_view text, const std::function<bool(std::string_view line)>& wants_more) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!wants_more(line)) return;
  }
}

/// What stands in a column of the first row, if that has so many.
std::optional<std::string> first_value(std::string_view text, const CsvOptions& options) {
  std::optional<std::string> value;
  std::size_t number = 0;
  CsvReader reader{"", options, [&](std::string_view each, std::size_t) {
                     if (!value) value = each;
                   }};
  for_lines(text, [&](std::string_view line) {
    reader.add(line, ++number);
    return !value;
  });
  return value;
}

std::vector<std::string> columns(std::string_view text, const TextSource& source) {
  std::vector<std::string> names;
  try {
    while (names.size() < most_fields) {
      const auto name = first_value(text, {.column = std::to_string(names.size() + 1),
                                           .header = false,
                                           .separator = separator_of(source),
                                           .quotes = source.csv_quotes});
      if (!name) break;
      names.push_back(*name);
    }
  } catch (const Error&) {  // there are no more columns, or the row cannot be read
  }
  // Text of another encoding, which is refused when it is read.
  if (std::ranges::any_of(names, [](const std::string& name) { return name.find('\0') != name.npos; })) return {};
  const std::vector<std::string> all = source.header ? names : std::vector<std::string>(names.size());
  std::vector<std::string> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    if (!all[i].empty() && std::ranges::count(all, all[i]) == 1 && !text::find_invalid_utf8(all[i]))
      result.push_back(all[i]);
    else if (std::ranges::find(all, number) == all.end())  // else another column has the number for its name
      result.push_back(number);
  }
  return result;
}

std::vector<std::string> keys(std::string_view text) {
  std::vector<std::string> names;
  for_lines(text, [&](std::string_view line) {
    if (line.find_first_not_of(" \t") == line.npos) return true;
    try {
      const text::JsonDocument object{line, "", {.number = 725}};
      const std::vector<text::JsonValue> all = object.root().keys(), values = object.root().items();
      for (std::size_t i = 0; i < all.size() && i < values.size() && names.size() < most_fields; ++i)
        if (values[i].kind() == text::JsonValue::Kind::text && !all[i].text().empty() &&
            std::ranges::find(names, all[i].text()) == names.end())
          names.emplace_back(all[i].text());
    } catch (const Error&) {  // no JSON
    }
    return false;
  });
  return names;
}

}  // namespace

std::vector<std::string> text_fields(std::string_view beginning, const TextSource& source) {
  switch (format_of(source)) {
    case TextFormat::csv:
      return columns(beginning, source);
    case TextFormat::jsonl:
      return keys(beginning);
    case TextFormat::txt:
      break;
  }
  return {};
}

}  // namespace octet::data
