// Whole programs, compiled, against the reference: the same bits, whatever the number of threads or the instruction
// set.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>
import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

using namespace octet;

namespace {

using Function = std::function<std::vector<Array>(const std::vector<Array>&)>;

Tensor random_tensor(const TensorType& type, std::uint64_t seed) {
  Tensor tensor{type};
  const Key key = Key::of_seed(seed);
  std::uint64_t counter = 0;
  if (type.dtype == DType::f32)
    for (float& element : tensor.mutable_span<float>()) element = normal(key, counter++);
  if (type.dtype == DType::i32)
    for (std::int32_t& element : tensor.mutable_span<std::int32_t>())
      element = static_cast<std::int32_t>(below(key, counter++, 7));
  return tensor;
}

std::vector<Tensor> arguments_for(const std::vector<TensorType>& types) {
  std::vector<Tensor> arguments;
  for (const TensorType& type : types) arguments.push_back(random_tensor(type, arguments.size() + 1));
  return arguments;
}

void check(const Function& function, const std::vector<TensorType>& types) {
  const Graph graph = trace(function, types);
  const auto arguments = arguments_for(types);
  const auto expected = evaluate(graph, arguments, {.precision = Precision::bf16});
  for (const Isa isa : available_isas()) {
    const Executable executable = compile(graph, {.isa = isa});
    for (const unsigned count : {1u, 2u, 3u}) {
      Threads threads{count};
      // Twice: the second run finds the first one's buffers full of its numbers.
      for (int run = 0; run < 2; ++run) {
        const auto results = executable.run(arguments, threads);
        REQUIRE(results.size() == expected.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
          INFO("result " << i << " on " << count << " threads, " << std::string{name(isa)} << "\n"
                         << executable.describe());
          CHECK(results[i] == expected[i]);
        }
      }
    }
  }
}

const TensorType matrix{DType::f32, Shape{37, 130}};
const TensorType weights{DType::f32, Shape{130, 19}};
const TensorType row{DType::f32, Shape{130}};
const TensorType heads{DType::f32, Shape{4, 16, 2, 24}};

}  // namespace

TEST_CASE("a loop walks through eight dimensions of which every second one is repeated") {
  const Shape space{2, 3, 2, 3, 2, 3, 2, 5};
  check(
      [&](const std::vector<Array>& a) -> std::vector<Array> {
        return {a[0] + broadcast_in_dim(a[1], space, {0, 2, 4, 6}) * cast<float>(iota({DType::i32, space}, 5))};
      },
      {{DType::f32, space}, {DType::f32, Shape{2, 2, 2, 2}}});
}

TEST_CASE("arithmetic that is done two operations in one step is rounded after each") {
  using Operation = Array (*)(const Array&, const Array&);
  const Operation firsts[] = {[](const Array& x, const Array& y) { return x + y; },
                              [](const Array& x, const Array& y) { return x - y; },
                              [](const Array& x, const Array& y) { return x * y; }};
  const Operation seconds[] = {firsts[0], firsts[1], firsts[2], [](const Array& x, const Array& y) { return x / y; }};
  const TensorType type{DType::f32, Shape{3, 700}};
  for (const Operation first : firsts)
    for (const Operation second : seconds)
      check(
          [&](const std::vector<Array>& x) -> std::vector<Array> {
            const Array twice = first(x[1], x[2]), kept = first(x[2], x[3]);
            return {second(first(x[0], x[1]), x[2]),
                    second(x[1], first(x[0], x[2])),
                    second(twice, twice),
                    second(kept, x[0]),
                    kept,
                    second(second(first(x[0], x[3]), x[1]), first(x[1], x[3])),
                    sum(second(first(x[3], x[0]), x[1]), {1})};
          },
          {type, type, type, type});
}

