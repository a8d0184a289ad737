/// Loops, compiled: the reference's bits however the parts of the state read and replace each other, and no copy of a
/// part that is written over.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "resident.hpp"

import octet.base;
import octet.graph;
import octet.trace;
import octet.compile;

using namespace octet;

namespace {

using Arrays = std::vector<Array>;
using Function = std::function<Arrays(const Arrays&)>;

constexpr std::int64_t rows = 5, columns = 37;

/// f32 [5, 37] and [37], and an i32, all different.
std::vector<Tensor> given() {
  Tensor a{DType::f32, {rows, columns}}, b{DType::f32, {columns}};
  float next = 0.25f;
  for (Tensor* tensor : {&a, &b})
    for (float& element : tensor->mutable_span<float>()) element = (next += 0.375f);
  return {a, b, Tensor::scalar<std::int32_t>(2)};
}

void check(const char* what, const Function& function) {
  INFO(what);
  const std::vector<Tensor> arguments = given();
  std::vector<TensorType> types;
  for (const Tensor& tensor : arguments) types.push_back(tensor.type());
  const Graph graph = trace(function, types);
  const std::vector<Tensor> expected = evaluate(graph, arguments, {.precision = Precision::bf16});
  for (const Isa isa : available_isas())
    for (const unsigned count : {1u, 2u}) {
      Threads threads{count};
      const Executable executable = compile(graph, {.isa = isa});
      for (int run = 0; run < 2; ++run) {
        INFO("run " << run << "\n" << executable.describe());
        CHECK(executable.run(arguments, threads) == expected);
        const std::vector<std::vector<Tensor>> replicas = executable.run({arguments, arguments, arguments}, threads);
        for (const std::vector<Tensor>& own : replicas) CHECK(own == expected);
      }
    }
}

/// `rounds` times `body`, which gets the number of the round and the state.
Arrays repeated(std::int64_t rounds, Arrays state, const std::function<Arrays(const Array&, const Arrays&)>& body) {
  return fori_loop(0, rounds, [&](const Array& i, const Arrays& now) { return body(i, now); }, std::move(state));
}

}  // namespace

TEST_CASE("parts of a loop's state may change places, stay, repeat each other and be read after they were replaced") {
  for (const std::int64_t rounds : {0, 1, 2, 3, 4}) {
    INFO(rounds << " rounds");
    check("two change places", [&](const Arrays& in) {
      return repeated(rounds, {in[0], in[0] * 2.0}, [](const Array&, const Arrays& s) { return Arrays{s[1], s[0]}; });
    });
    check("three go round, one of them changed", [&](const Arrays& in) {
      return repeated(rounds, {in[0], in[0] * 2.0, in[0] + 1.0},
                      [](const Array&, const Arrays& s) { return Arrays{s[1], s[2], s[0] + s[1]}; });
    });
    check("one follows the other", [&](const Arrays& in) {
      return repeated(rounds, {in[1], in[1] * 2.0, in[1]},
                      [](const Array&, const Arrays& s) { return Arrays{s[1], s[1] * 1.5, s[0] - s[2]}; });
    });
    check("all become one", [&](const Arrays& in) {
      return repeated(rounds, {in[1], in[1] * 2.0}, [](const Array&, const Arrays& s) {
        const Array both = s[0] + s[1];
        return Arrays{both, both};
      });
    });
    check("one is what it was, and another what came from outside", [&](const Arrays& in) {
      return repeated(rounds, {in[1], in[1] * 2.0, in[1]},
                      [&](const Array&, const Arrays& s) { return Arrays{s[0], in[1] + s[0], in[1]}; });
    });
    check("the state is an argument that is asked for, too", [&](const Arrays& in) {
      Arrays out = repeated(rounds, {in[0]}, [](const Array&, const Arrays& s) { return Arrays{s[0] * 0.5}; });
      out.push_back(in[0]);
      return out;
    });
    check("moved within itself", [&](const Arrays& in) {
      return repeated(rounds, {in[0], in[1]}, [](const Array&, const Arrays& s) {
        return Arrays{roll(s[0], 1), concatenate({slice_in_dim(s[1], 1, columns, 0), slice_in_dim(s[1], 0, 1, 0)}, 0)};
      });
    });
    check("a product with itself", [&](const Arrays& in) {
      return repeated(rounds, {matmul(in[0], transpose(in[0])) * 1e-3},
                      [](const Array&, const Arrays& s) { return Arrays{matmul(s[0], s[0])}; });
    });
  }
}

