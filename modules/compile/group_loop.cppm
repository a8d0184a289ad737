/// The program of a loop, from the nodes that were fused into it. Internal to octet.compile.
export module octet.compile:group_loop;
import octet.base;
import octet.graph;
import octet.standard;
import :cpu;
import :fusion;
import :loop;

namespace octet {

/// Inputs and outputs of the program by their values: roots of views, and what the nodes make.
struct GroupLoop {
  LoopProgram program;
  std::vector<ValueId> inputs, outputs;
  Place place;  ///< of its last node
};

/// `needed` says of each value whether its buffer is read by someone else, and `narrow` whether that holds bf16 though
/// its type is f32. Without outputs where nothing of it is needed.
GroupLoop group_loop(const Graph& graph, const Fusion& fusion, const FusionGroup& group,
                     const std::vector<bool>& needed, const std::vector<bool>& narrow, Isa isa);

}  // namespace octet
