// Any bytes as a script: a report, whatever they are.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

import octet.base;
import octet.script;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const octet::ScriptReport report = octet::trace_script({reinterpret_cast<const char*>(data), size});
  for (const octet::Diagnostic& fault : report.faults)
    if (octet::catalogue_entry(fault.number).title.empty()) std::abort();
  if (report.faults.empty() && report.lines.empty()) std::abort();
  return 0;
}