TEST_CASE("rows of a loop's state are written where they lie, whoever else reads them") {
  check("read, then written", [](const Arrays& in) {
    return repeated(rows, {in[0]}, [](const Array& i, const Arrays& s) {
      return Arrays{update_leading(s[0], take(s[0], i) * 2.0, i)};
    });
  });
  check("written, and what it was is read", [](const Arrays& in) {
    return repeated(rows, {in[0], in[1]}, [&](const Array& i, const Arrays& s) {
      const Array cleared = update_leading(s[0], in[1] * 0.0, i);
      return Arrays{cleared, s[1] + take(s[0], i)};
    });
  });
  check("written, and both are read", [](const Arrays& in) {
    return repeated(rows, {in[0], in[1]}, [&](const Array& i, const Arrays& s) {
      const Array changed = update_leading(s[0], s[1], i);
      return Arrays{changed, sum(changed, {0}) - sum(s[0], {0})};
    });
  });
  check("written twice", [](const Arrays& in) {
    return repeated(rows, {in[0]}, [&](const Array& i, const Arrays& s) {
      const Array once = update_leading(s[0], in[1], i);
      return Arrays{update_leading(once, sum(s[0], {0}), clamp(0, i - 1, rows - 1))};
    });
  });
  check("one written from the other's rows", [](const Arrays& in) {
    return repeated(rows, {in[0], in[0] * 3.0}, [](const Array& i, const Arrays& s) {
      return Arrays{update_leading(s[0], take(s[1], i), i), update_leading(s[1], take(s[0], i), i)};
    });
  });
  check("rows of an argument are added up", [](const Arrays& in) {
    return repeated(rows, {in[1]}, [&](const Array& i, const Arrays& s) { return Arrays{s[0] + take(in[0], i)}; });
  });
}

TEST_CASE("loops within loops and branches begin anew each time") {
  const auto halved = [](const Array& x) {
    return repeated(3, {x, x * 2.0}, [](const Array&, const Arrays& s) { return Arrays{s[1] * 0.5, s[0] + s[1]}; });
  };
  check("within a loop", [&](const Arrays& in) {
    return repeated(3, {in[1], in[1]}, [&](const Array&, const Arrays& s) {
      const Arrays inner = halved(s[0]);
      return Arrays{inner[1] * 0.125, s[1] + inner[0]};
    });
  });
  check("rows of the outer state within the inner loop", [&](const Arrays& in) {
    return repeated(2, {in[0]}, [&](const Array& turn, const Arrays& s) {
      return repeated(rows, {s[0]}, [&](const Array& i, const Arrays& inner) {
        return Arrays{update_leading(inner[0], take(inner[0], i) + cast<float>(turn + i), i)};
      });
    });
  });
  check("within a branch", [&](const Arrays& in) {
    return Arrays{cond(
                      in[2] > 1, [&] { return halved(in[1])[0]; }, [&] { return in[1]; }),
                  cond(in[2] > 5, [&] { return halved(in[1])[0]; }, [&] { return in[1]; })};
  });
  check("derivatives", [](const Arrays& in) {
    const auto loss = [](const Array& x) {
      return sum(square(scan(
                            [](const Array& carry, const Array& row) {
                              const Array next = tanh(carry * 0.5 + row * 0.125);
                              return std::pair{next, next * next};
                            },
                            x[0], x)
                            .second));
    };
    return Arrays{grad(loss)(in[0]), grad([&](const Array& x) { return sum(grad(loss)(x)); })(in[0])};
  });
}

