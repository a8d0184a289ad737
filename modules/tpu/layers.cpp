module octet.tpu;
import octet.base;
import octet.graph;
import octet.standard;
import :fused;
import :layers;

namespace octet::tpu {

namespace {

std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }

/// Numbers for operations, the same for those that do the same to tensors of the same types.
class Signatures {
 public:
  std::vector<std::size_t> of(const FusedProgram& program) {
    std::vector<std::size_t> result;
    for (const FusedOperation& operation : program.operations) {
      std::string text = operation.description;
      const auto tensors = [&](const std::vector<ValueId>& ids) {
        for (const ValueId id : ids) text += " " + to_string(program.tensors[at(id)]);
        text += ";";
      };
      tensors(operation.reads);
      tensors(operation.writes);
      for (const double number : operation.read_shares) text += std::to_string(number) + ",";
      text += std::to_string(operation.vector_operations) + "," + std::to_string(operation.repeats) + "," +
              std::to_string(operation.drawn.size()) + "," + std::to_string(operation.elsewhere.size()) + "," +
              std::to_string(operation.write_share) + "," + std::to_string(operation.over.size());
      result.push_back(known_.try_emplace(text, known_.size()).first->second);
    }
    return result;
  }

 private:
  std::map<std::string, std::size_t> known_;
};

/// Operations [first, first + length) of a program: what it does for one layer, which comes again before and behind.
struct Block {
  std::size_t first = 0, length = 0;
  std::size_t end() const { return first + length; }
};

/// The layers that are alike: a block of the forward pass and one of the backward pass.
struct Stack {
  Block forward, backward;
};

/// How many signatures stand in `more` at `j` that `few` does not have at `i`; 0 where no such insertion is found.
std::size_t inserted(const std::vector<std::size_t>& few, std::size_t i, const std::vector<std::size_t>& more,
                     std::size_t j) {
  constexpr std::size_t alike = 32;  // as many behind it show that the two go on together
  const std::size_t left = few.size() - i;
  for (std::size_t length = 1; j + length + left <= more.size(); ++length) {
    const std::size_t compared = std::max(length, alike);
    if (left < compared && j + length + left != more.size()) continue;
    const auto from = few.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::equal(from, from + static_cast<std::ptrdiff_t>(std::min(left, compared)),
                   more.begin() + static_cast<std::ptrdiff_t>(j + length)))
      return length;
  }
  return 0;
}

/// The middle of three equal blocks of `length` around position `at`; nothing where there are not so many.
std::optional<Block> middle_of_three(const std::vector<std::size_t>& signatures, std::size_t at, std::size_t length) {
  const auto same = [&](std::size_t i) {
    return i + length < signatures.size() && signatures[i] == signatures[i + length];
  };
  std::size_t begin = at, end = at;  // what `same` holds for
  while (begin > 0 && same(begin - 1)) --begin;
  while (same(end)) ++end;
  if (end - begin < 2 * length) return std::nullopt;
  return Block{begin + (end - begin - 2 * length) / 2 + length, length};
}

/// The stacks of layers of `more`, which has a layer more in each than `few`. What is computed forward first is
/// computed backward last.
std::vector<Stack> stacks_of(const std::vector<std::size_t>& few, const std::vector<std::size_t>& more) {
  std::vector<Block> blocks;
  std::size_t i = 0, j = 0;
  for (;;) {
    while (i < few.size() && j < more.size() && few[i] == more[j]) ++i, ++j;
    if (i == few.size() && j == more.size()) break;
    const std::size_t length = inserted(few, i, more, j);
    const std::optional<Block> block = length > 0 ? middle_of_three(more, j, length) : std::nullopt;
    if (!block || (!blocks.empty() && blocks.back().end() + blocks.back().length > block->first - length)) return {};
    blocks.push_back(*block);
    j += length;
  }
  if (blocks.size() % 2 != 0) return {};
  std::vector<Stack> stacks;
  for (std::size_t s = 0; s < blocks.size() / 2; ++s) stacks.push_back({blocks[s], blocks[blocks.size() - 1 - s]});
  return stacks;
}

