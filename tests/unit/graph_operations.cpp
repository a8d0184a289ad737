/// Every operation, applied as it may be and as it may not: it infers or refuses, and does nothing else.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;

#include "operation_examples.hpp"

using namespace operation_examples;

TEST_CASE("every operation infers the types that the specification states") {
  std::set<Op> seen;
  for (const Example& example : examples()) {
    CAPTURE(name(example.op));
    seen.insert(example.op);
    CHECK(inferred(example.op, example.inputs, example.attributes, example.regions) == example.results);
  }
  for (const Operation& row : operations()) {
    CAPTURE(row.name);
    CHECK(seen.count(row.op) == 1);
  }
}

namespace {

/// Numbers without end, the same on every machine.
struct Dice {
  std::uint64_t state = 1;
  std::size_t below(std::size_t count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % count;
  }
  std::int64_t number() {
    constexpr std::int64_t numbers[] = {0,
                                        1,
                                        2,
                                        3,
                                        4,
                                        0,
                                        1,
                                        2,
                                        3,
                                        8,
                                        -1,
                                        -2,
                                        std::int64_t{1} << 40,
                                        std::numeric_limits<std::int64_t>::max(),
                                        std::numeric_limits<std::int64_t>::min()};
    return numbers[below(below(4) == 0 ? std::size(numbers) : 8)];
  }
  Dims dims() {
    Dims result(below(4));
    for (std::int64_t& entry : result) entry = number();
    return result;
  }
  TensorType type() { return {all_dtypes[below(std::size(all_dtypes))], Shape{dims()}}; }
  Graph graph() {
    Graph result;
    for (std::size_t count = below(3); count > 0; --count) result.parameter(type());
    std::vector<ValueId> results = result.parameters();
    if (!results.empty() && below(2)) results.pop_back();
    result.set_results(results);
    return result;
  }
  /// Fills each field with something.
  void operator()(const char*, std::int64_t& field) { field = number(); }
  void operator()(const char*, Dims& field) { field = dims(); }
  void operator()(const char*, Shape& field) { field = Shape{dims()}; }
  void operator()(const char*, TensorType& field) { field = type(); }
  void operator()(const char*, std::vector<TensorType>& field) { field = {type()}; }
  void operator()(const char*, std::string& field) { field = "name"; }
  void operator()(const char*, bool& field) { field = below(2); }
  void operator()(const char*, Tensor&) {}
  void operator()(const char*, ReplicaGroups& field) {
    field.resize(below(3));
    for (Dims& group : field) group = dims();
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void operator()(const char*, Enum& field) {
    field = static_cast<Enum>(below(10));
  }
};

}  // namespace

TEST_CASE("no operands, attributes or regions make an operation do anything but infer or refuse", "[native]") {
  Dice dice;
  std::size_t accepted = 0, refused = 0;
  for (const Example& example : examples())
    for (int trial = 0; trial < 2000; ++trial) {
      Types inputs = example.inputs;
      if (operation(example.op).operands < 0 && dice.below(2)) inputs.resize(dice.below(4));
      for (TensorType& type : inputs)
        if (dice.below(2)) type = dice.type();
      Attributes attributes = example.attributes;
      std::visit([&](auto& fields) { fields.fields(fields, dice); }, attributes);
      std::vector<Graph> regions = example.regions;
      for (Graph& region : regions)
        if (dice.below(2)) region = dice.graph();
      try {
        for (const TensorType& type : inferred(example.op, inputs, attributes, regions)) {
          REQUIRE(type.shape.elements() >= 0);
          REQUIRE(type.bytes() >= 0);
        }
        ++accepted;
      } catch (const Error& error) {
        for (const Diagnostic& diagnostic : error.diagnostics()) REQUIRE(diagnostic.sentence.size() > 10);
        ++refused;
      }
    }
  CHECK(accepted > 1000);
  CHECK(refused > 1000);
}
