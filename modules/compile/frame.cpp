module octet.compile;
import octet.base;
import octet.graph;
import octet.standard;
import :frame;
import :kernel;
import :plan;

namespace octet {

namespace {

std::size_t largest_scratch(const Plan& plan, unsigned threads) {
  std::size_t largest = 0;
  for (const Instruction& instruction : plan.instructions) {
    if (instruction.kernel) largest = std::max(largest, instruction.kernel->scratch(threads));
    for (const auto& region : instruction.regions) largest = std::max(largest, largest_scratch(*region, threads));
  }
  return largest;
}

/// A loop over replicas, and what each of them may use.
struct Runner {
  Threads& threads;
  Scratch& scratch;
  Threads alone{1};

  void run(const Plan& plan, std::span<Frame* const> frames, std::span<const std::uint32_t> replicas) {
    std::size_t at = 0;
    while (at < plan.instructions.size()) {
      if (plan.instructions[at].meets()) {
        if (plan.instructions[at].is_kernel_for_all())
          step(plan, at, *frames[0], threads, scratch.piece(0), replicas[0]);
        else
          meet(plan, at, frames, replicas);
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < plan.instructions.size() && !plan.instructions[end].meets()) ++end;
      if (frames.size() == 1) {
        for (std::size_t i = at; i < end; ++i) step(plan, i, *frames[0], threads, scratch.piece(0), replicas[0]);
      } else {
        const std::size_t blocks = scratch.pieces();
        threads.for_each(blocks, [&](std::size_t block) {
          for (std::size_t r = 0; r < frames.size(); ++r)
            for (std::size_t i = at; i < end && thread_block_of(r, frames.size(), blocks) == block; ++i)
              step(plan, i, *frames[r], alone, scratch.piece(block), replicas[r]);
        });
      }
      at = end;
    }
  }

  /// One instruction of one replica, at which no replicas meet.
  void step(const Plan& plan, std::size_t at, Frame& frame, Threads& shared, std::byte* memory, std::uint32_t replica) {
    const Instruction& instruction = plan.instructions[at];
    if (instruction.kernel) {
      instruction.kernel->run({frame.inputs(at), frame.outputs(at), memory, shared, replica});
    } else if (instruction.is_while) {
      frame.start_loop(at);
      while (holds(plan, at, frame,
                   [&](const Plan& condition, Frame& inner) { steps(condition, inner, shared, memory, replica); })) {
        bind_body(at, frame);
        steps(*instruction.regions[1], frame.region(at, 1), shared, memory, replica);
        frame.take_next_state(at);
      }
      frame.end_loop(at);
    } else {
      const std::size_t branch = bind_branch(plan, at, frame);
      steps(*instruction.regions[branch], frame.region(at, branch), shared, memory, replica);
    }
  }

  void steps(const Plan& plan, Frame& frame, Threads& shared, std::byte* memory, std::uint32_t replica) {
    for (std::size_t i = 0; i < plan.instructions.size(); ++i) step(plan, i, frame, shared, memory, replica);
  }