/// Layers are numbered: 2 is the one that is repeated, 1 lies before and 3 behind it.
class Repetition {
 public:
  Repetition(const FusedProgram& program, const std::vector<Stack>& stacks, std::size_t copies)
      : program_{program}, stacks_{stacks}, copies_{copies}, result_{program} {}

  std::optional<FusedProgram> run() {
    find_written();
    if (!find_parameters()) return std::nullopt;
    make_copies();
    result_.operations.clear();
    for (std::size_t i = 0; i < program_.operations.size(); ++i) {
      for (const Stack& stack : stacks_) {
        if (i == stack.forward.end())
          for (std::size_t c = 0; c < copies_; ++c) copy(stack.forward, true, c);
        if (i == stack.backward.first)
          for (std::size_t c = copies_; c-- > 0;) copy(stack.backward, false, c);
      }
      result_.operations.push_back(renamed(i));
    }
    return possible_ ? std::optional{std::move(result_)} : std::nullopt;
  }

 private:
  /// A tensor that each layer of a stack has.
  struct Kind {
    std::size_t stack = 0;
    ValueId of[3] = {};           ///< in layers 1 to 3
    std::vector<ValueId> copies;  ///< in the layers between 2 and 3
  };
  struct Known {
    std::size_t kind = 0;
    std::int64_t layer = 0;
  };

  /// The operation of layer `layer` that does what operation `i` of `block`, which is layer 2, does.
  static std::size_t like(const Block& block, bool forward, std::size_t i, std::int64_t layer) {
    const auto distance = static_cast<std::int64_t>(block.length) * (forward ? 1 : -1);
    return static_cast<std::size_t>(static_cast<std::int64_t>(i) + (layer - 2) * distance);
  }

  /// Visits the operations of each layer 2 with their likes in layers 1 and 3.
  void each_of_layer(const auto& visit) const {
    for (std::size_t s = 0; s < stacks_.size(); ++s)
      for (const bool forward : {true, false}) {
        const Block& block = forward ? stacks_[s].forward : stacks_[s].backward;
        for (std::size_t i = block.first; i < block.end(); ++i)
          visit(s, program_.operations[like(block, forward, i, 1)], program_.operations[i],
                program_.operations[like(block, forward, i, 3)]);
      }
  }

  void add_kind(std::size_t stack, const ValueId (&of)[3]) {
    for (std::int64_t l = 0; l < 3; ++l) known_[of[l]] = {kinds_.size(), l + 1};
    kinds_.push_back({stack, {of[0], of[1], of[2]}, {}});
  }

  void find_written() {
    each_of_layer([&](std::size_t stack, const auto& before, const auto& own, const auto& behind) {
      for (std::size_t w = 0; w < own.writes.size(); ++w)
        add_kind(stack, {before.writes[w], own.writes[w], behind.writes[w]});
    });
  }

  /// What three layers read in the same place, and none of it is written by the program: parameters of each.
  bool find_parameters() {
    std::vector<bool> given(program_.tensors.size(), false);
    for (const ValueId id : program_.parameters) given[at(id)] = true;
    bool possible = true;
    each_of_layer([&](std::size_t stack, const auto& before, const auto& own, const auto& behind) {
      for (std::size_t r = 0; r < own.reads.size(); ++r) {
        const ValueId of[] = {before.reads[r], own.reads[r], behind.reads[r]};
        if (of[0] == of[1] || !given[at(of[1])]) continue;
        if (!given[at(of[0])] || !given[at(of[2])])
          possible = false;
        else if (!known_.contains(of[0]) && !known_.contains(of[1]) && !known_.contains(of[2]))
          add_kind(stack, of);
      }
    });
    return possible;
  }

