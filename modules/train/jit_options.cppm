/// How this room compiles: in which precision, on whose threads, and what messages call the arguments and the function.
module octet.train:jit_options;
import octet.base;
import octet.compile;
import octet.graph;
import octet.standard;

namespace octet::train {

inline JitOptions jit_options(Precision precision, Threads& threads, std::vector<std::string> arguments,
                              std::string name) {
  JitOptions result;
  result.compile.precision = precision;
  result.argument_names = std::move(arguments);
  result.threads = &threads;
  result.name = std::move(name);
  return result;
}

}  // namespace octet::train
