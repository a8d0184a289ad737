/// Where a fused loop's registers lie while a block of it runs. Internal to octet.compile.
module octet.compile:loop_registers;
import octet.base;
import octet.standard;
import :loop;
import :loop_loads;

namespace octet {

struct LoopRegisters {
  // Of each register:
  std::vector<int> defined_at;      ///< the step whose result it is; -1 for loads and counters
  std::vector<int> last_use;        ///< the step that reads it last; the number of steps for what leaves the loop
  std::vector<DType> dtype;         ///< of its elements
  std::vector<std::size_t> places;  ///< bytes from the frame's beginning, where it has a place there
  std::size_t bytes = 0;            ///< that all of them take
};

/// Gives each register a place; places are used again once their register has been read for the last time.
LoopRegisters place_registers(const LoopProgram& program, const std::vector<LoopLoad>& loads);

}  // namespace octet
