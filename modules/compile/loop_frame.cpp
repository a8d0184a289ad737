module octet.compile;
import octet.base;
import octet.standard;
import :kernel;
import :loop;
import :loop_frame;
import :loop_loads;
import :loop_registers;
import :simd;

namespace octet {

namespace {

/// The next `n` of what lies at `at`, which moves on.
template <class T>
std::span<T> taken(std::byte*& at, std::size_t n) {
  const std::span<T> result{reinterpret_cast<T*>(at), n};
  for (T& each : result) each = T{};
  at += aligned(n * sizeof(T));
  return result;
}

/// A result of so many bytes stays in no cache until it is read. Writing it past the caches spares reading, before it
/// is overwritten, what was there. By trial: a sixth to a quarter of such a loop's time; 16 MB still gain nothing.
constexpr std::int64_t far_bytes = 24 << 20;

void write_far(std::byte* to, const std::byte* from, std::size_t bytes) {
  using Line [[gnu::vector_size(16)]] = float;
  const std::size_t whole = reinterpret_cast<std::uintptr_t>(to) % sizeof(Line) == 0 ? bytes / sizeof(Line) : 0;
  for (std::size_t i = 0; i < whole; ++i) {
    Line line;
    std::memcpy(&line, from + i * sizeof line, sizeof line);
    __builtin_nontemporal_store(line, reinterpret_cast<Line*>(to) + i);
  }
  std::memcpy(to + whole * sizeof(Line), from + whole * sizeof(Line), bytes - whole * sizeof(Line));
}

/// Whether a loop is to ask for what it reads next. WebAssembly can do so only by reading it, which is waited for: by
/// trial, it gains a tenth where each block has four steps and more to do, and loses in shorter ones, and in columns.
bool fetches(const LoopProgram& program) {
  return simd::can_prefetch || (program.steps.size() >= 4 && program.reduce != LoopProgram::Reduce::columns);
}

}  // namespace

std::size_t LoopFrame::list_bytes(const LoopProgram& program) {
  return aligned(static_cast<std::size_t>(program.registers) * sizeof(std::byte*)) +
         aligned(program.loads.size() * sizeof(LoopLoad::Held)) + aligned(program.stores.size() * sizeof(Way)) +
         aligned((program.loads.size() + program.stores.size()) * sizeof(Stream));
}

LoopFrame::LoopFrame(const LoopProgram& program, const std::vector<LoopLoad>& loads, const LoopRegisters& places,
                     const KernelContext& context, std::byte* memory, std::byte* lists)
    : places_{places},
      context_{context},
      memory_{memory},
      registers_{taken<std::byte*>(lists, static_cast<std::size_t>(program.registers))},
      held_{taken<LoopLoad::Held>(lists, loads.size())},
      ways_{taken<Way>(lists, program.stores.size())},
      streams_{taken<Stream>(lists, loads.size() + program.stores.size())} {
  for (std::size_t r = 0; r < registers_.size(); ++r) registers_[r] = memory + places.places[r];
  for (const LoopLoad& load : loads)
    if (load.is_permanent()) load.fill(registers_[load.target()], context.inputs);
  for (std::size_t s = 0; s < ways_.size(); ++s) ways_[s] = way(program, s);
  find_streams(program, loads);
}

/// A result is computed where it belongs, unless that place is an operand which is still to be read.
LoopFrame::Way LoopFrame::way(const LoopProgram& program, std::size_t store) const {
  const auto [source, output] = program.stores[store];
  const std::byte* const to = context_.outputs[output];
  const int at = places_.defined_at[static_cast<std::size_t>(source)];
  bool in_place = at >= 0, read = false;
  for (const auto& load : program.loads) {
    if (context_.inputs[load.input] != to) continue;
    read = true;
    in_place &= places_.last_use[static_cast<std::size_t>(load.target)] <= at;
  }
  if (simd::can_prefetch && !read && program.space.elements() * size_of_register(source) >= far_bytes)
    return Way::past_the_caches;
  for (std::size_t before = 0; before < store; ++before) in_place &= program.stores[before].source != source;
  return in_place ? Way::in_place : Way::copied;
}

void LoopFrame::find_streams(const LoopProgram& program, const std::vector<LoopLoad>& loads) {
  std::size_t found = 0;
  const auto add = [&](const std::byte* begin, std::int64_t size) {
    streams_[found++] = {begin, size, program.space.elements()};
  };
  for (std::size_t l = 0; l < loads.size() && fetches(program); ++l)
    if (loads[l].is_direct())
      add(context_.inputs[program.loads[l].input], static_cast<std::int64_t>(size_of(program.loads[l].dtype)));
  for (std::size_t s = 0; s < ways_.size() && fetches(program); ++s) {
    const std::byte* const to = context_.outputs[program.stores[s].output];
    const auto known = streams_.first(found);
    if (ways_[s] != Way::past_the_caches &&
        std::none_of(known.begin(), known.end(), [to](const Stream& stream) { return stream.begin == to; }))
      add(to, size_of_register(program.stores[s].source));
  }
  streams_ = streams_.first(found);
}

void LoopFrame::begin(const LoopProgram& program, const std::vector<LoopLoad>& loads, std::int64_t start,
                      std::int64_t n) {
  for (std::size_t l = 0; l < loads.size(); ++l) {
    const LoopLoad& load = loads[l];
    if (!load.is_permanent())
      registers_[load.target()] =
          load.read(memory_ + places_.places[load.target()], context_.inputs, start, n, held_[l]);
  }
  for (std::size_t s = 0; s < ways_.size(); ++s)
    if (ways_[s] == Way::in_place) {
      const auto& store = program.stores[s];
      (*this)[store.source] = context_.outputs[store.output] + start * size_of_register(store.source);
    }
}

void LoopFrame::store(const LoopProgram& program, std::int64_t start, std::int64_t n) {
  for (std::size_t s = 0; s < ways_.size(); ++s) {
    const auto& store = program.stores[s];
    const std::int64_t size = size_of_register(store.source);
    std::byte* const to = context_.outputs[store.output] + start * size;
    const std::byte* const from = (*this)[store.source];
    if (ways_[s] == Way::past_the_caches)
      write_far(to, from, static_cast<std::size_t>(n * size));
    else if (ways_[s] == Way::copied)
      std::memmove(to, from, static_cast<std::size_t>(n * size));
  }
}

void LoopFrame::publish() const {
  if (std::find(ways_.begin(), ways_.end(), Way::past_the_caches) != ways_.end())
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace octet
