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

/// The need of `program`, whose tensors are stored as `types`. A loop writes over an operand of the same size that is
/// read there for the last time; what is updated in place or carried by control flow stays where it is.
MemoryNeed memory_need(const FusedProgram& program, const std::vector<TensorType>& types);

/// The needs where more and more is computed again instead of kept; operations take `costs`. What lies across the peak
/// is written early and read late; of that, what takes the least time for its bytes, with all it needs and that is gone
/// by then, is dropped first and computed again before it is read. Random bits that nothing gives twice are kept, and
/// so is what could only be recomputed from its likes of the layers before. Where the peak lies in a loop, what the
/// loop is given for a round is there until the round is over.
std::vector<MemoryNeed> recomputed_needs(const FusedProgram& program, const std::vector<TensorType>& types,
                                         const std::vector<OperationCost>& costs);

/// The memory that so many examples at once need.
struct Fit {
  double bytes = 0;  ///< at the least
  bool fits = false;
};
/// The largest count up to `most` of examples that fit into `capacity` bytes, by asking `need` for as few counts as it
/// takes; 0 where not one fits. What is asked first does not depend on anything, so the same is found always.
std::int64_t most_that_fit(double capacity, std::int64_t most, const std::function<Fit(std::int64_t)>& need);

}  // namespace octet::tpu
