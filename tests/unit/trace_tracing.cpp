/// What tracing makes of a C++ function: which nodes, at which lines, with which parameters.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

using namespace octet;
using Arrays = std::vector<Array>;

namespace {

const TensorType row{DType::f32, {4}};

Graph of(const std::function<Array(const Array&)>& function, TensorType type = row) {
  return trace([&](const Arrays& in) { return Arrays{function(in[0])}; }, {std::move(type)});
}

/// The lines of the nodes, without repetition; 0 for those that are placed in another file or function than this
/// test's.
std::vector<unsigned> lines(const Graph& graph) {
  std::vector<unsigned> result;
  for (const Node& node : graph.nodes()) {
    const bool here = node.place.file.string().ends_with("trace_tracing.cpp") && !node.place.function.empty();
    const unsigned line = here ? node.place.line : 0;
    if (std::find(result.begin(), result.end(), line) == result.end()) result.push_back(line);
    for (const Graph& region : node.regions)
      for (unsigned inner : lines(region))
        if (std::find(result.begin(), result.end(), inner) == result.end()) result.push_back(inner);
  }
  std::sort(result.begin(), result.end());
  return result;
}

Array squared_error(const Array& x) {
  const Array error = x - 1.0;
  return mean(error * error);
}
constexpr unsigned subtraction = __LINE__ - 3, error_mean = __LINE__ - 2;

std::vector<std::string> names(const Graph& graph) {
  std::vector<std::string> result;
  for (ValueId id : graph.parameters()) result.push_back(graph.values()[static_cast<std::size_t>(id)].name);
  return result;
}

using Names = std::vector<std::string>;
using Lines = std::vector<unsigned>;

struct Dense {
  Array weight;
  std::optional<Array> bias;
};

struct Model {
  std::vector<Dense> layers;
  std::array<Array, 2> ends;
  std::tuple<Array, std::pair<Array, Array>> others;
  float epsilon = 1e-6f;
  std::string activation = "gelu";
  Dense 마지막;
};

Model small_model() {
  const Array x = parameter(row, "");
  return {{{x, {}}, {x, x}}, {x, x}, {x, {x, x}}, 1e-6f, "gelu", {x, {}}};
}

}  // namespace

TEST_CASE("a node is placed at the line and in the function of the user's operator") {
  const Graph graph = of(squared_error);
  CHECK(lines(graph) == Lines{subtraction, error_mean});
  for (const Node& node : graph.nodes()) CHECK(node.place.function.string().find("squared_error") != std::string::npos);
}

TEST_CASE("a composed function places all its nodes at its caller's line") {
  const TensorType key{DType::u32, {2}};
  unsigned line = 0;
  const auto at = [&](unsigned here, auto&& function) {
    line = here;
    return function;
  };
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return softmax(x); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return log_softmax(x); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return gelu(x); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return gelu_tanh(x); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return relu(x); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return mean(x); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return argmax(x); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return broadcast_to(expand_dims(x, 0), {2, 4}); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return stop_gradient(x); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return unique(x, {.size = 2, .fill = 0}); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return argwhere(x, {.size = 2, .fill = 0}); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return cumulative_sum(x); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return repeat(x, 2); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return x[0]; }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return (2 * x + 1) % 3.0f == pow(x, 2); }))) == Lines{line});
  const auto second = [](const Array& x) { return take_along_last(x, constant(Tensor::scalar<std::int32_t>(1))); };
  CHECK(lines(of(at(__LINE__ - 1, second))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return take(x, iota({DType::i32, {2}}, 0)); }))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& x) { return clamp(0, select(x > 0, x, 1.0), 2); }))) == Lines{line});
  const auto padded = [](const Array& x) { return matmul(pad(x, 0, {1}, {1}), zeros({DType::f32, {6}})); };
  CHECK(lines(of(at(__LINE__ - 1, padded))) == Lines{line});
  const auto sorted = [](const Array& x) { return sum(sort({x})[0]) + square(max(x, {0}, true)); };
  CHECK(lines(of(at(__LINE__ - 1, sorted))) == Lines{line});
  CHECK(lines(of(at(__LINE__, [](const Array& k) { return random_uniform(fold_in(k, 3), {2}); }), key)) == Lines{line});
}

