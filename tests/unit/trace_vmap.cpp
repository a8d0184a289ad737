/// vmap: what a function makes of each example, computed for all at once.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

#include "gradients.hpp"

using namespace octet;

namespace {

constexpr std::int64_t examples = 3;

/// `tensor` as another example has it: numbers a little different, whole numbers and truths in other places.
Tensor of_example(const Tensor& tensor, std::int64_t example) {
  Tensor result = tensor;
  if (tensor.dtype() == DType::f64) {
    for (double& each : result.mutable_span<double>()) each *= 1 + 0.01 * static_cast<double>(example);
    return result;
  }
  const auto turned = [&]<class T>(std::span<T> elements) {
    if (!elements.empty())
      std::rotate(elements.begin(), elements.begin() + example % std::ssize(elements), elements.end());
  };
  if (tensor.dtype() == DType::pred && tensor.elements() == 1)
    result.mutable_span<bool>()[0] = (tensor.item() != 0) != (example == 1);
  else if (tensor.dtype() == DType::pred)
    turned(result.mutable_span<bool>());
  else if (tensor.dtype() == DType::i32)
    turned(result.mutable_span<std::int32_t>());
  return result;
}

/// `tensors`, of one type, one after another along a new axis `axis`.
Tensor stacked(const std::vector<Tensor>& tensors, std::int64_t axis = 0) {
  const Graph graph = trace([&](const Arrays& in) { return Arrays{stack(in, axis)}; }, types_of(tensors));
  return evaluate(graph, tensors).front();
}

bool near(const Tensor& a, const Tensor& b) {
  if (a.type() != b.type()) return false;
  for (std::int64_t i = 0; i < a.elements(); ++i) {
    const double x = a.at(i), y = b.at(i);
    if (!(std::fabs(x - y) <= 1e-11 * (1 + std::fabs(y))) && !(std::isnan(x) && std::isnan(y)) && x != y) return false;
  }
  return true;
}

/// Empty where vmap of the sample's function gives what the function gives of each example; of the arguments number i
/// has examples where `mapped[i]`, along an axis of its own.
std::string fault(const Sample& sample, const std::vector<bool>& mapped) {
  const std::size_t replicas = sample.arguments.size(), count = sample.arguments.front().size();
  InAxes axes;
  for (std::size_t p = 0; p < count; ++p) {
    const std::int64_t rank = sample.arguments.front()[p].shape().rank();
    axes.push_back(mapped[p] ? std::optional<std::int64_t>{static_cast<std::int64_t>(p) % (rank + 1)} : std::nullopt);
  }
  std::vector<std::vector<std::vector<Tensor>>> each(examples);  // [example][replica][parameter]
  std::vector<std::vector<Tensor>> all(replicas);
  for (std::int64_t e = 0; e < examples; ++e)
    for (const auto& own : sample.arguments) {
      auto& arguments = each[static_cast<std::size_t>(e)].emplace_back();
      for (std::size_t p = 0; p < count; ++p) arguments.push_back(mapped[p] ? of_example(own[p], e) : own[p]);
    }
  for (std::size_t r = 0; r < replicas; ++r)
    for (std::size_t p = 0; p < count; ++p) {
      std::vector<Tensor> own;
      for (const auto& example : each) own.push_back(example[r][p]);
      all[r].push_back(mapped[p] ? stacked(own, *axes[p]) : own.front());
    }
  const Graph alone = trace(sample.function, types_of(sample.arguments.front()));
  const Graph together =
      trace([&](const Arrays& in) { return vmap_arrays(sample.function, in, axes, {}); }, types_of(all.front()));
  verify(together);
  const auto given = evaluate(together, all);
  std::vector<std::vector<std::vector<Tensor>>> wanted;
  for (const auto& example : each) wanted.push_back(evaluate(alone, example));
  for (std::size_t r = 0; r < replicas; ++r)
    for (std::size_t i = 0; i < given[r].size(); ++i) {
      std::vector<Tensor> own;
      for (const auto& example : wanted) own.push_back(example[r][i]);
      if (!near(given[r][i], stacked(own)))
        return sample.name + ": result " + std::to_string(i) + " of replica " + std::to_string(r) + " is\n" +
               to_string(given[r][i]) + "\nand should be\n" + to_string(stacked(own));
    }
  return "";
}

/// The sample with each choice of arguments that have examples, up to `most` choices.
void require_batched(const Sample& sample, std::size_t most = 16) {
  const std::size_t count = sample.arguments.front().size();
  for (std::size_t choice = 1; choice < std::min(std::size_t{1} << count, most); ++choice) {
    std::vector<bool> mapped;
    for (std::size_t p = 0; p < count; ++p) mapped.push_back((choice >> p & 1) != 0);
    INFO(sample.name << ", arguments " << choice);
    CHECK(fault(sample, mapped) == "");
  }
}

void collect(const Graph& graph, std::set<Op>& found) {
  for (const Node& node : graph.nodes()) {
    found.insert(node.op);
    for (const Graph& region : node.regions) collect(region, found);
  }
}

}  // namespace

