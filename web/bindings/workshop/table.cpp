// A visitor's table as a plain text, which the engine trains on: whoever has none does not wait for what reads it.
// web/src/workshop/table.ts gives the objects their types.
#include "crossing.hpp"
import octet.standard;
import octet;

namespace {

using crossing::val;

using crossing::text_of;

/// `{name, bytes, field}` → `{text}`: a line end, and the lines of a table's column or of the field of JSON lines,
/// without blank ones.
val read_table(const val& request) {
  const std::string bytes = request["bytes"].as<std::string>();
  const octet::data::TextSource source{.path = text_of(request, "name"), .field = text_of(request, "field")};
  std::string text = "\n";  // or the first cell might begin as some binary file does
  for (const std::string& line : octet::data::corpus_of_text(bytes, source).lines) text += line + "\n";
  val answer = val::object();
  answer.set("text", text);
  return answer;
}

/// `{name, bytes}` → `{fields}`: what the text of a table that begins with these bytes may be taken from.
val table_fields(const val& request) {
  const std::string bytes = request["bytes"].as<std::string>();
  val answer = val::object();
  answer.set("fields", crossing::texts(octet::data::text_fields(bytes, {.path = text_of(request, "name")})));
  return answer;
}

const crossing::Functions functions{{"readTable", read_table}, {"tableFields", table_fields}};

}  // namespace