TEST_CASE(
    "a rotation that is done in one step with the xor behind it, and what only resembles one, equal the reference") {
  const auto shifted = [](const Array& x, std::int32_t left, std::int32_t right) { return (x << left) | (x >> right); };
  const auto swapped = [](const Array& x, std::int32_t left, std::int32_t right) { return (x >> right) | (x << left); };
  const TensorType type{DType::i32, Shape{3, 700}};
  check(
      [&](const std::vector<Array>& a) -> std::vector<Array> {
        const Array x = cast<std::uint32_t>(a[0]) * 2654435761u + 1u, y = cast<std::uint32_t>(a[1]) * 0x9e3779b1u;
        std::vector<Array> results;
        for (const std::int32_t left : {0, 1, 13, 31, 32, 40})
          for (const std::int32_t right : {32 - left, 7}) {
            if (right < 0) continue;
            results.insert(results.end(), {shifted(x, left, right) ^ y, y ^ shifted(x, left, right),
                                           swapped(x, left, right) ^ y, y ^ swapped(x, left, right)});
          }
        const Array kept = shifted(x, 5, 27), left = x << 5;
        results.insert(results.end(), {kept, kept ^ y, (left | (x >> 27)) ^ left, shifted(y, 5, 27) ^ y,
                                       ((x << 5) | (y >> 27)) ^ y, shifted(x, 5, 27) ^ shifted(y, 9, 23),
                                       ((a[0] << 5) | (a[0] >> 27)) ^ a[1]});  // of i32: the sign moves in
        return results;
      },
      {type, type});
  // By distances that are known only when it runs.
  check(
      [&](const std::vector<Array>& a) {
        const Array x = cast<std::uint32_t>(a[0]) * 2654435761u, d = cast<std::uint32_t>(a[1]);
        return Arrays{((x << d) | (x >> (32u - d))) ^ x};
      },
      {type, {DType::i32, Shape{}}});
}

TEST_CASE("elementwise chains with broadcasts equal the reference") {
  check(
      [](const auto& a) { return Arrays{a[0] + a[1], gelu(a[0] * 2.0) / (1.0 + exp(-a[1])), tanh(a[0]) - erf(a[1])}; },
      {matrix, row});
}

TEST_CASE("normalizations equal the reference") {
  check([](const auto& a) { return Arrays{softmax(a[0]), softmax(a[0], 0), log_softmax(a[0])}; }, {matrix});
}

TEST_CASE("reductions over rows, columns, the middle and everything equal the reference") {
  check(
      [](const auto& a) {
        return Arrays{sum(a[0]),      sum(a[0], {0}),    sum(a[0], {1}), max(a[0] * 2.0, {1}),
                      min(a[0], {0}), mean(square(a[0]))};
      },
      {matrix});
  check(
      [](const auto& a) {
        return Arrays{sum(a[0], {1}), sum(a[0], {1, 3}), sum(exp(a[0]), {0, 2}), product(a[0], {2}, true)};
      },
      {heads});
}

TEST_CASE("loops large enough to be shared by threads equal the reference") {
  // Few columns and many, more than one block of them, and rows that end within a block; operands that are spread along
  // rows, along columns, transposed, and repeated from a row that divides the block and one that does not.
  for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{3001, 40},
                                      {700, 128},
                                      {37, 2100},
                                      {20, 4500},
                                      {9000, 3},
                                      {64, 512},
                                      {40, 800}}) {
    CAPTURE(rows, columns);
    const TensorType matrix{DType::f32, {rows, columns}}, row{DType::f32, {columns}}, column{DType::f32, {rows, 1}};
    check(
        [](const Arrays& in) {
          const Array y = (in[0] + in[1]) * in[2];
          return Arrays{sum(y, {0}), max(y * y, {0}), y};
        },
        {matrix, row, column});
    check(
        [](const Arrays& in) {
          const Array y = exp(in[0] * 0.1) - in[1];
          return Arrays{sum(y, {1}), min(y, {1}), sum(y), y + in[2]};
        },
        {matrix, row, column});
    check(
        [](const Arrays& in) {
          return Arrays{sum(transpose(in[0], {1, 0}) * in[1], {0}), transpose(in[0], {1, 0}) + in[1]};
        },
        {matrix, {DType::f32, {columns, rows}}});
  }
}

TEST_CASE("results that no cache holds are written whole, by any number of threads") {
  // An odd number of columns: rows begin anywhere in a line of memory.
  const std::int64_t rows = 1301, columns = 5003;
  const Executable executable = compile(trace(
      [](const Arrays& in) {
        const Array y = in[0] * 2.0 + in[1];
        return Arrays{y, sum(y, {0}), in[0] >= 3.0};
      },
      {{DType::f32, {rows, columns}}, {DType::f32, {rows, 1}}}));
  Tensor x{DType::f32, {rows, columns}}, bias{DType::f32, {rows, 1}};
  for (std::int64_t i = 0; i < rows * columns; ++i)
    x.mutable_span<float>()[static_cast<std::size_t>(i)] = static_cast<float>(i % 7);
  for (std::int64_t r = 0; r < rows; ++r)
    bias.mutable_span<float>()[static_cast<std::size_t>(r)] = static_cast<float>(r % 5);
  for (unsigned count : {1u, 2u, 3u}) {
    CAPTURE(count);
    Threads threads{count};
    const std::vector<Tensor> results = executable.run({x, bias}, threads);
    std::vector<float> sums(static_cast<std::size_t>(columns), 0.0f);  // of small integers: exact in any order
    std::int64_t wrong = 0;
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        const auto i = static_cast<std::size_t>(r * columns + c);
        const float expected = static_cast<float>(i % 7) * 2 + static_cast<float>(r % 5);
        wrong += results[0].span<float>()[i] != expected;
        wrong += results[2].span<bool>()[i] != (i % 7 >= 3);
        sums[static_cast<std::size_t>(c)] += expected;
      }
    CHECK(wrong == 0);
    CHECK(std::equal(sums.begin(), sums.end(), results[1].span<float>().begin()));
  }
}

