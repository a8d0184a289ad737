/// Checkpoints: the same gradient, of values that are computed a second time.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

using namespace octet;

namespace {

using Arrays = std::vector<Array>;
using Function = std::function<Arrays(const Arrays&)>;

struct Layer {
  Array weight, bias;
  Array operator()(const Array& x) const { return tanh(matmul(x, weight) + bias); }
};

struct Pair {
  Array first, second;
};

std::int64_t count(const Graph& graph, Op op) {
  return std::ranges::count(graph.nodes(), op, [](const Node& node) { return node.op; });
}

const std::vector<TensorType> types{{DType::f64, {4, 3}}, {DType::f64, {3, 3}}, {DType::f64, {3}}};

std::vector<Tensor> arguments() {
  std::vector<Tensor> values;
  const Key key = Key::of_seed(3);
  std::uint64_t drawn = 0;
  for (const TensorType& type : types) {
    Tensor value{type};
    for (double& each : value.mutable_span<double>()) each = uniform(key, drawn++) - 0.5;
    values.push_back(std::move(value));
  }
  return values;
}

/// The gradients of the sum of what `function` returns, and that sum.
Graph gradients(const Function& function) {
  return trace(
      [&](const Arrays& in) {
        const auto loss = [&](const Arrays& variables) {
          Array total = constant(Tensor::scalar(0.0));
          for (const Array& each : function(variables)) total = total + sum(each * each);
          return total;
        };
        auto [value, gradient] = value_and_grad(loss)(in);
        gradient.push_back(value);
        return gradient;
      },
      types);
}

void require_equal(const Function& plain, const Function& checkpointed) {
  const auto one = evaluate(gradients(plain), arguments()), other = evaluate(gradients(checkpointed), arguments());
  REQUIRE(one.size() == other.size());
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(std::ranges::equal(one[i].bytes(), other[i].bytes()));
}

Arrays layers(const Arrays& in, bool checkpointed) {
  Array x = in[0];
  for (int i = 0; i < 3; ++i) {
    const Layer layer{in[1], in[2]};
    x = checkpointed ? checkpoint(layer)(x) : layer(x);
  }
  return {x};
}

}  // namespace

TEST_CASE("a checkpoint gives the same bits, and computes what it covers a second time on the way back") {
  const auto with = [](bool checkpointed) { return [=](const Arrays& in) { return layers(in, checkpointed); }; };
  require_equal(with(false), with(true));
  const Graph plain = gradients(with(false)), again = gradients(with(true));
  CHECK(count(plain, Op::tanh) == 3);
  CHECK(count(again, Op::tanh) == 6);
  CHECK(count(again, Op::optimization_barrier) == 3);
  // Where nothing is differentiated there is nothing to see of it.
  CHECK(equal(trace(with(false), types), trace(with(true), types)));
}

TEST_CASE("structures, several results, integers, and arguments that are handed on go through a checkpoint") {
  const auto halves = [](const Pair& pair, const Array& ids, const Array& scale) {
    const Array rows = take(pair.first, ids);
    return std::pair{Pair{rows * scale, pair.second}, std::pair{ids + 1, exp(pair.second)}};
  };
  const auto with = [&](bool checkpointed) {
    return [=](const Arrays& in) {
      const Array ids = arange(4);
      const Pair pair{in[0], in[1]};
      const auto [both, rest] = checkpointed ? checkpoint(halves)(pair, ids, in[2]) : halves(pair, ids, in[2]);
      return Arrays{both.first, both.second, rest.second * cast<double>(sum(rest.first))};
    };
  };
  require_equal(with(false), with(true));
}

TEST_CASE("what a checkpoint captures is differentiated, too, and so is what is made of one result twice") {
  const auto with = [](bool checkpointed) {
    return [=](const Arrays& in) {
      const Array doubled = in[1] * 2.0;
      const auto f = [&](const Array& x) { return sin(matmul(x, doubled) + in[2]); };
      const Array y = checkpointed ? checkpoint(f)(in[0]) : f(in[0]);
      return Arrays{y, matmul(y, doubled), y};
    };
  };
  require_equal(with(false), with(true));
}

TEST_CASE("checkpoints nest: the inner one is computed once more than the outer one") {
  const auto with = [](int depth) {
    return [=](const Arrays& in) {
      const auto inner = [&](const Array& x) { return exp(sin(x) * in[2]); };
      const auto outer = [&](const Array& x) { return cos(depth > 1 ? checkpoint(inner)(x) : inner(x)); };
      return Arrays{depth > 0 ? checkpoint(outer)(in[0]) : outer(in[0])};
    };
  };
  for (const int depth : {1, 2}) require_equal(with(0), with(depth));
  CHECK(count(gradients(with(1)), Op::exponential) == 2);
  CHECK(count(gradients(with(2)), Op::exponential) == 3);
}