  void make_copies() {
    std::vector<bool> is_parameter(program_.tensors.size(), false), is_result(program_.tensors.size(), false);
    for (const ValueId id : program_.parameters) is_parameter[at(id)] = true;
    for (const ValueId id : program_.results) is_result[at(id)] = true;
    for (Kind& kind : kinds_)
      for (std::size_t c = 0; c < copies_; ++c) {
        const auto id = static_cast<ValueId>(result_.tensors.size());
        result_.tensors.push_back(program_.tensors[at(kind.of[1])]);
        kind.copies.push_back(id);
        if (is_parameter[at(kind.of[1])]) result_.parameters.push_back(id);
        if (is_result[at(kind.of[1])]) result_.results.push_back(id);
      }
  }

  /// What `kind` is in a layer of the whole program, where layer 3 comes behind the copies.
  ValueId in_layer(std::size_t kind, std::int64_t layer) {
    const auto last = static_cast<std::int64_t>(copies_) + 3;
    possible_ &= layer >= 1 && layer <= last;
    if (!possible_) return 0;
    if (layer <= 2) return kinds_[kind].of[layer - 1];
    return layer == last ? kinds_[kind].of[2] : kinds_[kind].copies[static_cast<std::size_t>(layer - 3)];
  }

  static void rename(FusedOperation& operation, const auto& name) {
    for (auto* list : {&operation.reads, &operation.writes, &operation.over, &operation.elsewhere, &operation.drawn})
      for (ValueId& id : *list) id = name(id);
  }

  /// Operation `i` of the program, which stands before the copies or behind them: it reads what is as far from it.
  FusedOperation renamed(std::size_t i) {
    FusedOperation operation = program_.operations[i];
    const std::vector<ValueId> writes = operation.writes, drawn = operation.drawn;
    rename(operation, [&](ValueId id) {
      const auto found = known_.find(id);
      if (found == known_.end()) return id;
      const Stack& stack = stacks_[kinds_[found->second.kind].stack];
      const bool behind = i >= stack.forward.end() && i < stack.backward.first;
      return in_layer(found->second.kind, found->second.layer + (behind ? static_cast<std::int64_t>(copies_) : 0));
    });
    operation.writes = writes;
    operation.drawn = drawn;
    return operation;
  }

  /// Copy `c` of the operations of layer 2.
  void copy(const Block& block, bool forward, std::size_t c) {
    for (std::size_t i = block.first; i < block.end(); ++i) {
      const FusedOperation &own = program_.operations[i], &before = program_.operations[like(block, forward, i, 1)];
      std::map<ValueId, ValueId> names;
      for (std::size_t r = 0; r < own.reads.size(); ++r) {
        const ValueId id = own.reads[r], earlier = before.reads[r];
        names[id] = id;
        if (id == earlier) continue;  // what all layers read
        const auto found = known_.find(id), found_earlier = known_.find(earlier);
        if (found == known_.end() ||
            (found_earlier != known_.end() && (found_earlier->second.kind != found->second.kind ||
                                               found_earlier->second.layer != found->second.layer - 1))) {
          possible_ = false;
          return;
        }
        names[id] = in_layer(found->second.kind, found->second.layer + 1 + static_cast<std::int64_t>(c));
      }
      for (const ValueId id : own.writes) names[id] = kinds_[known_.at(id).kind].copies[c];
      result_.operations.push_back(own);
      rename(result_.operations.back(), [&](ValueId id) { return names.contains(id) ? names.at(id) : id; });
    }
  }

  const FusedProgram& program_;
  const std::vector<Stack>& stacks_;
  std::size_t copies_;
  FusedProgram result_;
  std::vector<Kind> kinds_;
  std::map<ValueId, Known> known_;
  bool possible_ = true;
};

}  // namespace

std::optional<FusedProgram> with_layers(const FusedProgram& few, const FusedProgram& more, std::int64_t further) {
  if (further <= 0) return more;
  Signatures signatures;
  const std::vector<std::size_t> of_few = signatures.of(few), of_more = signatures.of(more);
  const std::vector<Stack> stacks = stacks_of(of_few, of_more);
  if (stacks.empty()) return std::nullopt;
  return Repetition{more, stacks, static_cast<std::size_t>(further)}.run();
}

}  // namespace octet::tpu
