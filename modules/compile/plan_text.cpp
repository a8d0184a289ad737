module octet.compile;
import octet.base;
import octet.standard;
import :kernel;
import :placement;
import :plan;

namespace octet {

std::string Instruction::describe() const {
  if (kernel) return kernel->describe();
  if (collective) return collective->describe();
  return is_while ? "while" : "if";
}

std::string to_string(const Plan& plan) {
  std::string text;
  for (const Instruction& instruction : plan.instructions) {
    text += instruction.describe();
    if (instruction.place.known()) text += "  (" + to_string(instruction.place) + ")";
    text += "\n";
    for (const auto& region : instruction.regions) text += "{\n" + to_string(*region) + "}\n";
  }
  return text;
}

}  // namespace octet