TEST_CASE("a compound assignment is placed at its line, and leaves what was made of the value before") {
  unsigned line = 0;
  const Graph graph = of([&](const Array& x) {
    Array total = x;
    const Array before = total * 3.0f;
    line = __LINE__ + 1;
    total += 1;
    total *= before;
    return total;
  });
  CHECK(lines(graph) == Lines{line - 2, line, line + 1});
  const std::vector<Tensor> arguments{Tensor::of<float>({4}, {0, 1, 2, 3})};
  CHECK(evaluate(graph, arguments).front() == Tensor::of<float>({4}, {0, 6, 18, 36}));
}

TEST_CASE("a node of a derivative is placed at the line of the operation that it differentiates") {
  const Graph scalar = of(squared_error);
  CHECK(lines(grad(scalar)) == Lines{subtraction, error_mean});
  unsigned line = __LINE__ + 1;  // of the seed
  CHECK(lines(of([](const Array& x) { return grad(squared_error)(x); })) == Lines{subtraction, error_mean, line});
}

TEST_CASE("what the body of a loop or a branch does keeps its own lines, and so do its derivatives") {
  unsigned loop = 0, body = 0, scan_at = 0, step = 0, branch = 0, taken = 0;
  const auto function = [&](const Array& x) {
    loop = __LINE__ + 1;
    const Array powers = fori_loop(
        0, 3,
        [&](const Array&, const Array& s) {
          body = __LINE__ + 1;
          return s * x;
        },
        x);
    scan_at = __LINE__ + 1;
    const auto [carry, outputs] = scan(
        [&](const Array& s, const Array& element) {
          step = __LINE__ + 1;
          const Array next = s * element;
          return std::pair{next, next};
        },
        constant(Tensor::scalar(1.0f)), powers);
    branch = __LINE__ + 2;
    return cond(
        carry > 0,
        [&] {
          taken = __LINE__ + 1;
          return sum(outputs);
        },
        [&] { return carry; });
  };
  const Graph graph = of(function);
  CHECK(body == loop + 4);
  const Lines all = lines(graph);
  for (unsigned line : {loop, body, scan_at, step, branch, taken}) CHECK(std::count(all.begin(), all.end(), line) == 1);
  CHECK(std::count(all.begin(), all.end(), 0u) == 0);
  const Lines derived = lines(grad(graph));
  for (unsigned line : {loop, body, scan_at, step, taken}) CHECK(std::count(derived.begin(), derived.end(), line) == 1);
  CHECK(std::count(derived.begin(), derived.end(), 0u) == 0);
}

TEST_CASE("parameters are named after the fields that hold them") {
  const Model model = small_model();
  const auto traced =
      trace([](const Model& m, const Array& x) { return m.ends[0] + x; }, {"model", "x"}, model, model.ends[0]);
  CHECK(names(traced.graph) == Names{"model.layers.0.weight", "model.layers.1.weight", "model.layers.1.bias",
                                     "model.ends.0", "model.ends.1", "model.others.0", "model.others.1.0",
                                     "model.others.1.1", "model.마지막.weight", "x"});
  CHECK(names(trace([](const Array& a, const Array& b) { return a + b; }, {}, model.ends[0], model.ends[1]).graph) ==
        Names{"arg0", "arg1"});
}

TEST_CASE("the structure of a result is that of what the function returned") {
  const auto traced = trace(
      [](const Model& m) {
        Model next = m;
        next.layers[1].bias = m.ends[0] * 2.0;
        return std::pair{next, sum(m.ends[1])};
      },
      {"model"}, small_model());
  CHECK(traced.graph.results().size() == 10);
  CHECK(traced.structure.first.layers.size() == 2);
  CHECK_FALSE(traced.structure.first.layers[0].bias.has_value());
  CHECK(names_of(traced.structure.first) == names_of(small_model()));
}

namespace {

void make_empty(Array& array) { array = {}; }
std::string last_name;
void note_name(const std::string& name, const Array&) { last_name = name; }

}  // namespace