  /// An instruction at which all replicas meet, or meet inside of it.
  void meet(const Plan& plan, std::size_t at, std::span<Frame* const> frames, std::span<const std::uint32_t> replicas) {
    const Instruction& instruction = plan.instructions[at];
    if (instruction.collective) {
      std::vector<const std::byte*> inputs;
      std::vector<std::byte*> outputs;
      for (Frame* frame : frames) {
        inputs.push_back(frame->inputs(at)[0]);
        outputs.push_back(frame->outputs(at)[0]);
      }
      instruction.collective->run(inputs.data(), outputs.data(), static_cast<std::uint32_t>(frames.size()), threads);
      return;
    }
    const auto inner = [&](std::size_t region) {
      std::vector<Frame*> result;
      for (Frame* frame : frames) result.push_back(&frame->region(at, region));
      return result;
    };
    const auto agreed = [&](const std::vector<std::size_t>& choices) {
      for (std::size_t r = 1; r < choices.size(); ++r)
        if (choices[r] != choices[0])
          fail({.number = 105,
                .sentence = "Replica " + std::to_string(replicas[0]) + " and replica " + std::to_string(replicas[r]) +
                            " part ways before a collective.",
                .where = instruction.place});
      return choices[0];
    };
    std::vector<std::size_t> choices(frames.size());
    if (instruction.is_while) {
      for (Frame* frame : frames) frame->start_loop(at);
      for (;;) {
        std::vector<std::uint8_t> truth(frames.size());
        for (std::size_t r = 0; r < frames.size(); ++r) bind_condition(at, *frames[r], &truth[r]);
        run(*instruction.regions[0], inner(0), replicas);
        for (std::size_t r = 0; r < frames.size(); ++r) choices[r] = truth[r];
        if (!agreed(choices)) break;
        for (Frame* frame : frames) bind_body(at, *frame);
        run(*instruction.regions[1], inner(1), replicas);
        for (Frame* frame : frames) frame->take_next_state(at);
      }
      for (Frame* frame : frames) frame->end_loop(at);
      return;
    }
    for (std::size_t r = 0; r < frames.size(); ++r) choices[r] = bind_branch(plan, at, *frames[r]);
    const std::size_t branch = agreed(choices);
    run(*instruction.regions[branch], inner(branch), replicas);
  }

  static std::vector<const std::byte*> state(std::size_t at, Frame& frame) {
    return {frame.state(at).begin(), frame.state(at).end()};
  }

  static void bind_condition(std::size_t at, Frame& frame, std::uint8_t* truth) {
    std::byte* const result = reinterpret_cast<std::byte*>(truth);
    frame.region(at, 0).bind(state(at, frame), {&result, 1}, frame.region_arenas(at));
  }

  template <class Run>
  static bool holds(const Plan& plan, std::size_t at, Frame& frame, Run&& run_condition) {
    std::uint8_t truth = 0;
    bind_condition(at, frame, &truth);
    run_condition(*plan.instructions[at].regions[0], frame.region(at, 0));
    return truth != 0;
  }

  static void bind_body(std::size_t at, Frame& frame) {
    frame.region(at, 1).bind(state(at, frame), frame.next_state(at), frame.region_arenas(at));
  }

