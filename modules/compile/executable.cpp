module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :executable;
import :frame;
import :fusion;
import :moved_products;
import :options;
import :passes;
import :plan;
import :result_memory;
import :run_memory;
import :uniform;

namespace octet {

namespace {

/// What a plan needs to run for so many replicas on so many threads.
struct Workspace {
  Workspace(const Plan& plan, std::size_t replica_count, unsigned thread_count)
      : replicas{replica_count},
        threads{thread_count},
        blocks{thread_blocks(replica_count, thread_count)},
        thread_bytes{whole_lines(plan.thread_bytes)},
        scratch{plan, blocks, thread_count} {
    constexpr std::uint64_t most = std::numeric_limits<std::size_t>::max() / 2;
    if (plan.thread_bytes > most / blocks) throw std::bad_alloc{};
    const std::uint64_t needed =
        std::uint64_t{thread_bytes} * blocks + whole_lines(plan.shared_bytes) + std::uint64_t{scratch.bytes()};
    if (needed >= most) throw std::bad_alloc{};
    bytes = static_cast<std::size_t>(needed);
    for (std::size_t r = 0; r < replicas; ++r) {
      frames.push_back(std::make_unique<Frame>(plan));
      own.emplace_back(detail::allocate_bytes(plan.arena_bytes));
    }
  }
  /// Where the arenas of the threads, what they share and scratch memory lie in the next run.
  void lie_in(RunMemory::Piece piece) {
    memory = std::move(piece);
    scratch.lie_at(memory.memory.get() + thread_bytes * blocks);
  }
  void bind(std::size_t r, std::span<const std::byte* const> arguments, std::span<std::byte* const> results) {
    std::byte* const threads_memory = memory.memory.get();
    frames[r]->bind(arguments, results,
                    {own[r].get(), threads_memory + thread_bytes * thread_block_of(r, replicas, blocks),
                     threads_memory + thread_bytes * blocks + scratch.bytes()});
  }

  std::size_t replicas;
  unsigned threads;
  std::size_t blocks, thread_bytes;
  Scratch scratch;
  std::size_t bytes = 0;  // of `memory`
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<detail::Memory> own;  // the arena of each replica's own
  RunMemory::Piece memory;

 private:
  static std::size_t whole_lines(std::size_t size) { return (size + 63) / 64 * 64; }
};

}  // namespace

/// Everything that running needs. Workspaces are kept for the next run, the memory of large ones for that of any
/// program.
struct Executable::Program {
  Graph graph;
  CompileOptions options;
  std::unique_ptr<Plan> plan;
  std::optional<ResultMemory> results;

  ~Program() { RunMemory::of_process().trim(); }

  std::unique_ptr<Workspace> workspace(std::size_t replicas, unsigned threads) const {
    try {
      std::unique_ptr<Workspace> workspace = kept_workspace(replicas, threads);
      if (!workspace) workspace = std::make_unique<Workspace>(*plan, replicas, threads);
      if (!workspace->memory.memory)
        workspace->lie_in(
            workspace->bytes < worth_sharing
                ? RunMemory::Piece{detail::Memory{detail::allocate_bytes(workspace->bytes)}, workspace->bytes}
                : RunMemory::of_process().take(workspace->bytes));
      return workspace;
    } catch (const std::bad_alloc&) {
      const std::uint64_t bytes = std::uint64_t{plan->arena_bytes} * replicas +
                                  std::uint64_t{plan->thread_bytes} * thread_blocks(replicas, threads) +
                                  plan->shared_bytes;
      fail([&] {
        return Diagnostic{.number = 408,
                          .sentence = "What lies between the operations of a program needs " + std::to_string(bytes) +
                                      " bytes or more, which this machine does not have.",
                          .fix = {"compute less at once: a smaller batch, or parts of it one after another"}};
      });
    }
  }
  void keep(std::unique_ptr<Workspace> workspace) const {
    if (workspace->bytes >= worth_sharing) RunMemory::of_process().give_back(std::exchange(workspace->memory, {}));
    const std::lock_guard lock{mutex};
    kept.push_back(std::move(workspace));
  }

 private:
  static constexpr std::size_t worth_sharing = std::size_t{1} << 16;