TEST_CASE("vmap of every sample of every operation is what the function makes of each example") {
  for (auto samples : {elementwise_samples, movement_samples, contraction_samples, control_samples, collective_samples})
    for (const Sample& sample : samples()) require_batched(sample);
}

TEST_CASE("vmap of derivatives is the derivative of each example") {
  for (auto samples : {movement_samples, contraction_samples, control_samples, collective_samples})
    for (const Sample& sample : samples()) require_batched(second(sample), 4);
}

namespace {

struct Scale {
  Array weight, bias;
  int power = 1;
};

struct Answer {
  Array each;
  std::vector<Array> constants;
};

Tensor numbers(Shape shape) {
  Tensor result{DType::f64, std::move(shape)};
  double next = 0.25;
  for (double& each : result.mutable_span<double>()) each = (next += 0.5);
  return result;
}

/// The fault of tracing `function` on `types`.
Diagnostic refusal(const std::function<Arrays(const Arrays&)>& function, const std::vector<TensorType>& types) {
  try {
    trace(function, types);
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}

}  // namespace

TEST_CASE("vmap maps structures, along the axis of each argument, and spreads what is the same for all") {
  const auto one = [](const Scale& scale, const Array& x, const Array& y) {
    const Array scaled = x * scale.weight + y;
    return Answer{scale.power == 2 ? square(scaled) : scaled, {scale.bias + 1.0}};
  };
  const Graph graph = trace(
      [&](const Arrays& in) {
        const Answer all = vmap(one, {std::nullopt, -1, 0})(Scale{in[0], in[1], 2}, in[2], in[3]);
        return Arrays{all.each, all.constants[0]};
      },
      {{DType::f64, {2}}, {DType::f64, {}}, {DType::f64, {2, 3}}, {DType::f64, {3}}});
  CHECK(graph.result_types() == std::vector<TensorType>{{DType::f64, {3, 2}}, {DType::f64, {3}}});
  const auto results = evaluate(
      graph, std::vector{Tensor::of<double>(Shape{2}, {1, 10}), Tensor::scalar(7.0),
                         Tensor::of<double>(Shape{2, 3}, {1, 2, 3, 4, 5, 6}), Tensor::of<double>(Shape{3}, {0, 1, 2})});
  const auto each = results[0].span<double>(), same = results[1].span<double>();
  CHECK(std::vector(each.begin(), each.end()) == std::vector<double>{1, 1600, 9, 2601, 25, 3844});
  CHECK(std::vector(same.begin(), same.end()) == std::vector<double>{8, 8, 8});
}

TEST_CASE("gradients of each example are those of the sum, and differentiation goes through vmap") {
  const auto loss = [](const Array& w, const Array& x) { return sum(tanh(matmul(x, w))); };
  const std::vector<TensorType> types{{DType::f64, {3, 2}}, {DType::f64, {4, 3}}};
  const Graph graph = trace(
      [&](const Arrays& in) {
        const Array each = vmap(grad(loss), {std::nullopt, 0})(in[0], in[1]);
        const auto total = [&](const Array& w) { return sum(vmap(loss, {std::nullopt, 0})(w, in[1])); };
        const auto whole = [&](const Array& w) { return loss(w, in[1]); };
        return Arrays{sum(each, {0}), grad(total)(in[0]), grad(whole)(in[0])};
      },
      types);
  const auto results = evaluate(graph, std::vector{numbers({3, 2}), numbers({4, 3})});
  CHECK(near(results[0], results[2]));
  CHECK(near(results[1], results[2]));
}

TEST_CASE("the axis of a result that counts the examples is the one that out_axes names") {
  const auto twice = [](const Array& x) { return Answer{x * 2.0, {expand_dims(x, 0)}}; };
  for (const auto& [axis, each, constant] : std::vector<std::tuple<std::int64_t, Shape, Shape>>{
           {0, {3, 2}, {3, 1, 2}}, {1, {2, 3}, {1, 3, 2}}, {-1, {2, 3}, {1, 2, 3}}}) {
    const Graph graph = trace(
        [&, axis = axis](const Arrays& in) {
          const Answer all = vmap(twice, {0}, axis)(in[0]);
          return Arrays{all.each, all.constants[0]};
        },
        {{DType::f64, {3, 2}}});
    CHECK(graph.result_types() == std::vector<TensorType>{{DType::f64, each}, {DType::f64, constant}});
    const Tensor given = evaluate(graph, std::vector{numbers({3, 2})})[0];
    CHECK(given.at(1) == 2 * numbers({3, 2}).at(axis == 0 ? 1 : 2));
  }
  const Diagnostic fault =
      refusal([&](const Arrays& in) { return Arrays{vmap(twice, {0}, 2)(in[0]).each}; }, {{DType::f64, {3, 2}}});
  CHECK(fault.number == 403);
  CHECK(fault.sentence ==
        "vmap was told to count the examples along axis 2 of a result, which is f64[3, 2] with them and has none.");
}

TEST_CASE("vmap within vmap, and around a checkpoint, whose gradient computes it a second time for all") {
  const auto product = [](const Array& x, const Array& y) { return x * y; };
  const auto f = [](const Array& x) { return sum(sin(x) * x); };
  const Graph graph = trace(
      [&](const Arrays& in) {
        const auto outer = vmap(vmap(product, {std::nullopt, 0}), {0, std::nullopt});
        const Array again = vmap(grad(checkpoint(f)))(in[2]), plain = vmap(grad(f))(in[2]);
        return Arrays{outer(in[0], in[1]), again - plain};
      },
      {{DType::f64, {2}}, {DType::f64, {3}}, {DType::f64, {4, 5}}});
  const auto results = evaluate(graph, std::vector{numbers({2}), numbers({3}), numbers({4, 5})});
  CHECK(results[0].shape() == Shape{2, 3});
  CHECK(results[0].at(5) == numbers({2}).at(1) * numbers({3}).at(2));
  CHECK(std::ranges::all_of(results[1].span<double>(), [](double each) { return each == 0; }));
  CHECK(std::ranges::count(graph.nodes(), Op::optimization_barrier, [](const Node& node) { return node.op; }) == 1);
}

TEST_CASE("a loop goes round as often as each example asks") {
  struct State {
    Array number, rounds;
  };
  const auto halvings = [](const Array& n) {
    return while_loop([](const State& s) { return s.number > 1.0; },
                      [](const State& s) { return State{s.number / 2.0, s.rounds + 1}; },
                      State{n, constant(Tensor::scalar<std::int32_t>(0))})
        .rounds;
  };
  const Graph graph = trace([&](const Arrays& in) { return Arrays{vmap(halvings)(in[0])}; }, {{DType::f64, {4}}});
  const auto results = evaluate(graph, std::vector{Tensor::of<double>(Shape{4}, {1, 8, 5, 1000})});
  CHECK(to_string(results[0]) == to_string(Tensor::of<std::int32_t>(Shape{4}, {0, 3, 3, 10})));
}

TEST_CASE("what a loop captures is not multiplied, though each example goes round as often as it asks") {
  const auto settled = [](const Array& x, const Array& weights) {
    return while_loop([](const Array& s) { return sum(s * s) < 100.0; },
                      [&](const Array& s) { return matmul(s, weights) + 1.0; }, x);
  };
  const auto with = [&](bool all) {
    return trace(
        [&](const Arrays& in) {
          if (all) return Arrays{vmap(settled, {0, std::nullopt})(in[0], in[1])};
          return Arrays{stack({settled(in[0][0], in[1]), settled(in[0][1], in[1])})};
        },
        {{DType::f64, {2, 3}}, {DType::f64, {3, 3}}});
  };
  const Graph together = with(true);
  for (const Node& node : together.nodes())
    for (const ValueId id : node.outputs) CHECK(together.type(id).shape != Shape{2, 3, 3});
  const std::vector<Tensor> given{numbers({2, 3}), numbers({3, 3})};
  CHECK(near(evaluate(together, given)[0], evaluate(with(false), given)[0]));
}

TEST_CASE("no examples give no results, of every operation") {
  for (auto samples : {elementwise_samples, movement_samples, contraction_samples, control_samples, collective_samples})
    for (const Sample& sample : samples()) {
      INFO(sample.name);
      const std::vector<TensorType> one = types_of(sample.arguments.front());
      std::vector<TensorType> none = one;
      for (TensorType& type : none) {
        Dims extents = type.shape.extents();
        extents.insert(extents.begin(), 0);
        type.shape = Shape{extents};
      }
      const Graph alone = trace(sample.function, one);
      const Graph graph = trace([&](const Arrays& in) { return vmap_arrays(sample.function, in, {}, {}); }, none);
      verify(graph);
      REQUIRE(graph.results().size() == alone.results().size());
      for (std::size_t i = 0; i < alone.results().size(); ++i) {
        CHECK(graph.result_types()[i].shape.elements() == 0);
        CHECK(graph.result_types()[i].shape.rank() == alone.result_types()[i].shape.rank() + 1);
      }
    }
}

TEST_CASE("starts beyond the ends are kept inside for each example, as they are for one") {
  const auto cut = [](const Array& x, const Array& at) {
    const Array part = dynamic_slice(x, {at}, {2});
    return std::pair{part, dynamic_update_slice(x, part * 10.0, {at - 1})};
  };
  const auto with = [&](bool all) {
    return trace(
        [&](const Arrays& in) {
          if (all) {
            const auto [parts, updated] = vmap(cut, {std::nullopt, 0})(in[0], in[1]);
            return Arrays{parts, updated};
          }
          std::vector<Array> parts, updated;
          for (int i = 0; i < 3; ++i) {
            auto [part, after] = cut(in[0], in[1][i]);
            parts.push_back(part);
            updated.push_back(after);
          }
          return Arrays{stack(parts), stack(updated)};
        },
        {{DType::f64, {5}}, {DType::i32, {3}}});
  };
  const std::vector<Tensor> given{numbers({5}), Tensor::of<std::int32_t>(Shape{3}, {-4, 2, 9})};
  const auto one = evaluate(with(false), given), all = evaluate(with(true), given);
  CHECK(near(all[0], one[0]));
  CHECK(near(all[1], one[1]));
}

TEST_CASE("what vmap cannot map is refused, with the argument") {
  const auto sum_of = [](const Array& x, const Array& y) { return x + y; };
  const std::vector<TensorType> types{{DType::f64, {3}}, {DType::f64, {4}}};
  const auto with = [&](const InAxes& axes) {
    return refusal([&](const Arrays& in) { return Arrays{vmap(sum_of, axes)(in[0], in[1])}; }, types);
  };
  CHECK(with({0, 0}).number == 401);
  CHECK(with({0, 0}).sentence == "vmap is given 3 examples, and 4 in f64[4].");
  CHECK(with({0}).number == 405);
  CHECK(with({0}).sentence == "vmap takes an axis for each argument, and is given 1 for 2.");
  CHECK(refusal([&](const Arrays& in) { return vmap_arrays([](const Arrays& a) { return a; }, in, {0}, {}); }, types)
            .number == 405);
  CHECK(refusal([](const Arrays& in) { return Arrays{vmap([](const Array&) { return Array{}; })(in[0])}; }, types)
            .sentence.find("array 0 of what the mapped function returns") != std::string::npos);
  CHECK(with({std::nullopt, std::nullopt}).number == 403);
  CHECK(with({0, 1}).number == 403);
  CHECK(with({0, 1}).sentence == "vmap was told that axis 1 of f64[4] counts the examples, which it does not have.");
  CHECK(with({0, 1}).where.file.string().ends_with("trace_vmap.cpp"));
}

TEST_CASE("every operation that has operands has a batching rule, which a sample takes") {
  std::set<Op> found;
  for (auto samples : {elementwise_samples, movement_samples, contraction_samples, control_samples, collective_samples})
    for (const Sample& sample : samples()) {
      collect(trace(sample.function, types_of(sample.arguments.front())), found);
      collect(grad(trace(
                  [&](const Arrays& in) {
                    Array total = constant(Tensor::scalar(0.0));
                    for (const Array& each : sample.function(in))
                      if (is_floating(each.dtype())) total = total + sum(each);
                    return Arrays{total};
                  },
                  types_of(sample.arguments.front()))),
              found);
    }
  for (const Operation& row : operations()) {
    INFO(row.name);
    if (row.operands != 0 && !is_elementwise(row.op)) CHECK(found.contains(row.op));
  }
}
