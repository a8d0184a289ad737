/// Where the operands, registers and results of a fused loop are during one task. Internal to octet.compile.
module octet.compile:loop_frame;
import octet.base;
import octet.standard;
import :kernel;
import :loop;
import :loop_loads;
import :loop_registers;
import :simd;

namespace octet {

/// Up to the next whole line of the cache.
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

/// All of it lies in the task's scratch memory: threads that allocate wait for each other, in WebAssembly longer than
/// many a loop takes.
class LoopFrame {
 public:
  /// What its lists take, apart from the registers.
  static std::size_t list_bytes(const LoopProgram& program);

  /// The registers begin at `memory`, the lists at `lists`, aligned to 64.
  LoopFrame(const LoopProgram& program, const std::vector<LoopLoad>& loads, const LoopRegisters& places,
            const KernelContext& context, std::byte* memory, std::byte* lists);

  /// Reads the operands of elements [start, start + n), and has results computed where they belong.
  void begin(const LoopProgram& program, const std::vector<LoopLoad>& loads, std::int64_t start, std::int64_t n);

  /// Where register `r` is.
  inline std::byte*& operator[](int r) { return registers_[static_cast<std::size_t>(r)]; }

  /// Asks for elements [first, last) of all that is walked through from end to end, in vain where there are none.
  inline void fetch(std::int64_t first, std::int64_t last) const {
    for (const Stream& stream : streams_) stream.fetch(first, last);
  }

  /// Writes the results of elements [start, start + n) that were not computed where they belong.
  void store(const LoopProgram& program, std::int64_t start, std::int64_t n);

  /// Lets other threads see what was written past the caches: such writes are not in order with any others.
  void publish() const;

  std::byte* memory() const { return memory_; }

 private:
  /// What a task walks through from end to end: an operand read in place, or a result.
  struct Stream {
    const std::byte* begin;
    std::int64_t size;  ///< bytes of an element
    std::int64_t elements;

    inline void fetch(std::int64_t first, std::int64_t last) const {
      constexpr std::int64_t line = 64;
      const std::int64_t end = std::min(last, elements) * size;
      for (std::int64_t at = first * size; at < end; at += line) simd::prefetch(begin + at);
    }
  };
  enum class Way : std::uint8_t { in_place, copied, past_the_caches };

  Way way(const LoopProgram& program, std::size_t store) const;
  void find_streams(const LoopProgram& program, const std::vector<LoopLoad>& loads);
  inline std::int64_t size_of_register(int r) const {
    return static_cast<std::int64_t>(size_of(places_.dtype[static_cast<std::size_t>(r)]));
  }

  const LoopRegisters& places_;
  const KernelContext& context_;
  std::byte* memory_;
  std::span<std::byte*> registers_;
  std::span<LoopLoad::Held> held_;  ///< of each load
  std::span<Way> ways_;             ///< of each store
  std::span<Stream> streams_;
};

}  // namespace octet