TEST_CASE("each array of a structure is shown to a function, by its name or by its address") {
  std::array<Array, 2> arrays = small_model().ends;
  for_each_array(std::as_const(arrays), "ends", note_name);
  CHECK(last_name == "ends.1");
  for_each_array(arrays, make_empty);
  CHECK(arrays.back().empty());
  arrays = small_model().ends;
  for_each_array(arrays, &make_empty);
  CHECK(arrays.back().empty());
}

TEST_CASE("Values holds one tensor for each array, and finds it by name") {
  const Model model = small_model();
  Values<Model> values{model, std::vector<Tensor>(9, Tensor::full<float>({4}, 1))};
  CHECK(values.structure().layers[1].bias->empty());
  values["layers.1.bias"] = Tensor::full<float>({4}, 2);
  CHECK(values.tensors()[2].at(0) == 2);
  CHECK_THROWS_AS(values["layers.2.bias"], Error);
  CHECK_THROWS_AS((Values<Model>{model, {}}), Error);
}

TEST_CASE("gradients have the structure of what is differentiated, and the rest of the result is passed on") {
  struct Weights {
    Array scale;
    std::vector<Array> shifts;
    int power = 2;
  };
  const auto loss = [](const Weights& w, const Array& x) {
    const Array y = x * w.scale + w.shifts[0];
    return std::pair{sum(y * y), y + w.shifts[1]};
  };
  const TensorType scalar{DType::f64, {}};
  const Array x = parameter(scalar, "");
  const auto traced = trace([&](const Weights& w, const Array& in) { return value_and_grad(loss)(w, in); }, {"w", "x"},
                            Weights{x, {x, x}}, x);
  CHECK(traced.structure.second.power == 2);
  CHECK(traced.structure.second.shifts.size() == 2);
  const std::vector<Tensor> arguments{Tensor::scalar(2.0), Tensor::scalar(1.0), Tensor::scalar(10.0),
                                      Tensor::scalar(3.0)};
  const auto results = evaluate(traced.graph, arguments);
  CHECK(results[0].item() == 49);  // (3 · 2 + 1)²
  CHECK(results[1].item() == 17);  // y + 10
  CHECK(results[2].item() == 42);  // 2 · 7 · 3
  CHECK(results[3].item() == 14);
  CHECK(results[4].item() == 0);  // the loss does not depend on it
}

TEST_CASE("a value that no result needs is not part of the program") {
  const Graph graph = of([](const Array& x) {
    for (int i = 0; i < 100; ++i) (void)exp(x * static_cast<float>(i));
    return -x;
  });
  CHECK(graph.nodes().size() == 1);
}

TEST_CASE("nodes come in the order in which the function made them") {
  const Graph graph = of([](const Array& x) {
    const Array first = exp(x), second = sin(x), third = tanh(x);
    return third + first * second;
  });
  std::vector<Op> order;
  for (const Node& node : graph.nodes()) order.push_back(node.op);
  CHECK(order == std::vector<Op>{Op::exponential, Op::sine, Op::tanh, Op::multiply, Op::add});
}

