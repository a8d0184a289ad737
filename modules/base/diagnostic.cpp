module octet.base;
import octet.standard;

namespace octet {

namespace {

void complete(Diagnostic& diagnostic) {
  const CatalogueEntry& entry = catalogue_entry(diagnostic.number);
  if (diagnostic.rule.empty()) diagnostic.rule = entry.rule;
  if (diagnostic.fix.empty() && !entry.cure.empty()) diagnostic.fix.emplace_back(entry.cure);
  if (diagnostic.see.empty()) diagnostic.see = "octet explain " + diagnostic_name(diagnostic.number);
}

}  // namespace

std::string to_string(const Place& place) {
  if (!place.known()) return {};
  std::string text = place.file;
  if (place.line) text += ":" + std::to_string(place.line);
  if (!place.function.empty()) text += ", in " + place.function.string();
  return text;
}

std::string Diagnostic::text() const {
  std::string text = diagnostic_name(number) + ": " + sentence;
  const auto add = [&](const char* label, const std::string& part) {
    if (!part.empty()) text += std::string{"\n  "} + label + part;
  };
  add("where:   ", to_string(where));
  for (std::size_t i = 0; i < std::min<std::size_t>(because.size(), 5); ++i)
    add(i == 0 ? "because: " : "         ",
        because[i].what + (because[i].where.known() ? " (" + to_string(because[i].where) + ")" : ""));
  add("rule:    ", rule);
  for (std::size_t i = 0; i < std::min<std::size_t>(fix.size(), 3); ++i)
    add(i == 0 ? "fix:     " : "    or:  ", fix[i]);
  add("see:     ", see);
  return text;
}

Error::Error(std::vector<Diagnostic> diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) complete(diagnostic);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += (text.empty() ? "" : "\n\n") + diagnostic.text();
  diagnostics_ = shared<const std::vector<Diagnostic>>(std::move(diagnostics));
  what_ = shared<const std::string>(std::move(text));
}

void fail(Diagnostic diagnostic) { throw Error{{std::move(diagnostic)}}; }

}  // namespace octet