TEST_CASE("no replicas at all give no results") {
  const Executable executable =
      compile(trace([](const Arrays& in) { return Arrays{in[0] + 1.0}; }, {{DType::f32, {2}}}));
  Threads threads{2};
  CHECK(executable.run(std::vector<std::vector<Tensor>>{}, threads).empty());
}

TEST_CASE("products equal the reference, transposed, batched and with several contracted dimensions") {
  check(
      [](const auto& a) {
        return Arrays{matmul(a[0], a[1]), matmul(transpose(a[1], {1, 0}), transpose(a[0], {1, 0}))};
      },
      {matrix, weights});
  check(
      [](const auto& a) {
        DotAttributes attention, context, several;
        attention.lhs_batching_dimensions = attention.rhs_batching_dimensions = {0, 2};
        attention.lhs_contracting_dimensions = attention.rhs_contracting_dimensions = {3};
        context.lhs_batching_dimensions = {0, 1};
        context.rhs_batching_dimensions = {0, 2};
        context.lhs_contracting_dimensions = {3};
        context.rhs_contracting_dimensions = {1};
        several.lhs_contracting_dimensions = several.rhs_contracting_dimensions = {3, 0};
        return Arrays{transpose(dot_general(softmax(dot_general(a[0], a[0], attention)), a[0], context), {0, 2, 1, 3}),
                      dot_general(a[0], a[0], several)};
      },
      {heads});
}

