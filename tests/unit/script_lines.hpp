/// Of the tests: what is asked of scripts. To be included after `import octet.graph;` and `import octet.script;`, with
/// <string>, <vector> and Catch2 before it.
#pragma once

/// "X101:2 X203:3", by line.
inline std::string faults_of(const std::string& text) {
  std::string result;
  for (const octet::Diagnostic& fault : octet::trace_script(text).faults)
    result +=
        (result.empty() ? "" : " ") + octet::diagnostic_name(fault.number) + ":" + std::to_string(fault.where.line);
  return result;
}

/// The types of the lines, "x f32[4], y f32[]".
inline std::string types_of(const std::string& text) {
  const octet::ScriptReport report = octet::trace_script(text);
  for (const octet::Diagnostic& fault : report.faults) UNSCOPED_INFO(fault.text());
  std::string result;
  for (const octet::ScriptLine& line : report.lines)
    result += (result.empty() ? "" : ", ") + (line.name.empty() ? "" : line.name + " ") + to_string(line.type);
  return result;
}

/// What the program computes from its arguments, by the reference.
inline std::vector<octet::Tensor> results_of(const std::string& text) {
  const octet::ScriptReport report = octet::trace_script(text);
  for (const octet::Diagnostic& fault : report.faults) UNSCOPED_INFO(fault.text());
  REQUIRE(report.faults.empty());
  return octet::evaluate(report.graph, report.arguments);
}
