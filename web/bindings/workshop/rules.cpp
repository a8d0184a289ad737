// Rules 1 and 2 in the Rules section: a visitor's program, traced and run on small values, or refused.
// web/src/workshop/script.ts gives the objects their types.
#include "crossing.hpp"
import octet.standard;
import octet;
import octet.script;

namespace {

using crossing::list;
using crossing::number;
using crossing::val;

constexpr std::int64_t most_values = 64;  // shown of one array

val values_of(const octet::Tensor& tensor) {
  val values = val::array();
  const std::int64_t count = std::min(most_values, tensor.elements());
  for (std::int64_t i = 0; i < count; ++i) values.set(static_cast<unsigned>(i), tensor.at(i));
  return values;
}

/// `{text}` → `{faults, mended, lines, program}`. What is wrong is in the answer: it is what the visitor came for.
val try_program(const val& request) {
  octet::ScriptReport report = octet::trace_script(crossing::text_of(request, "text"));
  val lines = val::array();
  std::string program;
  if (report.faults.empty()) {
    octet::Threads alone;
    const std::vector<octet::Tensor> values =
        octet::compile(report.every_line, {.precision = octet::Precision::f32}).run(std::move(report.arguments), alone);
    for (std::size_t i = 0; i < report.lines.size(); ++i) {
      const octet::ScriptLine& line = report.lines[i];
      val object = val::object();
      object.set("line", line.line);
      object.set("name", line.name);
      object.set("type", octet::to_string(line.type));
      object.set("kind", octet::is_floating(line.type.dtype)     ? "real"
                         : line.type.dtype == octet::DType::pred ? "truth"
                                                                 : "whole");
      object.set("shape", list(line.type.shape, number));
      object.set("values", values_of(values[i]));
      lines.set(static_cast<unsigned>(i), object);
    }
    program = octet::to_string(report.graph);
  }
  val answer = val::object();
  answer.set("faults", list(report.faults, crossing::diagnostic));
  answer.set("mended", report.mended);
  answer.set("lines", lines);
  answer.set("program", program);
  return answer;
}

const crossing::Functions functions{{"tryProgram", try_program}};

}  // namespace