TEST_CASE("a chain of 200,000 operations is traced, differentiated and destroyed without using up the stack") {
  const auto chain = [](Array x) {
    for (int i = 0; i < 200'000; ++i) x = -x;
    return x;
  };
  const Graph graph = of(chain, {DType::f64, {}});
  CHECK(graph.nodes().size() == 200'000);
  const Tensor x = Tensor::scalar(3.0);
  CHECK(evaluate(grad(graph), std::span{&x, 1}).front().item() == 1);
}

TEST_CASE("an array made from a number is a scalar constant of the number's own type, at its line") {
  const Graph graph = of([](const Array& x) {
    Array total{0.5};
    for (int i = 0; i < 2; ++i) total = total + x;
    return total;
  });
  CHECK(graph.nodes()[0].op == Op::constant);
  CHECK(graph.type(graph.nodes()[0].outputs[0]) == TensorType{DType::f32, {}});
  CHECK(lines(graph).front() != 0);
  CHECK(graph.type(graph.results()[0]) == row);
  CHECK(Array{3}.type() == TensorType{DType::i32, {}});
  CHECK(Array{true}.type() == TensorType{DType::pred, {}});
  CHECK(Array{0.5f}.type() == TensorType{DType::f32, {}});
}

TEST_CASE("one dimension to reduce is a number, and transpose alone turns all of them round") {
  const TensorType type{DType::f32, {2, 3, 4}};
  const auto shape = [&](const std::function<Array(const Array&)>& function) {
    const Graph graph = of(function, type);
    return graph.type(graph.results()[0]).shape;
  };
  CHECK(shape([](const Array& x) { return sum(x, 0); }) == Shape{3, 4});
  CHECK(shape([](const Array& x) { return sum(x, -1, true); }) == Shape{2, 3, 1});
  CHECK(shape([](const Array& x) { return mean(x, 1); }) == Shape{2, 4});
  CHECK(shape([](const Array& x) { return sum(x, std::int64_t{2}); }) == Shape{2, 3});
  CHECK(shape([](const Array& x) { return all(x > 0, 1); }) == Shape{2, 4});
  CHECK(shape([](const Array& x) { return any(x > 0, -1); }) == Shape{2, 3});
  CHECK(shape([](const Array& x) { return transpose(x); }) == Shape{4, 3, 2});
  CHECK(shape([](const Array& x) { return transpose(sum(x)); }) == Shape{});
  REQUIRE_THROWS_AS(shape([](const Array& x) { return sum(x, 3); }), Error);
}

TEST_CASE("random_bits are the bits of octet.base, element by element") {
  for (const Shape& shape : {Shape{}, Shape{0}, Shape{1}, Shape{7}, Shape{3, 5}}) {
    const Key key{0x1234'5678u, 0x9abc'def0u};
    const Graph graph =
        trace([&](const Arrays& in) { return Arrays{random_bits(in[0], shape), random_uniform(in[0], shape)}; },
              {{DType::u32, {2}}});
    const Tensor words = Tensor::of<std::uint32_t>({2}, {key.high, key.low});
    const auto results = evaluate(graph, std::span{&words, 1});
    CHECK(results[0].shape() == shape);
    for (std::int64_t i = 0; i < shape.elements(); ++i) {
      CHECK(results[0].span<std::uint32_t>()[static_cast<std::size_t>(i)] == bits(key, static_cast<std::uint64_t>(i)));
      CHECK(results[1].span<float>()[static_cast<std::size_t>(i)] == uniform(key, static_cast<std::uint64_t>(i)));
    }
  }
}

TEST_CASE("fold_in makes the key that octet.base makes, from an array or a number") {
  const Key key = Key::of_seed(42);
  const Graph graph = trace([](const Arrays& in) { return Arrays{fold_in(in[0], in[1]), fold_in(in[0], 7)}; },
                            {{DType::u32, {2}}, {DType::u32, {}}});
  const std::vector<Tensor> arguments{Tensor::of<std::uint32_t>({2}, {key.high, key.low}),
                                      Tensor::scalar<std::uint32_t>(7)};
  const Key folded = fold_in(key, 7);
  for (const Tensor& result : evaluate(graph, arguments))
    CHECK(result == Tensor::of<std::uint32_t>({2}, {folded.high, folded.low}));
}

TEST_CASE("stop_gradient keeps every bit of the value") {
  const float infinity = 1.0f / 0.0f;
  const Tensor values = Tensor::of<float>({5}, {-0.0f, 1.5f, infinity, -infinity, 1e-40f});
  for (DType dtype : {DType::bf16, DType::f32, DType::f64, DType::i32}) {
    const Tensor x = values.converted(dtype);
    CHECK(evaluate(of([](const Array& a) { return stop_gradient(a); }, x.type()), std::span{&x, 1}).front() == x);
  }
}

TEST_CASE("argmax names the first of equals, and the first NaN where there is one") {
  const float nan = 0.0f / 0.0f;
  const Tensor x = Tensor::of<float>({3, 3}, {1, 5, 5, 2, nan, 9, -3, -1, -2});
  const auto result = evaluate(of([](const Array& a) { return argmax(a); }, x.type()), std::span{&x, 1});
  CHECK(result.front() == Tensor::of<std::int32_t>({3}, {1, 1, 1}));
}
