#include <cstdio>
#include <string>
#include <vector>

#include "json.hpp"
#include "output.hpp"

#include "messages.hpp"
import octet;

namespace program {

namespace {

JsonObject place(const octet::Place& where) {
  JsonObject object;
  object.add("file", where.file.string());
  if (where.line) object.add("line", where.line);
  if (!where.function.empty()) object.add("function", where.function.string());
  return object;
}

JsonObject fault(const octet::Diagnostic& diagnostic) {
  JsonObject object;
  object.add("number", octet::diagnostic_name(diagnostic.number)).add("sentence", diagnostic.sentence);
  if (diagnostic.where.known()) object.add("where", place(diagnostic.where));
  if (!diagnostic.because.empty()) {
    std::vector<JsonObject> chain;
    for (const octet::Link& link : diagnostic.because)
      chain.push_back(JsonObject{}.add("what", link.what).add("where", place(link.where)));
    object.add("because", chain);
  }
  return object.add("rule", diagnostic.rule).add("fix", diagnostic.fix).add("see", diagnostic.see);
}

}  // namespace

int report(const octet::Error& error, bool json) {
  std::fprintf(stderr, "%s\n", error.what());
  if (json)
    for (const octet::Diagnostic& diagnostic : error.diagnostics())
      print(JsonObject{}.add("error", fault(diagnostic)).text());
  return 1;
}

void refuse_option(const std::string& sentence, const std::string& fix) {
  octet::fail({.number = 709, .sentence = sentence, .fix = {fix}});
}

void require_at_least(const std::string& option, long long value, long long least) {
  if (value < least)
    refuse_option(option + " is " + std::to_string(value) + ", and must be at least " + std::to_string(least) + ".",
                  "choose " + std::to_string(least) + " or more");
}

}  // namespace program
