module octet.tpu;
import octet.base;
import octet.standard;
import :readiness;

namespace octet {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::warn:
      return "warn";
    case Verdict::fail:
      return "fail";
    default:
      return "not judged";
  }
}

std::size_t Readiness::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [&](const CheckLine& line) { return line.verdict == verdict; }));
}

bool Readiness::known() const {
  return std::ranges::none_of(lines, [](const CheckLine& line) { return line.number() == 410; });
}

const CheckLine& Readiness::line(std::string_view id) const {
  for (const CheckLine& each : lines)
    if (each.id == id) return each;
  std::string known;
  for (const CheckLine& each : lines) known += (known.empty() ? "" : ", ") + std::string{each.id};
  fail({.number = 709,
        .sentence = "The checklist has no line '" + std::string{id} + "'.",
        .fix = {"use one of " + known}});
}

std::string Readiness::summary() const {
  std::string text = program + " on " + slice +
                     (count(Verdict::fail) > 0 ? ": not ready."
                      : !known()               ? ": not judged in full, for it holds what Octet does not know."
                      : judged()               ? ": ready."
                                               : ": nothing found that would keep it from running.");
  std::string counts;
  for (const Verdict verdict : {Verdict::fail, Verdict::warn, Verdict::pass, Verdict::not_judged})
    if (const std::size_t n = count(verdict))
      counts += (counts.empty() ? " " : ", ") + std::to_string(n) + " " + std::string{name(verdict)};
  return text + counts + (counts.empty() ? "" : ".");
}

std::string to_string(const Readiness& readiness) {
  std::string text = readiness.summary();
  constexpr std::size_t indent = 12;
  const auto add = [&](std::string label, const std::string& what) {
    label.resize(std::max(indent, label.size() + 1), ' ');
    text += "\n" + label + what;
  };
  for (const CheckLine& line : readiness.lines) {
    text += "\n";
    add(std::string{name(line.verdict)}, std::string{line.question});
    add("", (line.number() ? diagnostic_name(line.number()) + ": " : "") + line.finding);
    for (const std::string& each : line.evidence) add("", each);
    for (std::size_t i = 1; i < line.faults.size(); ++i)
      add("", diagnostic_name(line.faults[i].number) + ": " + line.faults[i].sentence);
    for (const Diagnostic& fault : line.faults)
      if (fault.where.known()) add("    where:", to_string(fault.where));
    for (std::size_t i = 0; i < line.cure.size(); ++i) add(i == 0 ? "    cure:" : "      or:", line.cure[i]);
    if (line.number()) add("    see:", "octet explain " + diagnostic_name(line.number()));
  }
  return text;
}

}  // namespace octet
