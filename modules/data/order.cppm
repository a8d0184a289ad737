/// The order of examples: a new permutation each epoch, computed for any index alone, so that a run can begin anywhere.
export module octet.data:order;
import octet.standard;

export namespace octet::data {

/// Where a run stands in its data: `index` examples of epoch `epoch` are used up. Small enough for every checkpoint.
struct Position {
  std::uint64_t epoch = 0;
  std::uint64_t index = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

/// The position `examples` examples further on, in data of `size` examples an epoch, which has one or more.
constexpr Position advanced(Position position, std::uint64_t examples, std::uint64_t size) {
  const std::uint64_t index = position.index + examples;
  return {position.epoch + index / size, index % size};
}

/// The example at place `index` of epoch `epoch`: for each seed and epoch a permutation of `size` examples. Throws X403 for
/// an `index` that is not below `size`.
std::uint64_t shuffled(std::uint64_t index, std::uint64_t size, std::uint64_t seed, std::uint64_t epoch);

}  // namespace octet::data
