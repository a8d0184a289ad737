module octet.data;
import octet.base;
import octet.standard;

namespace octet::data {

namespace {

// Children of the seed's key that belong to this file and to masking.cpp are told apart by these words.
constexpr std::uint32_t order_stream = 0x6f72'6472;  // "ordr"

}  // namespace

std::uint64_t shuffled(std::uint64_t index, std::uint64_t size, std::uint64_t seed, std::uint64_t epoch) {
  if (index >= size)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "There is no example " + std::to_string(index) + " in an epoch of " +
                                    std::to_string(size) + "."};
    });
  return permuted(split(fold_in(Key::of_seed(seed), order_stream), epoch), size, index);
}

}  // namespace octet::data