TEST_CASE("a product writes its elements in the order in which the only move that reads it wants them") {
  // [4, 3, 16, 5] x [4, 3, 5, 8] = [4, 3, 16, 8], in every order in which a move can want its dimensions.
  const std::vector<TensorType> operands{
      {DType::f32, {4, 3, 16, 5}}, {DType::f32, {4, 3, 5, 8}}, {DType::f32, {4 * 16, 7}}};
  const auto moved = [](const Dims& order, bool leaves) {
    return [order, leaves](const Arrays& a) {
      const Array product = matmul(a[0], a[1]);
      const Array move = reshape(transpose(product, order), {4 * 16 * 3 * 8});
      Arrays results{move * 2.0, move + 1.0};
      if (leaves) results.push_back(product);
      return results;
    };
  };
  const auto copies = [&](const Function& function) {
    const std::string kernels = compile(trace(function, operands)).describe();
    std::size_t count = 0;
    for (std::size_t at = 0; (at = kernels.find(": copy", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  Dims order{0, 1, 2, 3};
  do {
    INFO("order " << to_string(Shape{order}));
    check(moved(order, false), operands);
    check(moved(order, true), operands);
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(copies(moved({0, 2, 1, 3}, false)) == 0);
  CHECK(copies(moved({0, 3, 1, 2}, false)) == 0);  // transposed: the operands change places
  CHECK(copies(moved({0, 3, 2, 1}, false)) == 1);  // neither rows nor columns side by side
  CHECK(copies(moved({0, 2, 1, 3}, true)) == 1);   // someone else reads it as it is

  // The derivative of an attention's keys: rows [4, 8] do not lie evenly in the product as it comes, so that the two
  // products which read it would each copy it.
  const Function keys = [](const Arrays& a) {
    const Array product = matmul(a[0], a[1]);
    const Array rows = reshape(transpose(product, {0, 3, 1, 2}), {4, 8, 3 * 16});
    DotAttributes wide, high;
    wide.lhs_contracting_dimensions = wide.rhs_contracting_dimensions = {2};
    high.lhs_contracting_dimensions = high.rhs_contracting_dimensions = {0, 1};
    return Arrays{dot_general(rows, rows, wide), dot_general(rows, rows, high), sum(rows, {0, 1})};
  };
  check(keys, operands);
  CHECK(copies(keys) == 0);
}

TEST_CASE("moves that are views and moves that are copies equal the reference") {
  check(
      [](const auto& a) {
        return Arrays{transpose(a[0], {0, 2, 1, 3}),
                      reshape(transpose(a[0], {0, 2, 1, 3}), {32, 96}) + 1.0,
                      reverse(a[0], {1, 3}) * 2.0,
                      slice(a[0], {1, 2, 0, 3}, {4, 15, 2, 24}, {1, 3, 1, 2}),
                      a[0],
                      a[0]};
      },
      {heads});
}

TEST_CASE("control flow equals the reference") {
  check(
      [](const auto& a) {
        return Arrays{fori_loop(0, 5, [](Array i, Array x) { return x * 0.5 + cast<float>(i); }, a[0])};
      },
      {matrix});
  check([](const auto& a) { return Arrays{cond(sum(a[0]) > 0.0, [&] { return a[0] * 2.0; }, [&] { return a[1]; })}; },
        {matrix, matrix});
  check(
      [](const auto& a) {
        return Arrays{while_loop([](Array x) { return sum(x) < 1e6; }, [](Array x) { return x * 2.0 + 1.0; }, a[0])};
      },
      {matrix});
}

TEST_CASE("derivatives equal the reference, through products, lookups and loops") {
  check([](const auto& a) { return Arrays{grad([&](Array x) { return sum(square(matmul(tanh(x), a[1]))); })(a[0])}; },
        {matrix, weights});
  check([](const auto& a) { return Arrays{grad([&](Array t) { return sum(square(take(t, a[1]))); })(a[0])}; },
        {matrix, {DType::i32, Shape{5, 3}}});
  check(
      [](const auto& a) {
        return Arrays{grad(
            [&](Array x) { return sum(fori_loop(0, 5, [&](Array, Array y) { return tanh(y * a[1]); }, x)); })(a[0])};
      },
      {matrix, matrix});
}

TEST_CASE("programs on nothing and on one element equal the reference") {
  for (const Shape& shape : {Shape{0, 3}, Shape{3, 0}, Shape{1, 1}})
    check([](const auto& a) { return Arrays{sum(a[0], {0}), sum(a[0], {1}), sum(a[0]), a[0] + 1.0, softmax(a[0])}; },
          {{DType::f32, shape}});
}

TEST_CASE("reductions of nothing to different numbers of results equal the reference") {
  const auto both = [](const Shape& shape, const Dims& one, const Dims& other) {
    check(
        [&](const auto& a) {
          const Array y = a[0] * 2.0;
          return Arrays{reduce(y, Reducer::maximum, one), reduce(y, Reducer::minimum, other)};
        },
        {{DType::f32, shape}});
  };
  both({1000, 0}, {0, 1}, {1});
  both({3, 0}, {1}, {0, 1});
  both({0, 0}, {0, 1}, {1});
  both({0, 3, 4}, {0}, {0, 1});
  both({0, 3, 4}, {0, 1}, {0, 1, 2});
}

TEST_CASE("a donated argument's place is taken by a result, and results are the same") {
  const auto step = [](const auto& a) { return Arrays{a[0] * 0.9 + a[1], a[1] - a[0]}; };
  const Graph graph = trace(step, {matrix, matrix});
  const auto arguments = arguments_for({matrix, matrix});
  Threads alone;
  const auto expected = compile(graph).run(arguments, alone);
  auto given = arguments;
  const void* place = given[0].bytes().data();
  given[0].mutable_bytes()[0] = given[0].bytes()[0];  // its own copy
  place = given[0].bytes().data();
  const auto results = compile(graph, {.donated = {0}}).run(std::move(given), alone);
  CHECK(results[0] == expected[0]);
  CHECK(results[1] == expected[1]);
  CHECK((results[0].bytes().data() == place || results[1].bytes().data() == place));
  // Someone still holds this one: it must not change under them.
  const Tensor kept = arguments[0];
  const auto again = compile(graph, {.donated = {0}}).run(arguments, alone);
  CHECK(kept == arguments_for({matrix})[0]);
  CHECK(again[1] == expected[1]);
}

TEST_CASE("a program without arguments is run with empty braces") {
  const Graph graph = trace([](const Arrays&) { return Arrays{arange(3)}; }, std::vector<TensorType>{});
  Threads threads{1};
  CHECK(compile(graph).run({}, threads) == evaluate(graph, std::vector<Tensor>{}));
}
