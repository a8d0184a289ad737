/// What a line of the readiness check says. To be included after the imports, with <algorithm> and <string> before it.
#pragma once

/// Whether the line's finding, its evidence or its cures have these words.
inline bool mentions(const octet::CheckLine& line, const std::string& words) {
  const auto has = [&](const std::string& text) { return text.find(words) != text.npos; };
  return has(line.finding) || std::any_of(line.evidence.begin(), line.evidence.end(), has) ||
         std::any_of(line.cure.begin(), line.cure.end(), has);
}

/// A number of the line by its name; -1 where it has none of that name.
inline double figure(const octet::CheckLine& line, const std::string& name) {
  for (const octet::Figure& each : line.figures)
    if (each.name == name) return each.value;
  return -1;
}
