#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

import octet.base;
import octet.data;
import octet.text;

using namespace octet;
using namespace octet::data;
using namespace std::literals;

namespace {

using Lines = std::vector<std::string>;
using Texts = std::vector<Lines>;  // the documents of a source

Texts documents_of(std::string_view text, const TextSource& source) {
  Texts texts(1);
  for_each_document_of(
      text, source,
      {[&](std::string_view line, std::size_t) { texts.back().emplace_back(line); }, [&] { texts.emplace_back(); }});
  CHECK(texts.back().empty());
  texts.pop_back();
  return texts;
}

std::vector<std::size_t> numbers_of(std::string_view text, const TextSource& source) {
  std::vector<std::size_t> numbers;
  for_each_document_of(text, source, {[&](std::string_view, std::size_t number) { numbers.push_back(number); }, [] {}});
  return numbers;
}

std::optional<Diagnostic> refusal(std::string_view text, const TextSource& source) {
  try {
    documents_of(text, source);
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}
// Whether the text is refused with this number, at this line, in these words.
bool refused(std::string_view text, const TextSource& source, int number, unsigned line, std::string_view words) {
  const auto fault = refusal(text, source);
  UNSCOPED_INFO((fault ? fault->text() : "not refused"));
  return fault && fault->number == number && fault->where.line == line &&
         fault->text().find(words) != std::string::npos;
}

const TextSource table{"some.csv"}, objects{"some.jsonl"};

}  // namespace

TEST_CASE("a file's name says its format, unless that is given") {
  CHECK(format_of({"a.txt"}) == TextFormat::txt);
  CHECK(format_of({"a"}) == TextFormat::txt);
  CHECK(format_of({"a.csv"}) == TextFormat::csv);
  CHECK(format_of({"a.TSV"}) == TextFormat::csv);
  CHECK(format_of({"a.jsonl"}) == TextFormat::jsonl);
  CHECK(format_of({"a.ndjson"}) == TextFormat::jsonl);
  CHECK(format_of({"A.CSV"}) == TextFormat::csv);
  CHECK(format_of({"a.JsonL"}) == TextFormat::jsonl);
  CHECK(format_of({"a.csv", TextFormat::txt}) == TextFormat::txt);
}

TEST_CASE("a document of plain text is a paragraph, a line or the file") {
  const std::string text = "\n\na\nb\r\n \t\r\n\nc\n";
  CHECK(documents_of(text, {"x"}) == Texts{{"a", "b"}, {"c"}});
  CHECK(documents_of(text, {.path = "x", .documents = Documents::lines}) == Texts{{"a"}, {"b"}, {"c"}});
  CHECK(documents_of(text, {.path = "x", .documents = Documents::files}) == Texts{{"", "", "a", "b", " \t", "", "c"}});
  CHECK(numbers_of(text, {"x"}) == std::vector<std::size_t>{3, 4, 7});
  CHECK(documents_of("\uD55C\uAD6D\uC5B4\n\u3000\n\u65E5\u672C\u8A9E", {"x"}) ==
        Texts{{"\uD55C\uAD6D\uC5B4"}, {"\u65E5\u672C\u8A9E"}});
}

TEST_CASE("a column of a table is chosen by name or number") {
  const std::string text = "id,text,label\n1,one,x\n2,\uB458 \u4E8C,y\n";
  CHECK(documents_of(text, table) == Texts{{"one"}, {"\uB458 \u4E8C"}});
  CHECK(documents_of(text, {.path = "some.csv", .field = "label"}) == Texts{{"x"}, {"y"}});
  CHECK(documents_of(text, {.path = "some.csv", .field = "1"}) == Texts{{"1"}, {"2"}});
  CHECK(documents_of(text, {.path = "some.csv", .field = "2", .header = false}) ==
        Texts{{"text"}, {"one"}, {"\uB458 \u4E8C"}});
  CHECK(refused(text, {.path = "some.csv", .field = "body"}, 724, 1, "choose one of id, text, label, or a number"));
  CHECK(refused(text, {.path = "some.csv", .field = "4"}, 724, 1, "no column \"4\""));
  CHECK(refused(text, {.path = "some.csv", .field = "0", .header = false}, 724, 1, "from 1 to 3"));
  CHECK(refused(text, {.path = "some.csv", .header = false}, 724, 1, "no column \"text\""));
}

TEST_CASE("quoted fields hold separators, quotation marks and line ends") {
  CHECK(documents_of("text,n\n\"a, \"\"b\"\"\",1\n\"c\r\nd\n\ne\",2\n\"\",3\n\"\"\"\",4\n", table) ==
        Texts{{"a, \"b\""}, {"c", "d", "", "e"}, {"\""}});
  CHECK(numbers_of("text,n\n\"c\r\nd\",2\ne,3\n", table) == std::vector<std::size_t>{2, 2, 4});
  CHECK(documents_of("\xEF\xBB\xBF\"text\"\r\n\"a\"\r\n\r\nb\r\n", table) == Texts{{"a"}, {"b"}});
  CHECK(documents_of("n,text\n1,\n2,last", table) == Texts{{"last"}});
}

TEST_CASE("a quotation mark encloses a field only where it begins one, in pieces of any size") {
  const std::string text =
      "n,text\n1,a \"b\", c\"\n2,5\" screen\n3, \"led by a space\"\n4,\"a, \"\"b\"\"\nc\"\n5,\xED\x95\x9C\"\"\n";
  const std::string all = "2:a \"b\";3:5\" screen;4: \"led by a space\";5:a, \"b\"\nc;7:\xED\x95\x9C\"\";";
  // The third field of the first row is no mistake of the marks.
  CHECK(refused(text, table, 724, 2, "this row has 3 fields, and the first one of some.csv has 2"));
  const std::string right = std::string{text}.replace(text.find(", c\""), 4, "");
  const std::string read_right = std::string{all}.replace(0, all.find(';'), "2:a \"b\"");
  for (std::size_t piece = 1; piece <= right.size(); ++piece) {
    std::string read;
    CsvReader reader{"some.csv", {}, [&](std::string_view value, std::size_t line) {
                       ((read += std::to_string(line) + ":") += value) += ';';
                     }};
    LineReader lines{"some.csv", [&](std::string_view line, std::size_t number) { reader.add(line, number); }};
    for (std::size_t at = 0; at < right.size(); at += piece) lines.add(std::string_view{right}.substr(at, piece));
    lines.finish();
    reader.finish();
    CHECK(read == read_right);
  }
}

TEST_CASE("quotation marks are plain text where no field is enclosed in them") {
  const TextSource plain{.path = "some.tsv", .csv_quotes = false};
  CHECK(documents_of("n\ttext\n1\t\"a\" b\n2\t\"open, to the end\n3\tc\"\"\n", plain) ==
        Texts{{"\"a\" b"}, {"\"open, to the end"}, {"c\"\""}});
  CHECK(refused("n\ttext\n1\t\"a\tb\"\n", plain, 724, 2, "this row has 3 fields"));
}

TEST_CASE("a faulty table is refused with the line") {
  CHECK(refused("text,n\na,1\nb\n", table, 724, 3, "this row has 1 field, and the first one of some.csv has 2"));
  CHECK(refused("text,n\na,1\nb\n", table, 724, 3, "add the fields that are missing"));
  CHECK(refused("text,n\na,1,\n", table, 724, 2, "put a field that holds the separator in quotation marks"));
  CHECK(refused("text,n\na,1,\n", table, 724, 2, "this row has 3 fields"));
  CHECK(refused("text,n\n\"a\n\",1\nb,2,3\n", table, 724, 4, "this row has 3 fields"));
  CHECK(refused("text,n\n\"a\"b,1\n", table, 724, 2, "after its closing quotation mark"));
  CHECK(refused("text,n\n\"a\"b,1\n", table, 724, 2, "csv_quotes=false"));
  CHECK(refused("text,n\na,1\n\"b,2\nc,3\n", table, 724, 3, "is not closed"));
  CHECK(refused("text\na long line\0b\n"sv, table, 703, 2, "NUL"));
  CHECK(refused("text\na\xFF\n", table, 704, 2, "0xFF"));
  CHECK(refused("", table, 702, 0, "empty"));
}

TEST_CASE("fields are parted by what is asked for, by tabulators in .tsv, else by commas") {
  const auto read = [](std::string_view text, const TextSource& source) {
    std::string lines;
    for_each_document_of(text, source, {[&](std::string_view line, std::size_t) { (lines += line) += '|'; }, [] {}});
    return lines;
  };
  CHECK(read("n\ttext\n1\ta, b\n", {"a.tsv"}) == "a, b|");
  CHECK(read("n,text\n1,a\tb\n", {.path = "a.tsv", .csv_separator = ','}) == "a\tb|");
  CHECK(read("n;text\n1;a, b\n", {.path = "a.csv", .csv_separator = ';'}) == "a, b|");
  CHECK(refused("n;text\n1;a\n", table, 724, 1, "take csv_separator ';'"));
  CHECK(refused("n\ttext\n1\ta\n", table, 724, 1, "take csv_separator '\\t'"));
}

TEST_CASE("a quotation mark that is never closed does not fill the memory") {
  std::string name = "some.csv";
  CsvReader reader{name, {}, [](std::string_view, std::size_t) {}};
  reader.add("text", 1);
  reader.add("\"open", 2);
  const std::string line(1 << 20, 'x');
  int number = 0;
  std::size_t lines = 0;
  try {
    for (; lines < 1000; ++lines) reader.add(line, 3 + lines);
  } catch (const Error& error) {
    number = error.number();
    CHECK(error.diagnostics().front().where.line == 2);
  }
  CHECK(number == 724);
  CHECK(lines < 70);
}

TEST_CASE("a field of JSON lines is chosen by its key") {
  const std::string text =
      "{\"id\": 1, \"text\": \"one\\ntwo\\r\\n\\nthree\"}\r\n\n{\"text\":\"\\uD55C \\ud83d\\ude00 "
      "\u65E5\",\"more\":[{}]}";
  CHECK(documents_of(text, objects) == Texts{{"one", "two", "", "three"}, {"\uD55C \U0001F600 \u65E5"}});
  CHECK(numbers_of(text, objects) == std::vector<std::size_t>{1, 1, 1, 1, 3});
  CHECK(documents_of("{\"text\":\"\"}\n{\"text\":\"a\"}", objects) == Texts{{"a"}});
  std::string deep = "{\"text\": \"a\", \"more\": ";
  for (int i = 0; i < 40; ++i) deep += "[";
  for (int i = 0; i < 40; ++i) deep += "]";
  CHECK(documents_of(deep + "}", objects) == Texts{{"a"}});
}

TEST_CASE("a faulty line of JSON is refused with its number") {
  const std::string good = "{\"text\": \"a\"}\n";
  CHECK(refused(good + "\n" + "{\"text\": \"b\"\n", objects, 725, 3, "broken"));
  CHECK(refused(good + "text\n", objects, 725, 2, "broken"));
  CHECK(refused(good + "[\"text\"]\n", objects, 725, 2, "not a JSON object"));
  CHECK(refused(good + "{\"text\": \"b\"} {\n", objects, 725, 2, "broken"));
  CHECK(refused(good + "{\"text\": \"b\", \"n\": 01}\n", objects, 725, 2, "broken"));
  CHECK(refused(good + "{\"text\": 7}\n", objects, 725, 2, "is not a text"));
  CHECK(refused(good + "{\"body\": \"b\", \"title\": \"\"}\n", objects, 725, 2,
                "choose one that it has: \"body\", \"title\""));
  CHECK(refused(good + "{\"text\": null}\n", objects, 725, 2, "is null, not a text"));
  CHECK(refused(good + "{\"text\": \"a\", \"text\": null}\n", objects, 725, 2, "is null, not a text"));
  CHECK(refused(good + "{\"text\": \"b\\u0000c\"}\n", objects, 725, 2, "holds the character U+0000"));
  CHECK(refused(good + "{}\n", objects, 725, 2, "its object is empty"));
  CHECK(refused(good + "{\"text\": \"\xFF\"}\n", objects, 704, 2, "0xFF"));
  CHECK(refused(good + std::string(10'000, '['), objects, 725, 2, "broken"));
  CHECK(refused(good + "{\"a\":" + std::string(10'000, '['), objects, 725, 2, "broken"));
}

TEST_CASE("a line of JSON of 100 MB is refused with its number") {
  std::string text = "{\"text\": \"a\"}\n{\"text\": \"";
  text.append(100'000'000, 'x');
  CHECK(refused(text + "\"}\n", objects, 725, 2, "more than 64 MB"));
}

TEST_CASE(
    "a source cut short at any byte is read or refused with a number, and a table never gives half a quoted text") {
  const std::string text = "text,n\n\"a, \"\"b\"\"\n\uD55C\",1\nc,2\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    Texts texts;
    const auto fault = refusal(text.substr(0, size), table);
    if (fault) {
      CHECK((fault->number == 724 || fault->number == 705 || fault->number == 702));
    } else {
      texts = documents_of(text.substr(0, size), table);
      CHECK((texts.empty() || texts.front() == Lines{"a, \"b\"", "\uD55C"}));
    }
  }
}

TEST_CASE("a text in memory is a corpus of what its name says, and of a beginning only what is whole is given") {
  const std::string text = "id,text\n1,\"a\nb\"\n2,\n3,c\n";
  CHECK(corpus_of_text(text, TextSource{.path = "t.CSV"}).lines == Lines{"a", "b", "c"});
  CHECK(corpus_of_text(text, TextSource{.path = "t.txt"}).lines.size() == 5);
  CHECK(corpus_of_text("{\"text\": \"a b\"}\n", TextSource{.path = "t.jsonl"}).lines == Lines{"a b"});

  Lines lines;
  {
    DocumentReader reader{{.path = "t.csv"},
                          {[&](std::string_view line, std::size_t) { lines.emplace_back(line); }, [] {}}};
    for (const char byte : std::string_view{text}.substr(0, text.size() - 1)) reader.add({&byte, 1});
  }
  CHECK(lines == Lines{"a", "b"});
}

TEST_CASE("a table tells what its texts may be taken from") {
  const auto of = [](std::string_view text, const char* name) { return text_fields(text, {.path = name}); };
  CHECK(of("id,body\n1,a\n", "t.csv") == Lines{"id", "body"});
  CHECK(of("id\tbody, title\n1\ta\n", "T.TSV") == Lines{"id", "body, title"});
  CHECK(of("\xEF\xBB\xBF\n\"a \"\"b\"\"\r\nc\",d\r\n", "t.csv") == Lines{"a \"b\"\nc", "d"});
  CHECK(of("text", "t.csv") == Lines{"text"});
  // What has no name of its own has a number, under which it is found.
  CHECK(of("a,,b,a,\xFF\n1,2,3,4,5\n", "t.csv") == Lines{"1", "2", "b", "4", "5"});
  CHECK(of(",0,1\n0,first,second\n", "t.csv") == Lines{"0", "1"});
  CHECK(documents_of("a,,b\n1,two,3\n", {.path = "t.csv", .field = "2"}) == Texts{{"two"}});
  CHECK(text_fields("a,b\n", {.path = "t.csv", .header = false}) == Lines{"1", "2"});
  CHECK(text_fields("a;b\n", {.path = "t.csv", .csv_separator = ';'}) == Lines{"a", "b"});
  CHECK(of("\n {\"id\": 1, \"body\": \"a\", \"말\": \"b\", \"list\": [\"c\"]}\n", "t.jsonl") == Lines{"body", "말"});
  CHECK(of("{\"a\": \"b\", \"a\": \"c\"}\n", "t.jsonl") == Lines{"a"});
  CHECK(of(std::string(300, ','), "t.csv").size() == 100);
  for (const char* nothing : {"", "\n\n", "\"open", "\"a\"b,c\n"}) CHECK(of(nothing, "t.csv").empty());
  for (const char* nothing : {"", "{\"a\": ", "[\"a\"]", "{}", "\xFF"}) CHECK(of(nothing, "t.ndjson").empty());
  CHECK(of("id,body\n", "t.txt").empty());
  CHECK(of({"i\0d\0,\0b\0\n\0", 10}, "t.csv").empty());  // UTF-16, which is refused when it is read
}