  std::unique_ptr<Workspace> kept_workspace(std::size_t replicas, unsigned threads) const {
    const std::lock_guard lock{mutex};
    while (!kept.empty()) {
      std::unique_ptr<Workspace> last = std::move(kept.back());
      kept.pop_back();
      if (last->replicas == replicas && last->threads == threads) return last;
    }
    return nullptr;
  }

  mutable std::mutex mutex;
  mutable std::vector<std::unique_ptr<Workspace>> kept;
};

Executable::Executable(std::shared_ptr<const Program> program) : program_{std::move(program)} {}

Executable Executable::compile(Graph graph, const CompileOptions& options) {
  if (std::ranges::count(available_isas(), options.isa) == 0)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "A program was to be compiled for " + std::string{name(options.isa)} +
                                    ", which this processor does not have.",
                        .fix = {"leave CompileOptions::isa out, which is best_isa()", "take one of available_isas()"}};
    });
  auto program = shared<Program>();
  program->graph = optimize(std::move(graph), options);
  program->options = options;
  program->plan = make_plan(program->graph, options);
  program->results.emplace(program->plan->results.size());
  return Executable{std::move(program)};
}

void Executable::check(std::span<const GivenTensor> arguments) const {
  const Plan& plan = *program_->plan;
  if (arguments.size() != plan.arguments.size())
    fail([&] {
      return Diagnostic{.number = 405,
                        .sentence = "The program takes " + std::to_string(plan.arguments.size()) +
                                    " arguments and was given " + std::to_string(arguments.size()) + "."};
    });
  for (std::size_t a = 0; a < plan.arguments.size(); ++a)
    if (arguments[a]->type() != plan.arguments[a]) {
      const std::string& given =
          program_->graph.values()[static_cast<std::size_t>(program_->graph.parameters()[a])].name;
      fail([&] {
        return Diagnostic{.number = 405,
                          .sentence = "Argument " + (given.empty() ? std::to_string(a) : "'" + given + "'") + " is " +
                                      to_string(arguments[a]->type()) + ", and the program was compiled for " +
                                      to_string(plan.arguments[a]) + "."};
      });
    }
  for (const GivenTensor& argument : arguments)
    if (!argument->data()) argument->bytes();  // throws: it was moved from
}

namespace {

std::vector<GivenTensor> rvalues(std::vector<Tensor>& tensors) {
  return {std::move_iterator{tensors.begin()}, std::move_iterator{tensors.end()}};
}

/// Of the results of one of `replicas` replicas, the tensors that are neither taken over from arguments nor, where it
/// `follows` replica 0, that one's.
std::vector<Tensor> new_results(const Plan& plan, const ResultMemory& memory, std::size_t replicas, bool follows) {
  std::vector<Tensor> results;
  results.reserve(plan.results.size());
  for (std::size_t k = 0; k < plan.results.size(); ++k)
    if (plan.result_from[k] < 0 && !(follows && plan.result_shared[k]))
      results.push_back(memory.make(k, plan.results[k], replicas));
  return results;
}

/// All results, with the `made` ones among them: nothing is taken before memory sufficed for these. `first` are those
/// of replica 0, whose shared ones are taken; none for replica 0 itself.
std::vector<Tensor> all_results(const Plan& plan, std::vector<Tensor> made, std::span<const GivenTensor> arguments,
                                const std::vector<Tensor>* first) {
  if (made.size() == plan.results.size()) return made;
  std::vector<Tensor> results;
  results.reserve(plan.results.size());
  auto next = made.begin();
  for (std::size_t k = 0; k < plan.results.size(); ++k) {
    const std::int64_t from = plan.result_from[k];
    if (first && plan.result_shared[k])
      results.push_back((*first)[k]);
    else
      results.push_back(from < 0 ? std::move(*next++) : arguments[static_cast<std::size_t>(from)].take());
  }
  return results;
}

/// Whether an argument that a result takes over is given once more, under whatever name.
bool donated_twice(const Plan& plan, std::span<const GivenTensor> arguments) {
  std::vector<const Tensor*> donated;
  for (const std::int64_t from : plan.result_from)
    if (from >= 0) donated.push_back(&*arguments[static_cast<std::size_t>(from)]);
  if (donated.empty()) return false;
  if (!std::ranges::is_sorted(donated, std::less{})) std::ranges::sort(donated, std::less{});
  const auto count = std::ranges::count_if(arguments, [&](const GivenTensor& argument) {
    return std::ranges::binary_search(donated, &*argument, std::less{});
  });
  return static_cast<std::size_t>(count) > donated.size();
}

/// Where one replica's arguments and results lie.
struct Places {
  std::vector<const std::byte*> arguments;
  std::vector<std::byte*> results;

