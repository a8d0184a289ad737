/// Shape inference: for each operation its numbered constraints, as in StableHLO's specification, and its result types.
export module octet.graph:shape_rules;
import octet.base;
import octet.standard;
import :attributes;
import :graph;
import :operation;

export namespace octet {

/// An operation about to be applied.
struct Application {
  Op op;
  std::span<const TensorType> inputs;
  const Attributes& attributes;
  std::span<const Graph> regions;
  const Place& place;
};

/// The types of what the application defines. Throws X401 (shapes), X402 (element types), X403 (attributes), X102 and
/// X103 (regions), with one diagnostic for each constraint that is broken.
std::vector<TensorType> infer(const Application& application);

}  // namespace octet