TEST_CASE("a loop that writes rows of its state has the state once, and a derivative takes it row by row") {
  constexpr std::int64_t many = 1 << 14;  // rows of 4 KB: 67 MB
  const auto written = jit([](Array x) {
    return fori_loop(0, 3, [](const Array& i, const Array& s) { return update_leading(s, take(s, i) + 1.0, i); }, x);
  });
  const Tensor x = Tensor::full<float>({many, 1024}, 1.0f);
  const std::int64_t before = resident();
  const Tensor result = written(x);
  CHECK(result.span<float>()[1024 * 2] == 2);
  CHECK(result.span<float>()[1024 * 3] == 1);
  if (resident_is_known) CHECK(resident() < before + 67 + 30);

  // What takes a row and clears it takes the row first.
  const auto text = jit([](Array given) {
                      return fori_loop(
                          0, 3,
                          [&](const Array& i, const Arrays& s) {
                            return Arrays{update_leading(s[0], given[0] * 0.0, i), s[1] + take(s[0], i)};
                          },
                          Arrays{given, given[0]})[1];
                    })
                        .executable(Tensor::full<float>({5, 8}, 1.0f))
                        .describe();
  const std::size_t body = text.find("dynamic_update_slice");
  REQUIRE(body != text.npos);
  CHECK(text.find("add", body) == text.npos);
}

TEST_CASE("what a loop adds to its state is added as soon as it is there, in memory of the thread that runs it") {
  constexpr std::int64_t parts = 3, sums = 6, n = 64;
  constexpr std::size_t matrix = n * n * 4;
  // As gradients of a batch in parts: all of a part are made before the first is added.
  const auto added = [](const Arrays& in) {
    return repeated(parts, Arrays(sums, zeros_like(in[0])), [&](const Array& part, const Arrays& s) {
      Arrays made, next;
      for (std::int64_t k = 0; k < sums; ++k) made.push_back(matmul(in[0], tanh(in[0] * cast<float>(part + k))));
      for (std::size_t k = 0; k < made.size(); ++k) next.push_back(s[k] + made[k]);
      return next;
    });
  };
  const std::vector<TensorType> types{{DType::f32, {n, n}}};
  const Graph graph = trace(Function{added}, types);
  const Executable executable = compile(graph);
  const ExecutableStatistics statistics = executable.statistics();
  INFO(executable.describe());
  CHECK(statistics.arena_bytes == 0);
  CHECK(statistics.thread_bytes >= matrix);
  CHECK(statistics.thread_bytes < 3 * matrix);  // zeros, a bf16 factor and one product
  CHECK(statistics.live_bytes >= statistics.thread_bytes);

  Tensor x{DType::f32, {n, n}};
  for (std::size_t i = 0; i < x.mutable_span<float>().size(); ++i)
    x.mutable_span<float>()[i] = static_cast<float>(i % 97) / 97;
  const std::vector<Tensor> arguments{x}, expected = evaluate(graph, arguments, {.precision = Precision::bf16});
  Threads threads{2};
  for (const std::vector<Tensor>& own :
       executable.run({arguments, arguments, arguments, arguments, arguments}, threads))
    CHECK(own == expected);
}

TEST_CASE("what is read after its update is there is updated after that, where it lies") {
  const TensorType type{DType::f32, {64, 64}};
  Graph graph{"step"};
  const ValueId weight = graph.parameter(type, "weight"), x = graph.parameter(type, "x");
  DotAttributes product;
  product.lhs_contracting_dimensions = {1};
  product.rhs_contracting_dimensions = {0};
  const ValueId gradient = graph.append(Op::dot_general, {x, x}, product, {})[0];
  const ValueId behind = graph.append(Op::dot_general, {x, weight}, product, {})[0];
  graph.set_results({behind, graph.append(Op::subtract, {weight, gradient}, {}, {})[0]});
  const std::string text = compile(graph, {.donated = {0}}).describe();
  INFO(text);
  CHECK(text.rfind("dot_general") < text.rfind("loop of"));
}