  /// `first` are those of replica 0, for what replicas share; none for replica 0 itself.
  Places(const Plan& plan, std::span<const GivenTensor> given, std::vector<Tensor>& made, const Places* first) {
    results.reserve(made.size());
    for (std::size_t k = 0; k < made.size(); ++k)
      results.push_back(first && plan.result_shared[k] ? first->results[k] : made[k].mutable_data());
    arguments.reserve(given.size());
    for (std::size_t a = 0; a < given.size(); ++a)
      arguments.push_back(first && plan.argument_shared[a] ? first->arguments[a] : given[a]->data());
    for (std::size_t k = 0; k < made.size(); ++k)
      if (plan.result_from[k] >= 0) arguments[static_cast<std::size_t>(plan.result_from[k])] = results[k];
  }
};

}  // namespace

std::vector<Tensor> Executable::run(std::vector<Tensor> arguments, Threads& threads) const {
  return run(rvalues(arguments), threads);
}

std::vector<Tensor> Executable::run(std::span<const GivenTensor> arguments, Threads& threads) const {
  const Plan& plan = *program_->plan;
  check(arguments);
  if (donated_twice(plan, arguments)) {
    // Copies share their storage with what was given, and so are copied before they are written over.
    std::vector<Tensor> copies;
    for (const GivenTensor& argument : arguments) copies.push_back(*argument);
    std::vector<Tensor> results = run(rvalues(copies), threads);
    for (const GivenTensor& argument : arguments) argument.let_go();
    return results;
  }
  std::unique_ptr<Workspace> workspace = program_->workspace(1, threads.count());  // before anything is taken
  std::vector<Tensor> results = all_results(plan, new_results(plan, *program_->results, 1, false), arguments, nullptr);
  const Places places{plan, arguments, results, nullptr};
  workspace->bind(0, places.arguments, places.results);
  Frame* const frame = workspace->frames[0].get();
  octet::run(plan, {&frame, 1}, threads, workspace->scratch);
  program_->keep(std::move(workspace));
  for (const GivenTensor& argument : arguments) argument.let_go();
  return results;
}

void Executable::check_replicated(std::span<const std::vector<GivenTensor>> arguments) const {
  const Plan& plan = *program_->plan;
  for (std::size_t a = 0; a < plan.arguments.size(); ++a) {
    if (!plan.argument_shared[a]) continue;
    for (std::size_t r = 1; r < arguments.size(); ++r)
      if (arguments[r][a]->data() != arguments[0][a]->data())
        fail([&] {
          return Diagnostic{.number = 405,
                            .sentence = "Argument " + std::to_string(a) +
                                        " was said to be one tensor for all replicas, and replica " +
                                        std::to_string(r) + " was given another one than replica 0."};
        });
  }
}

std::vector<std::vector<Tensor>> Executable::run(std::vector<std::vector<Tensor>> arguments, Threads& threads) const {
  std::vector<std::vector<GivenTensor>> given;
  for (auto& own : arguments) given.push_back(rvalues(own));
  return run(given, threads);
}

std::vector<std::vector<Tensor>> Executable::run(std::span<const std::vector<GivenTensor>> arguments,
                                                 Threads& threads) const {
  if (arguments.empty()) return {};
  const Plan& plan = *program_->plan;
  for (const auto& own : arguments) check(own);
  check_replicated(arguments);
  std::unique_ptr<Workspace> workspace = program_->workspace(arguments.size(), threads.count());
  std::vector<std::vector<Tensor>> results;
  for (std::size_t r = 0; r < arguments.size(); ++r)
    results.push_back(new_results(plan, *program_->results, arguments.size(), r > 0));
  // What replicas share is held once from here on, so that writing over it does not copy.
  for (std::size_t a = 0; a < plan.arguments.size(); ++a)
    if (plan.argument_shared[a])
      for (std::size_t r = 1; r < arguments.size(); ++r) arguments[r][a].let_go();
  std::optional<Places> first;
  std::vector<Frame*> frames;
  for (std::size_t r = 0; r < arguments.size(); ++r) {
    results[r] = all_results(plan, std::move(results[r]), arguments[r], first ? &results[0] : nullptr);
    const Places places{plan, arguments[r], results[r], first ? &*first : nullptr};
    workspace->bind(r, places.arguments, places.results);
    if (!first) first = places;
    frames.push_back(workspace->frames[r].get());
  }
  octet::run(plan, frames, threads, workspace->scratch);
  program_->keep(std::move(workspace));
  for (const auto& own : arguments)
    for (const GivenTensor& argument : own) argument.let_go();
  return results;
}

