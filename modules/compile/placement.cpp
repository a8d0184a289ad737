module;
#include <cstdint>
module octet.compile;
import octet.base;
import octet.standard;
import :kernel;
import :placement;
import :plan;

namespace octet {

namespace {

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

/// The free pieces of an arena that grows where none fits.
class Arena {
 public:
  [[gnu::noinline]] std::size_t take(std::size_t bytes) {
    if (full_) return 0;
    auto best = free_.end();
    for (auto piece = free_.begin(); piece != free_.end(); ++piece)
      if (piece->second >= bytes && (best == free_.end() || piece->second < best->second)) best = piece;
    if (best != free_.end()) {
      const std::size_t offset = best->first, rest = best->second - bytes;
      free_.erase(best);
      if (rest) free_[offset + bytes] = rest;
      return offset;
    }
    // A free piece at the very end grows.
    std::size_t offset = top_;
    if (!free_.empty() && std::prev(free_.end())->first + std::prev(free_.end())->second == top_) {
      offset = std::prev(free_.end())->first;
      free_.erase(std::prev(free_.end()));
    }
    full_ = bytes >= most - offset;
    if (full_) return 0;
    top_ = offset + bytes;
    return offset;
  }

  [[gnu::noinline]] void give_back(std::size_t offset, std::size_t bytes) {
    if (full_) return;
    auto piece = free_.emplace(offset, bytes).first;
    if (const auto next = std::next(piece); next != free_.end() && offset + piece->second == next->first) {
      piece->second += next->second;
      free_.erase(next);
    }
    if (piece != free_.begin())
      if (const auto before = std::prev(piece); before->first + before->second == offset) {
        before->second += piece->second;
        free_.erase(piece);
      }
  }

  /// PTRDIFF_MAX where there are no addresses for all of it: such a plan cannot run.
  std::size_t size() const { return full_ ? most : top_; }

 private:
  static constexpr std::size_t most = PTRDIFF_MAX;
  std::map<std::size_t, std::size_t> free_;  // offset → bytes
  std::size_t top_ = 0;
  bool full_ = false;
};

bool is_arena(Placement::Where where) {
  return where == Placement::Where::arena || where == Placement::Where::thread_arena ||
         where == Placement::Where::shared_arena;
}

/// Calls `see(buffer)` for all that an instruction reads, writes or works in.
template <class See>
void for_each_buffer(const Instruction& instruction, See see) {
  for (const auto* buffers :
       {&instruction.inputs, &instruction.outputs, &instruction.region_arena, &instruction.second_places})
    for (std::size_t b : *buffers) see(b);
}

/// Says of each buffer in an arena in which. A buffer that is written and read between two meetings of replicas is its
/// thread's.
void choose_arenas(Plan& plan) {
  constexpr std::size_t untouched = SIZE_MAX, several = SIZE_MAX - 1;
  std::vector<std::size_t> touched_in(plan.buffers.size(), untouched);  // the stretch between meetings
  std::size_t stretch = 0;
  for (const Instruction& instruction : plan.instructions) {
    const bool meets = instruction.meets();
    for_each_buffer(instruction, [&](std::size_t b) {
      std::size_t& in = touched_in[b];
      in = meets || plan.is_region || (in != untouched && in != stretch) ? several : stretch;
    });
    if (meets) ++stretch;
  }
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
    Placement::Where& where = plan.buffers[b].where;
    if (where != Placement::Where::arena) continue;
    if (plan.shared[b])
      where = Placement::Where::shared_arena;
    else if (touched_in[b] != several)
      where = Placement::Where::thread_arena;
  }
}

constexpr auto never = static_cast<std::ptrdiff_t>(-1);

/// The last instruction that uses each buffer.
std::vector<std::ptrdiff_t> last_uses(const Plan& plan) {
  std::vector<std::ptrdiff_t> last_use(plan.buffers.size(), never);
  for (std::size_t i = 0; i < plan.instructions.size(); ++i)
    for_each_buffer(plan.instructions[i], [&](std::size_t b) { last_use[b] = static_cast<std::ptrdiff_t>(i); });
  return last_use;
}

/// Whether `instruction` may write that output over that input. The state of a loop may begin where it was.
bool takes_over(const Plan& plan, const Instruction& instruction, std::size_t input, std::size_t output) {
  return (instruction.kernel ? instruction.kernel->may_overwrite(input, output)
                             : instruction.is_while && input == output) &&
         plan.shared[instruction.inputs[input]] == plan.shared[instruction.outputs[output]] &&
         std::count(instruction.inputs.begin(), instruction.inputs.end(), instruction.inputs[input]) == 1 &&
         plan.bytes[instruction.inputs[input]] == plan.bytes[instruction.outputs[output]];
}

/// Whether output `o` is a part of a loop's state that the body leaves as it is, and that nothing reads afterwards:
/// what the body takes from around it.
bool needs_no_place(const Instruction& instruction, std::size_t o) {
  return instruction.is_while && instruction.unread[o] && std::ranges::count(instruction.varying, o) == 0;
}

/// Arguments given away, each to one result of its type.
class Donations {
 public:
  Donations(Plan& plan, const Donated& donated)
      : plan_{plan}, donated_{donated}, buffer_(plan.arguments.size(), SIZE_MAX), free_(plan.arguments.size(), false) {
    plan.result_from.assign(plan.results.size(), -1);
    for (std::size_t b = 0; b < plan.buffers.size(); ++b)
      if (plan.buffers[b].where == Placement::Where::argument) buffer_[plan.buffers[b].index] = b;
    for (std::size_t a : donated.arguments)
      if (a < free_.size()) free_[a] = true;
  }