  /// Chooses the branch of an if and says where its operands and results are.
  static std::size_t bind_branch(const Plan& plan, std::size_t at, Frame& frame) {
    const Instruction& instruction = plan.instructions[at];
    const std::size_t branch = *reinterpret_cast<const std::uint8_t*>(frame.inputs(at)[0]) ? 0 : 1;
    frame.region(at, branch)
        .bind({frame.inputs(at) + 1, instruction.inputs.size() - 1}, {frame.outputs(at), instruction.outputs.size()},
              frame.region_arenas(at));
    return branch;
  }
};

}  // namespace

Frame::Frame(const Plan& plan)
    : plan_{plan}, region_arenas_(plan.instructions.size()), loops_(plan.instructions.size()) {
  std::size_t inputs = 0, outputs = 0;
  for (const Instruction& instruction : plan.instructions) {
    first_input_.push_back(inputs);
    first_output_.push_back(outputs);
    inputs += instruction.inputs.size();
    outputs += instruction.outputs.size();
    regions_.emplace_back();
    for (const auto& region : instruction.regions) regions_.back().push_back(std::make_unique<Frame>(*region));
  }
  inputs_.resize(inputs);
  outputs_.resize(outputs);
}

void Frame::bind(std::span<const std::byte* const> arguments, std::span<std::byte* const> results,
                 const Arenas& arenas) {
  using Where = Placement::Where;
  const auto readable = [&](std::size_t b) -> const std::byte* {
    const Placement& placement = plan_.buffers[b];
    switch (placement.where) {
      case Where::argument:
        return arguments[placement.index];
      case Where::result:
        return results[placement.index];
      case Where::thread_arena:
        return arenas.of_thread + placement.index;
      case Where::shared_arena:
        return arenas.shared + placement.index;
      case Where::constant:
        return plan_.constants[placement.index].data();
      default:
        return arenas.own + placement.index;
    }
  };
  for (std::size_t i = 0; i < plan_.instructions.size(); ++i) {
    const Instruction& instruction = plan_.instructions[i];
    for (std::size_t k = 0; k < instruction.inputs.size(); ++k)
      inputs_[first_input_[i] + k] = readable(instruction.inputs[k]);
    // Nothing writes to an argument or a constant: what is written to is in an arena or a result.
    const auto writable = [&](std::size_t b) { return const_cast<std::byte*>(readable(b)); };
    for (std::size_t k = 0; k < instruction.outputs.size(); ++k)
      outputs_[first_output_[i] + k] = writable(instruction.outputs[k]);
    for (std::size_t b : instruction.region_arena) region_arenas_[i] = writable(b);
    loops_[i].second_places.clear();
    for (std::size_t b : instruction.second_places) loops_[i].second_places.push_back(writable(b));
  }
}

void Frame::start_loop(std::size_t instruction) {
  const Instruction& loop = plan_.instructions[instruction];
  auto& [second_places, state, next] = loops_[instruction];
  // What the body leaves as it is is read where it lies.
  state.clear();
  for (std::size_t part = 0; part < loop.outputs.size(); ++part)
    state.push_back(const_cast<std::byte*>(inputs(instruction)[part]));
  next.clear();
  std::size_t second = 0;
  for (std::size_t k = 0; k < loop.varying.size(); ++k) {
    const std::size_t part = loop.varying[k];
    std::byte* const place = outputs(instruction)[part];
    if (place != state[part]) std::memcpy(place, state[part], plan_.bytes[loop.outputs[part]]);
    state[part] = place;
    const bool over_itself = loop.regions[1]->result_from[k] >= 0;
    next.push_back(over_itself ? place : second_places[second++]);
  }
}

void Frame::take_next_state(std::size_t instruction) {
  const Instruction& loop = plan_.instructions[instruction];
  for (std::size_t k = 0; k < loop.varying.size(); ++k)
    std::swap(loops_[instruction].state[loop.varying[k]], loops_[instruction].next[k]);
}

void Frame::end_loop(std::size_t instruction) {
  const Instruction& loop = plan_.instructions[instruction];
  for (std::size_t part = 0; part < loop.outputs.size(); ++part)
    if (const std::byte* const last = loops_[instruction].state[part];
        last != outputs(instruction)[part] && !loop.unread[part])
      std::memcpy(outputs(instruction)[part], last, plan_.bytes[loop.outputs[part]]);
}

Scratch::Scratch(const Plan& plan, std::size_t pieces, unsigned threads)
    : pieces_{pieces},
      bytes_of_piece_{(std::max(largest_scratch(plan, pieces == 1 ? threads : 1),
                                (largest_scratch(plan, threads) + pieces - 1) / pieces) +
                       127) /
                      64 * 64} {}

void run(const Plan& plan, std::span<Frame* const> frames, Threads& threads, Scratch& scratch) {
  Runner runner{threads, scratch};
  std::vector<std::uint32_t> replicas(frames.size());
  for (std::size_t r = 0; r < frames.size(); ++r) replicas[r] = static_cast<std::uint32_t>(r);
  runner.run(plan, frames, replicas);
}

void run_timed(const Plan& plan, Frame& frame, Threads& threads, Scratch& scratch, std::span<double> seconds) {
  using Clock = std::chrono::steady_clock;
  Runner runner{threads, scratch};
  Frame* const only = &frame;
  const std::uint32_t replica = 0;
  for (std::size_t i = 0; i < plan.instructions.size(); ++i) {
    const auto start = Clock::now();
    if (plan.instructions[i].meets() && !plan.instructions[i].is_kernel_for_all())
      runner.meet(plan, i, {&only, 1}, {&replica, 1});
    else
      runner.step(plan, i, frame, threads, scratch.piece(0), replica);
    seconds[i] += std::chrono::duration<double>(Clock::now() - start).count();
  }
}

}  // namespace octet