std::vector<Tensor> Executable::run_profiled(std::vector<Tensor> arguments, Threads& threads,
                                             std::vector<KernelProfile>& profile) const {
  const Plan& plan = *program_->plan;
  const std::vector<GivenTensor> given = rvalues(arguments);
  check(given);
  std::vector<Tensor> results = all_results(plan, new_results(plan, *program_->results, 1, false), given, nullptr);
  const Places places{plan, given, results, nullptr};
  std::unique_ptr<Workspace> workspace = program_->workspace(1, threads.count());
  workspace->bind(0, places.arguments, places.results);
  std::vector<double> seconds(plan.instructions.size(), 0.0);
  run_timed(plan, *workspace->frames[0], threads, workspace->scratch, seconds);
  program_->keep(std::move(workspace));

  profile.resize(plan.instructions.size());
  for (std::size_t i = 0; i < plan.instructions.size(); ++i) {
    const Instruction& instruction = plan.instructions[i];
    KernelProfile& kernel = profile[i];
    kernel.kernel = instruction.describe();
    kernel.place = instruction.place;
    kernel.seconds += seconds[i];
    if (instruction.kernel) kernel.operations += instruction.kernel->operations();
    for (const auto* buffers : {&instruction.inputs, &instruction.outputs})
      for (std::size_t b : *buffers) kernel.bytes += static_cast<double>(plan.bytes[b]);
  }
  return results;
}

const Graph& Executable::graph() const { return program_->graph; }
const CompileOptions& Executable::options() const { return program_->options; }

ExecutableStatistics Executable::statistics() const {
  const Plan& plan = *program_->plan;
  ExecutableStatistics statistics;
  statistics.nodes = program_->graph.nodes().size();
  statistics.kernels = plan.instructions.size();
  statistics.arena_bytes = plan.arena_bytes;
  statistics.thread_bytes = plan.thread_bytes;
  statistics.shared_bytes = plan.shared_bytes;
  statistics.live_bytes = plan.live_bytes;
  for (const Tensor& constant : plan.constants) statistics.constant_bytes += constant.bytes().size();
  for (const TensorType& type : plan.arguments) statistics.argument_bytes += static_cast<std::size_t>(type.bytes());
  for (const TensorType& type : plan.results) statistics.result_bytes += static_cast<std::size_t>(type.bytes());
  for (std::size_t k = 0; k < plan.results.size(); ++k)
    if (plan.result_from[k] < 0)
      (plan.result_shared[k] ? statistics.kept_shared_bytes : statistics.kept_bytes) +=
          ResultMemory::kept_bytes(plan.results[k]);
  return statistics;
}

std::string Executable::describe() const { return to_string(*program_->plan); }

std::vector<UnfusedValue> Executable::unfused() const {
  const Graph& graph = program_->graph;
  const std::vector<bool> uniform = uniform_values(graph, program_->options.replicated);
  const std::map<ValueId, MovedProduct> moved = find_moved_products(graph, fuse(graph, uniform), uniform);
  std::vector<UnfusedValue> result;
  for (Passage& passage : passages(graph, uniform)) {
    const Node &writer = graph.nodes()[passage.writer], &reader = graph.nodes()[passage.reader];
    // A product that is moved as it is written needs no reader to move it.
    if (const auto product = moved.find(passage.value);
        product != moved.end() && product->second.mover == passage.reader)
      continue;
    result.push_back({graph.type(passage.value), std::string{name(writer.op)}, std::string{name(reader.op)},
                      reader.place, std::move(passage.reason)});
  }
  return result;
}

}  // namespace octet
