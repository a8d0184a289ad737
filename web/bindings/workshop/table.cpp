// A visitor's table as a plain text, which the engine trains on: whoever has none does not wait for what reads it.
// web/src/workshop/table.ts gives the objects their types.
#include "crossing.hpp"
import octet.standard;
import octet;

namespace {

using crossing::val;

/// `{name, bytes}` → `{text}`: the lines of a table's column or of the field of JSON lines, without blank ones.
val read_table(const val& request) {
  const std::string bytes = request["bytes"].as<std::string>();
  std::string text;
  for (const std::string& line :
       octet::data::corpus_of_text(bytes, octet::data::TextSource{.path = crossing::text_of(request, "name")}).lines)
    text += line + "\n";
  val answer = val::object();
  answer.set("text", text);
  return answer;
}

const crossing::Functions functions{{"readTable", read_table}};

}  // namespace
