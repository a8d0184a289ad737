/// What a program keeps in the memory of a replica: which tensors are alive when, the peak, and what recomputing saves.
export module octet.tpu:memory;
import octet.base;
import octet.graph;
import octet.standard;
import :cost;
import :fused;

export namespace octet::tpu {

/// A tensor that is alive at the peak.
struct LiveTensor {
  std::string description;  ///< the operation that writes it, or the parameter
  TensorType type;
  double bytes = 0;  ///< in tiles
};

/// The memory of one run. Bytes, in tiles.
struct MemoryNeed {
  double parameters = 0;            ///< what the program is given; alive throughout
  double results = 0;               ///< what it leaves, all of it
  double temporaries = 0;           ///< at the peak: what is neither, and results written by then
  double peak = 0;                  ///< parameters and temporaries
  double recompute_seconds = 0;     ///< what computing dropped tensors again takes
  std::vector<LiveTensor> largest;  ///< temporaries at the peak, the largest first, at most 16
};

/// The need of `program`, whose tensors are stored as `types` and whose operations take `costs`. A loop writes over an
/// operand of the same size that is read there for the last time. What lies across the peak is written early and read
/// late; of that, everything is dropped and computed again, before it is read, that takes at most `seconds_per_byte`
/// with all it needs and that is gone by then; 0: nothing is.
MemoryNeed memory_need(const FusedProgram& program, const std::vector<TensorType>& types,
                       const std::vector<OperationCost>& costs, double seconds_per_byte = 0);

/// The rates at which more would be recomputed, increasing. Random bits that nothing gives twice are kept, and so is
/// what could only be recomputed from its like in the layer before.
std::vector<double> recompute_rates(const FusedProgram& program, const std::vector<TensorType>& types,
                                    const std::vector<OperationCost>& costs);

}  // namespace octet::tpu
