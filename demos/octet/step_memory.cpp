#ifdef __EMSCRIPTEN__
#include <emscripten/heap.h>
#else
#include <unistd.h>
#endif

#include "output.hpp"

#include "step_memory.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

using octet::train::TrainOptions;

#ifdef __EMSCRIPTEN__
constexpr const char* this_machine = "WebAssembly";
#else
constexpr const char* this_machine = "this machine";
#endif

/// Bytes, in WebAssembly those that its memory may grow to; nothing where that is not known.
std::optional<double> memory_of_this_machine() {
#ifdef __EMSCRIPTEN__
  return static_cast<double>(emscripten_get_heap_max());
#else
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || bytes <= 0) return std::nullopt;
  return static_cast<double>(pages) * static_cast<double>(bytes);
#endif
}

/// A batch, whole and in shares, and what is between the kernels of a step. The state comes on top of it.
double bytes_of(TrainOptions options, std::int64_t batch, std::int64_t vocabulary, unsigned threads, StepOf step) {
  options.batch = batch;
  options.pad_batch = true;
  const octet::Graph graph = step(options, vocabulary);
  octet::CompileOptions compile{.precision = options.precision};
  double share = 0;
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    const octet::Value& parameter = graph.values()[static_cast<std::size_t>(graph.parameters()[i])];
    if (parameter.name.starts_with("batch."))
      share += static_cast<double>(parameter.type.bytes());
    else if (parameter.name.starts_with("state."))
      compile.replicated.push_back(i);
  }
  const octet::ExecutableStatistics needs = octet::compile(graph, compile).statistics();
  const auto replicas = static_cast<double>(octet::tpu::slice(options.slice).replicas);
  return static_cast<double>(needs.thread_bytes) * std::min(static_cast<double>(threads), replicas) +
         (static_cast<double>(needs.arena_bytes) + 2 * share) * replicas + static_cast<double>(needs.shared_bytes);
}

std::string gigabytes(double bytes) { return fixed(bytes / 1e9, bytes < 1e10 ? 1 : 0) + " GB"; }

/// Throws X709: the smallest batch there is takes more than there is. `takes` tells what a batch of other sequences
/// takes.
[[noreturn]] void fail_shortest(const TrainOptions& options, std::int64_t batch, double needed, double memory,
                                const std::function<double(std::int64_t batch, std::int64_t seq)>& takes) {
  constexpr std::int64_t least_seq = 16, beyond = 1 << 20;
  std::int64_t seq = std::min(options.seq / 2, beyond);
  while (seq >= least_seq && takes(batch, seq) > memory) seq /= 2;
  std::vector<std::string> fix{"choose smaller sizes: --layers, --hidden, --intermediate"};
  if (seq >= least_seq) fix.insert(fix.begin(), "choose shorter sequences: --seq " + std::to_string(seq));
  octet::fail({.number = 709,
               .sentence = "A step of the smallest batch, " + std::to_string(batch) + " sequences of " +
                           grouped(options.seq) + " tokens, takes " +
                           (needed < 1e18 ? gigabytes(needed) : "more than can be counted") + ", where " +
                           this_machine + " has " + gigabytes(memory) + ".",
               .fix = std::move(fix)});
}

}  // namespace

void require_state_memory(const TrainOptions& options, std::int64_t vocabulary, octet::nn::TransformerKind kind) {
  const std::optional<double> memory = memory_of_this_machine();
  if (!memory) return;
  const double generator = std::max(1.0, static_cast<double>(options.hidden) * options.generator_size);
  const double parameters =
      octet::nn::parameter_count({.kind = kind,
                                  .layers = options.layers,
                                  .hidden = options.hidden,
                                  .heads = options.heads,
                                  .intermediate = options.intermediate,
                                  .vocabulary = vocabulary,
                                  .embedding = options.embedding > 0 ? options.embedding : options.hidden,
                                  .positions = std::max(options.seq, options.positions),
                                  .generator_hidden = static_cast<std::int64_t>(generator)});
  // Weights and two moments, which replicas share while they are equal, and the gradients of each replica.
  const auto replicas = static_cast<double>(octet::tpu::slice(options.slice).replicas);
  const double needed = parameters * 4 * (3 + replicas);
  if (needed <= *memory) return;
  octet::fail({.number = 709,
               .sentence = "A model of these sizes has " +
                           (parameters < 1e15 ? grouped(static_cast<long long>(parameters)) : "more than 10^15") +
                           " parameters, and to train it takes " + gigabytes(needed) + " and more, where " +
                           this_machine + " has " + gigabytes(*memory) + ".",
               .fix = {"choose smaller sizes: --layers, --hidden, --intermediate, --vocab-size"}});
}

void require_memory(const TrainOptions& options, std::int64_t vocabulary, unsigned threads, StepOf step) {
  constexpr std::int64_t surely_held = 1 << 16;  // tokens
  if (options.batch / options.accumulate * options.seq <= surely_held) return;
  const std::optional<double> memory = memory_of_this_machine();
  if (!memory) return;
  // More than can be counted is infinite.
  const auto takes = [&](std::int64_t batch, std::int64_t seq) {
    TrainOptions some = options;
    some.seq = seq;
    try {
      return bytes_of(some, batch, vocabulary, threads, step);
    } catch (const octet::Error& error) {
      if (error.number() != 401 && error.number() != 408) throw;
      return std::numeric_limits<double>::infinity();
    }
  };
  // Of the batch itself nothing is computed: where addresses are short, its bytes could not even be counted.
  const std::int64_t unit = octet::tpu::slice(options.slice).replicas * options.accumulate;
  const double least = takes(unit, options.seq);
  if (least > *memory) fail_shortest(options, unit, least, *memory, takes);
  const std::int64_t some = unit * std::max<std::int64_t>(2, surely_held * options.accumulate / options.seq / unit);
  const double more = takes(some, options.seq);
  const double each =
      more < std::numeric_limits<double>::infinity() ? (more - least) / static_cast<double>(some - unit) : least;
  const double needed = least + each * static_cast<double>(options.batch - unit);
  if (needed <= *memory) return;
  std::int64_t fits = unit * static_cast<std::int64_t>(1 + (*memory - least) / each / static_cast<double>(unit));
  while (fits > unit && takes(fits, options.seq) > *memory) fits -= std::max(unit, fits / unit / 16 * unit);
  const std::int64_t parts = (options.batch + fits - 1) / fits * options.accumulate;
  octet::fail({.number = 709,
               .sentence = "--batch is " + std::to_string(options.batch) + ", and a step of it takes " +
                           gigabytes(needed) + ", where " + this_machine + " has " + gigabytes(*memory) + ".",
               .fix = {"choose " + std::to_string(fits) + " or less",
                       "add gradients up over parts of the batch: --accumulate " + std::to_string(parts) +
                           ", with --pad-batch where it cannot be shared equally"}});
}

}  // namespace program
