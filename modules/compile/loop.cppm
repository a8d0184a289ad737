/// The fused loop: a chain of elementwise operations run block by block, so that what lies between them never leaves
/// the cache, with any number of results and, where asked, reductions of what it computes.
///
/// A block is a run of at most `loop_block` consecutive elements of the loop's space, in row-major order. Each block
/// first reads its operands (in place where they are dense), then runs the steps one after another, then writes. Steps
/// are plain vector loops over the block. Internal to octet.compile.
export module octet.compile:loop;
import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :kernel;

namespace octet {

inline constexpr std::int64_t loop_block = 512;

/// What a loop computes. Registers are numbered; each is defined once, by a load, a counter or a step.
struct LoopProgram {
  /// Reads input `input` through strides.
  struct Load {
    int target;
    std::size_t input;
    DType dtype;
    std::int64_t offset;
    Dims strides;                            ///< one for each dimension of the space
    std::optional<std::uint32_t> word = {};  ///< the one number of type u32 that it reads, where that is known
  };
  /// The index along one dimension.
  struct Counter {
    int target;
    DType dtype;
    std::int64_t dimension;
  };
  struct Step {
    int target;
    DType dtype;  ///< of the result
    StepFunction function;
    int operands[3];  ///< -1 where there is none
    Op op;
  };
  struct Store {
    int source;
    std::size_t output;
  };
  struct Reduction {
    int source;
    std::size_t output;
    DType dtype;
    Reducer reducer;
  };
  /// Where the reduced dimensions are: nowhere, innermost (each row gives one element) or before others, of which each
  /// column gives one, and perhaps behind some, for each of which there are columns anew.
  enum class Reduce : std::uint8_t { none, rows, columns };

  Shape space;
  std::vector<Load> loads;
  std::vector<Counter> counters;
  std::vector<Step> steps;
  std::vector<Store> stores;
  Reduce reduce = Reduce::none;
  std::int64_t reduced = 1;  ///< how many elements each result of a reduction is made of
  std::int64_t columns = 1;  ///< how far apart these are: how many results lie side by side; of rows, 1
  std::int64_t results = 0;  ///< how many results each reduction has
  std::vector<Reduction> reductions;
  int registers = 0;
};

std::unique_ptr<Kernel> loop_kernel(LoopProgram program, Isa isa);

/// How a reduction adds up. Partial results and totals of bf16 are f32; see the reference for the order.
struct ReduceFunctions {
  std::size_t partial_size;  ///< bytes of one partial result, or of one total
  /// Sets `count` partial results, or totals, to the neutral element.
  void (*start)(void* partials, std::size_t count);
  /// totals[r] takes row r of values [rows, n] in, which begins with a run: run by run.
  void (*rows)(void* totals, const void* values, std::size_t rows, std::size_t n);
  /// partials[i] takes values[i] in, for i < n.
  void (*column)(void* partials, const void* values, std::size_t n);
  /// Puts columns that lie anywhere side by side: to[k * count + i] = values[places[i] + k * step], for k < n, i <
  /// count.
  void (*pick)(void* to, const void* values, const std::int32_t* places, std::size_t count, std::size_t n,
               std::size_t step);
  /// partials[i], for i < count, become the totals of a run, whose partial p, of `filled` that took values in, is at
  /// p * count + i.
  void (*fold)(void* partials, std::size_t count, std::size_t filled);
  /// results[i] from the totals of its runs, of which that of run r is at r * count + i.
  void (*finish)(void* results, const void* totals, std::size_t count, std::size_t runs);
};
ReduceFunctions reduce_functions(Reducer reducer, DType dtype, Isa isa);

}  // namespace octet
