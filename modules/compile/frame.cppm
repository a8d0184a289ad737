/// Frames: the memory in which one replica runs a plan. Internal to octet.compile.
export module octet.compile:frame;
import octet.base;
import octet.standard;
import :plan;

namespace octet {

/// Where the arenas of a plan lie; the plan of a region has one alone.
struct Arenas {
  std::byte *own = nullptr, *of_thread = nullptr, *shared = nullptr;
};

/// Where the buffers of one replica lie for one plan, and for the plans inside its control flow. Made once and used
/// again; the memory is the caller's.
class Frame {
 public:
  explicit Frame(const Plan& plan);

  /// Says where arguments, results and arenas lie for the next run.
  void bind(std::span<const std::byte* const> arguments, std::span<std::byte* const> results, const Arenas& arenas);

  const std::byte* const* inputs(std::size_t instruction) const { return inputs_.data() + first_input_[instruction]; }
  std::byte* const* outputs(std::size_t instruction) const { return outputs_.data() + first_output_[instruction]; }
  /// The frame of region `region` of a control-flow instruction.
  Frame& region(std::size_t instruction, std::size_t region) { return *regions_[instruction][region]; }
  /// The arena of its regions, of which one runs at a time.
  Arenas region_arenas(std::size_t instruction) const { return {.own = region_arenas_[instruction]}; }

  // The state of a while. Each part has a place; one that the body changes, and does not write over itself, has two,
  // which change their roles from round to round.

  /// Puts the operands of a while in the places of its state.
  void start_loop(std::size_t instruction);
  std::span<std::byte* const> state(std::size_t instruction) const { return loops_[instruction].state; }
  /// Where the body writes what it changes.
  std::span<std::byte* const> next_state(std::size_t instruction) const { return loops_[instruction].next; }
  void take_next_state(std::size_t instruction);
  /// Puts the state where the results of the while belong.
  void end_loop(std::size_t instruction);

 private:
  const Plan& plan_;
  std::vector<const std::byte*> inputs_;
  std::vector<std::byte*> outputs_;
  std::vector<std::size_t> first_input_, first_output_;
  std::vector<std::vector<std::unique_ptr<Frame>>> regions_;
  std::vector<std::byte*> region_arenas_;  // by instruction
  struct Loop {
    std::vector<std::byte*> second_places;  // of those parts that the body changes and does not write over
    std::vector<std::byte*> state, next;
  };
  std::vector<Loop> loops_;  // by instruction
};

/// Runs `plan` in all frames in lockstep: side by side between the instructions at which replicas meet. Frame r is
/// replica r. `scratch` has one piece of scratch memory for each block of replicas.
class Scratch;
void run(const Plan& plan, std::span<Frame* const> frames, Threads& threads, Scratch& scratch);
/// Runs `plan` in one frame, and adds the seconds that each instruction took to `seconds`.
void run_timed(const Plan& plan, Frame& frame, Threads& threads, Scratch& scratch, std::span<double> seconds);

/// On how many threads replicas run side by side: each runs a block of neighbouring ones, one after another.
inline std::size_t thread_blocks(std::size_t replicas, unsigned threads) {
  return std::min<std::size_t>(replicas, threads);
}
/// The block that replica `replica` belongs to.
inline std::size_t thread_block_of(std::size_t replica, std::size_t replicas, std::size_t blocks) {
  return replica * blocks / replicas;
}

/// Scratch memory for kernels: one piece for each of the threads that run replicas side by side; all pieces together
/// for a kernel that shares `threads` threads.
class Scratch {
 public:
  Scratch(const Plan& plan, std::size_t pieces, unsigned threads);
  std::size_t pieces() const { return pieces_; }
  std::size_t bytes() const { return bytes_of_piece_ * pieces_; }
  /// Where its bytes() are for the next run.
  void lie_at(std::byte* memory) { memory_ = memory; }
  std::byte* piece(std::size_t index) { return memory_ + index * bytes_of_piece_; }

 private:
  std::size_t pieces_, bytes_of_piece_;
  std::byte* memory_ = nullptr;
};

}  // namespace octet