TEST_CASE("of what a checkpoint within a checkpoint gives, not all need be used") {
  const auto with = [](bool checkpointed) {
    return [=](const Arrays& in) {
      const Pair given{in[1], in[2]};
      const auto layer = [&](const Array& x) {
        const Array inner = tanh(matmul(x, given.first));
        return std::pair{inner, sum(inner * given.second)};  // the second is for nobody
      };
      const auto group = [&](const Array& x) {
        Array y = x;
        for (int i = 0; i < 2; ++i) y = (checkpointed ? checkpoint(layer)(y) : layer(y)).first;
        return y;
      };
      return Arrays{checkpointed ? checkpoint(group)(in[0]) : group(in[0])};
    };
  };
  require_equal(with(false), with(true));
}

TEST_CASE("what is not differentiated need not be differentiable within a checkpoint") {
  const auto with = [](bool checkpointed) {
    return trace(
        [=](const Arrays& in) {
          const auto f = [&](const Array& x) {
            const Array small =
                while_loop([](const Array& s) { return sum(s) > 1.0; }, [](const Array& s) { return s * 0.5; }, in[2]);
            return sin(x) * small;
          };
          return Arrays{grad([&](const Array& x) { return sum(checkpointed ? checkpoint(f)(x) : f(x)); })(in[0])};
        },
        types);
  };
  const auto one = evaluate(with(false), arguments()), other = evaluate(with(true), arguments());
  CHECK(std::ranges::equal(one[0].bytes(), other[0].bytes()));
}

TEST_CASE("a checkpoint keeps what its gradient reads, and nothing more") {
  const auto derived = [](const std::function<Array(const Array&, const Array&)>& f) {
    return trace(
        [&](const Arrays& in) {
          return Arrays{grad([&](const Array& x) { return sum(checkpoint(f)(x, exp(in[1]))); })(in[0])};
        },
        {{DType::f64, {4}}, {DType::f64, {4}}});
  };
  const auto held = [](const Graph& graph) {
    std::size_t count = 0;
    for (const Node& node : graph.nodes())
      if (node.op == Op::optimization_barrier) count += node.inputs.size();
    return count;
  };
  CHECK(held(derived([](const Array& x, const Array& y) { return sin(x) * y; })) == 3);  // x, y and the cotangent
  CHECK(held(derived([](const Array& x, const Array& y) { return sin(x) + y; })) == 2);  // not the summand
  CHECK(held(derived([](const Array& x, const Array& y) { return x - y; })) == 0);
}

TEST_CASE("second derivatives go through a checkpoint") {
  const auto second = [](bool checkpointed) {
    const auto f = [](const Array& x) { return sum(sin(x) * x * x); };
    const auto g = [=](const Array& x) { return checkpointed ? checkpoint(f)(x) : f(x); };
    return trace([&](const Arrays& in) { return Arrays{grad([&](const Array& x) { return sum(grad(g)(x)); })(in[0])}; },
                 {{DType::f64, {3}}});
  };
  const std::vector<Tensor> x{Tensor::of<double>(Shape{3}, {0.5, -1.25, 2})};
  const auto plain = evaluate(second(false), x), again = evaluate(second(true), x);
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(plain[0].span<double>()[i] - again[0].span<double>()[i]) < 1e-14);
}

TEST_CASE("checkpoints stand in branches and loops, and around them") {
  const auto with = [](bool checkpointed) {
    return [=](const Arrays& in) {
      const auto body = [&](const Array& x) { return tanh(matmul(x, in[1])); };
      const auto again = [&](const Array& x) { return checkpointed ? checkpoint(body)(x) : body(x); };
      const Array looped = fori_loop(0, 3, [&](const Array&, const Array& x) { return again(x) + in[2]; }, in[0]);
      const auto branched = [&](const Array& x) {
        return cond(sum(x) > 0, [&] { return again(x); }, [&] { return x * in[2]; });
      };
      return Arrays{looped, checkpointed ? checkpoint(branched)(in[0]) : branched(in[0])};
    };
  };
  require_equal(with(false), with(true));
}

TEST_CASE("an empty array that a checkpointed function returns is refused with X406") {
  try {
    trace([](const Arrays& in) { return Arrays{checkpoint([](const Array&) { return Array{}; })(in[0])}; }, types);
    FAIL("an empty array was taken");
  } catch (const Error& error) {
    CHECK(error.diagnostics().front().number == 406);
  }
}
