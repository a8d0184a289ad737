module;
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>
module octet.compile;
import octet.base;
import octet.graph;
import :executable;
import :frame;
import :options;
import :passes;
import :plan;

namespace octet {

/// Everything that running needs. Frames are kept for the next run.
struct Executable::Program {
  Graph graph;
  CompileOptions options;
  std::unique_ptr<Plan> plan;

  std::unique_ptr<Frame> frame() const {
    const std::lock_guard lock{mutex};
    if (frames.empty()) return std::make_unique<Frame>(*plan);
    auto result = std::move(frames.back());
    frames.pop_back();
    return result;
  }
  void keep(std::unique_ptr<Frame> frame) const {
    const std::lock_guard lock{mutex};
    frames.push_back(std::move(frame));
  }

  mutable std::mutex mutex;
  mutable std::vector<std::unique_ptr<Frame>> frames;
};

Executable::Executable(std::shared_ptr<const Program> program) : program_{std::move(program)} {}

Executable Executable::compile(const Graph& graph, const CompileOptions& options) {
  auto program = std::make_shared<Program>();
  program->graph = optimize(graph, options);
  program->options = options;
  program->plan = make_plan(program->graph, options);
  return Executable{std::move(program)};
}

std::vector<Tensor> Executable::run(std::vector<Tensor> arguments, Threads& threads) const {
  std::vector<std::vector<Tensor>> replicas;
  replicas.push_back(std::move(arguments));
  return std::move(run(std::move(replicas), threads).front());
}

std::vector<std::vector<Tensor>> Executable::run(std::vector<std::vector<Tensor>> arguments, Threads& threads) const {
  const Plan& plan = *program_->plan;
  for (std::size_t r = 0; r < arguments.size(); ++r) {
    if (arguments[r].size() != plan.arguments.size())
      fail({.number = 405, .sentence = "The program takes " + std::to_string(plan.arguments.size()) + " arguments and was given " +
                                       std::to_string(arguments[r].size()) + "."});
    for (std::size_t a = 0; a < plan.arguments.size(); ++a)
      if (arguments[r][a].type() != plan.arguments[a]) {
        const std::string& given = program_->graph.values()[static_cast<std::size_t>(program_->graph.parameters()[a])].name;
        fail({.number = 405,
              .sentence = "Argument " + (given.empty() ? std::to_string(a) : "'" + given + "'") + " is " +
                          to_string(arguments[r][a].type()) + ", and the program was compiled for " +
                          to_string(plan.arguments[a]) + "."});
      }
  }

  std::vector<std::vector<Tensor>> results(arguments.size());
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<Frame*> pointers;
  for (std::size_t r = 0; r < arguments.size(); ++r) {
    std::vector<std::byte*> to;
    for (std::size_t k = 0; k < plan.results.size(); ++k) {
      const std::int64_t from = plan.result_from[k];
      results[r].push_back(from < 0 ? Tensor{plan.results[k]} : arguments[r][static_cast<std::size_t>(from)]);
      // The copy above shares its storage with the argument: let that one go, so that writing does not copy.
      if (from >= 0) arguments[r][static_cast<std::size_t>(from)] = Tensor{};
      to.push_back(results[r].back().mutable_bytes().data());
    }
    std::vector<const std::byte*> given;
    for (std::size_t a = 0; a < plan.arguments.size(); ++a) given.push_back(arguments[r][a].bytes().data());
    for (std::size_t k = 0; k < plan.results.size(); ++k)
      if (plan.result_from[k] >= 0) given[static_cast<std::size_t>(plan.result_from[k])] = to[k];
    frames.push_back(program_->frame());
    frames.back()->bind(given, to);
    pointers.push_back(frames.back().get());
  }
  Scratch scratch{plan, arguments.size(), arguments.size() == 1 ? threads.count() : 1};
  octet::run(plan, pointers, threads, scratch);
  for (auto& frame : frames) program_->keep(std::move(frame));
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
  statistics.live_bytes = plan.live_bytes;
  for (const Tensor& constant : plan.constants) statistics.constant_bytes += constant.bytes().size();
  for (const TensorType& type : plan.arguments) statistics.argument_bytes += static_cast<std::size_t>(type.bytes());
  for (const TensorType& type : plan.results) statistics.result_bytes += static_cast<std::size_t>(type.bytes());
  return statistics;
}

std::string Executable::describe() const { return to_string(*program_->plan); }

}  // namespace octet
