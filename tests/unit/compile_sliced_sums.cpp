/// Sums of parts padded by zeros, as derivatives of slices are: the reference's bits, in memory of one result.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

using namespace octet;

namespace {

using Arrays = std::vector<Array>;
using Function = std::function<Arrays(const Arrays&)>;

constexpr std::int64_t rows = 48, columns = 64;
constexpr std::size_t whole = rows * columns * 4;
const TensorType type{DType::f32, {rows, columns}};

/// Numbers of both signs, zeros of both signs among them.
Tensor given() {
  Tensor x{type.dtype, type.shape};
  for (std::size_t i = 0; i < rows * columns; ++i)
    x.mutable_span<float>()[i] = i % 5 == 0   ? -0.0f
                                 : i % 7 == 0 ? 0.0f
                                              : static_cast<float>(static_cast<int>(i * 11 % 37) - 18) / 8;
  return x;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t result = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++result;
  return result;
}

/// The program of `function`, which gives the reference's bits, the signs of zeros among them.
Executable checked(const Function& function) {
  const Graph graph = trace(function, {type});
  const std::vector<Tensor> arguments{given()};
  const Tensor expected = evaluate(graph, arguments, {.precision = Precision::bf16}).front();
  const Executable executable = compile(graph);
  Threads alone;
  const Tensor result = executable.run(arguments, alone).front();
  INFO(executable.describe());
  REQUIRE(result.bytes().size() == expected.bytes().size());
  CHECK(std::memcmp(result.bytes().data(), expected.bytes().data(), expected.bytes().size()) == 0);
  return executable;
}

Array padded(const Array& part, std::int64_t row, std::int64_t column, double padding = 0) {
  return pad(part, padding, {row, column}, {rows - row - part.extent(0), columns - column - part.extent(1)}, {0, 0});
}
Array part(const Array& x, std::int64_t row, std::int64_t column, std::int64_t height, std::int64_t width) {
  return slice_in_dim(slice_in_dim(x, row, row + height, 0), column, column + width, 1);
}

}  // namespace

TEST_CASE("the derivative of a split is written once") {
  const Executable executable = checked([](const Arrays& in) -> Arrays {
    return {grad([](const Array& x) {
      const auto parts = split(x, 4, 1);
      return sum(parts[0] * parts[1] + parts[2] * tanh(parts[3]));
    })(in[0])};
  });
  CHECK(count(executable.describe(), "pad of") == 0);
  CHECK(count(executable.describe(), "concatenate of 4") == 1);
  CHECK(executable.statistics().live_bytes <= whole + whole / 2);  // the parts, and numbers
}

TEST_CASE("the derivative of slices that leave out some at the ends is padded once") {
  const Executable executable = checked([](const Arrays& in) -> Arrays {
    return {grad([](const Array& x) {
      Array total = sum(square(slice_in_dim(x, 3, 7, 0)));
      for (std::int64_t k = 1; k < 10; ++k) total = total + sum(square(slice_in_dim(x, 3 + 4 * k, 7 + 4 * k, 0)));
      return total;
    })(in[0])};
  });
  CHECK(count(executable.describe(), "pad of") == 1);
  CHECK(count(executable.describe(), "concatenate of 10") == 1);
}

TEST_CASE("parts that tile a matrix become one in both dimensions") {
  const Executable executable = checked([](const Arrays& in) -> Arrays {
    Array total = padded(part(in[0], 0, 0, 16, 32), 32, 32);
    for (const std::int64_t row : {0, 16, 32})
      for (const std::int64_t column : {0, 32})
        if (row + column < 64) total = total + padded(-part(in[0], row, column, 16, 32), row, column);
    return {total};
  });
  CHECK(count(executable.describe(), "pad of") == 0);
}

TEST_CASE("a zero that is below becomes one above where it is added to padding, and only there") {
  // The same bits as the reference's are checked; here that the sign is that of a sum.
  for (const bool two : {false, true}) {
    Threads alone;
    const Graph graph = trace(Function{[&](const Arrays& in) -> Arrays {
                                const Array upper = padded(part(in[0], 0, 0, 24, columns), 0, 0);
                                const Array lower = padded(part(in[0], 24, 0, 24, columns), 24, 0);
                                return {two ? upper + lower : upper};
                              }},
                              {type});
    CHECK(std::signbit(compile(graph).run({given()}, alone).front().span<float>()[0]) == !two);
  }
}

TEST_CASE("parts that lie over one another, apart or in padding that is not zero are added as they are") {
  const auto two = [](std::int64_t row, double padding) {
    return checked([=](const Arrays& in) -> Arrays {
      const Array a = part(in[0], 0, 0, 24, columns);
      return {padded(a, 0, 0, padding) + padded(-a, row, 0, padding)};
    });
  };
  for (const Executable& executable : {two(12, 0), two(24, -0.0), two(24, 1)})
    CHECK(count(executable.describe(), "concatenate") == 0);
  CHECK(count(two(24, 0).describe(), "concatenate of 2") == 1);
  const Executable apart = checked([](const Arrays& in) -> Arrays {
    return {padded(part(in[0], 0, 0, 8, columns), 0, 0) + padded(part(in[0], 0, 0, 8, columns), 16, 0)};
  });
  CHECK(count(apart.describe(), "concatenate") == 0);
}

TEST_CASE("a part of a sum that is a result, too, is there as it was") {
  checked([](const Arrays& in) -> Arrays {
    const Array first = padded(part(in[0], 0, 0, 16, columns), 0, 0) + padded(part(in[0], 0, 0, 16, columns), 16, 0);
    return {first + padded(part(in[0], 8, 0, 16, columns), 32, 0), first};
  });
}