  /// For output `o` of instruction number `now`, which is a result: over an argument that this very kernel replaces, or
  /// else one that is no longer read. Apart from the loop over all instructions, which a browser compiles once more,
  /// with all that is within it, where it runs often.
  [[gnu::noinline]] void take(std::size_t now, std::size_t o, const std::vector<std::ptrdiff_t>& last_use) {
    const Instruction& instruction = plan_.instructions[now];
    const std::size_t b = instruction.outputs[o], r = plan_.buffers[b].index;
    for (const bool in_place : {true, false})
      for (std::size_t a = 0; a < plan_.arguments.size() && plan_.result_from[r] < 0; ++a) {
        const std::size_t given = buffer_[a];
        if (!free_[a] || !(plan_.arguments[a] == plan_.results[r]) || plan_.shared[given] != plan_.shared[b]) continue;
        if (donated_.one_for_each_result && donated_.arguments[r] != a) continue;
        const auto at = std::find(instruction.inputs.begin(), instruction.inputs.end(), given);
        const auto last = static_cast<std::ptrdiff_t>(now);
        const bool fits =
            in_place ? last_use[given] == last && at != instruction.inputs.end() &&
                           takes_over(plan_, instruction, static_cast<std::size_t>(at - instruction.inputs.begin()), o)
                     : last_use[given] < last;
        if (!fits) continue;
        plan_.result_from[r] = static_cast<std::int64_t>(a);
        free_[a] = false;
      }
  }

 private:
  Plan& plan_;
  const Donated& donated_;
  std::vector<std::size_t> buffer_;  // of each argument
  std::vector<bool> free_;
};

}  // namespace

void assign_places(Plan& plan, const Donated& donated) {
  using Where = Placement::Where;
  const std::vector<std::ptrdiff_t> last_use = last_uses(plan);
  Donations donations{plan, donated};
  choose_arenas(plan);
  Arena own, of_thread, common;
  const auto arena = [&](std::size_t b) -> Arena& {
    const Where where = plan.buffers[b].where;
    return where == Where::shared_arena ? common : where == Where::thread_arena ? of_thread : own;
  };
  std::size_t live = 0;
  std::vector<bool> owns(plan.buffers.size(), false);  // whether the arena gets its place back when it dies
  const auto take = [&](std::size_t b) {
    plan.buffers[b].index = arena(b).take(aligned(plan.bytes[b]));
    owns[b] = true;
    live += aligned(plan.bytes[b]);
    plan.live_bytes = std::max(plan.live_bytes, live);
  };

  for (std::size_t i = 0; i < plan.instructions.size(); ++i) {
    Instruction& instruction = plan.instructions[i];
    const auto now = static_cast<std::ptrdiff_t>(i);
    if (instruction.is_while)
      for (std::size_t b : instruction.outputs)
        instruction.unread.push_back(is_arena(plan.buffers[b].where) && last_use[b] == now);
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o) {
      const std::size_t b = instruction.outputs[o];
      if (plan.buffers[b].where == Where::result) {
        donations.take(i, o, last_use);
        continue;
      }
      if (!is_arena(plan.buffers[b].where) || needs_no_place(instruction, o)) continue;
      bool placed = false;
      for (std::size_t k = 0; k < instruction.inputs.size() && !placed; ++k) {
        const std::size_t from = instruction.inputs[k];
        if (owns[from] && last_use[from] == now && plan.buffers[from].where == plan.buffers[b].where &&
            takes_over(plan, instruction, k, o)) {
          plan.buffers[b].index = plan.buffers[from].index;
          owns[from] = false;
          owns[b] = true;
          placed = true;
        }
      }
      if (!placed) take(b);
    }
    for (const auto* buffers : {&instruction.region_arena, &instruction.second_places})
      for (std::size_t b : *buffers) take(b);
    const auto bury = [&](std::size_t b) {
      if (!owns[b] || last_use[b] != now) return;
      arena(b).give_back(plan.buffers[b].index, aligned(plan.bytes[b]));
      live -= aligned(plan.bytes[b]);
      owns[b] = false;
    };
    for_each_buffer(instruction, bury);
  }
  plan.arena_bytes = own.size();
  plan.thread_bytes = of_thread.size();
  plan.shared_bytes = common.size();
}

}  // namespace octet
